package session

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/mcpinspect/client"
)

// playVar makes this test binary play a server instead of testing.
const playVar = "MCPINSPECT_SESSION_TEST_PLAY"

func TestMain(m *testing.M) {
	if play := os.Getenv(playVar); play != "" {
		serve(play)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// serve plays a server of the handshake era with two pages of tools. "silent" does not answer the
// probe, "exits" ends on it, "mute" answers nothing.
func serve(play string) {
	switch play {
	case "cat": // what it reads, on stdout
		_, _ = io.Copy(os.Stdout, os.Stdin)
		os.Exit(3)
	case "talk": // until nobody listens
		for {
			if _, err := fmt.Println("talk"); err != nil {
				os.Exit(4)
			}
		}
	}
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		line := in.Bytes()
		id, params := client.Get(line, "id"), client.Get(line, "params")
		result := func(text string) { fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", id, text) }
		switch method := client.GetText(line, "method"); {
		case play == "mute":
		case play == "asks":
			askBack(method, params, result)
		case method == client.MethodDiscover && play == "silent":
		case method == client.MethodDiscover && play == "exits":
			os.Exit(1)
		case method == client.MethodInitialize:
			result(`{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"played","version":"1"}}`)
		case method == client.MethodToolsList && client.Get(params, "cursor") == nil:
			result(`{"tools":[{"name":"a"}],"nextCursor":"two"}`)
		case method == client.MethodToolsList:
			result(`{"tools":[{"name":"b"}]}`)
		case method == client.MethodToolsCall:
			result(`{"content":[]}`)
		case len(id) > 0:
			fmt.Printf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no"}}`+"\n", id)
		}
	}
}

// open makes a session with this binary as its server.
func open(t *testing.T, play string, o Options) *Session {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	o.Fault = func(f *client.Fault) { t.Errorf("%v\n%s", f, f.Stack) }
	if o.Probe == 0 {
		o.Probe = 200 * time.Millisecond
	}
	o.Identity = client.Identity{Name: "test", Version: "1"}
	s := New(Target{Command: client.Command{Args: []string{self}, Env: []string{playVar + "=" + play}}}, o)
	t.Cleanup(func() { s.Close() })
	return s
}

func TestSession(t *testing.T) {
	t.Parallel()
	s := open(t, "errors", Options{Probe: time.Minute, Meta: []client.MetaKey{{Key: "k", Value: []byte("1")}}})
	if _, err := s.Call(t.Context(), client.CallTool("a", nil)); !errors.Is(err, ErrNotConnected) {
		t.Errorf("a call before the start: %v", err)
	}
	if err := s.Connect(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := s.Snapshot(); s.Revision() != client.Rev2025_06_18 || got.Phase != Ready || got.Server.Name != "played" || got.Server.Revision != client.Rev2025_06_18 {
		t.Errorf("%s, %+v", s.Revision(), got)
	}
	if stop, err := s.All(t.Context(), client.Tools); stop != client.StopNone || err != nil {
		t.Errorf("%s, %v", stop, err)
	}
	if l := s.Snapshot().List("tools"); len(l.Items) != 2 || !l.Complete {
		t.Errorf("%+v", l)
	}
	if more, err := s.More(t.Context(), client.Tools); more || err != nil {
		t.Errorf("there is no third page: %t, %v", more, err)
	}
	s.Reload(client.Tools)
	if more, err := s.More(t.Context(), client.Tools); !more || err != nil {
		t.Errorf("the first page of a list anew: %t, %v", more, err)
	}
	a, err := s.Call(t.Context(), client.CallTool("a", nil))
	if err != nil || string(a.ResultRaw()) != `{"content":[]}` {
		t.Errorf("%+v, %v", a, err)
	}
	e, _ := s.Log().Event(int(a.Seq))
	q, _ := s.Log().Event(e.Pair)
	if q.ID != a.RequestID || q.Method != client.MethodToolsCall || q.Open || !strings.Contains(string(q.Head), `"k":1`) {
		t.Errorf("%+v of %+v", q, e)
	}
	if got := string(s.Encode(client.Rev2025_06_18, client.CallTool("a", nil))); got != `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","_meta":{"progressToken":1,"k":1}}}`+"\n" {
		t.Errorf("encoded %s", got)
	}
	exit, ran := s.Close()
	if !ran || exit.Code != 0 || exit.Asked != client.AskedStdin || s.Snapshot().Phase != Ended {
		t.Errorf("%+v, %t", exit, ran)
	}
	if err := s.Connect(t.Context()); !errors.Is(err, ErrNotConnected) {
		t.Errorf("connect after close: %v", err)
	}
}

func TestRestart(t *testing.T) {
	t.Parallel()
	s := open(t, "exits", Options{})
	if err := s.Connect(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := s.Snapshot(); got.Run != 2 || !strings.Contains(got.Server.Why, "ended when it was asked server/discover first") {
		t.Errorf("%+v", got)
	}
	rows := s.Log().Len()
	if err := s.Restart(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := s.Snapshot(); got.Run != 4 || got.Phase != Ready || s.Log().Len() <= rows {
		t.Errorf("%+v", got)
	}
	ids := map[string]bool{}
	s.Log().Each(0, func(e Event) bool {
		if e.Stream == client.In && e.Kind == client.KindRequest {
			if ids[e.ID] {
				t.Errorf("id %s is used twice", e.ID)
			}
			ids[e.ID] = true
		}
		return true
	})
}

func TestSessionRemembers(t *testing.T) {
	t.Parallel()
	m := &Memory{Path: filepath.Join(t.TempDir(), "eras.json")}
	s := open(t, "silent", Options{Memory: m})
	if err := s.Connect(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.Close()
	again := open(t, "silent", Options{Memory: m, Probe: time.Minute})
	if err := again.Connect(t.Context()); err != nil {
		t.Fatal(err)
	}
	if why := again.Snapshot().Server.Why; why != "remembered from the last connection to this program" {
		t.Errorf("because %q", why)
	}
	again.Close()
	// The same command does not answer any more: what is remembered is dropped.
	silent := open(t, "mute", Options{Memory: m, Connect: 100 * time.Millisecond})
	if err := silent.Connect(t.Context()); !errors.Is(err, client.ErrConnectTimeout) {
		t.Errorf("error %v", err)
	}
	if got := silent.Snapshot(); got.Phase != Failed || !strings.Contains(got.Reason, "connect timeout") {
		t.Errorf("%+v", got)
	}
	if r := m.Recall(s.Target().Command); r != "" {
		t.Errorf("%s is still remembered", r)
	}
}

func TestCannotStart(t *testing.T) {
	t.Parallel()
	s := New(Target{Command: client.Command{Args: []string{"./no-such-program"}}}, Options{})
	var e *client.StartError
	if err := s.Connect(t.Context()); !errors.As(err, &e) {
		t.Errorf("error %v", err)
	}
	if got := s.Snapshot(); got.Phase != Failed || !strings.Contains(got.Reason, "no program named") {
		t.Errorf("%+v", got)
	}
	if _, ran := s.Close(); ran {
		t.Error("something ran")
	}
	if s.Done() != nil || s.Revision() != "" {
		t.Error("something was connected")
	}
}

// TestCloseWhileConnecting: no server may be left, whenever the end comes.
func TestCloseWhileConnecting(t *testing.T) {
	t.Parallel()
	for _, play := range []string{"exits", "silent", "errors"} {
		for wait := range 6 {
			s := open(t, play, Options{Probe: 20 * time.Millisecond})
			var group sync.WaitGroup
			group.Go(func() { s.Connect(t.Context()) })
			time.Sleep(time.Duration(wait) * 2 * time.Millisecond) // moves the end through the start
			s.Close()
			group.Wait()
			if done := s.Done(); done != nil {
				select {
				case <-done:
				default:
					t.Errorf("%s, closed after %d: a server runs in phase %v", play, wait, s.Snapshot().Phase)
				}
			}
		}
	}
}

// TestSessionTogether: all methods from many goroutines, for the race detector.
func TestSessionTogether(t *testing.T) {
	t.Parallel()
	s := open(t, "errors", Options{Limits: client.Limits{Idle: 10 * time.Second}})
	if err := s.Connect(t.Context()); err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for range 20 {
				s.All(t.Context(), client.Tools)
				s.Reload(client.Tools)
				s.Call(t.Context(), client.CallTool("a", nil))
				s.Notify("n", nil)
				s.Note(client.NoteInfo, "x")
				s.Snapshot()
				s.Revision()
			}
		})
	}
	group.Go(func() {
		for range 3 {
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			s.Restart(ctx)
			cancel()
		}
	})
	group.Wait()
	if exit, _ := s.Close(); exit.Code != 0 {
		t.Errorf("%+v", exit)
	}
}
