//go:build unix

package recordings

import (
	"errors"
	"os"
	"syscall"
)

// nonblock keeps the opening of a pipe from waiting for its reader. Files do not know it.
const nonblock = syscall.O_NONBLOCK

// lock marks a file as being recorded into, until it is closed or the process ends, however it
// ends. It reports false when another has marked it. Where a file system has no locks, files
// count as free.
func lock(f *os.File) bool {
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if !errors.Is(err, syscall.EINTR) {
			return !errors.Is(err, syscall.EWOULDBLOCK)
		}
	}
}

// inUse reports whether the file at path is being recorded into, by us or by another process.
func inUse(path string) bool {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return false
	}
	defer f.Close()
	return !lock(f)
}
