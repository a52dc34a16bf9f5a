package history

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

// ClearAll forgets what is kept of every server and returns how many had something.
func ClearAll() (int, error) {
	dir, err := folder()
	if err != nil {
		return 0, err
	}
	gone, err := prune(dir, 0)
	if err != nil {
		return gone, fmt.Errorf("the history of arguments cannot be deleted: %w", err)
	}
	return gone, nil
}

// prune deletes the files that were written to least lately until at most keep are left.
func prune(dir string, keep int) (gone int, err error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	type file struct {
		name string
		used time.Time
	}
	var files []file
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), fileExt) || !e.Type().IsRegular() {
			continue
		}
		if info, err := e.Info(); err == nil {
			files = append(files, file{e.Name(), info.ModTime()})
		}
	}
	slices.SortFunc(files, func(a, b file) int { return cmp.Or(b.used.Compare(a.used), cmp.Compare(a.name, b.name)) })
	for _, f := range files[min(keep, len(files)):] {
		if e := os.Remove(filepath.Join(dir, f.name)); e == nil {
			gone++
		} else if err == nil && !errors.Is(e, fs.ErrNotExist) {
			err = e
		}
	}
	return gone, err
}
