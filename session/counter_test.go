package session

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/mcpinspect/recordings"
)

// TestCount: counting without rows comes to the same as counting rows, of every sample.
func TestCount(t *testing.T) {
	for _, name := range recordings.SampleNames() {
		r, err := recordings.OpenSample(name)
		if err != nil {
			t.Fatal(err)
		}
		s, err := Read(r)
		if err != nil {
			t.Fatal(err)
		}
		if r, err = recordings.OpenSample(name); err != nil {
			t.Fatal(err)
		}
		methods, tools, err := Count(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		wantMethods, wantTools := s.Log().Tallies(nil)
		if got, want := spell(methods, tools), spell(wantMethods, wantTools); got != want || len(methods) == 0 {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, want)
		}
	}
}

func spell(all ...[]*Tally) (out string) {
	for _, list := range all {
		for _, t := range list {
			out += fmt.Sprintf("%+v\n", *t)
		}
	}
	return out
}

// TestThinLog: of a recording that is larger than thinFrom large bodies are not in memory, and every
// one of them is read back, in order and not, with its id.
func TestThinLog(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.jsonl")
	w, err := recordings.Create(path, false)
	if err != nil {
		t.Fatal(err)
	}
	w.Head(recordings.Head{Start: time.Unix(0, 0)})
	w.Spawn(0, 1, 7, "x")
	var want []string
	want = append(want, "")
	at := time.Duration(0)
	put := func(ch recordings.Channel, text string) {
		want = append(want, text)
		for line := text + "\n"; line != ""; {
			n := min(len(line), 1000)
			at++
			w.Bytes(at, ch, []byte(line[:n]))
			line = line[n:]
		}
	}
	for i := range 300 {
		put(recordings.In, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"a","pad":"%s"}}`, i, strings.Repeat("p", i*9)))
		put(recordings.Err, strings.Repeat("e", i*3))
		put(recordings.Out, fmt.Sprintf(`{"jsonrpc":"2.0","result":{"pad":"%s"},"id":%d}`, strings.Repeat("é", i*17), i))
	}
	put(recordings.In, `{"jsonrpc":"2.0","id":300,"method":"m","params":"`+strings.Repeat("q", thinAsked)+`"}`)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := recordings.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	s := Recorded(r.Head(), Target{}, Options{})
	s.door.log.store.thinFrom = 4 << 10
	if err := s.Load(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	log := s.Log()
	if log.Len() != len(want) {
		t.Fatalf("%d rows, want %d", log.Len(), len(want))
	}
	check := func(seq int) {
		t.Helper()
		body, masked, err := log.Read(seq)
		if err != nil || masked != 0 || string(body.Bytes()) != want[seq] {
			t.Fatalf("row %d: %d bytes, %v, want %d", seq, body.Len(), err, len(want[seq]))
		}
		if e, _ := log.Event(seq); strings.HasPrefix(want[seq], "{") && !strings.Contains(want[seq], `"id":`+e.ID+`,`) && !strings.HasSuffix(want[seq], `"id":`+e.ID+`}`) {
			t.Fatalf("row %d has the id %q", seq, e.ID)
		}
	}
	cut := 0
	for seq := range want {
		check(seq)
		if e, _ := log.Event(seq); e.Kept < e.Size {
			cut++
			if e.Kept != prefixSize {
				t.Errorf("row %d keeps %d of %d bytes", seq, e.Kept, e.Size)
			}
		}
	}
	for seq := len(want) - 1; seq >= 0; seq -= 7 {
		check(seq)
	}
	if whole := len(want) - cut; cut < 300 || whole < 300 || log.Bytes() > 800<<10 {
		t.Errorf("%d rows are cut, %d whole, %d bytes in memory", cut, whole, log.Bytes())
	}
	log.Bound(1<<20, 100<<10) // what is cut already is cut with the rest
	for seq := range want {
		check(seq)
	}
}
