package cli

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"

	"example.com/mcpinspect/session/report"
)

// TestDefusedInPieces: it does not matter where the output is cut.
func TestDefusedInPieces(t *testing.T) {
	for _, s := range []string{"::error::a\n ::b\n##[c] a##[d]\nx::y :: #\n#", ":", "##", "\n::", " \t", " :", "a:\n:b", "###[", ":::", ""} {
		want := string(report.Defuse([]byte(s), true))
		for i := range len(s) + 1 {
			for j := i; j <= len(s); j++ {
				var b bytes.Buffer
				d := &defused{w: &b}
				for _, piece := range []string{s[:i], s[i:j], s[j:]} {
					if n, err := d.Write([]byte(piece)); n != len(piece) || err != nil {
						t.Fatal(n, err)
					}
				}
				if err := d.flush(); err != nil {
					t.Fatal(err)
				}
				if b.String() != want {
					t.Errorf("%q cut at %d and %d: %q, not %q", s, i, j, b.String(), want)
				}
			}
		}
	}
}

// TestJobLog: a file gets the text as it is, a pipe may end in the log of a job.
func TestJobLog(t *testing.T) {
	const text = "::error::x ##[group]\n"
	for _, actions := range []string{"true", ""} {
		t.Setenv("GITHUB_ACTIONS", actions)
		f, err := os.Create(filepath.Join(t.TempDir(), "out"))
		if err != nil {
			t.Fatal(err)
		}
		o := newOutput(f, true, nil)
		o.printf("%s", text)
		if err := o.flush(); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(f.Name()); err != nil || string(got) != text {
			t.Errorf("a file got %q, %v", got, err)
		}
		f.Close()
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		o = newOutput(w, true, nil)
		o.printf("%s", text)
		if err := o.flush(); err != nil {
			t.Fatal(err)
		}
		w.Close()
		got, err := io.ReadAll(r)
		if err != nil || (string(got) == text) != (actions == "") {
			t.Errorf("GITHUB_ACTIONS=%q: a pipe got %q, %v", actions, got, err)
		}
		r.Close()
	}
}

func TestReadCalling(t *testing.T) {
	for _, c := range []struct {
		word, tool string
		args       []string
		bad        bool
	}{
		{"add a=2 b=3", "add", []string{"a=2", "b=3"}, false},
		{`add {"a": "x y", "b":{}}`, "add", []string{`{"a": "x y", "b":{}}`}, false},
		{`'greet (structured)' {"a":1}`, "greet (structured)", []string{`{"a":1}`}, false},
		{`echo 'text=a {b}'`, "echo", []string{"text=a {b}"}, false},
		{`add '{"a":1}'`, "add", []string{`{"a":1}`}, false},
		{" boom ", "boom", nil, false},
		{"", "", nil, true},
		{`add "a`, "", nil, true},
	} {
		got, err := readCalling(c.word)
		if (err != nil) != c.bad {
			t.Errorf("%q: %v", c.word, err)
			continue
		}
		if got.tool != c.tool || len(got.args) != len(c.args) {
			t.Errorf("%q is %+v", c.word, got)
			continue
		}
		for i := range c.args {
			if got.args[i] != c.args[i] {
				t.Errorf("%q is %+v", c.word, got)
			}
		}
	}
}
