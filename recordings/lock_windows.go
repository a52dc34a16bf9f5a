package recordings

import (
	"errors"
	"os"
	"syscall"
)

// nonblock is nothing: pipes have names of their own here.
const nonblock = 0

// lock has nothing to do: a file that is open for writing cannot be deleted on Windows, and
// inUse sees that it is open.
func lock(*os.File) bool { return true }

// errSharing is ERROR_SHARING_VIOLATION.
const errSharing = syscall.Errno(32)

// inUse reports whether anybody has the file at path open.
func inUse(path string) bool {
	name, err := syscall.UTF16PtrFromString(path)
	if err != nil {
		return false
	}
	h, err := syscall.CreateFile(name, syscall.GENERIC_READ, 0, nil, syscall.OPEN_EXISTING, syscall.FILE_ATTRIBUTE_NORMAL, 0)
	if err != nil {
		return errors.Is(err, errSharing)
	}
	_ = syscall.CloseHandle(h)
	return false
}
