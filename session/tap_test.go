package session

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/recordings"
)

// tapped is a server behind a tap, as its client sees it.
type tapped struct {
	*Tap
	stdin  io.WriteCloser
	stdout io.ReadCloser
	stderr bytes.Buffer // valid once the server has ended
}

// tap puts this binary, with an environment, behind a tap.
func tap(t testing.TB, s *Session) *tapped {
	t.Helper()
	inR, inW, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	outR, outW, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	x := &tapped{stdin: inW, stdout: outR}
	if x.Tap, err = s.Tap(client.Ends{In: inR, Out: outW, Err: kept{&x.stderr}}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { inW.Close(); outR.Close() })
	return x
}

type kept struct{ *bytes.Buffer }

func (kept) Close() error { return nil }

// tapSession is a session on this binary.
func tapSession(t testing.TB, o Options, env ...string) *Session {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if o.Fault == nil {
		o.Fault = func(f *client.Fault) { t.Errorf("%v\n%s", f, f.Stack) }
	}
	return New(Target{Command: client.Command{Args: []string{self}, Env: env}}, o)
}

// counted keeps what passes.
type counted struct {
	io.Reader
	io.Writer
	io.Closer
}

// TestTapIsTransparent: the official client and server speak through a tap in both eras, and what
// one side wrote is what the other side read and what was recorded.
func TestTapIsTransparent(t *testing.T) {
	t.Parallel()
	for _, rev := range []client.Revision{client.Rev2026_07_28, client.Rev2025_06_18} {
		t.Run(string(rev), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			var file bytes.Buffer
			o := Options{Start: time.Now()}
			rec := NewRecording(recordings.NewWriter(&file), Target{}, o, "test", o.Start, nil)
			o.Recorder = rec
			s := tapSession(t, o, peerVariable+"=1", peerTee+"="+dir)
			x := tap(t, s)
			var wrote, read bytes.Buffer
			here := &mcp.IOTransport{Reader: counted{io.TeeReader(x.stdout, &read), nil, x.stdout}, Writer: counted{nil, io.MultiWriter(&wrote, x.stdin), x.stdin}}
			cs, err := mcp.NewClient(&mcp.Implementation{Name: "t", Version: "1"}, nil).Connect(t.Context(), here, &mcp.ClientSessionOptions{ProtocolVersion: string(rev)})
			if err != nil {
				t.Fatal(err)
			}
			for name := range map[string]bool{"add": true, "plus": true} {
				result, err := cs.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: map[string]any{"a": 2, "b": 3}})
				if err != nil || result.IsError {
					t.Errorf("%s: %v %v", name, result, err)
				}
			}
			if page, err := cs.ListTools(t.Context(), nil); err != nil || len(page.Tools) != 2 {
				t.Errorf("%v %v", page, err)
			}
			cs.Close()
			exit, whole := x.Wait()
			if exit.Code != 0 || exit.Asked != client.AskedStdin || !whole {
				t.Errorf("it ended with %+v, %v", exit, whole)
			}
			rec.Close()
			kept := channelsOf(t, file.Bytes())
			for name, pair := range map[string][2][]byte{"in": {wrote.Bytes(), kept[recordings.In]}, "out": {read.Bytes(), kept[recordings.Out]}} {
				there, err := os.ReadFile(filepath.Join(dir, name))
				if err != nil {
					t.Fatal(err)
				}
				if len(there) == 0 || !bytes.Equal(pair[0], there) || !bytes.Equal(pair[1], there) {
					t.Errorf("%s:\nclient %q\nserver %q\nrecord %q", name, pair[0], there, pair[1])
				}
			}
			snap := s.Snapshot()
			if snap.Server == nil || snap.Server.Revision != rev || snap.Server.Name != "peer" || snap.Counts.Errors > 0 {
				t.Errorf("%+v, %+v", snap.Server, snap.Counts)
			}
			// The file says the same when it is read.
			r, err := recordings.NewReader(&file)
			if err != nil {
				t.Fatal(err)
			}
			again, err := Read(r)
			if err != nil {
				t.Fatal(err)
			}
			if v := again.Snapshot().Server; v == nil || v.Revision != rev || again.Snapshot().Counts != snap.Counts || again.Log().Len() != s.Log().Len() {
				t.Errorf("read again: %+v, %+v, %d of %d rows", v, again.Snapshot().Counts, again.Log().Len(), s.Log().Len())
			}
		})
	}
}

// channelsOf joins the bytes of each channel of a recording.
func channelsOf(t *testing.T, file []byte) map[recordings.Channel][]byte {
	t.Helper()
	r, err := recordings.NewReader(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	all := map[recordings.Channel][]byte{}
	for {
		rec, err := r.Next()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		all[rec.Ch] = append(all[rec.Ch], rec.Data...)
	}
}

// oddBytes are passed on as they are, whatever they are.
var oddBytes = []string{"\ufeff{\"jsonrpc\":\"2.0\",\r\n", "\x00\xff\xfe\n\n\n", strings.Repeat("x", 3*client.ReadSize), "\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a", "no end"}

// hung is a recorder on a disk that never answers.
type hung struct {
	nothing
	release chan struct{}
}

func (h hung) Chunk(client.Chunk) { <-h.release }
func (h hung) Note(client.Note)   { <-h.release }
func (h hung) Err() error         { return nil }

// broken is a recorder that has a fault.
type broken struct{ nothing }

func (broken) Chunk(client.Chunk) { panic("the recorder is broken") }
func (broken) Note(client.Note)   {}
func (broken) Err() error         { return nil }

// TestTapNeverStops: bytes pass whatever becomes of the capture, and so does the exit status.
func TestTapNeverStops(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	defer close(release)
	for name, recorder := range map[string]Recorder{"none": nil, "hung": hung{release: release}, "broken": broken{}} {
		var mu sync.Mutex
		var faults []*client.Fault
		s := tapSession(t, Options{Recorder: recorder, Fault: func(f *client.Fault) { mu.Lock(); faults = append(faults, f); mu.Unlock() }}, playVar+"=cat")
		x := tap(t, s)
		x.grace = 50 * time.Millisecond
		want := strings.Join(oddBytes, "")
		go func() {
			for _, b := range oddBytes {
				io.WriteString(x.stdin, b)
			}
			x.stdin.Close()
		}()
		got, err := io.ReadAll(x.stdout)
		if err != nil || string(got) != want {
			t.Errorf("%s: %d bytes of %d came back, %v", name, len(got), len(want), err)
		}
		exit, whole := x.Wait()
		if exit.Code != 3 || whole != (name == "none") {
			t.Errorf("%s: %+v, whole %v", name, exit, whole)
		}
		mu.Lock()
		if (len(faults) > 0) != (name == "broken") {
			t.Errorf("%s: faults %v", name, faults)
		}
		mu.Unlock()
	}
}

// TestTapPassesEnds: a client that stops reading is felt by the server, and a signal reaches it.
func TestTapPassesEnds(t *testing.T) {
	t.Parallel()
	x := tap(t, tapSession(t, Options{}, playVar+"=talk"))
	if _, err := io.ReadFull(x.stdout, make([]byte, 100)); err != nil {
		t.Fatal(err)
	}
	x.stdout.Close()
	if exit, _ := x.Wait(); exit.Code != 4 && exit.Signal != "SIGPIPE" {
		t.Errorf("nobody read, and it ended with %+v", exit)
	}
	x = tap(t, tapSession(t, Options{}, playVar+"=mute"))
	x.Signal(os.Kill)
	if exit, _ := x.Wait(); exit.Signal != "SIGKILL" && exit.Code == 0 || exit.Asked != client.AskedTerm {
		t.Errorf("after a signal it ended with %+v", exit)
	}
}

// TestTapCannotStart: the error is that of any server.
func TestTapCannotStart(t *testing.T) {
	t.Parallel()
	s := New(Target{Command: client.Command{Args: []string{"/no/such/program"}}}, Options{})
	var start *client.StartError
	if _, err := s.Tap(client.Ends{In: io.NopCloser(strings.NewReader("")), Out: kept{}, Err: kept{}}); !errors.As(err, &start) {
		t.Errorf("%v", err)
	}
}

// TestQueueDrops: what does not fit is counted, and told where it is missing.
func TestQueueDrops(t *testing.T) {
	t.Parallel()
	s := New(Target{}, Options{})
	q := newQueue(s.door, 10)
	chunk := func(text string) { q.Chunk(client.Chunk{Run: 1, Stream: client.Out, Bytes: []byte(text)}) }
	chunk("12345\n")
	chunk("lost 1\n")
	chunk("lost 2\n")
	chunk("789\n")
	q.Note(client.Note{Run: 1, What: client.NoteInfo, Text: "end"})
	q.close()
	q.drain(func() {})
	close(q.done)
	var rows []string
	s.Log().Each(0, func(e Event) bool {
		if e.Note != nil {
			rows = append(rows, e.Note.Text+string(e.Note.Data))
		} else {
			rows = append(rows, string(s.Log().Body(e.Seq).Bytes()))
		}
		return true
	})
	want := `12345|14 bytes of stdout were passed on and not kept: the capture could not follow{"ch":"out","n":14}|789|end`
	if got := strings.Join(rows, "|"); got != want || !q.complete() {
		t.Errorf("%s\nnot %s", got, want)
	}
}
