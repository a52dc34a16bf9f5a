package recordings

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// TestFileThatGoesAway: a recording whose file is removed, moved or replaced says so once while it is
// written, and again when it is closed, and goes on.
func TestFileThatGoesAway(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("an open file stays where it is")
	}
	for name, away := range map[string]func(path string) error{
		"removed": os.Remove,
		"folder":  func(path string) error { return os.RemoveAll(filepath.Dir(path)) },
		"moved":   func(path string) error { return os.Rename(path, path+".old") },
		"replaced": func(path string) error {
			if err := os.Remove(path); err != nil {
				return err
			}
			return os.WriteFile(path, nil, 0o600)
		},
		"there": func(string) error { return nil },
	} {
		for _, late := range []bool{false, true} {
			path := filepath.Join(t.TempDir(), "in", "r.jsonl")
			if err := os.Mkdir(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			w, err := Create(path, false)
			if err != nil {
				t.Fatal(err)
			}
			w.Head(Head{})
			w.Bytes(lookEvery, Out, []byte("a\n"))
			if err := away(path); err != nil {
				t.Fatal(err)
			}
			var told []string
			for i := range 3 {
				at := lookEvery + time.Millisecond
				if !late {
					at = time.Duration(2+i) * lookEvery
				}
				w.Bytes(at, Out, []byte("b\n"))
				if err := w.Err(); err != nil {
					told = append(told, err.Error())
				}
			}
			if err := w.Close(); err != nil {
				told = append(told, err.Error())
			}
			want := 2
			if late { // nothing was written that much later
				want = 1
			}
			if name == "there" {
				want = 0
			}
			if len(told) != want || want > 0 && !strings.Contains(told[0], "no longer at "+path) {
				t.Errorf("%s, late %v: %q", name, late, told)
			}
		}
	}
}
