package compare

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"example.com/mcpinspect/recordings"
	"example.com/mcpinspect/session"
)

func TestRules(t *testing.T) {
	schema := func(s string) string { return `{"name":"a","inputSchema":` + s + `}` }
	for _, c := range []struct{ was, now, want string }{
		{`{"name":"a"}`, `{"name":"b"}`, "tool-added, tool-removed"},
		{`{"name":"a","x":1,"y":[1,2]}`, `{ "y" : [1,2], "x":1, "name":"\u0061"}`, ""},
		{`{"name":"a","description":"x"}`, `{"name":"a","description":"y"}`, "text-changed /description"},
		{`{"name":"a"}`, `{"name":"a","annotations":{"destructiveHint":true}}`, "annotations-changed /annotations"},
		{`{"name":"a","outputSchema":{"type":"object"}}`, `{"name":"a"}`, "output-changed /outputSchema"},
		{schema(`{"required":["a","b"]}`), schema(`{"required":["b","a"]}`), ""},
		{schema(`{"required":["a","b","c"]}`), schema(`{"required":["c","d","a"]}`), "input-changed /inputSchema/required, input-narrowed /inputSchema/required"},
		{schema(`{"required":["a"]}`), schema(`{"required":["a","b"]}`), "input-narrowed /inputSchema/required"},
		{schema(`{"required":["a","b"]}`), schema(`{"required":["a"]}`), "input-changed /inputSchema/required"},
		{schema(`{"properties":{"x":{},"y":{}}}`), schema(`{"properties":{"x":{}}}`), "input-narrowed /inputSchema/properties/y"},
		{schema(`{"properties":{"x":{}}}`), schema(`{"properties":{"x":{},"y":{}}}`), "input-changed /inputSchema/properties/y"},
		{schema(`{"properties":{"x":{"type":"string"}}}`), schema(`{"properties":{"x":{"type":"number"}}}`), "input-narrowed /inputSchema/properties/x/type"},
		{schema(`{"properties":{"x":{"enum":["a","b"]}}}`), schema(`{"properties":{"x":{"enum":["a"]}}}`), "input-narrowed /inputSchema/properties/x/enum"},
		{schema(`{"properties":{"x":{"enum":["a"]}}}`), schema(`{"properties":{"x":{"enum":["a","b"]}}}`), "input-changed /inputSchema/properties/x/enum"},
		{schema(`{"properties":{"x":{}}}`), schema(`{"properties":{"x":{"enum":["a"]}}}`), "input-narrowed /inputSchema/properties/x/enum"},
		{schema(`{"properties":{"title":{"type":"string"}}}`), schema(`{"properties":{}}`), "input-narrowed /inputSchema/properties/title"},
		{schema(`{}`), schema(`{"additionalProperties":false}`), "input-narrowed /inputSchema/additionalProperties"},
		{schema(`{"properties":{"x":{"description":"a"}}}`), schema(`{"properties":{"x":{"description":"b"}}}`), "text-changed /inputSchema/properties/x/description"},
		{`{"name":"a","n":1}`, `{"name":"a","n":1.0}`, ""},
		{`{"name":"a","m/n":1}`, `{"name":"a","m/n":[1]}`, "definition-changed /m~1n"},
	} {
		a, err := ReadList([]byte(`{"tools":[` + c.was + `]}`))
		if err != nil {
			t.Fatal(err)
		}
		b, err := ReadList([]byte(`{"tools":[` + c.now + `]}`))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		r := Compare(a, b)
		for _, x := range r.Interface {
			got = append(got, strings.TrimSpace(x.Rule+" "+x.Path))
		}
		if s := strings.Join(got, ", "); s != c.want {
			t.Errorf("%s to %s: %s, not %s", c.was, c.now, s, c.want)
		}
		if r.Different() != (c.want != "") {
			t.Errorf("%s to %s: different is %t", c.was, c.now, r.Different())
		}
	}
	for _, bad := range []string{"", "[]", "{}", `{"tools":1}`, `{"tools":[`} {
		if _, err := ReadList([]byte(bad)); err == nil {
			t.Errorf("%q is a list", bad)
		}
	}
}

func recorded(t *testing.T, lines ...string) Side {
	t.Helper()
	var file bytes.Buffer
	w := recordings.NewWriter(&file)
	w.Head(recordings.Head{})
	for i, l := range lines {
		ch := recordings.In
		if i%2 == 1 {
			ch = recordings.Out
		}
		w.Bytes(0, ch, fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,%s}`+"\n", i/2, l))
	}
	w.Close()
	r, err := recordings.NewReader(&file)
	if err != nil {
		t.Fatal(err)
	}
	s, err := session.Read(r)
	if err != nil {
		t.Fatal(err)
	}
	return Of(s)
}

func TestAnswers(t *testing.T) {
	a := recorded(t,
		`"method":"tools/call","params":{"name":"add","arguments":{"a":1,"b":2},"_meta":{"progressToken":1}}`, `"result":{"content":[{"type":"text","text":"3"}],"_meta":{"t":1}}`,
		`"method":"tools/call","params":{"name":"add","arguments":{"a":1,"b":2}}`, `"result":{"content":[]}`,
		`"method":"ping"`, `"result":{}`,
		`"method":"tools/call","params":{"name":"gone"}`, `"result":{}`,
		`"method":"tools/list"`, `"result":{"tools":[{"name":"add"}]}`)
	b := recorded(t,
		`"method":"ping","params":{"_meta":{"x":1}}`, `"error":{"code":-1,"message":"no"}`,
		`"method":"tools/call","params":{"arguments":{"b":2,"a":1},"name":"add"}`, `"result":{"content":[{"type":"text","text":"4"}],"_meta":{"t":2}}`,
		`"method":"tools/call","params":{"name":"add","arguments":{"a":1,"b":2}}`, `"result":{"content":[]}`,
		`"method":"tools/call","params":{"name":"new"}`, `"result":{}`,
		`"method":"tools/list"`, `"result":{"tools":[{"name":"add"}]}`)
	r := Compare(a, b)
	var got []string
	for _, c := range r.Answers {
		got = append(got, fmt.Sprintf("%s %s %s>%s %v", c.Subject, c.Path, c.Was, c.Now, c.Rows))
	}
	want := `tools/call add /content/0/text "3">"4" [1 3]; ping /code >-1 [5 1]; ping /message >"no" [5 1]`
	if s := strings.Join(got, "; "); s != want {
		t.Errorf("%s\nnot %s", s, want)
	}
	if r.Compared != 3 || r.Same != 1 || fmt.Sprint(r.Missing, r.Unmatched) != "[tools/call gone] [tools/call new]" || len(r.Interface) > 0 {
		t.Errorf("%+v", r)
	}
	if same := Compare(a, a); same.Different() || same.Compared != 4 || same.Same != 4 {
		t.Errorf("a session differs from itself: %+v", same)
	}
}

// FuzzValues: a value is the same as itself, and whatever differs is seen from both sides.
func FuzzValues(f *testing.F) {
	f.Add(`{"tools":[{"name":"a","x":[1,{"y":null}]}]}`, `{"tools":[{"name":"a","x":[1]}]}`)
	f.Fuzz(func(t *testing.T, was, now string) {
		a, err := ReadList([]byte(was))
		if err != nil {
			return
		}
		b, err := ReadList([]byte(now))
		if err != nil {
			return
		}
		if r := Compare(a, a); r.Different() {
			t.Errorf("%q differs from itself: %+v", was, r.Interface)
		}
		if Compare(a, b).Different() != Compare(b, a).Different() {
			t.Errorf("%q and %q differ from one side only", was, now)
		}
	})
}
