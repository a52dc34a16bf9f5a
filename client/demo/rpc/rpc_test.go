package rpc

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func TestParse(t *testing.T) {
	for _, c := range []struct {
		line, id, method string
		code             int
	}{
		{`{"jsonrpc":"2.0","id":7,"method":"ping"}`, "7", "ping", 0},
		{`{"jsonrpc":"2.0","id":"7","method":"ping","params":{}}`, `"7"`, "ping", 0},
		{`{"jsonrpc":"2.0","method":"notifications/initialized"}`, "", "notifications/initialized", 0},
		{`{"jsonrpc":"2.0","id":1,"result":{}}`, "1", "", 0},
		{`Starting...`, "", "", ParseError},
		{``, "", "", ParseError},
		{`{"jsonrpc":"2.0"} {}`, "", "", ParseError},
		{`[]`, "", "", InvalidRequest},
		{`null`, "", "", InvalidRequest},
		{`{"id":1,"method":"ping"}`, "1", "", InvalidRequest},
		{`{"jsonrpc":"2.0","id":null,"method":"ping"}`, "", "", InvalidRequest},
		{`{"jsonrpc":"2.0","id":1.5,"method":"ping"}`, "", "", InvalidRequest},
		{`{"jsonrpc":"2.0","id":true,"method":"ping"}`, "", "", InvalidRequest},
		{`{"jsonrpc":"2.0","id":1,"Method":"ping"}`, "1", "", InvalidRequest},
		{`{"jsonrpc":"2.0","id":1,"method":5}`, "1", "", InvalidRequest},
		{`{"jsonrpc":"2.0","id":1,"method":null}`, "1", "", InvalidRequest},
		{`{"jsonrpc":"2.0","id":1,"method":"ping","params":[1]}`, "1", "ping", InvalidRequest},
		{`{"jsonrpc":"2.0","id":1,"method":"ping","params":null}`, "1", "ping", InvalidRequest},
		{`{"jsonrpc":"2.0","id":1,"result":{},"error":{}}`, "1", "", InvalidRequest},
	} {
		m, e := Parse([]byte(c.line))
		code := 0
		if e != nil {
			code = e.Code
		}
		if string(m.ID) != c.id || m.Method != c.method || code != c.code {
			t.Errorf("%s: id %s, method %q, code %d", c.line, m.ID, m.Method, code)
		}
	}
}

func TestReader(t *testing.T) {
	const limit = 100_000
	long := strings.Repeat("x", limit)
	in := "a\r\n\n  \nb\n" + long + "y\n" + long + "\r\n" + long + "\nlast"
	want := []string{"a", "b", "ERR", "ERR", long, "last"}
	for name, from := range map[string]io.Reader{
		"whole":   strings.NewReader(in),
		"halves":  iotest.HalfReader(strings.NewReader(in)),
		"dataerr": iotest.DataErrReader(strings.NewReader(in)),
	} {
		r := NewReader(from, limit)
		for i, w := range want {
			line, err := r.Next()
			switch {
			case w == "ERR":
				if !errors.Is(err, ErrTooLong) {
					t.Errorf("%s %d: %v", name, i, err)
				}
			case err != nil || string(line) != w:
				t.Errorf("%s %d: %d bytes, %v", name, i, len(line), err)
			}
		}
		if line, err := r.Next(); err != io.EOF {
			t.Errorf("%s: at the end: %q %v", name, line, err)
		}
	}
}

func FuzzReader(f *testing.F) {
	f.Add([]byte("a\nb\r\n\nc"), 3)
	f.Fuzz(func(t *testing.T, in []byte, limit int) {
		if limit < 1 || limit > 1000 {
			return
		}
		var whole, bytewise []string
		for _, c := range []struct {
			from io.Reader
			to   *[]string
		}{{bytes.NewReader(in), &whole}, {iotest.OneByteReader(bytes.NewReader(in)), &bytewise}} {
			r := NewReader(c.from, limit)
			for {
				line, err := r.Next()
				if err == io.EOF {
					break
				}
				if err == nil && len(line) > limit {
					t.Fatalf("a line of %d bytes", len(line))
				}
				*c.to = append(*c.to, string(line))
			}
		}
		if strings.Join(whole, "\n") != strings.Join(bytewise, "\n") {
			t.Errorf("%q and %q", whole, bytewise)
		}
	})
}

func TestObject(t *testing.T) {
	o := Obj("z", 1, "a", json.RawMessage(`1.10`), "m", Obj("<&>", "<\u2028>"))
	more := o.With("b", nil)
	b, err := Encode(more)
	if want := `{"z":1,"a":1.10,"m":{"<&>":"<\u2028>"},"b":null}`; err != nil || string(b) != want {
		t.Errorf("%s %v", b, err)
	}
	if len(o) != 3 {
		t.Errorf("With changed its object: %v", o)
	}
}

const (
	weather = `{"type":"object","properties":{"location":{"type":"string","minLength":1},"days":{"type":"integer","minimum":1},
		"units":{"enum":["c","f"]}},"required":["location"],"additionalProperties":false}`
	tree = `{"type":"object","properties":{"root":{"$ref":"#/$defs/node"}},"$defs":{"node":{"type":"object","required":["name"],
		"properties":{"name":{"type":"string"},"children":{"type":"array","items":{"$ref":"#/$defs/node"}}}}}}`
	shape = `{"type":"object","properties":{"s":{"oneOf":[{"properties":{"kind":{"const":"a"}},"required":["kind"]},
		{"properties":{"kind":{"const":"b"},"n":{"type":["number","null"]}},"required":["kind"]}]}},"additionalProperties":{"type":"string"}}`
)

func TestProblems(t *testing.T) {
	for _, c := range []struct {
		schema, arguments string
		want              []string
	}{
		{weather, `{"location":"Bern","days":2,"units":"f"}`, nil},
		{weather, `{"location":"Bern","days":2.0}`, nil},
		{weather, `{"days": 2.5, "units": "k", "x": 1}`, []string{"missing required field: location", "days must be an integer",
			`units must be one of "c", "f"`, "unexpected field: x"}},
		{weather, `{"location":"","days":0}`, []string{"location needs at least 1 characters", "days must be 1 or more"}},
		{weather, `{"location":null}`, []string{"location must be a string"}},
		{weather, `[]`, []string{"the arguments must be an object"}},
		{tree, `{"root":{"name":"a","children":[{"name":"b"},{"children":[1]}]}}`,
			[]string{"missing required field: root.children[1].name", "root.children[1].children[0] must be an object"}},
		{shape, `{"s":{"kind":"b","n":null},"t":"x"}`, nil},
		{shape, `{"s":{"kind":"c"},"t":1}`, []string{"s must fit exactly one of the 2 shapes, it fits 0", "t must be a string"}},
		{`{"properties":{"x":{}}}`, `{"x":[1,null]}`, nil},
	} {
		got := Problems(json.RawMessage(c.schema), json.RawMessage(c.arguments))
		if strings.Join(got, "\n") != strings.Join(c.want, "\n") {
			t.Errorf("%s\n got %q\nwant %q", c.arguments, got, c.want)
		}
	}
	deep := strings.Repeat(`{"name":"a","children":[`, 1000) + strings.Repeat(`]}`, 1000)
	if got := Problems(json.RawMessage(tree), json.RawMessage(`{"root":`+deep+`}`)); len(got) != 1 || !strings.HasSuffix(got[0], "nested too deeply") {
		t.Errorf("deep: %q", got)
	}
}

func FuzzProblems(f *testing.F) {
	f.Add([]byte(`{"location":"Bern","root":{"name":"a","children":[{}]},"s":{"kind":"b","n":null}}`))
	f.Add([]byte(` [1,"",null]`))
	f.Fuzz(func(t *testing.T, arguments []byte) {
		if !json.Valid(arguments) {
			return
		}
		for _, schema := range []string{weather, tree, shape} {
			for _, p := range Problems(json.RawMessage(schema), json.RawMessage(arguments)) {
				if p == "" {
					t.Error("a problem without words")
				}
			}
		}
	})
}
