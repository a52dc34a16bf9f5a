package recordings

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
)

// glanceTail is how much of the end of a file is looked at for the end of its session: the exit is
// the last line, or a few notes follow it.
const glanceTail = 16 << 10

// Glance is what the first and the last lines of a recording tell, for a list of many of them.
type Glance struct {
	Head Head
	Exit *Record // how the last run ended; nil when it has not, or its end is not in the file
}

// Look reads the first line of a recording and its end, and nothing between. A file of another
// kind is a *NotRecordingError.
func Look(path string) (Glance, error) {
	r, err := Open(path)
	if err != nil {
		return Glance{}, err
	}
	defer r.Close()
	g := Glance{Head: r.Head()}
	f, ok := r.file.(*os.File)
	if !ok {
		return g, nil
	}
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return g, nil // a pipe has no end to look at
	}
	from := max(0, size-glanceTail)
	tail := make([]byte, size-from)
	if _, err := f.ReadAt(tail, from); err != nil && !errors.Is(err, io.EOF) {
		return g, fmt.Errorf("the end of the recording cannot be read: %w", err)
	}
	for line := range bytes.Lines(tail) {
		switch {
		case bytes.HasPrefix(line, []byte(`{"k":"spawn"`)):
			g.Exit = nil
		case bytes.HasPrefix(line, []byte(`{"k":"exit"`)):
			if rec, err := r.decode(bytes.TrimSpace(line)); err == nil && rec.K == KindExit {
				rec.Raw = nil
				g.Exit = &rec
			}
		}
	}
	return g, nil
}
