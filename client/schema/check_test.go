package schema

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
)

func check(t *testing.T, schema, value string) []string {
	t.Helper()
	return said(Compile([]byte(schema)).Check(mustParse(t, value)))
}

const weather = `{"type":"object","properties":{"location":{"type":"string"},"days":{"type":"integer"},"units":{"type":"string","enum":["c","f"]}},"required":["location"],"additionalProperties":false}`

func TestCheckOrder(t *testing.T) {
	want := []string{" location is required", "/days must be a whole number, is 2.5", "/units must be c or f", " x is not a parameter"}
	if got := check(t, weather, `{"x":1,"units":"k","days":2.5}`); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	problems := Compile([]byte(weather)).Check(mustParse(t, `{"loc":1}`))
	var rows []string
	for _, p := range problems {
		rows = append(rows, p.Row+" "+p.Keyword+" "+p.Sentence())
	}
	if want := []string{"/location required location is required", "/loc additionalProperties loc is not a parameter (location?)"}; !slices.Equal(rows, want) {
		t.Errorf("%q", rows)
	}
}

func TestSentences(t *testing.T) {
	for _, c := range []struct{ schema, value, want string }{
		{`{"properties":{"a":{"type":"array","items":{"properties":{"b":{"maxLength":1}}}}}}`, `{"a":[{"b":"xx"}]}`, "a, row 1, b: must have at most 1 character, has 2"},
		{`{"properties":{"a":{"minProperties":2}}}`, `{"a":{"x":1}}`, "a: must have at least 2 entries, has 1"},
		{`{"properties":{"a":{"maxProperties":0}}}`, `{"a":{"x":1}}`, "a: must have at most 0 entries, has 1"},
		{`{"properties":{"a":{"exclusiveMaximum":5}}}`, `{"a":5}`, "a: must be less than 5"},
		{`{"properties":{"a":{"minimum":5,"exclusiveMinimum":true}}}`, `{"a":5}`, "a: must be greater than 5"},
		{`{"properties":{"a":{"maxItems":1}}}`, `{"a":[1,2]}`, "a: must have at most 1 row, has 2"},
		{`{"properties":{"a":{"contains":{"type":"integer"},"minContains":2}}}`, `{"a":[1,"x"]}`, "a: must have at least 2 rows like a whole number, has 1"},
		{`{"properties":{"a":{"not":{"type":"string"}}}}`, `{"a":"x"}`, "a: must not be text"},
		{`{"properties":{"a":{"const":{"b":1}}}}`, `{"a":"x"}`, `a: must be {"b":1}`},
		{`{"properties":{"a":{"enum":["",null]}}}`, `{"a":"x"}`, `a: must be "" or null`},
		{`{"propertyNames":{"maxLength":2}}`, `{"abc":1}`, `name "abc" must have at most 2 characters, has 3`},
		{`{"unevaluatedProperties":false,"allOf":[{"properties":{"ab":true}}]}`, `{"ab":1,"ac":1}`, "ac is not a parameter (ab?)"},
		{`{"properties":{"a":{"prefixItems":[{}],"unevaluatedItems":false}}}`, `{"a":[1,2]}`, "a: must have at most 1 row, has 2"},
		{`{"dependentSchemas":{"a":{"required":["b"]}}}`, `{"a":1}`, "b is required because a is given"},
		{`{"dependencies":{"a":["b"]},"$schema":"http://json-schema.org/draft-07/schema#"}`, `{"a":1}`, "b is required when a is given"},
		{`{"oneOf":[{"title":"A","properties":{"a":{"type":"string"}}},{"title":"B","properties":{"b":{"type":"string"}}}]}`, `{}`, "must fit only one of A or B, fits A and B"},
		{`{"properties":{"a":{"anyOf":[{"type":"string","maxLength":2},{"type":"integer"}]}}}`, `{"a":"abc"}`, "a: must have at most 2 characters, has 3 (or a whole number)"},
		{`{"properties":{"a":{"anyOf":[{"type":"integer","minimum":1},{"type":"null"}]}}}`, `{"a":0}`, "a: must be at least 1 (or null)"},
		{`{"properties":{"a":{"type":"integer"}},"required":["a"],"$ref":"#/$defs/B","$defs":{"B":{"required":["c"],"properties":{"c":{"type":["string","null"]}}}}}`, `{"a":1}`, "c is required (null is allowed)"},
		{`{"properties":{"a/b":{"properties":{"":{"type":"string"}}}}}`, `{"a/b":{"":1}}`, `a/b, "": must be text, is 1`},
		{`{"properties":{"a":{"pattern":"^(?=.*\\d)(?<q>.)\\k<q>"}}}`, `{"a":"ab1"}`, `a: must match ^(?=.*\d)(?<q>.)\k<q>`},
		{`{"properties":{"d":{"format":"date"}}}`, `{"d":"2026-02-30"}`, "d: must be a date like 2026-07-28"},
	} {
		problems := Compile([]byte(c.schema)).Check(mustParse(t, c.value))
		if len(problems) != 1 || problems[0].Sentence() != c.want {
			t.Errorf("%s\n %s: %+v\n want %s", c.schema, c.value, problems, c.want)
		}
	}
}

func TestCheckOutput(t *testing.T) {
	raw := []byte(`{"type":"object","properties":{"celsius":{"type":"number"},"sky":{"type":"string"}},"required":["celsius","sky"],"additionalProperties":false}`)
	got := said(CheckOutput(raw, mustParse(t, `{"celsius":"21","wind":3}`)))
	if want := []string{" sky is required", "/celsius must be a number, is text", " wind is not expected"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	list := []byte(`{"type":"array","items":{"type":"object","properties":{"id":{"type":"integer"},"done":{"type":"boolean"}},"required":["id"]}}`)
	if got := CheckOutput(list, mustParse(t, `[{"id":1,"done":true},{"id":2}]`)); got != nil {
		t.Errorf("%+v", got)
	}
	if got := said(CheckOutput(list, mustParse(t, `[{"id":1},{}]`))); !slices.Equal(got, []string{"/1 id is required"}) {
		t.Errorf("%q", got)
	}
	for raw, want := range map[string]string{
		"":                           "",
		"null":                       "",
		`{"type":"null"}`:            "",
		`{"$ref":"#/$defs/Missing"}`: "not checked: #/$defs/Missing is not defined",
		`{"$schema":"http://example.invalid/schema","type":"object"}`: "not checked: dialect http://example.invalid/schema is not supported",
		`{"type":7}`: "not checked: type must be text or a list, is 7",
		`{`:          "not checked: outputSchema is not JSON: line 1, column 2: unexpected end, expected a name in quotes",
	} {
		var b []byte
		if raw != "" {
			b = []byte(raw)
		}
		got := CheckOutput(b, Value{})
		if want == "" && got != nil || want != "" && (len(got) != 1 || !got[0].Advisory || got[0].Message != want) {
			t.Errorf("%s: %+v, want %q", raw, got, want)
		}
	}
}

// TestDrafts: the same thing said in the words of each draft.
func TestDrafts(t *testing.T) {
	for _, c := range []struct{ schema, good, bad string }{
		{`{"$schema":"http://json-schema.org/draft-04/schema#","id":"http://x.invalid/a","properties":{"a":{"minimum":1,"exclusiveMinimum":true}}}`, `{"a":2}`, `{"a":1}`},
		{`{"$schema":"http://json-schema.org/draft-06/schema#","properties":{"a":{"const":1}}}`, `{"a":1.0}`, `{"a":2}`},
		{`{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"a":{"items":[{"type":"string"}],"additionalItems":false}}}`, `{"a":["x"]}`, `{"a":["x",1]}`},
		{`{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"a":{"$ref":"#/definitions/A","type":"string"}},"definitions":{"A":{"type":"integer"}}}`, `{"a":1}`, `{"a":"x"}`},
		{`{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"a":{"$ref":"#A"}},"definitions":{"X":{"$id":"#A","type":"integer"}}}`, `{"a":1}`, `{"a":"x"}`},
		{`{"$schema":"https://json-schema.org/draft/2019-09/schema","properties":{"a":{"$ref":"#A","maximum":5}},"$defs":{"X":{"$anchor":"A","type":"integer"}}}`, `{"a":1}`, `{"a":6}`},
		{`{"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://x.invalid/root.json","properties":{"a":{"$ref":"other.json"}},"$defs":{"X":{"$id":"https://x.invalid/other.json","type":"integer"}}}`, `{"a":1}`, `{"a":"x"}`},
		{`{"properties":{"a":{"$ref":"#/components/schemas/X%20Y"}},"components":{"schemas":{"X Y":{"type":"integer"}}}}`, `{"a":1}`, `{"a":"x"}`},
		{`{"properties":{"a":{"$dynamicRef":"#n"}},"$defs":{"X":{"$dynamicAnchor":"n","type":"integer"}}}`, `{"a":1}`, `{"a":"x"}`},
	} {
		if got := check(t, c.schema, c.good); got != nil {
			t.Errorf("%s\n %s: %q", c.schema, c.good, got)
		}
		if got := check(t, c.schema, c.bad); len(got) != 1 || strings.Contains(got[0], "not checked") {
			t.Errorf("%s\n %s: %q", c.schema, c.bad, got)
		}
	}
}

// TestOddKeywords: one keyword that is wrong is noted and takes nothing else
// down with it.
func TestOddKeywords(t *testing.T) {
	for keyword, note := range map[string]string{
		`"type":"any"`:                 `type "any" is unknown`,
		`"type":["string",5]`:          "type must be text or a list of texts",
		`"enum":"a"`:                   "enum must be a list, is text",
		`"required":true`:              "required must be a list of names, is true",
		`"required":["a",1]`:           "required must be a list of names, holds 1",
		`"minimum":"3"`:                "minimum must be a number, is text",
		`"minLength":-1`:               "minLength must be a whole number from 0, is -1",
		`"multipleOf":0`:               "multipleOf must be greater than 0",
		`"multipleOf":1e9999999`:       "not checked: the exponent of 1e9999999 is too large",
		`"pattern":"("`:                "not checked: pattern \"(\" is no regular expression",
		`"pattern":5`:                  "pattern must be text, is 5",
		`"properties":[]`:              "properties must be an object, is a list",
		`"properties":{"q":5}`:         "a schema must be an object, true or false, this is 5",
		`"allOf":{}`:                   "allOf must be a list of schemas, is an object",
		`"items":3`:                    "a schema must be an object, true or false, this is 3",
		`"$ref":7`:                     "$ref must be text, is 7",
		`"$ref":"#/properties/x"`:      "#/properties/x refers to itself",
		`"$ref":"https://x.invalid/y"`: "external reference not fetched",
		`"dependentRequired":[]`:       "dependentRequired must be an object, is a list",
		`"$schema":"x"`:                "",
	} {
		s := Compile([]byte(`{"type":"object","properties":{"x":{` + keyword + `},"ok":{"type":"integer"}}}`))
		if got := said(s.Check(mustParse(t, `{"ok":"1"}`))); len(got) != 1 || got[0] != "/ok must be a whole number, is text" {
			t.Errorf("%s: %q", keyword, got)
		}
		notes := s.Notes()
		if note == "" && notes != nil || note != "" && (len(notes) != 1 || !strings.HasPrefix(notes[0].Text, note) || !strings.HasPrefix(notes[0].Pointer, "/properties/x")) {
			t.Errorf("%s: notes %+v, want %q", keyword, notes, note)
		}
		if row, ok := find(s.Rows(), "/x"); !ok || row.Control == "" {
			t.Errorf("%s: no row", keyword)
		}
	}
}

// hostile schemas and the values that would hurt with them.
func hostile() map[string][2]string {
	nest := func(n int, open, close string) string {
		return strings.Repeat(open, n) + "{}" + strings.Repeat(close, n)
	}
	var fan, chain strings.Builder
	for i := range 22 {
		fmt.Fprintf(&fan, `"f%d":{"allOf":[{"$ref":"#/$defs/f%d"},{"$ref":"#/$defs/f%d"}]},`, i, i+1, i+1)
	}
	for i := range 5000 {
		fmt.Fprintf(&chain, `"c%d":{"$ref":"#/$defs/c%d"},`, i, i+1)
	}
	var many strings.Builder
	for i := range 30000 {
		fmt.Fprintf(&many, `"p%d":{},`, i)
	}
	return map[string][2]string{
		"nested items":        {`{"properties":{"a":` + nest(9000, `{"items":`, `}`) + `}}`, `{"a":[[[]]]}`},
		"fan of allOf":        {`{"$ref":"#/$defs/f0","$defs":{` + fan.String() + `"f22":{}}}`, `{}`},
		"chain of references": {`{"$ref":"#/$defs/c0","$defs":{` + chain.String() + `"c5000":{}}}`, `{}`},
		"many properties":     {`{"properties":{` + many.String() + `"z":{}}}`, `{"p1":1}`},
		"slow pattern":        {`{"properties":{"a":{"pattern":"^(a+)+$"},"b":{"pattern":"^(b|b?b)+$"}}}`, `{"a":"` + strings.Repeat("a", 60) + `!","b":"` + strings.Repeat("b", 60) + `!"}`},
		"huge exponents":      {`{"properties":{"a":{"minimum":1e99999999,"maximum":2,"type":"number"}}}`, `{"a":1e999999999}`},
		"growing tree":        {`{"$defs":{"A":{"properties":{"x":{"allOf":[{"$ref":"#/$defs/A"},{"$ref":"#/$defs/A"}]}}}},"$ref":"#/$defs/A"}`, strings.Repeat(`{"x":`, 40) + `{}` + strings.Repeat(`}`, 40)},
		"required itself":     {`{"$ref":"#/$defs/A","$defs":{"A":{"type":"object","properties":{"l":{"$ref":"#/$defs/B"},"r":{"$ref":"#/$defs/B"}},"required":["l","r"]},"B":{"type":"object","properties":{"l":{"$ref":"#/$defs/A"},"r":{"$ref":"#/$defs/A"}},"required":["l","r"]}}}`, `{}`},
		"deep value":          {`{"$ref":"#/$defs/A","$defs":{"A":{"additionalProperties":{"$ref":"#/$defs/A"}}}}`, strings.Repeat(`{"x":`, 2000) + `1` + strings.Repeat(`}`, 2000)},
		"union of unions":     {`{"properties":{"a":{"$ref":"#/$defs/f0"}},"$defs":{` + strings.ReplaceAll(fan.String(), "allOf", "anyOf") + `"f22":{"type":"string"}}}`, `{"a":1}`},
	}
}

func TestHostileSchemas(t *testing.T) {
	for name, c := range hostile() {
		t.Run(name, func(t *testing.T) {
			s := Compile([]byte(c[0]))
			v := mustParse(t, c[1])
			f := s.Form()
			f.Rows()
			if err := f.Load(v); err != nil {
				t.Fatal(err)
			}
			if got, _ := f.Check(); !got.Equal(v) {
				t.Errorf("sends %.100s", got.JSON())
			}
			f.Rows()
			s.Signature(name)
			problems := s.Check(v)
			switch name {
			case "nested items", "fan of allOf", "many properties", "slow pattern", "growing tree", "union of unions":
				if len(problems) == 0 || !problems[0].Advisory || !strings.HasPrefix(problems[0].Message, "not checked: ") {
					t.Errorf("passed in silence: %+v", problems)
				}
			case "huge exponents":
				if len(problems) == 0 || problems[0].Keyword != "maximum" {
					t.Errorf("%+v", problems)
				}
			case "chain of references", "deep value":
				if len(problems) > 0 && name == "chain of references" {
					t.Errorf("%.300v", problems)
				}
			}
		})
	}
}

func BenchmarkHostile(b *testing.B) {
	for name, c := range hostile() {
		v := mustParse(b, c[1])
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				s := Compile([]byte(c[0]))
				s.Rows()
				s.Check(v)
			}
		})
	}
}

func TestSignature(t *testing.T) {
	for _, c := range []struct{ schema, want string }{
		{`{"type":"object","properties":{"a":{"type":"number"},"b":{"type":"number"}},"required":["a","b"]}`, "t(a*, b*)"},
		{weather, "t(location*, days, units)"},
		{`{"type":"object","properties":{"a":{},"b":{},"c":{},"d":{},"e":{},"f":{},"g":{},"h":{}},"required":["h"]}`, "t(h*, a, b, c, d, …+3)"},
		{`{"type":"object"}`, "t()"},
		{``, "t()"},
		{`{"anyOf":[{"properties":{"via":{"const":"letter"}}},{"properties":{"via":{"const":"fax"}}}]}`, "t(via = letter | via = fax)"},
	} {
		if got := Signature("t", []byte(c.schema)); got != c.want {
			t.Errorf("%s: %s, want %s", c.schema, got, c.want)
		}
	}
}

func TestNear(t *testing.T) {
	for name, want := range map[string]string{"takes": "take", "rows": "maxRows", "Port": "port", "ofest": "offset", "zzz": "", "limti": "limit"} {
		got := Near(name, []string{"take", "maxRows", "port", "offset", "limit"})
		if want == "" && got != nil && len(got) > 0 || want != "" && (len(got) == 0 || got[0] != want) {
			t.Errorf("%s: %q, want %s", name, got, want)
		}
	}
}

// TestOneSchemaManyUsers is for the race detector: forms and checks of one
// schema run side by side.
func TestOneSchemaManyUsers(t *testing.T) {
	for _, s := range sidecars(t) {
		schema := Compile(s.schema)
		var wait sync.WaitGroup
		for range 4 {
			wait.Go(func() {
				form := schema.Form()
				for _, c := range append(s.list("valid"), s.list("invalid")...) {
					args, _ := c.Get("args")
					if args.Kind == Object && form.Load(args) != nil {
						t.Errorf("%s: not loaded", args.JSON())
					}
					form.Check()
					form.Rows()
				}
				schema.Notes()
			})
		}
		wait.Wait()
	}
}

// TestLongChoicesNameTheNearOne: a list that is cut for its length names what was perhaps meant.
func TestLongChoicesNameTheNearOne(t *testing.T) {
	long := make([]string, 40)
	for i := range long {
		long[i] = fmt.Sprintf("%q", fmt.Sprintf("zone-%02d", i))
	}
	for _, c := range []struct{ values, given, want string }{
		{strings.Join(append(long, `"celsius"`), ","), `"celsus"`, "; did you mean celsius?"},
		{strings.Join(long, ","), `"nothing alike"`, " more)"},
		{strings.Join(long, ","), `7`, " more)"},
		{`"celsius","kelvin"`, `"celsus"`, "must be celsius or kelvin"},
	} {
		s := Compile([]byte(`{"type":"object","properties":{"u":{"enum":[` + c.values + `]}}}`))
		v, err := Parse([]byte(`{"u":` + c.given + `}`))
		if err != nil {
			t.Fatal(err)
		}
		got := s.Check(v)
		if len(got) != 1 || !strings.HasSuffix(got[0].Message, c.want) {
			t.Errorf("%s: %v, want …%q", c.given, got, c.want)
		}
	}
}
