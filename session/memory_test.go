package session

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"example.com/mcpinspect/client"
)

func command(args ...string) client.Command { return client.Command{Args: args} }

func TestMemory(t *testing.T) {
	m := &Memory{Path: filepath.Join(t.TempDir(), "state", "eras.json")}
	c := command("server", "--flag")
	if r := m.Recall(c); r != "" {
		t.Errorf("recalled %q of nothing", r)
	}
	m.Keep(c, client.Rev2025_06_18)
	m.Keep(command("server"), client.Rev2024_11_05)
	for want, c := range map[client.Revision]client.Command{client.Rev2025_06_18: c, client.Rev2024_11_05: command("server"), "": {Args: c.Args, Dir: t.TempDir()}} {
		if r := m.Recall(c); r != want {
			t.Errorf("%v: %q, want %q", c.Args, r, want)
		}
	}
	m.Forget(c)
	if r := m.Recall(c); r != "" {
		t.Errorf("recalled %q after it was forgotten", r)
	}
	if st, err := os.Stat(filepath.Dir(m.Path)); err != nil || st.Mode().Perm() != 0o700 {
		t.Errorf("%v, %v", st, err)
	}
	if r := m.Recall(client.Command{}); r != "" {
		t.Errorf("recalled %q of no command", r)
	}
}

// TestMemoryOfBuilds: a program that was built anew may speak another revision.
func TestMemoryOfBuilds(t *testing.T) {
	m := &Memory{Path: filepath.Join(t.TempDir(), "eras.json")}
	script := filepath.Join(t.TempDir(), "server.py")
	write := func(text string) {
		if err := os.WriteFile(script, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("1")
	c := command("python3", script)
	m.Keep(c, client.Rev2025_06_18)
	if r := m.Recall(c); r != client.Rev2025_06_18 {
		t.Errorf("recalled %q", r)
	}
	write("longer")
	if r := m.Recall(c); r != "" {
		t.Errorf("recalled %q of an earlier build", r)
	}
}

func TestMemoryFile(t *testing.T) {
	m := &Memory{Path: filepath.Join(t.TempDir(), "eras.json")}
	c := command("server")
	entry := func(r client.Revision, age time.Duration) string {
		b, err := json.Marshal(map[string]remembered{memoryKey(c): {r, time.Now().Add(-age)}})
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	for _, x := range []struct {
		name, text string
		want       client.Revision
	}{
		{"good", entry(client.Rev2025_06_18, time.Hour), client.Rev2025_06_18},
		{"old", entry(client.Rev2025_06_18, memoryAge+time.Hour), ""},
		{"stateless", entry(client.Rev2026_07_28, 0), ""},
		{"unknown revision", entry("2025-06-19", 0), ""},
		{"empty", "", ""}, {"null", "null", ""}, {"list", "[1]", ""}, {"cut", entry(client.Rev2025_06_18, 0)[:20], ""}, {"text", "\x00\xff", ""},
		{"another shape", fmt.Sprintf(`{%q:{"revision":5}}`, memoryKey(c)), ""},
	} {
		if err := os.WriteFile(m.Path, []byte(x.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if r := m.Recall(c); r != x.want {
			t.Errorf("%s: %q, want %q", x.name, r, x.want)
		}
		m.Keep(c, client.Rev2024_11_05) // whatever the file was
		if r := m.Recall(c); r != client.Rev2024_11_05 {
			t.Errorf("%s: kept, but recalled %q", x.name, r)
		}
	}
}

func TestMemoryIsBounded(t *testing.T) {
	m := &Memory{Path: filepath.Join(t.TempDir(), "eras.json")}
	for i := range memoryLimit + 5 {
		m.Keep(command(fmt.Sprint("server", i)), client.Rev2025_06_18)
	}
	if n := len(m.load()); n != memoryLimit {
		t.Errorf("%d programs are remembered", n)
	}
	if m.Recall(command("server0")) != "" || m.Recall(command(fmt.Sprint("server", memoryLimit+4))) == "" {
		t.Error("not the oldest was forgotten")
	}
}

// TestMemoryTogether: many at once may lose each other's advice, but never break the file.
func TestMemoryTogether(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "eras.json")
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			m := &Memory{Path: path}
			c := command(fmt.Sprint("server", i))
			for range 20 {
				m.Keep(c, client.Rev2025_06_18)
				if b, err := os.ReadFile(path); err != nil || !json.Valid(b) {
					t.Errorf("%q, %v", b, err)
				}
				m.Forget(c)
			}
		})
	}
	wg.Wait()
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 1 {
		t.Errorf("%d files are left, %v", len(left), err)
	}
}

// TestMemoryCannotBeWritten: it is advice, so nothing fails.
func TestMemoryCannotBeWritten(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	m := &Memory{Path: filepath.Join(file, "eras.json")}
	m.Keep(command("x"), client.Rev2025_06_18)
	if r := m.Recall(command("x")); r != "" {
		t.Errorf("recalled %q", r)
	}
}
