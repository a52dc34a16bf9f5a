package words

import (
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"example.com/mcpinspect/client/schema"
)

const tool = `{"type":"object","properties":{
	"city":{"type":"string"},"days":{"type":"integer"},"ratio":{"type":"number"},"deep":{"type":"boolean"},"any":{},
	"tags":{"type":"array","items":{"type":"string"}},"opts":{"type":"object","properties":{"max":{"type":"integer"},"name":{"type":"string"}}},
	"rows":{"type":"array","items":{"type":"object","properties":{"sku":{"type":"string"},"qty":{"type":"integer"}}}},
	"a.b":{"type":"string"},"unit":{"enum":["c","f",1,"1"]},"id":{"anyOf":[{"type":"string"},{"type":"integer"}]},
	"area":{"type":["integer","null"]},"label":{"type":["string","null"]},"data":{"type":"string","contentEncoding":"base64"},
	"filters":{"type":"object"},"x:":{"type":"string"},"titled":{"oneOf":[{"const":"C","title":"Celsius"},{"const":"F","title":"Fahrenheit"}]}}}`

func disk(name string) ([]byte, error) {
	switch name {
	case "note.txt":
		return []byte("two\nlines\n"), nil
	case "n.json":
		return []byte(" 1152921504606846976\n"), nil
	case "all.json":
		return []byte(`{"city":"Bern","days":1.0}`), nil
	case "latin1.json":
		return []byte("{\"city\":\"Z\xfcrich\"}"), nil
	case "-":
		return []byte(`{"days":7}`), nil
	case "raw.bin":
		return []byte{0xff, 0, 1}, nil
	}
	return nil, errors.New("no file " + name)
}

func TestParse(t *testing.T) {
	s := schema.Compile([]byte(tool))
	for _, c := range []struct {
		words []string
		want  string
	}{
		{nil, `{}`},
		{[]string{"city=Bern", "days=3"}, `{"city":"Bern","days":3}`},
		{[]string{"city=", "label="}, `{"city":"","label":""}`},
		{[]string{"city=000123", "label=null", "area=null"}, `{"city":"000123","label":"null","area":null}`},
		{[]string{"city=a=b", "city2=x"}, `{"city":"a=b","city2":"x"}`},
		{[]string{"days=1152921504606846976", "ratio=1e400"}, `{"days":1152921504606846976,"ratio":1e400}`},
		{[]string{"ratio=1.0", "deep=false"}, `{"ratio":1.0,"deep":false}`},
		{[]string{"days=0x10", "deep=yes"}, `{"days":"0x10","deep":"yes"}`},
		{[]string{"any=5", "city=5"}, `{"any":5,"city":"5"}`},
		{[]string{"any=hello"}, `{"any":"hello"}`},
		{[]string{`any="5"`}, `{"any":"5"}`},
		{[]string{`city:="x"`, "days:=null"}, `{"city":"x","days":null}`},
		{[]string{`tags=["a","b"]`}, `{"tags":["a","b"]}`},
		{[]string{"tags[0]=1", "tags[1]=2", "tags[]=3"}, `{"tags":["1","2","3"]}`},
		{[]string{"opts.max=5", "opts.name=5"}, `{"opts":{"max":5,"name":"5"}}`},
		{[]string{"rows[0].sku=1", "rows[0].qty=1", "rows[1].qty=2"}, `{"rows":[{"sku":"1","qty":1},{"qty":2}]}`},
		{[]string{"a.b=x", "new.c[0].d=x"}, `{"a.b":"x","new":{"c":[{"d":"x"}]}}`},
		{[]string{"..=x", "a[=y", "[0]=z", "q[x]=w"}, `{"..":"x","a[":"y","[0]":"z","q[x]":"w"}`},
		{[]string{"unit=c"}, `{"unit":"c"}`},
		{[]string{"unit=1"}, `{"unit":1}`},
		{[]string{`unit="1"`}, `{"unit":"1"}`},
		{[]string{"titled=Celsius"}, `{"titled":"Celsius"}`},
		{[]string{"id=7"}, `{"id":7}`},
		{[]string{"id=007"}, `{"id":"007"}`},
		{[]string{"city=@note.txt", "days=@n.json", "any:=@all.json"}, `{"city":"two\nlines\n","days":1152921504606846976,"any":{"city":"Bern","days":1.0}}`},
		{[]string{"city=@@x", "label=@@"}, `{"city":"@x","label":"@"}`},
		{[]string{"data=@raw.bin"}, `{"data":"/wAB"}`},
		{[]string{"days=5", `{"city":"x","days":1}`}, `{"city":"x","days":5}`},
		{[]string{"@all.json", "city=Chur"}, `{"city":"Chur","days":1.0}`},
		{[]string{"-"}, `{"days":7}`},
		{[]string{`{"q":"a=b"}`}, `{"q":"a=b"}`},
		{[]string{"x:=5"}, `{"x":5}`},
		{[]string{`q:={"b":1}`, "q.c=2"}, `{"q":{"b":1,"c":2}}`},
		{[]string{`q:=[1]`, "q[]=2"}, `{"q":[1,2]}`},
		{[]string{"city=\ufffd"}, "{\"city\":\"\ufffd\"}"},
	} {
		v, err := Parse(c.words, s, disk)
		if err != nil || v.JSON() != c.want {
			t.Errorf("%q: %s %v, want %s", c.words, v.JSON(), err, c.want)
		}
	}
}

func TestUsageErrors(t *testing.T) {
	s := schema.Compile([]byte(tool))
	one := schema.Compile([]byte(`{"type":"object","properties":{"text":{"type":"string"},"n":{}},"required":["text"]}`))
	for _, c := range []struct {
		schema *schema.Schema
		words  []string
		want   string
	}{
		{one, []string{"hello"}, `argument "hello": is not name=value (write text=hello)`},
		{one, []string{"n"}, `argument "n": is not name=value (write n=value)`},
		{s, []string{"citty"}, `argument "citty": is not name=value (did you mean city=…?)`},
		{schema.Compile(nil), []string{"x"}, `argument "x": is not name=value (it takes no arguments that are known)`},
		{s, []string{"city=a", "city=b"}, `argument "city=b": city is given twice, as "city=a" too (give one of them)`},
		{s, []string{"city=a", "city.x=b"}, `argument "city.x=b": x cannot be set, a value of type string stands in its place: "city=a" is there (give one of them)`},
		{s, []string{"x.b=a", "x=b"}, `argument "x=b": it would replace what "x.b=a" sets (give one of them)`},
		{s, []string{"x=b", "x.b=a"}, `argument "x.b=a": b cannot be set, a value of type string stands in its place: "x=b" is there (give one of them)`},
		{s, []string{"rows[0].sku=1", "rows[0].sku:=2"}, `argument "rows[0].sku:=2": rows[0].sku is given twice, as "rows[0].sku=1" too (give one of them)`},
		{s, []string{"rows[0].sku=1", "rows:=[]"}, `argument "rows:=[]": it would replace what "rows[0].sku=1" sets (give one of them)`},
		{s, []string{"a[0]=1", "a.c=2"}, `argument "a.c=2": c cannot be set, a value of type array stands in its place: "a[0]=1" is there (give one of them)`},
		{s, []string{"a.c=2", "a[0]=1"}, `argument "a[0]=1": row 1 cannot be set, a value of type object stands in its place: "a.c=2" is there (give one of them)`},
		{s, []string{`x:={"b":1}`, "x.b=2"}, `argument "x.b=2": "x:={\"b\":1}" sets this place already (give one of them)`},
		{s, []string{`{"x":[]}`, "x.b=2"}, `argument "x.b=2": b cannot be set, a value of type array stands in its place`},
		{s, []string{"city=\xff"}, `argument "city=\xff": byte 0xff at offset 5 is no UTF-8, and JSON cannot carry it (in UTF-8 write it as it should read; the bytes of a file, where the schema wants base64: name=@file)`},
		{s, []string{"tags[2]=a"}, `argument "tags[2]=a": [2] would leave a gap: the next row is [0]`},
		{s, []string{"tags=a"}, `argument "tags=a": tags is a list, and "a" is no JSON (a list is written as JSON: 'tags=["a"]', or item by item: tags[0]=a)`},
		{s, []string{"tags=a, 5,c,d"}, `argument "tags=a, 5,c,d": tags is a list, and "a, 5,c,d" is no JSON (a list is written as JSON: 'tags=["a","5","c",…]', or item by item: tags[0]=a tags[1]=5 tags[2]=c …)`},
		{schema.Compile([]byte(`{"properties":{"n":{"type":"array","items":{"type":"integer"}}}}`)), []string{"n=1,2"}, `argument "n=1,2": n is a list, and "1,2" is no JSON (a list is written as JSON: 'n=[1,2]', or item by item: n[0]=1 n[1]=2)`},
		{s, []string{`filters={"a":1,}`}, `argument "filters={\"a\":1,}": filters: invalid JSON at line 1, column 8 (trailing comma) (the value is JSON here)`},
		{s, []string{"days:=x"}, `argument "days:=x": invalid JSON at line 1, column 1: unexpected 'x', expected a value (for text write name=text)`},
		{s, []string{"city=@gone"}, `argument "city=@gone": no file gone (for the text @gone write @@gone)`},
		{s, []string{"city=@raw.bin"}, `argument "city=@raw.bin": is not UTF-8 text, and the schema does not ask for base64`},
		{s, []string{"@latin1.json"}, `argument "@latin1.json": the JSON has bytes that are no UTF-8, which cannot be sent (convert the file to UTF-8)`},
		{s, []string{"any:=@latin1.json"}, `argument "any:=@latin1.json": the JSON has bytes that are no UTF-8, which cannot be sent (convert the file to UTF-8)`},
		{s, []string{"@gone"}, `argument "@gone": no file gone`},
		{s, []string{"{a:1}"}, `argument "{a:1}": invalid JSON at line 1, column 2: unexpected 'a', expected a name in quotes (the shell took the quotes: write '{"a":1}')`},
		{s, []string{"{}", "-"}, `argument "-": there is a whole object already (give one, and name=value for the rest)`},
		{s, []string{"@n.json"}, `argument "@n.json": arguments must be an object, this is of type number (write '{"name":value}')`},
	} {
		_, err := Parse(c.words, c.schema, disk)
		var e *Error
		if !errors.As(err, &e) || err.Error() != c.want {
			t.Errorf("%q:\n got %v\nwant %s", c.words, err, c.want)
		}
	}
}

func TestReadings(t *testing.T) {
	s := schema.Compile([]byte(tool))
	_, readings, err := Read([]string{"{}", "days=3", "rows[0].sku=3", "area=null"}, s, disk)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range readings {
		got = append(got, r.String())
	}
	want := []string{"the whole is the object {}", "days is the number 3", `rows, row 1, sku is the text "3"`, "area is null"}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

func TestLine(t *testing.T) {
	for value, want := range map[string]string{
		`{"a":2,"b":"x y"}`:            `call t a:=2 'b=x y'`,
		`{"s":"5","e":"","at":"@x"}`:   `call t 's:="5"' e= 'at:="@x"'`,
		`{"q":"it's \"q\" $HOME *"}`:   `call t 'q=it'\''s "q" $HOME *'`,
		`{"a.b":1}`:                    `call t '{"a.b":1}'`,
		`{"n":1.0,"l":[1,{"x":null}]}`: `call t n:=1.0 'l:=[1,{"x":null}]'`,
		`{}`:                           `call t`,
		`[1]`:                          `call t '[1]'`,
		`{"a":1,"a":2}`:                `call t '{"a":1,"a":2}'`,
	} {
		v, err := schema.Parse([]byte(value))
		if err != nil {
			t.Fatal(err)
		}
		if got := Line("t", v); got != want {
			t.Errorf("%s: %s, want %s", value, got, want)
		}
	}
	if got := Line("greet (structured)", schema.Obj()); got != "call 'greet (structured)'" {
		t.Error(got)
	}
}

func TestSplit(t *testing.T) {
	for line, want := range map[string][]string{
		"":                               nil,
		"  call  add a=2\tb=3\n":         {"call", "add", "a=2", "b=3"},
		`call x 'a b' "c \"d\" \n" e\ f`: {"call", "x", "a b", `c "d" \n`, "e f"},
		`'' ""`:                          {"", ""},
		`a'b'"c"d`:                       {"abcd"},
		`$HOME * ~`:                      {"$HOME", "*", "~"},
		"a\\\nb":                         {"ab"},
	} {
		if got, err := Split(line); err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: %q %v", line, got, err)
		}
	}
	for line, want := range map[string]string{
		`call ü 'x`: "the quote ' at column 8 is not closed",
		`a "b\"`:    `the quote " at column 3 is not closed`,
		`a \`:       "the backslash at the end of the line has nothing to escape",
	} {
		if _, err := Split(line); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", line, err, want)
		}
	}
}

// TestShellQuotesForAShell asks a shell.
func TestShellQuotesForAShell(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no POSIX shell here")
	}
	args := []string{"--dir", "/data/My Files", "", "*", "$HOME", `it's "q"`, "--", "-x", "~/dir", "a=b", "x\ny", `\`, "ü", "{a,b}", "#", "!", "`id`"}
	out, err := exec.Command(sh, "-c", `printf '%s\0' `+Shell(args)).Output()
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00"); !slices.Equal(got, args) {
		t.Errorf("%q", got)
	}
}

func TestNear(t *testing.T) {
	if got := Near("tag", []string{"days", "tags"}); !slices.Equal(got, []string{"tags"}) {
		t.Errorf("%q", got)
	}
}

func TestDidYouMean(t *testing.T) {
	var many []string
	for i := range 5000 {
		many = append(many, fmt.Sprintf("tool%04d", i))
	}
	if got := DidYouMean("tool12345", many); strings.Count(got, "tool") != fewNames {
		t.Error(got)
	}
	if got := DidYouMean("zzz", many); got != "" {
		t.Error(got)
	}
	long := strings.Repeat("ä", 50) // 100 bytes: the longest that are compared
	if got := DidYouMean(long[2:], []string{long}); len(got) > 90 || !utf8.ValidString(got) {
		t.Error(got)
	}
	if got := DidYouMean("ad", []string{"add"}); got != "did you mean add?" {
		t.Error(got)
	}
}

// FuzzLine: a value written as a command line is split and read to the same
// value, digit for digit, under any schema.
func FuzzLine(f *testing.F) {
	for _, value := range []string{`{"a":"x","b":"5"}`, `{"city":"@x","days":1.0,"rows":[{"sku":"\ud800"}]}`, `{"":1,"=":2}`, `{"unit":"1","id":"7","any":"null"}`, `{"x":"0","unit":" "}`, `{"titled":"Celsius","x:":"q","x":1}`} {
		f.Add("a tool", []byte(value))
	}
	schemas := []*schema.Schema{schema.Compile([]byte(tool)), schema.Compile(nil), schema.Compile([]byte(`{"additionalProperties":{"type":"integer"}}`))}
	f.Fuzz(func(t *testing.T, name string, data []byte) {
		v, err := schema.Parse(data)
		if err != nil || v.Kind != schema.Object || !v.ValidUTF8() || strings.ContainsRune(name, 0) {
			return
		}
		line := Line(name, v)
		args, err := Split(line)
		if err != nil || len(args) < 2 || args[0] != "call" || args[1] != name {
			t.Fatalf("%s: %q %v", line, args, err)
		}
		for _, s := range schemas {
			got, err := Parse(args[2:], s, nil)
			if err != nil || got.JSON() != v.JSON() {
				t.Fatalf("%s became %s, read as %s %v", v.JSON(), line, got.JSON(), err)
			}
		}
	})
}

// FuzzWords: no words break anything, and what is said is a usage error.
func FuzzWords(f *testing.F) {
	f.Add("call x a[0].b=1 'c d:=2' {")
	f.Add(`city=@@ tags[]=1 tags[5]= opts.=x "`)
	s := schema.Compile([]byte(tool))
	f.Fuzz(func(t *testing.T, line string) {
		args, err := Split(line)
		if err != nil {
			return
		}
		again, err := Split(Shell(args))
		if err != nil || !slices.Equal(args, again) {
			t.Fatalf("%q quoted is %q", args, again)
		}
		v, err := Parse(args, s, disk)
		var e *Error
		if err != nil && !errors.As(err, &e) {
			t.Fatalf("%q: %v", args, err)
		}
		s.Check(v)
	})
}
