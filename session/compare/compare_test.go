package compare

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"example.com/mcpinspect/recordings"
	"example.com/mcpinspect/session"
)

func TestReadList(t *testing.T) {
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
