package cli

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestExpectations(t *testing.T) {
	const answer = `{"jsonrpc":"2.0","id":1,"result":{"n":1.0,"s":"a\nb","list":[{"a/b":null}],"error":"mine"}}`
	for expect, unmet := range map[string]string{
		`/result/n == 1`:             "",
		`/n == 1e0`:                  "",
		`/n == 2`:                    "it is 1.0",
		`/n != 2`:                    "",
		`/nothing != 2`:              "",
		`/nothing == null`:           "nothing is there",
		`/list/0/a~1b == null`:       "",
		`/list/0/a~1b exists`:        "",
		`/list/1 absent`:             "",
		`/list absent`:               `it is [{"a/b":null}]`,
		`/s ~ /^a.b$/`:               `it is "a\nb"`,
		`/s ~ /(?s)^a.b$/`:           "",
		`/error absent`:              "",
		`'' exists`:                  "",
		`'/s' == "a\nb"`:             "",
		`/id == 1`:                   "",
		`/result == {"n":1,"s":"x"}`: `it is {"n":1.0,"s":"a\nb","list":[{"a/b":null}],"error":"mine"}`,
	} {
		e, err := readExpectation(expect)
		if err != nil {
			t.Errorf("%s: %v", expect, err)
			continue
		}
		got := ""
		if err := e.judge([]byte(answer)); err != nil {
			got = err.Error()
		}
		if got != unmet {
			t.Errorf("%s: %q, not %q", expect, got, unmet)
		}
	}
	e, _ := readExpectation(`'' exists`)
	if err := e.judge(nil); outcomeOf(err) != findings {
		t.Errorf("no answer: %v", err)
	}
	for _, bad := range []string{"", "n == 1", "/n", "/n ==", "/n == text", "/n ~ x", "/n ~ /(/", "/n exists 1", "/n is 1", "'/n == 1"} {
		if _, err := readExpectation(bad); err == nil {
			t.Errorf("%q is read", bad)
		}
	}
}

// TestSides: of a long value the place that differs is shown, of a text the lines that do.
func TestSides(t *testing.T) {
	quote := func(s string) []byte {
		b, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	long := strings.Repeat("x", 1000)
	for _, c := range []struct {
		was, now []byte
		want     string
	}{
		{[]byte("1"), []byte("2"), "1 | 2"},
		{nil, []byte("2"), "(nothing) | 2"},
		{[]byte("1"), nil, "1 | (nothing)"},
		{quote("a\nb\nc"), quote("a\nx\ny\nc"), "line 2: b | line 2: x, line 3: y"},
		{quote("a\nb"), quote("a\nb\nc"), " | line 3: c"},
		{quote(long + "a"), quote(long + "b"), `…` + long[:40] + `a" | …` + long[:40] + `b"`},
		{quote("\x1b[2J"), quote("a"), `"\u001b[2J" | "a"`},
	} {
		a, b := sides(c.was, c.now)
		if got := strings.Join(a, ", ") + " | " + strings.Join(b, ", "); got != c.want {
			t.Errorf("%s → %s: %s, not %s", c.was, c.now, got, c.want)
		}
	}
}

// FuzzSteps: a file of steps is read or refused, and every step that is read has a verb.
func FuzzSteps(f *testing.F) {
	f.Add([]byte("call add a=1\nexpect /a == 1\n# no\nwait 1s\nsend a {}"), []byte(`{"jsonrpc":"2.0","result":{"a":1}}`))
	f.Add([]byte("expect '/a~1' ~ /x/\nread 'a{b}' b=1\nlist tools\nrestart"), []byte(`[1,2]`))
	f.Add([]byte("\xff\nexpect \xff exists"), []byte("\xff"))
	f.Fuzz(func(t *testing.T, file, answer []byte) {
		steps, err := readSteps("steps.txt", file)
		if err != nil {
			if outcomeOf(err) != usage || err.Error() == "" {
				t.Errorf("%v", err)
			}
			return
		}
		for _, s := range steps {
			if s.verb == "" || s.number == 0 {
				t.Errorf("%+v", s)
			}
			if s.verb == "expect" {
				if err := s.expect.judge(answer); err != nil && !utf8.ValidString(cleanLine(err.Error())) {
					t.Errorf("%q", err)
				}
			}
		}
		sides(file, answer)
	})
}
