package script

import (
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/recordings"
	"example.com/mcpinspect/session"
)

// sample is the play of a run of a sample.
func sample(t *testing.T, name string, run int) (*Script, error) {
	t.Helper()
	open := func() *recordings.Reader {
		f, err := recordings.Samples().Open(name + ".jsonl")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		r, err := recordings.NewReader(f)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	s, err := session.Read(open())
	if err != nil {
		t.Fatal(err)
	}
	masks, err := ReadMasks(open())
	if err != nil {
		t.Fatal(err)
	}
	return Of(s, masks, run)
}

// TestSamples: who said what because of what.
func TestSamples(t *testing.T) {
	for _, c := range []struct {
		file string
		run  int
		want string
	}{
		{"legacy-crash", 0, `run 1 of 1, 2025-06-18
#1 server/discover: #2 #3 answered
#5 initialize: #6 answered
#7 notifications/initialized:
#8 tools/list: #9 answered
#10 tools/call echo: #11 #12 answered
#13 tools/call boom: #14 #15 #16, ends with signal SIGSEGV`},
		{"modern-clean", 1, `run 1 of 1, 2026-07-28
#1 server/discover: #2 #3 answered
#5 tools/list: #6 answered
#7 tools/list: #8 answered
#9 tools/call add: #10 answered
#11 tools/call weather: #12 #13 #14 answered`},
		{"restart-token", 0, "run 2 of 2, 2026-07-28\n#8 server/discover: #9 answered"},
		{"restart-token", 1, "run 1 of 2, 2026-07-28\n#2 server/discover: #3(24 BENCH_TOKEN) answered, ends with exit status 1"},
	} {
		s, err := sample(t, c.file, c.run)
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		fmt.Fprintf(&b, "run %d of %d, %s", s.Run, s.Runs, s.Revision)
		for _, turn := range s.Turns {
			fmt.Fprintf(&b, "\n#%d %s:", turn.Seq, turn.Title())
			for _, l := range turn.Lines {
				fmt.Fprintf(&b, " #%d", l.Seq)
				for _, sp := range l.Masked {
					fmt.Fprintf(&b, "(%d %s)", sp.Len, sp.Name)
					if stars := string(l.Text[sp.Off : sp.Off+sp.Len]); strings.Trim(stars, "*") != "" {
						t.Errorf("%q is not masked", stars)
					}
				}
			}
			if turn.Answer != nil {
				b.WriteString(" answered")
			}
			if s.Exit != nil && s.ExitCause == turn {
				fmt.Fprintf(&b, ", ends with %s", s.Exit)
			}
		}
		if got := b.String(); got != c.want {
			t.Errorf("%s\n%s\nnot\n%s", path.Base(c.file), got, c.want)
		}
	}
	var none *NoRunError
	if _, err := sample(t, "modern-clean", 2); !errors.As(err, &none) {
		t.Errorf("%v", err)
	}
}

func TestApply(t *testing.T) {
	line := []byte("0123456789")
	got := Apply(line, []Edit{{client.Span{Start: 5, End: 7}, "x"}, {client.Span{Start: 0, End: 1}, ""}, {client.Span{Start: 9, End: 10}, "end"}})
	if string(got) != "1234x78end" || string(line) != "0123456789" {
		t.Errorf("%s, %s", got, line)
	}
}

func TestLikewise(t *testing.T) {
	for _, c := range [][4]string{{"1", "1", `"a"`, `"a"`}, {"1", `"1"`, "7", `"7"`}, {`"1"`, "1", `"7"`, "7"}, {`"1"`, "1", `"seven"`, `"seven"`}, {"1", "1.0", "7", "7"}} {
		if got := likewise(c[0], c[1], c[2]); got != c[3] {
			t.Errorf("%s answered with %s: %s becomes %s, not %s", c[0], c[1], c[2], got, c[3])
		}
	}
}

// TestBeyondMemory: bodies that memory has no longer are played whole, and a recording whose rows it
// has no longer is refused.
func TestBeyondMemory(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.jsonl")
	w, err := recordings.Create(file, false)
	if err != nil {
		t.Fatal(err)
	}
	pad := strings.Repeat("x", 2<<20)
	w.Head(recordings.Head{})
	w.Spawn(0, 1, 7, "server")
	w.Bytes(0, recordings.In, []byte(`{"jsonrpc":"2.0","id":1,"method":"a"}`+"\n"))
	w.Bytes(0, recordings.Out, []byte(`{"jsonrpc":"2.0","id":1,"result":{"pad":"`+pad+`"}}`+"\n"))
	w.Bytes(0, recordings.Err, []byte(strings.Repeat("log\n", 5000)))
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := recordings.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	s, err := session.Read(r)
	if err != nil {
		t.Fatal(err)
	}
	s.Log().Bound(1<<20, 1<<20)
	if e, _ := s.Log().Event(2); e.Kept == e.Size {
		t.Fatalf("%+v", e)
	}
	p, err := Of(s, nil, 0)
	if err != nil || len(p.Turns) != 1 || p.Turns[0].Answer == nil || !strings.Contains(string(p.Turns[0].Answer.Text), pad) {
		t.Errorf("%v, %v", p != nil, err)
	}
	s.Log().Bound(1<<10, 1<<20)
	var long *LongError
	if _, err := Of(s, nil, 0); !errors.As(err, &long) || long.Rows != s.Log().First() {
		t.Errorf("rows from %d on: %v", s.Log().First(), err)
	}
}
