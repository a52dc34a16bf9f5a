package session

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/recordings"
)

// TestRecordingGoesOn: a server that is started into a recording comes behind it, as the next run,
// with new ids and times that go on, and bodies of both are read back, each from its own file.
func TestRecordingGoesOn(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	old, fresh := filepath.Join(dir, "old"), filepath.Join(dir, "new")
	w, err := recordings.Create(old, false)
	if err != nil {
		t.Fatal(err)
	}
	pad := strings.Repeat("x", 2<<20)
	w.Head(recordings.Head{Start: time.Unix(1000, 0), Target: recordings.Target{Command: []string{"gone"}}})
	w.Spawn(0, 1, 7, "gone")
	w.Bytes(time.Hour, recordings.In, []byte(`{"jsonrpc":"2.0","id":41,"method":"tools/call","params":{"pad":"`+pad+`"}}`+"\n")) // never answered
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := recordings.Open(old)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if w, err = recordings.Create(fresh, false); err != nil {
		t.Fatal(err)
	}
	target := Target{Command: client.Command{Args: []string{self}, Env: []string{peerVariable + "=1"}}, File: old}
	o := Options{Probe: time.Minute, Start: r.Head().Start, Identity: client.Identity{Name: "test"}, Fault: func(f *client.Fault) { t.Errorf("%v\n%s", f, f.Stack) }}
	rec := NewRecording(w, target, o, "test", o.Start, nil)
	o.Recorder = rec
	s := Recorded(r.Head(), target, o)
	t.Cleanup(func() { s.Close() })
	if err := s.Restart(t.Context()); !errors.Is(err, errLoading) {
		t.Errorf("a start before the recording was read: %v", err)
	}
	if err := s.Load(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	rows := s.Log().Len()
	if l, ok := s.Loading(); !ok || !l.Done || l.Read != l.Size || s.Now() != time.Hour || s.Done() != nil {
		t.Errorf("%+v, at %v", l, s.Now())
	}
	if err := s.Restart(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Call(t.Context(), client.CallTool("add", []byte(`{"pad":"`+pad+`"}`))); err != nil {
		t.Fatal(err)
	}
	snap := s.Snapshot()
	if snap.Run != 2 || snap.Phase != Ready || len(snap.Calls) > 0 || s.Now() <= time.Hour {
		t.Errorf("run %d is %s with %d calls at %v", snap.Run, snap.Phase, len(snap.Calls), s.Now())
	}
	call := -1
	s.Log().Each(rows, func(e Event) bool {
		if e.Stream == client.In && e.Kind == client.KindRequest && (len(e.ID) != 2 || e.ID <= "41") {
			t.Errorf("id %s came before", e.ID)
		}
		if e.Method == client.MethodToolsCall && e.Stream == client.In {
			call = e.Seq
		}
		return true
	})
	s.Log().Bound(1<<20, 1<<20)
	for _, seq := range []int{1, call} {
		e, ok := s.Log().Event(seq)
		body, _, err := s.Log().Read(seq)
		if !ok || e.Kept == e.Size || err != nil || !strings.Contains(string(body.Bytes()), pad) {
			t.Errorf("row %d of run %d: %d of %d bytes, %v", seq, e.Run, e.Kept, e.Size, err)
		}
	}
	s.Close()
	if err := rec.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := recordings.Open(fresh)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	only, err := Read(again)
	if err != nil {
		t.Fatal(err)
	}
	if first, _ := only.Log().Event(0); first.Run != 2 || first.T < time.Hour || !only.Start().Equal(time.Unix(1000, 0)) {
		t.Errorf("the second recording begins with %+v", first)
	}
}

// TestLoadEnds: whoever leaves while a recording is read does not wait for its end.
func TestLoadEnds(t *testing.T) {
	r, err := recordings.NewReader(strings.NewReader(`{"k":"head","v":1,"start":"2026-01-02T03:04:05Z","target":{}}` + "\n" + `{"k":"b","t":1,"ch":"out","d":"a\n"}` + "\n"))
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	s := Recorded(r.Head(), Target{}, Options{})
	if err := s.Load(ctx, r); !errors.Is(err, context.Canceled) || s.Log().Len() > 0 {
		t.Errorf("%v, %d rows", err, s.Log().Len())
	}
	if err := s.Restart(t.Context()); !errors.Is(err, ErrRecorded) {
		t.Errorf("a start without a command: %v", err)
	}
}
