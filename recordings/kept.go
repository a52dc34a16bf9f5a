package recordings

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// What is kept of sessions that nobody named a file for.
const (
	KeepSessions = 20      // some days of work
	KeepBytes    = 1 << 30 // no surprise on a laptop's disk, also while a server floods
)

const (
	keptDir = "sessions"
	keptExt = ".jsonl"

	// keptStamp begins a file name, in UTC: names sort by age. Colons are not for Windows.
	keptStamp = "20060102-150405.000000"

	// maxKeptName is the longest name of a session in a file name, in bytes.
	maxKeptName = 40

	// maxKeptTries bounds the search for a free name: each try is a microsecond later.
	maxKeptTries = 1000
)

// ErrNoneKept is that there is no kept session.
var ErrNoneKept = errors.New("no session is kept yet")

// Kept is a session in the state directory.
type Kept struct {
	Path  string
	Name  string    // what was inspected, as given to CreateKept, without odd characters
	Start time.Time // to the microsecond
	Size  int64     // bytes
}

// Live reports whether the session is still being recorded, by this or another process.
func (k Kept) Live() bool { return inUse(k.Path) }

// CreateKept starts the recording of a session that nobody named a file for. name says what is
// inspected, such as the command. The file is in use until the Writer is closed: see Prune.
func CreateKept(now time.Time, name string) (*Writer, error) {
	dir, err := sessionsDir()
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, dirMode); err != nil {
		return nil, fmt.Errorf("the directory of kept sessions cannot be made: %w", err)
	}
	if name = fileName(name); name != "" {
		name = "-" + name
	}
	for range maxKeptTries {
		path := filepath.Join(dir, now.UTC().Format(keptStamp)+name+keptExt)
		w, err := Create(path, false)
		switch busy := (*BusyError)(nil); {
		case err == nil && w.stands():
			w.Limit(KeepBytes)
			return w, nil
		case err == nil:
			w.Close() // pruned between its making and its lock
		case !errors.Is(err, fs.ErrExist) && !errors.As(err, &busy):
			return nil, err
		}
		now = now.Add(time.Microsecond)
	}
	return nil, fmt.Errorf("no free name for a session in %s", dir)
}

// stands reports whether the path of a Writer still leads to its file.
func (w *Writer) stands() bool {
	there, err := os.Stat(w.path)
	if err != nil {
		return false
	}
	f, ok := w.out.(*os.File)
	if !ok {
		return false
	}
	ours, err := f.Stat()
	return err == nil && os.SameFile(ours, there)
}

// List returns the kept sessions, newest first.
func List() ([]Kept, error) {
	dir, err := sessionsDir()
	if err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("the kept sessions cannot be listed: %w", err)
	}
	var all []Kept
	for _, e := range entries {
		base, ok := strings.CutSuffix(e.Name(), keptExt)
		if !ok || strings.HasSuffix(e.Name(), NotesExt) || !e.Type().IsRegular() || len(base) < len(keptStamp) {
			continue
		}
		start, err := time.Parse(keptStamp, base[:len(keptStamp)])
		if err != nil {
			continue // not made by CreateKept, so not ours to list or delete
		}
		info, err := e.Info()
		if err != nil {
			continue // deleted meanwhile
		}
		all = append(all, Kept{filepath.Join(dir, e.Name()), strings.TrimPrefix(base[len(keptStamp):], "-"), start, info.Size()})
	}
	slices.SortFunc(all, func(a, b Kept) int { return cmp.Or(b.Start.Compare(a.Start), cmp.Compare(b.Path, a.Path)) })
	return all, nil
}

// Last is the newest kept session that has any content; ErrNoneKept when there is none.
func Last() (Kept, error) {
	all, err := List()
	if err != nil {
		return Kept{}, err
	}
	for _, k := range all {
		if k.Size > 0 {
			return k, nil
		}
	}
	return Kept{}, ErrNoneKept
}

// Prune deletes the oldest kept sessions until at most keep of them are left, with at most the
// given bytes together. The newest one stays whatever its size, unless keep is 0. A session that
// is being recorded is counted and never deleted. It returns how many are gone.
func Prune(keep int, bytes int64) (int, error) {
	all, err := List()
	if err != nil {
		return 0, err
	}
	var failed []error
	gone, stay, size := 0, 0, int64(0)
	for _, k := range all {
		fits := stay < keep && (stay == 0 || size+k.Size <= bytes)
		if fits || k.Live() {
			stay++
			size += k.Size
			continue
		}
		switch err := os.Remove(k.Path); {
		case err == nil:
			_ = os.Remove(k.Path + NotesExt) // there is seldom one
			gone++
		case !errors.Is(err, fs.ErrNotExist):
			failed = append(failed, err)
		}
	}
	return gone, errors.Join(failed...)
}

func sessionsDir() (string, error) {
	dir, err := StateDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, keptDir), nil
}

// fileName makes a part of a file name of any text: the last element of a path, in letters,
// digits, dots and dashes.
func fileName(s string) string {
	s = strings.TrimRight(s, `/\`)
	s = s[strings.LastIndexAny(s, `/\`)+1:]
	s = strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '.', r == '_':
			return r
		}
		return '-'
	}, s)
	return strings.Trim(s[:min(len(s), maxKeptName)], "-.")
}
