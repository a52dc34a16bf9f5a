package recordings

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// Copy makes a copy of a recording, which may still be written, up to its last whole line. The copy
// is private to the user; an existing file is an *ExistsError. It returns the bytes copied.
func Copy(to, from string) (n int64, err error) {
	in, err := open(from)
	if err != nil {
		return 0, fmt.Errorf("the recording cannot be opened: %w", err)
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_RDWR|os.O_CREATE|os.O_EXCL, fileMode)
	if errors.Is(err, fs.ErrExist) {
		return 0, &ExistsError{to}
	}
	if err != nil {
		return 0, fmt.Errorf("the copy cannot be made: %w", err)
	}
	if n, err = io.Copy(out, in); err == nil {
		n, err = cutTorn(out, n)
	}
	if cerr := out.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		os.Remove(to) // half a copy would look like a whole one
		return 0, fmt.Errorf("the copy cannot be made: %w", err)
	}
	return n, nil
}

// open opens what Open reads.
func open(path string) (io.ReadCloser, error) {
	if IsSample(path) {
		return Samples().Open(path + SampleExt)
	}
	return os.Open(path)
}

// cutTorn ends a file of n bytes behind its last line end.
func cutTorn(f *os.File, n int64) (int64, error) {
	buf := make([]byte, readBuffer)
	for n > 0 {
		part := buf[:min(n, int64(len(buf)))]
		if _, err := f.ReadAt(part, n-int64(len(part))); err != nil {
			return n, err
		}
		if i := bytes.LastIndexByte(part, '\n'); i >= 0 {
			n -= int64(len(part) - i - 1)
			break
		}
		n -= int64(len(part))
	}
	return n, f.Truncate(n)
}
