package client

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"syscall"
	"time"
)

// process is a process as long as it lives: its number alone may be given to another one later.
type process struct {
	pid, parent, group, session int
	born                        uint64 // clock ticks since the system started
	name                        string
}

// processes reads what /proc shows of numbers above least, without those that have ended and wait to
// be collected; nothing when it is the /proc of others, whose numbers mean nothing here.
func processes(least int) map[int]process {
	if self, err := os.Readlink("/proc/self"); err != nil || self != strconv.Itoa(os.Getpid()) {
		return nil
	}
	dir, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1) // half a list is better than none
	all := map[int]process{}
	for _, name := range names {
		if pid, err := strconv.Atoi(name); err == nil && pid > least {
			if p, ok := lookUp(pid); ok {
				all[pid] = p
			}
		}
	}
	return all
}

// lookUp reads /proc/PID/stat (proc_pid_stat(5)).
func lookUp(pid int) (p process, ok bool) {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	open, end := bytes.IndexByte(raw, '('), bytes.LastIndexByte(raw, ')') // a name may hold anything
	if err != nil || open < 0 || end < open {
		return p, false
	}
	const state, parent, group, session, born = 0, 1, 2, 3, 19 // counted from behind the name
	fields := bytes.Fields(raw[end+1:])
	if len(fields) <= born || fields[state][0] == 'Z' || fields[state][0] == 'X' {
		return p, false
	}
	number := func(i int) int { n, _ := strconv.Atoi(string(fields[i])); return n }
	p = process{pid: pid, parent: number(parent), group: number(group), session: number(session), name: string(raw[open+1 : end])}
	p.born, _ = strconv.ParseUint(string(fields[born]), 10, 64)
	return p, true
}

// numbersLast is how long the system surely does not give out all the numbers that it has for
// processes: 32,768 at least.
const numbersLast = 5 * time.Second

// elder is a number that whatever a server of this age has started lies above: numbers are given out
// in ascending order. 0 where they may have begun anew since it was started. Reading all of /proc takes
// longer than a small server needs to start, answer and end.
func elder(server int, age time.Duration) int {
	raw, err := os.ReadFile("/proc/loadavg")
	if err != nil || age > numbersLast {
		return 0
	}
	last, err := strconv.Atoi(string(bytes.TrimSpace(raw[bytes.LastIndexByte(raw, ' ')+1:])))
	if err != nil || last < server {
		return 0
	}
	return server - 1
}

// family returns what is proved to come from a server that runs or has just ended, without the
// server: its descendants, and what is in its session, which nobody else can enter. age is how long
// ago it was started, at least.
func family(server int, age time.Duration) []process {
	k := kin{all: processes(elder(server, age)), seen: map[int]bool{server: true}}
	if leader, runs := k.all[server]; runs && leader.parent != os.Getpid() {
		return nil // the number is somebody else's by now
	}
	for _, p := range k.all {
		if p.parent == server || p.session == server {
			k.add(p)
		}
	}
	return k.found
}

// survivors returns those of known that still live, and their descendants.
func survivors(known []process) []process {
	if len(known) == 0 {
		return nil
	}
	k := kin{all: processes(0), seen: map[int]bool{}}
	for _, p := range known {
		if now := k.all[p.pid]; now.born == p.born {
			k.add(now)
		}
	}
	return k.found
}

// kin collects processes with their descendants.
type kin struct {
	all   map[int]process
	seen  map[int]bool
	found []process
}

func (k *kin) add(p process) {
	if p.pid == 0 || k.seen[p.pid] {
		return
	}
	k.seen[p.pid] = true
	k.found = append(k.found, p)
	for _, c := range k.all {
		if c.parent == p.pid {
			k.add(c)
		}
	}
}

func (p process) lives() bool {
	now, ok := lookUp(p.pid)
	return ok && now.born == p.born
}

// end asks a process to end, or ends it at once.
func (p process) end(atOnce bool) {
	if !p.lives() {
		return
	}
	sig := syscall.SIGTERM
	if atOnce {
		sig = syscall.SIGKILL
	}
	_ = syscall.Kill(p.pid, sig) // it may have gone meanwhile
}

// holders are the processes beside us that have one of the pipes open, as far as we may look.
func holders(pipes ...*os.File) (found []process) {
	want := map[string]bool{}
	for _, f := range pipes {
		if st, err := f.Stat(); err == nil {
			if sys, ok := st.Sys().(*syscall.Stat_t); ok {
				want[fmt.Sprintf("pipe:[%d]", sys.Ino)] = true
			}
		}
	}
	for pid, p := range processes(0) {
		if pid != os.Getpid() && p.holds(want) {
			found = append(found, p)
		}
	}
	return found
}

func (p process) holds(want map[string]bool) bool {
	dir := fmt.Sprintf("/proc/%d/fd", p.pid)
	open, err := os.Open(dir)
	if err != nil {
		return false
	}
	defer open.Close()
	names, _ := open.Readdirnames(-1)
	for _, name := range names {
		if to, err := os.Readlink(dir + "/" + name); err == nil && want[to] {
			return true
		}
	}
	return false
}

func (p process) String() string { return fmt.Sprintf("%d (%s)", p.pid, p.name) }
