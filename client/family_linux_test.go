package client

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestElder(t *testing.T) {
	pid := os.Getpid()
	for _, c := range []struct {
		what   string
		server int
		age    time.Duration
		want   int
	}{
		{"a server of just now", pid, 0, pid - 1},
		{"one that is too old to say", pid, numbersLast + 1, 0},
		{"a number above the last one: they began anew", 1 << 30, 0, 0},
	} {
		if got := elder(c.server, c.age); got != c.want {
			t.Errorf("%s: %d, want %d", c.what, got, c.want)
		}
	}
}

// What is found of a young server, whose family is looked for among the newer processes alone, is
// what is found among all.
func TestFamilyOfAnyAge(t *testing.T) {
	parent := exec.Command("sh", "-c", "setsid sleep 60 & sleep 60 & echo started; wait")
	parent.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	out, err := parent.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := parent.Start(); err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() {
		for _, p := range family(parent.Process.Pid, time.Hour) {
			p.end(true)
		}
		parent.Process.Kill()
		parent.Wait()
	})
	out.Read(make([]byte, 16))
	numbers := func(age time.Duration) (all []int) {
		for _, p := range family(parent.Process.Pid, age) {
			all = append(all, p.pid)
		}
		slices.Sort(all)
		return all
	}
	young, old := numbers(0), numbers(time.Hour)
	if len(young) < 2 || !slices.Equal(young, old) {
		raw, _ := os.ReadFile("/proc/loadavg")
		t.Errorf("the young one has %v, the old one %v; the last number is in %q", young, old, strings.TrimSpace(string(raw)))
	}
}
