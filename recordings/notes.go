package recordings

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"time"
)

// NotesExt is what is added to the name of a recording for the file beside it: it has the marks and
// notes that the recording itself cannot take, as ctl lines.
const NotesExt = ".notes.jsonl"

// Annotate adds one ctl line about a recording and returns the file that has it: the recording
// itself, or the file beside it where that is not ours, cannot be written, or is being recorded into.
// A last line that is torn is ended first.
func Annotate(path string, secrets *Secrets, t time.Duration, what string, fields ...Field) (file string, err error) {
	var line bytes.Buffer
	w := NewWriter(&line)
	w.Mask(secrets)
	w.Ctl(t, what, fields...)
	if f := openToAppend(path); f != nil {
		err := appendLine(f, line.Bytes())
		if cerr := f.Close(); err == nil {
			err = cerr
		}
		if err != nil {
			return "", fmt.Errorf("the note cannot be written: %w", err)
		}
		return path, nil
	}
	file = path + NotesExt
	f, err := os.OpenFile(file, os.O_RDWR|os.O_CREATE|os.O_APPEND|nonblock, fileMode)
	if err != nil {
		return "", fmt.Errorf("the note cannot be written: %w", err)
	}
	if err = appendLine(f, line.Bytes()); err != nil {
		err = fmt.Errorf("the note cannot be written: %w", err)
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	return file, err
}

// openToAppend opens a recording of ours that nobody records into; nil when it is none. Until it is
// closed nobody else may write to it.
func openToAppend(path string) *os.File {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND|nonblock, 0)
	if err != nil {
		return nil
	}
	info, err := f.Stat()
	if err == nil && info.Mode().IsRegular() && lock(f) {
		r, err := NewReader(io.NewSectionReader(f, 0, math.MaxInt64))
		if err == nil && r.foreign == nil {
			return f
		}
	}
	f.Close()
	return nil
}

// appendLine writes a line behind what is there, in one write.
func appendLine(f *os.File, line []byte) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if n := info.Size(); n > 0 {
		var last [1]byte
		if _, err := f.ReadAt(last[:], n-1); err != nil {
			return err
		}
		if last[0] != '\n' {
			line = append([]byte{'\n'}, line...)
		}
	}
	_, err = f.Write(line)
	return err
}

// notes reads the file beside a recording.
type notes struct {
	r    *Reader
	file *os.File
	done bool
}

// nextNote is Next in the file beside the recording; io.EOF when there is none or no more of it.
func (r *Reader) nextNote() (Record, error) {
	n := &r.notes
	if n.done || r.path == "" {
		return Record{}, io.EOF
	}
	if n.r == nil {
		f, err := os.OpenFile(r.path+NotesExt, os.O_RDONLY|nonblock, 0)
		if err != nil {
			n.done = true
			if !errors.Is(err, fs.ErrNotExist) {
				r.notices = append(r.notices, Notice{Line: r.line, Text: "is the last, and the notes beside it cannot be read: " + err.Error()})
			}
			return Record{}, io.EOF
		}
		n.file = f
		n.r = &Reader{in: newBuffer(f), limit: maxHeadLine}
	}
	for {
		rec, err := n.r.Next()
		switch {
		case err != nil:
			n.close()
			for _, x := range n.r.Notices() {
				r.notices = append(r.notices, Notice{Line: x.Line, Text: "of " + filepath.Base(r.path) + NotesExt + " " + x.Text})
			}
			return Record{}, io.EOF
		case rec.K == KindCtl:
			rec.Line, rec.Run = r.line, r.run
			return rec, nil
		}
	}
}

func (n *notes) close() {
	n.done = true
	if n.file != nil {
		n.file.Close()
		n.file = nil
	}
}
