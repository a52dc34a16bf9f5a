package recordings

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// fileMode keeps recordings to their owner: they hold what went over a private wire.
const fileMode = 0o600

// ExistsError is a recording that was not started because its file exists.
type ExistsError struct{ Path string }

func (e *ExistsError) Error() string {
	return fmt.Sprintf("%s exists already: choose another name, or add --overwrite to replace it", e.Path)
}

// Is makes it a fs.ErrExist.
func (e *ExistsError) Is(target error) bool { return target == fs.ErrExist }

// BusyError is a file that another process is recording into.
type BusyError struct{ Path string }

func (e *BusyError) Error() string {
	return fmt.Sprintf("%s is being recorded into by another process: choose another name", e.Path)
}

// NotFileError is a path that leads to something else than a file: a pipe, a device, a directory.
// Nothing is written to it, and nobody is waited for at its other end.
type NotFileError struct {
	Path string
	What string // "a directory"
}

func (e *NotFileError) Error() string {
	return fmt.Sprintf("%s is %s: a recording needs a file, since it is read back while the session runs", e.Path, e.What)
}

// kindOf names what is no regular file.
func kindOf(m fs.FileMode) string {
	switch {
	case m.IsDir():
		return "a directory"
	case m&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case m&fs.ModeSocket != 0:
		return "a socket"
	case m&fs.ModeDevice != 0:
		return "a device"
	}
	return "no regular file"
}

// Create starts a recording in a private file (mode 0600). An existing file is refused with an
// *ExistsError unless overwrite is set, and even then with a *BusyError while another process
// records into it; what is no regular file is a *NotFileError. Directories are not made.
func Create(path string, overwrite bool) (*Writer, error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, &NotFileError{path, kindOf(info.Mode())}
	}
	flags := os.O_WRONLY | os.O_CREATE | os.O_APPEND | nonblock // another may have put a pipe there since
	if !overwrite {
		flags |= os.O_EXCL
	}
	f, err := os.OpenFile(path, flags, fileMode)
	if errors.Is(err, fs.ErrExist) {
		return nil, &ExistsError{path}
	}
	if err != nil {
		return nil, fmt.Errorf("the recording cannot be made: %w", err)
	}
	if err := claim(f, path); err != nil {
		f.Close()
		if !overwrite {
			os.Remove(path) // made a moment ago, and empty
		}
		return nil, err
	}
	w := NewWriter(f)
	w.path, w.index.path = path, path
	w.there.watch(f)
	return w, nil
}

// claim makes an opened file ours alone and empty.
func claim(f *os.File, path string) error {
	info, err := f.Stat()
	if err != nil {
		return fmt.Errorf("the recording cannot be made: %w", err)
	}
	if !info.Mode().IsRegular() {
		return &NotFileError{path, kindOf(info.Mode())}
	}
	if !lock(f) {
		return &BusyError{path}
	}
	if info.Size() > 0 {
		if err := f.Truncate(0); err != nil {
			return fmt.Errorf("the old recording cannot be emptied: %w", err)
		}
	}
	if info.Mode().Perm() != fileMode {
		_ = f.Chmod(fileMode) // not every file system has modes
	}
	return nil
}
