package session

import (
	"path/filepath"
	"testing"
	"time"

	"example.com/mcpinspect/recordings"
)

// BenchIngest measures the door with a recording in a file, in chunks of size bytes or, at 0, of a
// line. The observers are made anew with the log; nil is none.
func BenchIngest(b *testing.B, size int, observers func() []Observer) {
	path := filepath.Join(b.TempDir(), "a.jsonl")
	var w *recordings.Writer
	ingest(b, size, func() *door {
		if w != nil {
			w.Close()
		}
		var err error
		if w, err = recordings.Create(path, true); err != nil {
			b.Fatal(err)
		}
		var watching []Observer
		if observers != nil {
			watching = observers()
		}
		return newDoor(&Playhead{}, 0, watching, NewRecording(w, Target{}, Options{}, "bench", time.Now(), nil))
	})
	if err := w.Close(); err != nil {
		b.Fatal(err)
	}
}
