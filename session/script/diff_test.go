package script

import (
	"fmt"
	"strings"
	"testing"
)

func TestDiff(t *testing.T) {
	for _, c := range []struct {
		was, now string
		ignore   []string
		want     string
	}{
		{`{"a":1,"b":[1,2]}`, `{ "b":[1.0,2e0], "a":1 }`, nil, ""},
		{`{"a":1}`, `{"a":2}`, nil, "/a 1 2"},
		{`{"a":1}`, `{"a":"1"}`, nil, `/a 1 "1"`},
		{`{"a":1,"c":3}`, `{"b":1,"c":3}`, nil, "/a 1 -, /b - 1"},
		{`{"a":[1,2,3]}`, `{"a":[1,5]}`, nil, "/a/1 2 5, /a/2 3 -"},
		{`{"a/b":{"~":1}}`, `{"a/b":{"~":2}}`, nil, "/a~1b/~0 1 2"},
		{`[{"t":1},{"t":2,"x":1}]`, `[{"t":3},{"t":4,"x":2}]`, []string{"/*/t"}, "/1/x 1 2"},
		{`{"a":{"b":{"c":1}}}`, `{"a":{"b":[]}}`, []string{"/a/b"}, ""},
		{`{"a":1}`, `{"a":2}`, []string{""}, ""},
		{`{"a":1,"a":2}`, `{"a":2}`, nil, ""},
		{`no`, `no`, nil, ""},
		{`no`, `{}`, nil, ` "no" "{}"`},
		{`null`, `{}`, nil, " null {}"},
	} {
		var got []string
		side := func(b []byte) string {
			if b == nil {
				return "-"
			}
			return string(b)
		}
		for _, d := range Diff([]byte(c.was), []byte(c.now), c.ignore) {
			got = append(got, fmt.Sprintf("%s %s %s", d.Path, side(d.Was), side(d.Now)))
		}
		if s := strings.Join(got, ", "); s != c.want {
			t.Errorf("%s → %s without %q: %s, not %s", c.was, c.now, c.ignore, s, c.want)
		}
	}
}

func TestStable(t *testing.T) {
	for params, same := range map[string]string{
		`{"name":"a","arguments":{},"_meta":{"progressToken":1,"traceparent":"x"}}`: `{"name":"a"}`,
		`{"_meta":{"io.modelcontextprotocol/clientInfo":{"name":"x"}}}`:             ``,
		`{"cursor":"a","_meta":{"mine":1}}`:                                         `{"_meta":{"mine":1},"cursor":"a"}`,
		`{}`:                                                                        ``,
		`null`:                                                                      ``,
		`[1,2]`:                                                                     `[1.0,2]`,
	} {
		if !Stable("tools/call", []byte(params)).Equal(Stable("tools/call", []byte(same))) {
			t.Errorf("%s is not %s", params, same)
		}
	}
	for a, b := range map[string]string{`{"a":1}`: `{"a":2}`, `{"arguments":{"a":{}}}`: `{"arguments":{"a":null}}`, `{x`: `{y`, ``: `{"_meta":{"mine":1}}`} {
		if Stable("m", []byte(a)).Equal(Stable("m", []byte(b))) {
			t.Errorf("%s is %s", a, b)
		}
	}
	if !Stable("initialize", []byte(`{"protocolVersion":"a","clientInfo":{"name":"x"},"capabilities":{"roots":{}}}`)).Equal(Stable("initialize", []byte(`{"protocolVersion":"a","capabilities":{}}`))) {
		t.Error("what a client says of itself counts")
	}
}
