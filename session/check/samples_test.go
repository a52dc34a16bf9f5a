package check_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/recordings"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/session/check"
	"example.com/mcpinspect/session/replay"
	"example.com/mcpinspect/session/script"
	"example.com/mcpinspect/testdata/programs"
)

// TestSampleFindings: a sample is read without a remark, and has the findings that it is about.
func TestSampleFindings(t *testing.T) {
	want := map[string]string{
		"crash":         "stderr-output no-newline-at-end server-died",
		"elicitation":   "",
		"flood":         "stderr-output progress-flood",
		"handshake":     "",
		"legacy-crash":  "byte-order-mark stray-stdout crlf-lines invalid-utf8 ansi-escape stderr-output no-newline-at-end server-died",
		"modern-clean":  "stderr-output left-process",
		"paging":        "",
		"restart-token": "stderr-output server-died slow-shutdown",
		"stateless":     "",
		"stray-stdout":  "stray-stdout",
	}
	for _, name := range recordings.SampleNames() {
		s, r := opened(t, name)
		if n := r.Notices(); len(n) > 0 {
			t.Errorf("%s: %v", name, n)
		}
		var rules []string
		for _, f := range check.Findings(s.Log(), nil) {
			if !slices.Contains(rules, f.Rule) {
				rules = append(rules, f.Rule)
			}
		}
		if got := strings.Join(rules, " "); got != want[name] {
			t.Errorf("%s: %q, want %q", name, got, want[name])
		}
	}
}

func opened(t *testing.T, name string) (*session.Session, *recordings.Reader) {
	t.Helper()
	r, err := recordings.OpenSample(name)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	s, err := session.Read(r, check.New())
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return s, r
}

// TestSamplesEqualLive runs every sample again, on the program as its own mock: the answers are those
// of the sample, and what was recorded of the live session shows, opened, what that showed.
func TestSamplesEqualLive(t *testing.T) {
	exe := programs.Build(t, ".")
	for _, name := range recordings.SampleNames() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			report := replayed(t, exe, name, name)
			if !report.Clean() || report.Compared == 0 {
				t.Errorf("%+v", report)
			}
		})
	}
}

// TestSampleDiffers: a server that answers one call of a sample otherwise is that one difference.
func TestSampleDiffers(t *testing.T) {
	exe := programs.Build(t, ".")
	file, err := recordings.Samples().Open("stateless" + recordings.SampleExt)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var whole bytes.Buffer
	if _, err := whole.ReadFrom(file); err != nil {
		t.Fatal(err)
	}
	path := t.TempDir() + "/changed.jsonl"
	was := []byte(`\"structuredContent\":{\"sum\":5}`)
	if bytes.Count(whole.Bytes(), was) != 1 {
		t.Fatal("the sample has changed")
	}
	if err := os.WriteFile(path, bytes.Replace(whole.Bytes(), was, []byte(`\"structuredContent\":{\"sum\":6}`), 1), 0o600); err != nil {
		t.Fatal(err)
	}
	report := replayed(t, exe, "stateless", path)
	if len(report.Different) != 1 || len(report.Missing)+len(report.Unmatched) > 0 || report.Different[0].Path != "/result/structuredContent/sum" ||
		string(report.Different[0].Was)+string(report.Different[0].Now) != "56" {
		t.Errorf("%+v", report)
	}
}

// replayed replays a sample on the program as the mock of a recording, and compares the session with
// what was recorded of it.
func replayed(t *testing.T, exe, name, server string) *replay.Report {
	t.Helper()
	recorded, _ := opened(t, name)
	r, err := recordings.OpenSample(name)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	masks, err := script.ReadMasks(r)
	if err != nil {
		t.Fatal(err)
	}
	sc, err := script.Of(recorded, masks, 0)
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	target := session.Target{Command: client.Command{Args: []string{exe, "mock", "-q", "--stray", "--stderr", server}, Dir: t.TempDir()}}
	o := session.Options{Protocol: sc.Revision, Start: time.Now(), Identity: client.Identity{Name: "test"}, Asked: replay.Asked,
		Observers: []session.Observer{check.New()}, Fault: func(f *client.Fault) { t.Errorf("%v\n%s", f, f.Stack) }}
	if name == "elicitation" {
		o.Identity.Capabilities = []byte(`{"elicitation":{}}`)
	}
	rec := session.NewRecording(recordings.NewWriter(&file), target, o, "test", o.Start, nil)
	o.Recorder = rec
	live := session.New(target, o)
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	if err := live.Connect(ctx); err != nil {
		t.Fatal(err)
	}
	report, err := replay.Run(ctx, live, sc, replay.Options{Timeout: 10 * time.Second, Moved: live.Changed()})
	if err != nil {
		t.Error(fmt.Errorf("replay: %w", err))
	}
	live.Close()
	if err := rec.Close(); err != nil {
		t.Fatal(err)
	}
	same(t, file.Bytes(), shown(t, live))
	return report
}
