//go:build unix

package quiet_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/creack/pty"

	_ "example.com/mcpinspect/ui/quiet"
)

const childMark = "MCPINSPECT_QUIET_CHILD"

// The child's package inits, Bubble Tea's among them, ran before TestMain.
func TestMain(m *testing.M) {
	if os.Getenv(childMark) != "" {
		fmt.Printf("started %T", tea.KeyEnter)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// A terminal that answers nothing must see no query: every byte that reaches it
// is the program's own.
func TestSilentTerminalSeesNoQuery(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe)
	// These variables make termenv skip the query by itself.
	cmd.Env = slices.DeleteFunc(os.Environ(), func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		return name == "CI" || name == "TERM" || name == "TERM_PROGRAM" || name == "GOOGLE_CLOUD_SHELL" || name == "TMUX" || name == "STY"
	})
	cmd.Env = append(cmd.Env, childMark+"=1", "TERM=xterm-256color")
	tty, err := pty.Start(cmd)
	if err != nil {
		t.Skipf("no pseudo terminal here: %v", err)
	}
	defer tty.Close()
	// A query would be followed by five seconds of waiting; the bytes tell, the
	// timer only ends a child that hangs.
	timer := time.AfterFunc(30*time.Second, func() { _ = cmd.Process.Kill() })
	defer timer.Stop()

	out, err := io.ReadAll(tty)
	if err != nil && !errors.Is(err, syscall.EIO) { // Linux reports the closed side as EIO
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Fatalf("child: %v, output %q", err, out)
	}
	if got, want := string(out), "started tea.KeyType"; got != want {
		t.Errorf("the terminal saw %q, want %q", got, want)
	}
}
