// Package watch tells when the files of a server have changed, once they are quiet, and runs the
// command that builds it. What follows from a change is for others to decide.
package watch

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/fsnotify/fsnotify"

	"example.com/mcpinspect/client"
)

const (
	// Quiet is how long nothing may change before a change is told: editors and compilers write
	// in several steps.
	Quiet = 200 * time.Millisecond

	// maxUnrest is when a change is told although its files never become quiet: a log file that a
	// pattern matches must not stop the watch in silence.
	maxUnrest = 5 * time.Second

	// maxFolders bounds how many folders a pattern may make us watch: systems have few to give.
	maxFolders = 4000
)

// Change is one or more files that changed and have become quiet.
type Change struct {
	Path string    // the latest one
	More bool      // there were others
	At   time.Time // of the first of them
}

// Watcher watches files until it is closed.
type Watcher struct {
	fs      *fsnotify.Watcher
	match   func(path string) bool
	tree    *tree // nil when single files are watched
	changes chan Change
	done    chan struct{}
	lost    error // read after Changes was closed
}

// Changes tells of changes; one that nobody took is replaced by the next. It is closed when the
// watch ends: by Close, or for the reason that Err gives.
func (w *Watcher) Changes() <-chan Change { return w.changes }

// Err is why the watch ended by itself; valid once Changes is closed.
func (w *Watcher) Err() error { return w.lost }

// Close ends the watch.
func (w *Watcher) Close() {
	_ = w.fs.Close() // its channels close, which ends the goroutine
	<-w.done
}

// Files watches single files, which need not exist. Their folders are watched, so that a file that
// is replaced by another of its name counts as changed. It ends with ctx, or by Close. A fault of ours
// is given to report.
func Files(ctx context.Context, paths []string, report func(*client.Fault)) (*Watcher, error) {
	want, folders := map[string]bool{}, map[string]bool{}
	for _, p := range paths {
		for _, p := range []string{p, target(p)} {
			abs, err := filepath.Abs(p)
			if err != nil {
				return nil, fmt.Errorf("%s cannot be watched: %w", p, err)
			}
			want[abs], folders[filepath.Dir(abs)] = true, true
		}
	}
	return start(ctx, func(path string) bool { return want[path] }, nil, folders, report)
}

// target is where a symbolic link leads; the path itself when it is none.
func target(path string) string {
	if to, err := filepath.EvalSymlinks(path); err == nil {
		return to
	}
	return path
}

// Glob watches the files that match a pattern below a directory; see Pattern. but names files that
// are not watched although they match.
func Glob(ctx context.Context, dir, pattern string, but []string, report func(*client.Fault)) (*Watcher, error) {
	p, err := ParsePattern(pattern)
	if err != nil {
		return nil, err
	}
	root, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be watched: %w", dir, err)
	}
	not := map[string]bool{}
	for _, b := range but {
		if abs, err := filepath.Abs(b); err == nil {
			not[abs], not[target(abs)] = true, true
		}
	}
	t := &tree{root: root, pattern: p}
	folders, err := t.folders()
	if err != nil {
		return nil, err
	}
	match := func(path string) bool {
		rel, err := filepath.Rel(root, path)
		return err == nil && !not[path] && p.Match(filepath.ToSlash(rel))
	}
	return start(ctx, match, t, folders, report)
}

func start(ctx context.Context, match func(string) bool, t *tree, folders map[string]bool, report func(*client.Fault)) (*Watcher, error) {
	f, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, unwatchable(err)
	}
	for folder := range folders {
		if err := f.Add(folder); err != nil {
			f.Close()
			return nil, fmt.Errorf("%s cannot be watched: %w", folder, unwatchable(err))
		}
	}
	w := &Watcher{fs: f, match: match, tree: t, changes: make(chan Change, 1), done: make(chan struct{})}
	client.Go("watch", report, func() { w.run(ctx) }, w.over)
	return w, nil
}

// unwatchable says what to do when the system has no more watches to give.
func unwatchable(err error) error {
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EMFILE) {
		return fmt.Errorf("%w: the system has no more file watches to give; watch fewer folders, or raise fs.inotify.max_user_watches and max_user_instances", err)
	}
	return err
}

// run turns events into changes.
func (w *Watcher) run(ctx context.Context) {
	quiet := time.NewTimer(0)
	<-quiet.C
	defer quiet.Stop()
	var c Change
	seen := func(path string) {
		if c.Path != "" && c.Path != path {
			c.More = true
		}
		c.Path = path
		if c.At.IsZero() {
			c.At = time.Now()
		}
		quiet.Reset(min(Quiet, max(maxUnrest-time.Since(c.At), 0)))
	}
	for {
		select {
		case <-ctx.Done():
			return
		case e, ok := <-w.fs.Events:
			if !ok {
				return
			}
			path := filepath.Clean(e.Name)
			if e.Op == fsnotify.Chmod {
				continue // being read or executed is no change
			}
			if w.tree != nil && e.Op.Has(fsnotify.Create) && isFolder(path) {
				for _, found := range w.grow(path) {
					seen(found)
				}
				continue
			}
			if w.match(path) {
				seen(path)
			}
		case err, ok := <-w.fs.Errors:
			if !ok {
				return
			}
			if errors.Is(err, fsnotify.ErrEventOverflow) { // anything may have changed
				seen("more files than could be followed")
				continue
			}
			w.lost = err
			_ = w.fs.Close()
			return
		case <-quiet.C:
			select {
			case earlier := <-w.changes:
				c.More, c.At = true, earlier.At
			default:
			}
			w.changes <- c
			c = Change{}
		}
	}
}

// over tells whoever waits for a change that none will come.
func (w *Watcher) over() {
	_ = w.fs.Close()
	close(w.changes)
	close(w.done)
}

func isFolder(path string) bool {
	st, err := os.Lstat(path)
	return err == nil && st.IsDir()
}

// grow watches a new folder too and returns the files in it that match: they may have come before
// the watch.
func (w *Watcher) grow(folder string) (found []string) {
	_ = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil
		case d.IsDir() && !w.tree.enters(path):
			return filepath.SkipDir
		case d.IsDir():
			_ = w.fs.Add(path) // it may be gone again
		case w.match(path):
			found = append(found, path)
		}
		return nil
	})
	return found
}

// tree is the folders below a root in which a pattern can match.
type tree struct {
	root    string
	pattern Pattern
}

// enters reports whether a folder is looked into. Hidden ones and those of packages are not, unless
// the pattern names them.
func (t *tree) enters(path string) bool {
	rel, err := filepath.Rel(t.root, path)
	if err != nil {
		return false
	}
	rel = filepath.ToSlash(rel)
	name := filepath.Base(path)
	if rel != "." && (strings.HasPrefix(name, ".") && name != ".." || name == "node_modules" || name == "__pycache__") && !t.pattern.names(name) {
		return false
	}
	return t.pattern.below(rel)
}

// folders are all of them now.
func (t *tree) folders() (map[string]bool, error) {
	all := map[string]bool{}
	err := filepath.WalkDir(t.root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil && path == t.root:
			return err
		case err != nil:
			return nil // one that cannot be read cannot be watched
		case !d.IsDir():
			return nil
		case !t.enters(path):
			return filepath.SkipDir
		}
		all[path] = true
		if len(all) > maxFolders {
			return fmt.Errorf("the pattern reaches into more than %d folders: name those of the sources", maxFolders)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("%s cannot be watched: %w", t.root, err)
	}
	return all, nil
}
