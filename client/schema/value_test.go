package schema

import (
	"encoding/json"
	"math/big"
	"strings"
	"testing"
	"unicode/utf8"
)

func mustParse(t testing.TB, text string) Value {
	t.Helper()
	v, err := Parse([]byte(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}

func TestParseKeepsWhatWasWritten(t *testing.T) {
	for _, text := range []string{
		`null`, `true`, `false`, `0`, `-0`, `1.0`, `1e400`, `1E+2`, `0.10`, `1152921504606846976`,
		`12345678901234567890123.4567890`, `""`, `"a\"b\\c\n"`, `[]`, `{}`,
		`{"b":1,"a":2,"b":3}`, `[[],{},[1,[2]]]`, `"\ud800"`, `"\udc00x"`, `"ü😀"`, `"\u0001"`,
	} {
		if got := mustParse(t, text).JSON(); got != text {
			t.Errorf("%s came back as %s", text, got)
		}
	}
	for text, want := range map[string]string{
		" [ 1 , 2 ]\n": `[1,2]`, `"\u0041\/"`: `"A/"`, `"\ud83d\ude00"`: `"😀"`, "\"\x7f\u2028\"": "\"\x7f\u2028\"",
		"\"a\xffb\"": `"a` + "\uFFFD" + `b"`,
	} {
		if got := mustParse(t, text).JSON(); got != want {
			t.Errorf("%q came back as %q, want %q", text, got, want)
		}
	}
	if v := mustParse(t, "\"a\xffb\""); v.ValidUTF8() || v.Text != "a\xffb" {
		t.Errorf("the byte was not kept: %q", v.Text)
	}
	if v := mustParse(t, `{"\ud800":"x"}`); !v.ValidUTF8() {
		t.Error("a lone surrogate can be written without loss")
	}
}

func TestParseSaysWhere(t *testing.T) {
	for _, c := range []struct {
		text, problem string
		line, column  int
	}{
		{``, "unexpected end, expected a value", 1, 1},
		{`{"status":"inactive",}`, "trailing comma", 1, 22},
		{"[1,\n 2,\n]", "trailing comma", 3, 1},
		{`{"a":1`, "unexpected end, expected ',' or '}'", 1, 7},
		{`{"a" 1}`, "unexpected '1', expected ':'", 1, 6},
		{`{a:1}`, "unexpected 'a', expected a name in quotes", 1, 2},
		{`[1 2]`, "unexpected '2', expected ',' or ']'", 1, 4},
		{`hello`, "unexpected 'h', expected a value", 1, 1},
		{`nul`, "unexpected end, expected null", 1, 4},
		{`tru!`, "unexpected 't', expected a value (text needs quotes)", 1, 1},
		{`{} x`, "unexpected 'x' after the value", 1, 4},
		{`007`, "a number has no leading zeros", 1, 1},
		{`1.`, "not a number", 1, 2},
		{`-`, "not a number", 1, 1},
		{`"ü`, "text without a closing quote", 1, 1},
		{`"\x"`, "unknown escape after \\ (a backslash itself is written \\\\)", 1, 2},
		{`"\u12"`, "\\u needs four hexadecimal digits", 1, 2},
		{"[\"ü\", \"a\nb\"]", "a line break inside text must be written \\n", 1, 9},
		{"\"\x01\"", "a control byte inside text must be written \\u0001", 1, 2},
		{`'a'`, `text is quoted with ", not '`, 1, 1},
		{"\xff", "unexpected byte 0xff, expected a value", 1, 1},
		{strings.Repeat("[", maxDepth+1), "nested deeper than 10000 levels", 1, maxDepth + 1},
	} {
		_, err := Parse([]byte(c.text))
		e, ok := err.(*SyntaxError)
		if !ok || e.Problem != c.problem || e.Line != c.line || e.Column != c.column {
			t.Errorf("%.40q: %v, want line %d, column %d: %s", c.text, err, c.line, c.column, c.problem)
		}
	}
}

func TestIndent(t *testing.T) {
	v := mustParse(t, `{"a":[1,{"b":[]}],"c":{}}`)
	want := "{\n  \"a\": [\n    1,\n    {\n      \"b\": []\n    }\n  ],\n  \"c\": {}\n}"
	if got := string(AppendIndent(nil, v, "  ")); got != want {
		t.Errorf("got %s", got)
	}
}

func TestPointers(t *testing.T) {
	v := mustParse(t, `{"a":{"b":[10,20]},"x/y~z":1,"":2,"d":1,"d":3}`)
	for pointer, want := range map[string]string{"/a/b/1": "20", "/x~1y~0z": "1", "/": "2", "/d": "3", "/a/b": "[10,20]"} {
		if got, ok := v.At(pointer); !ok || got.JSON() != want {
			t.Errorf("at %s: %s, want %s", pointer, got.JSON(), want)
		}
	}
	for _, pointer := range []string{"/a/b/2", "/a/b/01", "/a/b/-", "/a/b/x", "/q", "a", "/d/e"} {
		if got, ok := v.At(pointer); ok {
			t.Errorf("at %s: %s, want nothing", pointer, got.JSON())
		}
	}
	for _, c := range []struct{ pointer, to, want string }{
		{"/a/b/1", "9", `{"a":{"b":[10,9]}}`},
		{"/a/b/-", "9", `{"a":{"b":[10,20,9]}}`},
		{"/a/b/2", "9", `{"a":{"b":[10,20,9]}}`},
		{"/n/m", "null", `{"a":{"b":[10,20]},"n":{"m":null}}`},
		{"", "1", `1`},
	} {
		from := mustParse(t, `{"a":{"b":[10,20]}}`)
		got, err := from.Set(c.pointer, mustParse(t, c.to))
		if err != nil || got.JSON() != c.want {
			t.Errorf("set %s: %s %v, want %s", c.pointer, got.JSON(), err, c.want)
		}
		if from.JSON() != `{"a":{"b":[10,20]}}` {
			t.Errorf("set %s changed the original: %s", c.pointer, from.JSON())
		}
	}
	if _, err := v.Set("/a/b/7", Int(1)); err == nil {
		t.Error("a gap in a list was filled")
	}
	if _, err := v.Set("/d/e", Int(1)); err == nil {
		t.Error("a number took a member")
	}
}

func TestEqualComparesByValue(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"1", "1.0", true}, {"1e2", "100", true}, {"-0", "0", true}, {"0.1", "1e-1", true}, {"1e9999999", "10e9999998", true},
		{"9007199254740993", "9007199254740992", false}, {"1", `"1"`, false}, {"1", "-1", false},
		{`{"a":1,"b":2}`, `{"b":2,"a":1}`, true}, {`{"a":1,"a":2}`, `{"a":2}`, true}, {`[1,2]`, `[2,1]`, false}, {"null", "false", false},
	} {
		if got := mustParse(t, c.a).Equal(mustParse(t, c.b)); got != c.same {
			t.Errorf("%s and %s: %v", c.a, c.b, got)
		}
	}
}

func TestWholeNumber(t *testing.T) {
	for token, want := range map[string]bool{"1": true, "1.0": true, "1e400": true, "1.5": false, "15e-1": false, "150e-1": true, "0.000": true, "1e-9999999999": false, "12345678901234567890123": true} {
		if WholeNumber(token) != want {
			t.Errorf("%s: want %v", token, want)
		}
	}
}

// FuzzParse: what Parse takes is what encoding/json takes, and what it gives
// is written and read again to the same.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{`{"a":[1,-2.5e+3,"x\u00e9\ud800",null,true]}`, `[1,]`, `"\ud83d\ude00"`, "\"\xed\xa0\xbd\xed\xb8\x80\"", ` 0 `, `01`, `{"a":1,"a":2}`, "\xef\xbb\xbf1"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := Parse(data)
		if valid := json.Valid(data); valid != (err == nil) {
			t.Fatalf("%q: %v, encoding/json says %v", data, err, valid)
		}
		if err != nil {
			e, ok := err.(*SyntaxError)
			if !ok || e.Offset > len(data) || e.Line < 1 || e.Column < 1 || e.Problem == "" {
				t.Fatalf("%q: %#v", data, err)
			}
			return
		}
		written := AppendJSON(nil, v)
		again, err := Parse(written)
		if err != nil {
			t.Fatalf("%q was written as %q: %v", data, written, err)
		}
		if twice := AppendJSON(nil, again); string(twice) != string(written) {
			t.Fatalf("%q, then %q", written, twice)
		}
		if !again.Equal(again) || v.ValidUTF8() && !again.Equal(v) {
			t.Fatalf("%q is not equal to itself", written)
		}
		if indented, err := Parse(AppendIndent(nil, v, "\t")); err != nil || !indented.Equal(again) {
			t.Fatalf("%q indented: %v", written, err)
		}
		var ours, theirs any
		if json.Unmarshal(written, &ours) == nil && json.Unmarshal(data, &theirs) == nil {
			a, _ := json.Marshal(ours)
			b, _ := json.Marshal(theirs)
			if utf8.Valid(data) && string(a) != string(b) {
				t.Fatalf("%q means %s, written it means %s", data, b, a)
			}
		}
	})
}

// FuzzCompareNumbers against arithmetic with fractions.
func FuzzCompareNumbers(f *testing.F) {
	f.Add("1.0", "1")
	f.Add("-12e3", "-12000.001")
	f.Add("0.00", "-0e5")
	f.Fuzz(func(t *testing.T, a, b string) {
		for _, s := range []string{a, b} {
			if _, ok := Num(s); !ok || len(s) > 30 || tooLarge(s) != "" {
				return
			}
		}
		x, _ := new(big.Rat).SetString(a)
		y, _ := new(big.Rat).SetString(b)
		if got, want := CompareNumbers(a, b), x.Cmp(y); got != want {
			t.Errorf("%s and %s: %d, want %d", a, b, got, want)
		}
		if got, want := WholeNumber(a), x.IsInt(); got != want {
			t.Errorf("%s whole: %v, want %v", a, got, want)
		}
	})
}

func TestRepeated(t *testing.T) {
	for text, want := range map[string]string{
		`{"a":1,"b":{"a":2}}`:         "",
		`{"a":1,"a":2}`:               "a",
		`{"a":[{"x":1,"y":2,"x":3}]}`: "x",
		`[{"a":1},{"a":1}]`:           "",
	} {
		v, err := Parse([]byte(text))
		if got := v.Repeated(); err != nil || got != want {
			t.Errorf("%s: %q, %v", text, got, err)
		}
	}
}
