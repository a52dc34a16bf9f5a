// Package programs builds this module's own programs for tests that run them as real processes, and
// finds the scenarios that the player plays.
package programs

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/lockedfile"
)

// built remembers what this process has built: one build a program and test run.
var built sync.Map // path → func() (string, error)

// Build returns the executable of the main package at path, which is relative to the root of the
// module ("testdata/player", "." for mcpinspect itself). All test processes of one user and module
// share one folder: a program that is up to date there is neither compiled nor linked again.
func Build(t testing.TB, path string) string {
	t.Helper()
	once, _ := built.LoadOrStore(path, sync.OnceValues(func() (string, error) { return build(path) }))
	exe, err := once.(func() (string, error))()
	if err != nil {
		t.Fatal(err)
	}
	return exe
}

func build(path string) (string, error) {
	root, err := root()
	if err != nil {
		return "", err
	}
	key := sha256.Sum256(fmt.Appendf(nil, "%s %d", root, os.Getuid()))
	folder := filepath.Join(os.TempDir(), fmt.Sprintf("mcpinspect-programs-%x", key[:6]), filepath.FromSlash(path))
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", err
	}
	// go build replaces an outdated program, and two that do so at once would meet.
	unlock, err := lockedfile.MutexAt(filepath.Join(folder, "lock")).Lock()
	if err != nil {
		return "", err
	}
	defer unlock()
	name := filepath.Base(path)
	if path == "." {
		name = "mcpinspect"
	}
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	exe := filepath.Join(folder, name)
	cmd := exec.Command("go", "build", "-buildvcs=false", "-o", exe, "./"+path)
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building %s: %w\n%s", path, err, out)
	}
	return exe, nil
}

// Scenario returns the absolute path of a scripted server: its name without .jsonl.
func Scenario(t testing.TB, name string) string {
	t.Helper()
	root, err := root()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(root, "testdata", "scenarios", name+".jsonl")
	if _, err := os.Stat(path); err != nil {
		t.Fatalf("no scenario %q: %v", name, err)
	}
	return path
}

// root is the folder of go.mod, at or above the folder of the test.
func root() (string, error) {
	folder, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		_, err := os.Stat(filepath.Join(folder, "go.mod"))
		if err == nil {
			return folder, nil
		}
		above := filepath.Dir(folder)
		if !errors.Is(err, fs.ErrNotExist) || above == folder {
			return "", fmt.Errorf("no go.mod at or above the working folder: %w", err)
		}
		folder = above
	}
}
