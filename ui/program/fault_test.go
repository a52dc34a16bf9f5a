//go:build !windows

package program

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/pprof"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/client/clienttest"
	"example.com/mcpinspect/recordings"
	"example.com/mcpinspect/testdata/programs"
	"example.com/mcpinspect/ui/screentest"
)

// The environment of a faulty program.
const (
	faultIn   = "FAULT_IN"   // the goroutine that panics
	faultOver = "FAULT_OVER" // when its work is over, where it is set
	faultLeft = "FAULT_LEFT" // a file for the goroutines of ours that are left at the end
)

const faultCause = "put here by a test"

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"faulty": faulty})
}

// root is the top of the project.
var root = filepath.Join("..", "..")

// faulty is the program with a panic in one of its goroutines.
func faulty() {
	name, over := os.Getenv(faultIn), os.Getenv(faultOver) != ""
	clienttest.Arm(func(n string, o bool) {
		if n == name && o == over {
			panic(faultCause)
		}
	})
	code := Run()
	if file := os.Getenv(faultLeft); file != "" && !slices.Contains(os.Args, "demo-server") {
		left := ""
		for wait := time.Millisecond; wait < time.Second; wait *= 2 { // the last ones are on their way
			if left = ours(); left == "" {
				break
			}
			time.Sleep(wait)
		}
		_ = os.WriteFile(file, []byte(left), 0o600)
	}
	os.Exit(code)
}

// ours are the stacks of the goroutines that client.Go started and that still run.
func ours() string {
	var all, left strings.Builder
	_ = pprof.Lookup("goroutine").WriteTo(&all, 2)
	for _, stack := range strings.Split(all.String(), "\n\n") {
		if strings.Contains(stack, "created by example.com/mcpinspect/client.Go") {
			left.WriteString(stack + "\n\n")
		}
	}
	return left.String()
}

// faultCase makes one goroutine run.
type faultCase struct {
	where string
	args  string                  // of the program; $RECORD is --record FILE, and other names are those of servers
	keys  []string                // typed on the screen, each as soon as the screen shows the part before it: part, keys, part, keys
	stdin string                  // of a run without a screen, or beside one
	code  int                     // 70 where it is zero; the server's own, where it is passed on
	serve func(*testing.T) string // the address of a server; $ADDRESS
}

func (c *faultCase) screen() bool { return c.keys != nil }

var faultCases = []faultCase{
	{where: "stdout reader", args: "$RECORD --demo", keys: []string{}},
	{where: "stdout reader", args: "list $RECORD --demo"},
	{where: "stderr reader", args: "$RECORD --demo", keys: []string{}},
	{where: "drain", args: "$RECORD --demo", keys: []string{}},
	{where: "waiter", args: "$RECORD --demo", keys: []string{}},
	{where: "waiter", args: "call add a=2 b=3 $RECORD --demo"},
	{where: "writer", args: "$RECORD --demo", keys: []string{}},
	{where: "end watcher", args: "$RECORD --demo", keys: []string{}},
	{where: "end watcher", args: "list $RECORD --demo"},
	{where: "connect", args: "$RECORD --demo", keys: []string{}},
	{where: "load", args: "open $SAMPLE", keys: []string{"exit", ""}},
	{where: "reading ahead", args: "open $SAMPLE", keys: []string{}},
	{where: "reading ahead", args: "log $SAMPLE"},
	{where: "end of the screen", args: "$RECORD --demo", keys: []string{}},
	{where: "watch", args: "--watch $RECORD --demo", keys: []string{"watching ", "", "2026-07-28 stateless", "W", "not watched any more", ""}},
	{where: "listing anew", args: "$RECORD -- $PLAYER $LOOP", keys: []string{"have changed", ""}},
	{where: "subscribing again", args: "$RECORD --demo", keys: []string{"2026-07-28 stateless", ":listen file:///x\r", "asked to tell", "", "3 times result of", "R", "2 times acknowledge", ""}},
	{where: "subscription", args: "listen file:///x --for 300ms $RECORD --demo"},
	{where: "question", args: "call ask --answer accept $RECORD --demo"},
	{where: "answer", args: "call ask --answer accept --protocol 2025-06-18 $RECORD --demo"},
	{where: "voice", args: "list $RECORD --demo"},
	{where: "repeated call", args: "call add a=2 b=3 --repeat 4 --parallel 2 $RECORD --demo"},
	{where: "socket reader", args: "discover $RECORD $ADDRESS", serve: serveSocket},
	{where: "exchange", args: "discover --protocol 2025-11-25 $RECORD $ADDRESS", serve: serveHTTP},
	{where: "event stream", args: "discover --protocol 2025-11-25 $RECORD $ADDRESS", serve: serveHTTP},
	{where: "endpoint stream", args: "discover --connect-timeout 5s $RECORD $ADDRESS", serve: servePair},
	{where: "client reader", args: "tap $RECORD -- $PLAYER $LOOP", stdin: initialize, code: -1},
	{where: "tap capture", args: "tap $RECORD -- $PLAYER $LOOP", stdin: initialize, code: -1},
	{where: "signals", args: "tap $RECORD -- $PLAYER $LOOP", stdin: initialize, code: -1},
	{where: "interrupt", args: "log $SAMPLE"},
	{where: "mocked client", args: "mock $SAMPLE", stdin: initialize},
}

const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}` + "\n"

// TestFaultInEveryGoroutine: whichever goroutine of ours panics, as it begins or as it ends, the
// fault is told and is the exit code, the terminal is as it was, the recording is whole and says
// why it ends, and neither a server nor a goroutine is left.
func TestFaultInEveryGoroutine(t *testing.T) {
	t.Parallel()
	exe, err := exec.LookPath("faulty")
	if err != nil {
		t.Fatal(err)
	}
	player := programs.Build(t, "testdata/player")
	loop := programs.Scenario(t, "list-changed-loop")
	for _, c := range faultCases {
		for _, over := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/%v", c.where, over), func(t *testing.T) {
				t.Parallel()
				f := &faultRun{faultCase: c, over: over, dir: t.TempDir()}
				address := ""
				if c.serve != nil {
					address = c.serve(t)
				}
				record := filepath.Join(f.dir, "made.jsonl")
				sample := filepath.Join(root, "recordings", "samples", "handshake.jsonl")
				args := strings.Fields(strings.NewReplacer("$RECORD", "--record "+record, "$PLAYER", player, "$LOOP", loop, "$ADDRESS", address, "$SAMPLE", sample).Replace(c.args))
				env := []string{faultIn + "=" + c.where, faultLeft + "=" + filepath.Join(f.dir, "left"), "XDG_STATE_HOME=" + f.dir, "NO_COLOR="}
				if over {
					env = append(env, faultOver+"=1")
				}
				code, said := f.run(t, env, append([]string{exe}, args...))
				f.judge(t, code, said)
				if strings.Contains(c.args, "$RECORD") {
					wholeRecording(t, record, c.serve == nil && c.where != "tap capture") // which may have missed the start
				}
				if left, err := os.ReadFile(filepath.Join(f.dir, "left")); err != nil || len(left) > 0 {
					t.Errorf("goroutines are left (%v):\n%s", err, left)
				}
			})
		}
	}
}

type faultRun struct {
	faultCase
	over bool
	dir  string
}

func (f *faultRun) run(t *testing.T, env, argv []string) (code int, said string) {
	if f.screen() {
		return f.runScreen(t, env, argv)
	}
	ctx, stop := context.WithTimeout(t.Context(), screentest.Patience)
	defer stop()
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Env = append(os.Environ(), env...)
	cmd.Stdin = strings.NewReader(f.stdin)
	out, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		t.Fatalf("it does not end: %s", out)
	}
	if err != nil && !errors.As(err, new(*exec.ExitError)) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), string(out)
}

// runScreen runs it below a shell that looks at the terminal before and behind it.
func (f *faultRun) runScreen(t *testing.T, env, argv []string) (code int, said string) {
	shell := `stty -a >"$DIR/before"; "$@"; code=$?; stty -a >"$DIR/after"; exit $code`
	s := screentest.Start(t, 120, 36, append(env, "DIR="+f.dir), append([]string{"sh", "-c", shell, "sh"}, argv...)...)
	for i := 0; i+1 < len(f.keys); i += 2 {
		part, times := f.keys[i], 1
		if n, rest, more := strings.Cut(part, " times "); more {
			times, _ = strconv.Atoi(n)
			part = rest
		}
		if !s.Shows(part, times) {
			break
		}
		s.TryKeys(f.keys[i+1])
	}
	if f.over { // most goroutines last as long as the screen
		there := "2026-07-28 stateless"
		if len(f.keys) > 0 {
			there = "ROW"
		}
		if s.Shows(there, 1) {
			s.TryKeys(":q\r")
		}
	}
	code = s.Exit()
	raw := s.Raw()
	for on, off := range map[string]string{"\x1b[?1049h": "\x1b[?1049l", "\x1b[?7l": "\x1b[?7h", "\x1b[?25l": "\x1b[?25h", "\x1b[?2004h": "\x1b[?2004l"} {
		if strings.LastIndex(raw, off) < strings.LastIndex(raw, on) {
			t.Errorf("%q is still in force", on)
		}
	}
	before, err := os.ReadFile(filepath.Join(f.dir, "before"))
	if err != nil {
		t.Fatal(err)
	}
	if after, err := os.ReadFile(filepath.Join(f.dir, "after")); err != nil || string(after) != string(before) {
		t.Errorf("the terminal was\n%s and is\n%s (%v)", before, after, err)
	}
	return code, raw[strings.LastIndex(raw, "\x1b[?1049l")+1:]
}

func (f *faultRun) judge(t *testing.T, code int, said string) {
	if want := "internal fault in " + f.where + ": " + faultCause; !strings.Contains(said, want) {
		t.Errorf("%q is not told: %q", want, said)
	}
	want := f.code
	switch want {
	case 0:
		want = 70
	case -1: // what the server ended with
		want = 0
	}
	if code != want {
		t.Errorf("exit %d, not %d: %q", code, want, said)
	}
}

// wholeRecording reads a recording to its end: no line is torn, it says why it ends, and every
// server that it started has ended and has its line.
func wholeRecording(t *testing.T, path string, process bool) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, err := recordings.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var pids []int
	exits, fault := 0, ""
	for {
		item, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		switch item.K {
		case recordings.KindSpawn:
			pids = append(pids, item.Pid)
		case recordings.KindExit:
			exits++
		case recordings.KindCtl:
			if item.What == client.NoteFault {
				fault = item.What
			}
		}
	}
	if damage := r.Notices(); len(damage) > 0 {
		t.Errorf("the recording is damaged: %v", damage)
	}
	if fault == "" {
		t.Error("the recording does not say that a fault ended it")
	}
	if process && exits != len(pids) {
		t.Errorf("%d servers were started, and %d ends are recorded", len(pids), exits)
	}
	for _, pid := range pids {
		if pid > 0 && syscall.Kill(pid, 0) == nil {
			t.Errorf("the server, process %d, is left", pid)
		}
	}
}

// TestEveryGoroutineHasItsFault: a goroutine that is new has a name of its own and a case above.
func TestEveryGoroutineHasItsFault(t *testing.T) {
	started := regexp.MustCompile(`(?:client\.|\s)Go\("([^"]+)"`)
	bare := regexp.MustCompile(`(?m)^\s*go (func|\w+[.(])`)
	seen := map[string]string{}
	for _, dir := range []string{"client", "session", "recordings", "ui", "main.go"} {
		err := filepath.WalkDir(filepath.Join(root, dir), func(file string, d fs.DirEntry, err error) error {
			path, _ := filepath.Rel(root, file)
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			if strings.Contains(path, "clienttest") || strings.Contains(path, "screentest") || strings.HasPrefix(path, filepath.Join("client", "demo")) {
				return nil // of tests, and another process
			}
			text, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			if bare.Match(text) && path != filepath.Join("client", "go.go") {
				t.Errorf("%s starts a goroutine by itself, not by client.Go", path)
			}
			for _, m := range started.FindAllStringSubmatch(string(text), -1) {
				if where := seen[m[1]]; where != "" {
					t.Errorf("%s and %s both start %q", where, path, m[1])
				}
				seen[m[1]] = path
				if !slices.ContainsFunc(faultCases, func(c faultCase) bool { return c.where == m[1] }) {
					t.Errorf("%s starts %q, which has no case in faultCases", path, m[1])
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range faultCases {
		if seen[c.where] == "" {
			t.Errorf("nothing starts %q", c.where)
		}
	}
}

// serveSocket is a server on a socket.
func serveSocket(t *testing.T) string {
	path := filepath.Join(t.TempDir(), "s")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				for lines := bufio.NewScanner(conn); lines.Scan(); {
					fmt.Fprintf(conn, `{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", client.Get(lines.Bytes(), "id"), faultDiscovered)
				}
			}()
		}
	}()
	return "unix:" + path
}

const (
	faultDiscovered = `{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"resultType":"complete"}`
	faultGreeted    = `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}`
)

// serveHTTP is a server of a handshake revision with a stream of its own.
func serveHTTP(t *testing.T) string {
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.Method {
		case http.MethodGet:
			w.Header().Set("Content-Type", "text/event-stream")
			w.WriteHeader(http.StatusOK)
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		case http.MethodPost:
			body, _ := io.ReadAll(r.Body)
			if id := client.Get(body, "id"); id == nil {
				w.WriteHeader(http.StatusAccepted)
			} else {
				w.Header().Set("Content-Type", "application/json")
				fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, id, faultGreeted)
			}
		}
	}))
	t.Cleanup(web.Close)
	return web.URL
}

// servePair names an endpoint on its stream, and ends it.
func servePair(t *testing.T) string {
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet {
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		io.WriteString(w, "event: endpoint\ndata: /messages\n\n")
	}))
	t.Cleanup(web.Close)
	return web.URL
}
