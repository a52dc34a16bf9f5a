package check_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/recordings"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/session/check"
	"example.com/mcpinspect/testdata/programs"
)

// shown is everything that a view, a verb or a report could say of a session, as lines.
func shown(t *testing.T, s *session.Session) (out []string) {
	t.Helper()
	log := s.Log()
	log.Each(0, func(e session.Event) bool {
		what, strong := e.Subject(log.About(&e))
		if e.Note != nil {
			what += fmt.Sprintf(" %s %s", e.Note.ID, e.Note.Data)
		}
		if e.Event != nil {
			what += fmt.Sprintf(" %+v", *e.Event)
		}
		e.Note, e.Head, e.Event = nil, nil, nil
		out = append(out, fmt.Sprintf("%+v %t %s %q", e, strong, what, log.Body(e.Seq).Bytes()))
		return true
	})
	found, err := json.Marshal(check.Findings(log, nil))
	if err != nil {
		t.Fatal(err)
	}
	methods, tools := log.Tallies(nil)
	tallies, err := json.Marshal([]any{methods, tools})
	if err != nil {
		t.Fatal(err)
	}
	snap := *s.Snapshot()
	snap.Version = 0
	lists := ""
	for _, k := range client.ListKinds {
		lists += fmt.Sprintf("%s %+v\n", k.Name, *snap.List(k.Name))
	}
	box, server := "", ""
	for _, b := range [...]*session.BlackBox{snap.Box, snap.Before} {
		if b != nil {
			box += fmt.Sprintf("%+v\n", *b)
		}
	}
	if snap.Server != nil {
		server = fmt.Sprintf("%+v", *snap.Server)
	}
	snap.Lists, snap.Box, snap.Before, snap.Server = nil, nil, nil, nil
	return append(out, string(found), string(tallies), lists, box, server, fmt.Sprintf("%+v", snap))
}

// same fails unless a recording that is opened shows what the session showed.
func same(t *testing.T, file []byte, live []string) {
	t.Helper()
	r, err := recordings.NewReader(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	s, err := session.Read(r, check.New())
	if err != nil || len(r.Notices()) > 0 {
		t.Fatalf("%v, %v", err, r.Notices())
	}
	opened := shown(t, s)
	for i := range live {
		if i >= len(opened) || live[i] != opened[i] {
			t.Fatalf("line %d of %d\n  live %.2000s\nopened %.2000s", i, len(live), live[i], slices.Concat(opened, make([]string, len(live)))[i])
		}
	}
	if len(live) != len(opened) {
		t.Errorf("%d lines live, %d opened", len(live), len(opened))
	}
}

// TestRecordedScenariosEqualLive plays the scripted servers and opens what was recorded of them.
func TestRecordedScenariosEqualLive(t *testing.T) {
	player := programs.Build(t, "testdata/player")
	files, err := filepath.Glob("../../testdata/scenarios/*.jsonl")
	if err != nil || len(files) < 50 {
		t.Fatal(err, len(files))
	}
	for _, path := range files {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".jsonl"), func(t *testing.T) {
			t.Parallel()
			playScenario(t, player, path)
		})
	}
}

// served starts the player over HTTP and returns the address that it prints first.
func served(t *testing.T, words []string) string {
	t.Helper()
	cmd := exec.Command(words[0], append([]string{"-http", "127.0.0.1:0"}, words[1:]...)...)
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	for lines := bufio.NewScanner(stderr); lines.Scan(); {
		if url, ok := strings.CutPrefix(lines.Text(), "player: http://"); ok {
			return "http://" + url
		}
	}
	t.Fatal("the player did not say where it listens")
	return ""
}

// soon bounds what a scripted server may leave open: nothing here is about waiting.
const soon = 300 * time.Millisecond

func playScenario(t *testing.T, player, path string) {
	script, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	first, _, _ := bytes.Cut(script, []byte("\n"))
	var head struct {
		Transport string
		Drive     []string
	}
	if err := json.Unmarshal(first, &head); err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	words := []string{player, "-scale", "0.02", path}
	target := session.Target{Command: client.Command{Args: words}}
	if head.Transport == "http" {
		target = session.Target{Address: client.Address{URL: served(t, words)}}
	}
	o := session.Options{Probe: soon, Connect: 3 * soon, Limits: client.Limits{Idle: soon, Max: 2 * soon}, Start: time.Now(), Identity: client.Identity{Name: "test"},
		Observers: []session.Observer{check.New()}, Fault: func(f *client.Fault) { t.Errorf("%v\n%s", f, f.Stack) }}
	rec := session.NewRecording(recordings.NewWriter(&file), target, o, "test", o.Start, nil)
	o.Recorder = rec
	s := session.New(target, o)
	ctx, stop := context.WithTimeout(t.Context(), 20*soon)
	defer stop()
	if s.Connect(ctx) == nil {
		for _, k := range client.ListKinds {
			_, _ = s.All(ctx, k)
		}
		for _, step := range head.Drive {
			if rest, ok := strings.CutPrefix(step, "call "); ok {
				name, args, _ := strings.Cut(rest, " ")
				var raw json.RawMessage
				if json.NewDecoder(strings.NewReader(args)).Decode(&raw) == nil {
					_, _ = s.Call(ctx, client.CallTool(name, raw))
				}
			}
		}
	}
	s.Close()
	if err := rec.Close(); err != nil {
		t.Fatal(err)
	}
	same(t, file.Bytes(), shown(t, s))
}
