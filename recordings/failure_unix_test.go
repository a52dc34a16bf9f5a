//go:build linux || darwin

package recordings

import (
	"bytes"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// TestFileSizeLimit records in a process that may write files of 64 KiB, raises the limit midway
// and goes on.
func TestFileSizeLimit(t *testing.T) {
	const limit = 64 << 10
	if path := os.Getenv("RECORD_UNDER_LIMIT"); path != "" {
		recordUnderLimit(t, path, limit)
		return
	}
	path := filepath.Join(t.TempDir(), "a.jsonl")
	cmd := exec.Command(os.Args[0], "-test.run=^TestFileSizeLimit$", "-test.v")
	cmd.Env = append(os.Environ(), "RECORD_UNDER_LIMIT="+path)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	all, r := load(t, mustOpen(t, path))
	if len(r.Notices()) > 1 || r.Torn() {
		t.Errorf("notices %v", r.Notices())
	}
	kept, dropped := int64(len(joined(all, Out))), int64(0)
	for _, rec := range all {
		dropped += rec.N
	}
	if dropped == 0 || kept+dropped != 200*1000 || all[len(all)-1].K != KindExit {
		t.Errorf("%d bytes kept and %d dropped", kept, dropped)
	}
}

func recordUnderLimit(t *testing.T, path string, limit uint64) {
	var was syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &was); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: limit, Max: was.Max}); err != nil {
		t.Fatal(err)
	}
	w, err := Create(path, false)
	if err != nil {
		t.Fatal(err)
	}
	w.Head(Head{Start: time.Unix(0, 0)})
	for i := range 200 {
		if i == 150 {
			if err := w.Err(); !errors.Is(err, syscall.EFBIG) {
				t.Errorf("at the limit: %v", err)
			}
			if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &was); err != nil {
				t.Fatal(err)
			}
		}
		w.Bytes(time.Duration(i)*10*time.Millisecond, Out, bytes.Repeat([]byte("x"), 1000))
	}
	code := 0
	w.Exit(3*time.Second, &code, "", "no", "")
	if err := errors.Join(w.Err(), w.Close()); err != nil {
		t.Errorf("after the limit was raised: %v", err)
	}
}

// TestCreateDoesNotWaitForAReader: a pipe without one, a pipe with one, a socket.
func TestCreateDoesNotWaitForAReader(t *testing.T) {
	dir := t.TempDir()
	pipe, sock := filepath.Join(dir, "pipe"), filepath.Join(dir, "sock")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("unix", sock)
	if err != nil {
		t.Skip(err) // paths of sockets are short
	}
	defer l.Close()
	for path, what := range map[string]string{pipe: "a named pipe", sock: "a socket"} {
		for _, overwrite := range []bool{false, true} {
			w, err := Create(path, overwrite)
			if not := (*NotFileError)(nil); w != nil || !errors.As(err, &not) || not.What != what {
				t.Errorf("%s: %v", path, err)
			}
		}
	}
	// What is put in the place of a file between the look at it and its opening is seen as well.
	f, err := os.OpenFile(pipe, os.O_RDWR|nonblock, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if not := (*NotFileError)(nil); !errors.As(claim(f, pipe), &not) {
		t.Error("an opened pipe was taken for a file")
	}
}
