package recordings

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestLook(t *testing.T) {
	dir := t.TempDir()
	three := 3
	for name, c := range map[string]struct {
		more func(w *Writer)
		want string // of the exit
	}{
		"code":      {func(w *Writer) { w.Exit(2, &three, "", "no", ""); w.Ctl(3, "info", Text("text", "x")) }, "3 no"},
		"signal":    {func(w *Writer) { w.Exit(2, nil, "SIGKILL", "term", "") }, "SIGKILL term"},
		"runs":      {func(w *Writer) {}, ""},
		"restarted": {func(w *Writer) { w.Exit(2, &three, "", "no", ""); w.Spawn(3, 2, 8, "x") }, ""},
		"long": {func(w *Writer) {
			for range 100 {
				w.Bytes(2, Out, make([]byte, 1000))
			}
			w.Exit(2, &three, "", "no", "")
		}, "3 no"},
	} {
		path := filepath.Join(dir, name)
		w, err := Create(path, false)
		if err != nil {
			t.Fatal(err)
		}
		w.Head(Head{Tool: "t", Start: time.Unix(1, 0), Target: Target{Command: []string{"srv", "-x"}}})
		w.Spawn(1, 1, 7, "srv")
		c.more(w)
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		g, err := Look(path)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if x := g.Exit; x != nil {
			got = x.Signal + " " + x.Asked
			if x.Code != nil {
				got = string(rune('0'+*x.Code)) + got
			}
		}
		if got != c.want || len(g.Head.Target.Command) != 2 {
			t.Errorf("%s: %q of %v", name, got, g.Head.Target.Command)
		}
	}
	other := filepath.Join(dir, "other")
	if err := os.WriteFile(other, []byte("no recording\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var not *NotRecordingError
	if _, err := Look(other); !errors.As(err, &not) {
		t.Errorf("another file: %v", err)
	}
}
