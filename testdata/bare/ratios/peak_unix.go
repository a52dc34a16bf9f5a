//go:build !windows

package main

import (
	"os"
	"runtime"
	"syscall"
)

// peak is the largest resident size of a process that ended, in bytes.
func peak(s *os.ProcessState) int64 {
	u, ok := s.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" { // bytes there, KiB elsewhere
		return int64(u.Maxrss)
	}
	return int64(u.Maxrss) << 10
}
