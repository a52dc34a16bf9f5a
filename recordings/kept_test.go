package recordings

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestStateDir(t *testing.T) {
	if filepath.Separator != '/' {
		t.Skip("paths of the table are written for Unix")
	}
	home := func() (string, error) { return "/home/ada", nil }
	none := func() (string, error) { return "", errors.New("no home") }
	for _, c := range []struct {
		goos string
		env  map[string]string
		home func() (string, error)
		want string
	}{
		{"linux", nil, home, "/home/ada/.local/state/mcpinspect"},
		{"linux", map[string]string{"XDG_STATE_HOME": "/state"}, none, "/state/mcpinspect"},
		{"linux", map[string]string{"XDG_STATE_HOME": "state"}, home, "/home/ada/.local/state/mcpinspect"},
		{"linux", nil, none, ""},
		{"darwin", nil, home, "/home/ada/Library/Application Support/mcpinspect"},
		{"windows", map[string]string{"LocalAppData": "/local"}, none, "/local/mcpinspect"},
		{"windows", nil, home, ""},
	} {
		got, err := stateDir(c.goos, func(k string) string { return c.env[k] }, c.home)
		if got != c.want || (err != nil) != (c.want == "") {
			t.Errorf("%s %v: %q, %v", c.goos, c.env, got, err)
		}
	}
}

// state gives the test a state directory of its own.
func state(t *testing.T) string {
	dir := filepath.Join(t.TempDir(), "state")
	t.Setenv("XDG_STATE_HOME", dir)
	return filepath.Join(dir, "mcpinspect", "sessions")
}

// keep makes a kept session of some size.
func keep(t *testing.T, at time.Time, name string, size int) *Writer {
	t.Helper()
	w, err := CreateKept(at, name)
	if err != nil {
		t.Fatal(err)
	}
	if size > 0 {
		if err := os.WriteFile(w.Path(), make([]byte, size), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

func names(t *testing.T) (all []string) {
	t.Helper()
	list, err := List()
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range list {
		all = append(all, k.Name)
	}
	return all
}

var morning = time.Date(2026, 9, 1, 9, 30, 0, 5_000, time.FixedZone("", 3600))

func TestKept(t *testing.T) {
	dir := state(t)
	if _, err := Last(); !errors.Is(err, ErrNoneKept) {
		t.Errorf("with none kept: %v", err)
	}
	a := keep(t, morning, "/usr/bin/python3", 10)
	b := keep(t, morning, "/usr/bin/python3", 20) // the same instant
	c := keep(t, morning.Add(time.Hour), `C:\x y\sérver.exe`, 0)
	if a.Path() != filepath.Join(dir, "20260901-083000.000005-python3.jsonl") {
		t.Errorf("path %s", a.Path())
	}
	for _, other := range []string{"notes.txt", "other.jsonl"} {
		if err := os.WriteFile(filepath.Join(dir, other), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if got := names(t); !slices.Equal(got, []string{"s-rver.exe", "python3", "python3"}) {
		t.Errorf("list %q", got)
	}
	list, _ := List()
	if k := list[2]; k.Path != a.Path() || k.Size != 10 || !k.Start.Equal(morning) || !k.Live() {
		t.Errorf("kept %+v", k)
	}
	// The newest is empty, so it is not what the last session was.
	if k, err := Last(); err != nil || k.Path != b.Path() {
		t.Errorf("last %+v, %v", k, err)
	}
	for _, w := range []*Writer{a, b, c} {
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if list[2].Live() {
		t.Error("a closed session is live")
	}
	if info, err := os.Stat(dir); err != nil || filepath.Separator == '/' && info.Mode().Perm() != 0o700 {
		t.Errorf("directory %v, %v", info.Mode(), err)
	}
	if gone, err := Prune(0, 0); gone != 3 || err != nil {
		t.Errorf("pruned %d, %v", gone, err)
	}
	if rest, _ := os.ReadDir(dir); len(rest) != 2 {
		t.Errorf("what is not ours was deleted: %v", rest)
	}
}

func TestPrune(t *testing.T) {
	for _, c := range []struct {
		keep  int
		bytes int64
		live  string
		want  string
	}{
		{20, 1000, "", "edcba"},
		{3, 1000, "", "edc"},
		{3, 1000, "a", "edca"},
		{20, 250, "", "ed"},
		{20, 50, "", "e"},
		{20, 50, "bd", "edb"},
		{0, 1000, "", ""},
		{0, 0, "c", "c"},
	} {
		state(t)
		for i, name := range []string{"a", "b", "c", "d", "e"} {
			w := keep(t, morning.Add(time.Duration(i)*time.Minute), name, 100)
			if strings.Contains(c.live, name) {
				defer w.Close()
			} else if err := w.Close(); err != nil {
				t.Fatal(err)
			}
		}
		gone, err := Prune(c.keep, c.bytes)
		if got := strings.Join(names(t), ""); err != nil || got != c.want || gone != 5-len(c.want) {
			t.Errorf("%+v: left %q, %d gone, %v", c, got, gone, err)
		}
	}
}

func TestDeletedWhileItWasMade(t *testing.T) {
	if filepath.Separator != '/' {
		t.Skip("an open file cannot be deleted on Windows")
	}
	path := filepath.Join(t.TempDir(), "a.jsonl")
	w, err := Create(path, false)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if !w.stands() {
		t.Error("a new file does not stand")
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if w.stands() {
		t.Error("a deleted file stands")
	}
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if w.stands() {
		t.Error("another file of that name stands for it")
	}
}

func TestKeptNames(t *testing.T) {
	for in, want := range map[string]string{
		"": "", "./bench": "bench", "/a/b/": "b", "..": "", "a b;c": "a-b-c", "http://h:1/mcp": "mcp", "-x-": "x",
		strings.Repeat("long", 20): strings.Repeat("long", 10), "é": "",
	} {
		if got := fileName(in); got != want {
			t.Errorf("%q becomes %q, want %q", in, got, want)
		}
	}
}
