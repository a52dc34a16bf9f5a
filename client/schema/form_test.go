package schema

import (
	"slices"
	"strings"
	"testing"
)

// form makes a form and fills it as the drive line of a scenario does:
// name=JSON, or name=text where the schema wants text.
func filled(t *testing.T, schema string, fields ...string) *Form {
	t.Helper()
	f := Compile([]byte(schema)).Form()
	for _, field := range fields {
		name, text, _ := strings.Cut(field, "=")
		var err error
		if name == "variant" {
			var i int
			if i, err = f.Branch("", text); err == nil {
				err = f.ChooseBranch("", i)
			}
		} else {
			err = fill(f, "/"+name, text)
		}
		if err != nil {
			t.Fatalf("%s: %v", field, err)
		}
	}
	return f
}

func fill(f *Form, path, text string) error {
	if forced, ok := strings.CutSuffix(text, "(text)"); ok {
		return f.SetText(path, forced)
	}
	if text == "null(value)" {
		return f.SetNull(path)
	}
	if text == `""` {
		return f.SetEmpty(path)
	}
	v, err := Parse([]byte(text))
	if err != nil {
		return f.SetText(path, text)
	}
	row, _ := find(f.Rows(), path)
	switch v.Kind {
	case Object:
		if row.Control == ControlJSON {
			break
		}
		for _, m := range v.Members {
			below := Pointer(path, m.Name)
			if row.Control == ControlMap {
				if below, err = f.AddNamed(path, m.Name); err != nil {
					return err
				}
			}
			if err := fill(f, below, m.Value.JSON()); err != nil {
				return err
			}
		}
		return nil
	case Array:
		if len(v.Items) == 0 {
			return f.SetEmpty(path)
		}
		for _, item := range v.Items {
			below, err := f.Add(path)
			if err != nil {
				return err
			}
			if err := fill(f, below, item.JSON()); err != nil {
				return err
			}
		}
		return nil
	case String:
		if row.Control != ControlJSON {
			text = v.Text
		}
	}
	return f.SetText(path, text)
}

func find(rows []Row, path string) (Row, bool) {
	i := slices.IndexFunc(rows, func(r Row) bool { return r.Path == path })
	if i < 0 {
		return Row{Spec: &Spec{}}, false
	}
	return rows[i], true
}

// TestDriveLines: the form filled as in the scenarios sends exactly what they
// ask for.
func TestDriveLines(t *testing.T) {
	for _, c := range []struct {
		name, schema string
		fields       []string
		want         string
		problems     []string
	}{
		{"dangling ref", `{"type":"object","properties":{"root":{"$ref":"#/$defs/Node"},"depth":{"type":"integer"}},"required":["root"]}`,
			[]string{`root={"k":1}`, "depth=2"}, `{"root":{"k":1},"depth":2}`, []string{"/root not checked: #/$defs/Node is not defined"}},
		{"enums", `{"type":"object","properties":{"level":{"type":"integer","enum":[1,2,3],"default":2},"mode":{"enum":["fast","slow",null],"default":null},"unit":{"oneOf":[{"const":"C","title":"Celsius"},{"const":"F","title":"Fahrenheit"}]},"v":{"const":1},"mix":{"enum":[1,"1",true]}},"required":["v","level"]}`,
			[]string{"level=2", `unit="C"`, "v=1"}, `{"level":2,"unit":"C","v":1}`, nil},
		{"fixed by itself", `{"type":"object","properties":{"level":{"type":"integer"},"v":{"const":1},"w":{"const":2}},"required":["v"]}`,
			nil, `{"v":1}`, nil},
		{"list of objects", `{"type":"object","properties":{"items":{"anyOf":[{"type":"array","items":{"$ref":"#/$defs/Line"}},{"type":"null"}],"default":null,"title":"Items"}},"$defs":{"Line":{"properties":{"sku":{"title":"Sku","type":"string"},"qty":{"default":1,"title":"Qty","type":"integer"}},"required":["sku"],"title":"Line","type":"object"}}}`,
			[]string{`items=[{"sku":"a","qty":2},{"sku":"b","qty":3}]`}, `{"items":[{"sku":"a","qty":2},{"sku":"b","qty":3}]}`, nil},
		{"default untouched", `{"type":"object","properties":{"items":{"type":"array","items":{"type":"object","properties":{"sku":{"type":"string"},"qty":{"default":1,"type":"integer"}},"required":["sku"]}}}}`,
			[]string{`items=[{"sku":"a"},{"sku":"b","qty":3}]`}, `{"items":[{"sku":"a"},{"sku":"b","qty":3}]}`, nil},
		{"tree", `{"type":"object","properties":{"root":{"$ref":"#/$defs/Node"}},"required":["root"],"$defs":{"Node":{"type":"object","properties":{"name":{"type":"string"},"children":{"type":"array","items":{"$ref":"#/$defs/Node"}}},"required":["name"]}}}`,
			[]string{`root={"name":"a","children":[{"name":"b","children":[]}]}`}, `{"root":{"name":"a","children":[{"name":"b","children":[]}]}}`, nil},
		{"allOf at the root", `{"type":"object","required":["ownerId","subject"],"allOf":[{"type":"object","required":["ownerId","subject","archived"],"additionalProperties":false,"properties":{"ownerId":{"type":"integer"},"subject":{"type":"string"},"archived":{"type":"boolean"}}}]}`,
			[]string{"ownerId=1", `subject="t"`, "archived=false"}, `{"ownerId":1,"subject":"t","archived":false}`, nil},
		{"anyOf at the root", `{"type":"object","anyOf":[{"type":"object","properties":{"via":{"const":"letter"},"street":{"type":"string"}},"required":["via","street"]},{"type":"object","properties":{"via":{"const":"fax"},"number":{"type":"string"}},"required":["via","number"]}]}`,
			[]string{"variant=fax", "number=+1555"}, `{"via":"fax","number":"+1555"}`, nil},
		{"untyped", `{"type":"object","properties":{"limit":{},"payload":true,"never":false},"additionalProperties":false}`,
			[]string{"limit=5", `payload={"a":[1,true]}`}, `{"limit":5,"payload":{"a":[1,true]}}`, nil},
		{"untyped text", `{"type":"object","properties":{"limit":{}}}`, []string{`limit="5"`}, `{"limit":"5"}`, nil},
		{"map", `{"type":"object","properties":{"maxRows":{"type":"integer"},"labels":{"type":"object","additionalProperties":{"type":"string"}},"env":{"type":"object","patternProperties":{"^[A-Z_]+$":{"type":"string"}},"additionalProperties":false}},"additionalProperties":false}`,
			[]string{`labels={"a":"1","b":"2"}`}, `{"labels":{"a":"1","b":"2"}}`, nil},
		{"map with names of a kind", `{"type":"object","properties":{"env":{"type":"object","patternProperties":{"^[A-Z_]+$":{"type":"string"}},"additionalProperties":false}}}`,
			[]string{`env={"a":"1"}`}, `{"env":{"a":"1"}}`, []string{"/env a is not expected, names must match ^[A-Z_]+$"}},
		{"integers", `{"type":"object","properties":{"limit":{"type":"integer","minimum":1},"ratio":{"type":"number"},"flag":{"type":"boolean"}},"required":["limit","ratio","flag"]}`,
			[]string{"limit=5", "ratio=0.10", "flag=true"}, `{"limit":5,"ratio":0.10,"flag":true}`, nil},
		{"integer with a fraction", `{"type":"object","properties":{"limit":{"type":"integer"}}}`, []string{"limit=5.5"}, `{"limit":5.5}`, []string{"/limit must be a whole number, is 5.5"}},
		{"integer with an exponent", `{"type":"object","properties":{"limit":{"type":"integer"}}}`, []string{"limit=1e3"}, `{"limit":1e3}`, nil},
		{"hexadecimal", `{"type":"object","properties":{"limit":{"type":"integer"}}}`, []string{"limit=0x10"}, `{"limit":"0x10"}`, []string{`/limit must be a whole number, is "0x10"`}},
		{"leading zeros of a number", `{"type":"object","properties":{"limit":{"type":"integer"}}}`, []string{"limit=007"}, `{"limit":"007"}`, []string{`/limit must be a whole number, is "007" (7?)`}},
		{"broken JSON", `{"type":"object","properties":{"filters":{"type":"object"}},"required":["filters"]}`,
			[]string{`filters={"status":"inactive",}`}, `{}`, []string{"/filters invalid JSON at line 1, column 22 (trailing comma)"}},
		{"large integer", `{"type":"object","properties":{"id":{"type":"integer"}},"required":["id"]}`, []string{"id=9007199254740993"}, `{"id":9007199254740993}`, nil},
		{"text that looks like something", `{"type":"object","properties":{"pin":{"type":"string"},"flag":{"type":"string"},"note":{"type":"string"},"nil":{"type":"string"},"big":{"type":"string"}}}`,
			[]string{"pin=000123(text)", "flag=false(text)", `note={"a":1}(text)`, "nil=null(text)", "big=1e999(text)"},
			`{"pin":"000123","flag":"false","note":"{\"a\":1}","nil":"null","big":"1e999"}`, nil},
		{"null as text", nullSchema, []string{"label=null(text)"}, `{"label":"null"}`, nil},
		{"null as value", nullSchema, []string{"area=null(value)", "tags=null(value)", "label=x"}, `{"area":null,"tags":null,"label":"x"}`, nil},
		{"untouched", `{"type":"object","properties":{"term":{"type":"string","minLength":1},"skip":{"type":"number"},"take":{"type":"number"}},"required":["term"]}`,
			[]string{"term=x"}, `{"term":"x"}`, nil},
		{"empty text", `{"type":"object","properties":{"prefix":{"type":"string"},"start":{"type":"integer"},"amount":{"type":"integer"}},"required":["prefix","start","amount"]}`,
			[]string{`prefix=""`, "start=0", "amount=100"}, `{"prefix":"","start":0,"amount":100}`, nil},
		{"text left out", `{"type":"object","properties":{"prefix":{"type":"string"}},"required":["prefix"]}`, nil, `{}`, []string{" prefix is required"}},
		{"exact JSON", `{"type":"object","properties":{"n":{"type":"integer"},"s":{"type":"string"},"o":{"type":"object","properties":{"a":{"type":"string"}}}}}`,
			[]string{`n=:="x"`, "s=:=1.50", `o=:=[1,  2]`}, `{"n":"x","s":1.50,"o":[1,2]}`,
			[]string{"/n must be a whole number, is text", "/s must be text, is 1.50", "/o must be an object, is a list"}},
		{"tuple", `{"type":"object","properties":{"p":{"type":"array","prefixItems":[{"type":"string"},{"type":"integer"},{"type":"boolean"}],"items":false,"minItems":2}}}`,
			[]string{"p/2=true"}, `{"p":[null,null,true]}`, []string{"/p/0 needs a value, the third place has one", "/p/1 needs a value, the third place has one"}},
		{"2^60 and more", `{"type":"object","properties":{"a":{"type":"integer","minimum":1},"b":{"type":"number","minimum":0},"c":{"type":"number"},"d":{"type":"integer"}}}`,
			[]string{"a=1152921504606846976", "b=1e400", "c=1.000000000000000000000001", "d=1.0"}, `{"a":1152921504606846976,"b":1e400,"c":1.000000000000000000000001,"d":1.0}`, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			v, problems := filled(t, c.schema, c.fields...).Check()
			if v.JSON() != c.want {
				t.Errorf("sends %s, want %s", v.JSON(), c.want)
			}
			if got := said(problems); !slices.Equal(got, c.problems) {
				t.Errorf("problems %q, want %q", got, c.problems)
			}
		})
	}
}

const nullSchema = `{"type":"object","properties":{"area":{"anyOf":[{"type":"string"},{"type":"null"}],"default":null},"tags":{"anyOf":[{"type":"array","items":{"type":"string"}},{"type":"null"}],"default":null},"label":{"type":"string"}}}`

func said(problems []Problem) []string {
	var list []string
	for _, p := range problems {
		list = append(list, p.Path+" "+p.Message)
	}
	return list
}

func TestStatesAreKeptApart(t *testing.T) {
	f := Compile([]byte(`{"type":"object","properties":{"a":{"type":["string","null"],"default":"d"},"n":{"type":"integer"},"g":{"type":"object","properties":{"x":{"type":"string"},"y":{"type":"string"}}}}}`)).Form()
	do := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	want := func(json string, state State) {
		t.Helper()
		v, _ := f.Value()
		row, _ := find(f.Rows(), "/a")
		if v.JSON() != json || row.State != state {
			t.Errorf("sends %s, state %s; want %s, %s", v.JSON(), row.State, json, state)
		}
	}
	want(`{}`, StateLeftOut)
	do(f.SetNull("/a"))
	want(`{"a":null}`, StateNull)
	do(f.SetEmpty("/a"))
	want(`{"a":""}`, StateEmpty)
	do(f.SetDefault("/a"))
	want(`{"a":"d"}`, StateDefault)
	do(f.SetText("/a", "x"))
	want(`{"a":"x"}`, StateSet)
	do(f.LeaveOut("/a"))
	want(`{}`, StateLeftOut)
	if row, _ := find(f.Rows(), "/a"); row.Text != "x" {
		t.Errorf("the text %q was lost", row.Text)
	}
	do(f.Set("/a"))
	want(`{"a":"x"}`, StateSet)

	if f.SetDefault("/n") == nil || f.SetEmpty("/n") == nil || f.SetText("/q", "x") == nil || f.LeaveOut("") == nil {
		t.Error("an operation that makes no sense was taken")
	}
	do(f.SetText("/g/x", "1"))
	want(`{"a":"x","g":{"x":"1"}}`, StateSet)
	do(f.LeaveOut("/g"))
	want(`{"a":"x"}`, StateSet)
	do(f.SetText("/g/y", "2"))
	want(`{"a":"x","g":{"x":"1","y":"2"}}`, StateSet)
	do(f.SetEmpty("/g"))
	want(`{"a":"x","g":{}}`, StateSet)
	do(f.SetText("/a", ""))
	want(`{"g":{}}`, StateLeftOut)
}

func TestListsAndMaps(t *testing.T) {
	f := Compile([]byte(`{"type":"object","properties":{"l":{"type":"array","items":{"type":"string"}},"m":{"type":"object","additionalProperties":{"type":"integer"}}}}`)).Form()
	for _, text := range []string{"a", "b", "c"} {
		path, err := f.Add("/l")
		if err != nil || f.SetText(path, text) != nil {
			t.Fatal(err)
		}
	}
	if to, err := f.Move("/l/2", -2); err != nil || to != "/l/0" {
		t.Errorf("moved to %s, %v", to, err)
	}
	if err := f.Remove("/l/1"); err != nil {
		t.Error(err)
	}
	path, err := f.Add("/m")
	if err != nil || path != "/m/key" {
		t.Fatalf("%s %v", path, err)
	}
	if _, problems := f.Check(); len(problems) != 1 || problems[0].Path != "/m/key" || problems[0].Message != "needs a value" {
		t.Errorf("problems %+v", problems)
	}
	if err := f.SetKey(path, "x y"); err != nil {
		t.Error(err)
	}
	if err := f.SetText("/m/x y", "7"); err != nil {
		t.Error(err)
	}
	if v, problems := f.Check(); v.JSON() != `{"l":["c","b"],"m":{"x y":7}}` || problems != nil {
		t.Errorf("%s %+v", v.JSON(), problems)
	}
	if _, err := f.AddNamed("/m", "x y"); err == nil {
		t.Error("a name was added twice")
	}
	for _, path := range []string{"/l/0", "/l/0", "/m/x y"} {
		if err := f.Remove(path); err != nil {
			t.Error(err)
		}
	}
	if v, _ := f.Value(); v.JSON() != `{"l":[],"m":{}}` {
		t.Errorf("emptied: %s", v.JSON())
	}
	if f.Remove("/l") == nil || f.SetKey("/l", "q") == nil {
		t.Error("a property was removed or renamed")
	}
}

func TestVariantKeepsEachBranch(t *testing.T) {
	f := Compile([]byte(`{"type":"object","properties":{"v":{"anyOf":[{"type":"string"},{"type":"integer"},{"type":"array","items":{"type":"string"}}]}}}`)).Form()
	row, _ := find(f.Rows(), "/v")
	if row.Control != ControlVariant || !slices.Equal(row.Variants, []string{"text", "integer", "list of text"}) || row.Inner.Control != ControlText {
		t.Fatalf("%+v", row.Describe().JSON())
	}
	steps := []struct {
		do   func() error
		want string
	}{
		{func() error { return f.SetText("/v", "7") }, `{"v":"7"}`},
		{func() error { return f.ChooseBranch("/v", 1) }, `{}`},
		{func() error { return f.SetText("/v", "7") }, `{"v":7}`},
		{func() error { return f.ChooseBranch("/v", 2) }, `{}`},
		{func() error { p, err := f.Add("/v"); _ = f.SetText(p, "q"); return err }, `{"v":["q"]}`},
		{func() error { return f.ChooseBranch("/v", 0) }, `{"v":"7"}`},
		{func() error { return f.SetNull("/v") }, `{"v":null}`},
		{func() error { return f.SetText("/v", ":=true") }, `{"v":true}`},
	}
	for i, s := range steps {
		if err := s.do(); err != nil {
			t.Fatal(err)
		}
		if v, _ := f.Value(); v.JSON() != s.want {
			t.Errorf("step %d: %s, want %s", i, v.JSON(), s.want)
		}
	}
}

func TestLoadKeepsUnknownMembers(t *testing.T) {
	schema := Compile([]byte(`{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"string"},"g":{"type":"object","properties":{"x":{"const":1}},"required":["x"]}}}`))
	for _, c := range []struct{ in, out string }{
		{`{"b":"x","a":1.0,"zz":[1,{"q":null}]}`, `{"a":1.0,"b":"x","zz":[1,{"q":null}]}`},
		{`{"a":"text","b":5}`, `{"a":"text","b":5}`},
		{`{"a":null,"b":""}`, `{"a":null,"b":""}`},
		{`{"b":":=1"}`, `{"b":":=1"}`},
		{`{"g":{}}`, `{"g":{}}`},
		{`{"g":{"y":2}}`, `{"g":{"y":2}}`},
		{`{"g":[1]}`, `{"g":[1]}`},
		{`{"a":1,"a":2}`, `{"a":1,"a":2}`},
		{`{"g":{"x":1,"x":2}}`, `{"g":{"x":1,"x":2}}`},
		{`{}`, `{}`},
	} {
		f := schema.Form()
		if err := f.Load(mustParse(t, c.in)); err != nil {
			t.Fatal(err)
		}
		if v, problems := f.Value(); v.JSON() != c.out || problems != nil {
			t.Errorf("%s came back as %s %v", c.in, v.JSON(), problems)
		}
	}
	f := schema.Form()
	if err := f.Load(mustParse(t, `{"zz":1}`)); err != nil {
		t.Fatal(err)
	}
	if row, ok := find(f.Rows(), "/zz"); !ok || !row.Extra || row.Note != "not in the schema" {
		t.Errorf("no row for what is not in the schema: %+v", row)
	}
	if f.Load(List()) == nil {
		t.Error("a list was loaded")
	}
}

func TestOddRoots(t *testing.T) {
	for raw, want := range map[string]string{
		"": "inputSchema is missing", "null": "inputSchema is null", "7": "inputSchema must be an object, is 7", "true": "inputSchema must be an object, is true",
		"{":  "inputSchema is not JSON: line 1, column 2: unexpected end, expected a name in quotes",
		"{}": "inputSchema must have type object", `{"type":"object"}`: "", `{"type":"array"}`: "inputSchema must have type object",
	} {
		s := Compile([]byte(raw))
		if raw == "" {
			s = Compile(nil)
		}
		var note string
		if notes := s.Notes(); len(notes) > 0 {
			note = notes[0].Text
		}
		if note != want {
			t.Errorf("%q: note %q, want %q", raw, note, want)
		}
		if raw != `{"type":"array"}` {
			if rows := s.Rows(); len(rows) != 1 || rows[0].Control != ControlNone {
				t.Errorf("%q: rows %s", raw, describeAll(rows))
			}
			unread := raw == "7" || raw == "true" || raw == "{"
			if problems := s.Check(Obj()); unread && (len(problems) != 1 || !problems[0].Advisory) || !unread && problems != nil {
				t.Errorf("%q: %+v", raw, problems)
			}
		}
		f := s.Form()
		if v, _ := f.Value(); v.JSON() != "{}" && raw != `{"type":"array"}` {
			t.Errorf("%q sends %s", raw, v.JSON())
		}
	}
}

// FuzzForm: a value loaded into the form of any schema comes back, and no
// schema and no value breaks anything.
func FuzzForm(f *testing.F) {
	for _, s := range sidecars(f) {
		for _, c := range append(s.list("valid"), s.list("invalid")...) {
			args, _ := c.Get("args")
			f.Add(s.schema, []byte(args.JSON()))
		}
	}
	f.Add([]byte(`{"$ref":"#/allOf/0","allOf":[{"$ref":"#"}]}`), []byte(`{"a":1}`))
	f.Fuzz(func(t *testing.T, raw, value []byte) {
		v, err := Parse(value)
		if err != nil || v.Kind != Object || !v.ValidUTF8() || len(raw) > 4096 {
			return
		}
		s := Compile(raw)
		form := s.Form()
		form.Rows()
		if err := form.Load(v); err != nil {
			t.Fatal(err)
		}
		got, problems := form.Value()
		if problems != nil || !got.Equal(v) {
			t.Fatalf("schema %s: %s came back as %s %+v", raw, v.JSON(), got.JSON(), problems)
		}
		form.Check()
		for _, r := range form.Rows() {
			r.Describe()
		}
		s.Signature("x")
	})
}

func BenchmarkRows500(b *testing.B) {
	raw := wide(500)
	b.Run("first", func(b *testing.B) {
		for b.Loop() {
			Compile(raw).Rows()
		}
	})
	f := Compile(raw).Form()
	b.Run("keystroke", func(b *testing.B) {
		for b.Loop() {
			if err := f.SetText("/p250", "x"); err != nil {
				b.Fatal(err)
			}
			f.Rows()
		}
	})
	s := Compile(raw)
	v, _ := f.Value()
	b.Run("check", func(b *testing.B) {
		for b.Loop() {
			s.Check(v)
		}
	})
	b.Run("compile and check", func(b *testing.B) {
		for b.Loop() {
			Compile(raw).Check(v)
		}
	})
}

// wide is a schema with n properties of all kinds.
func wide(n int) []byte {
	kinds := []string{`{"type":"string","description":"some words about it","pattern":"^[a-z]+$"}`, `{"type":"integer","minimum":0,"default":3}`, `{"anyOf":[{"type":"string"},{"type":"null"}]}`,
		`{"type":"array","items":{"type":"string"}}`, `{"enum":["a","b","c"]}`, `{"type":"object","properties":{"x":{"type":"string"}}}`}
	var b strings.Builder
	b.WriteString(`{"type":"object","properties":{`)
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(Text("p"+Int(int64(i)).Text).JSON() + ":" + kinds[i%len(kinds)])
	}
	b.WriteString(`}}`)
	return []byte(b.String())
}
