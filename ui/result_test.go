package ui

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/ui/text"
)

func TestBeginningOfALongText(t *testing.T) {
	long := strings.Repeat("x", maxPrettyBytes)
	for _, c := range []struct{ token, want string }{
		{`"a\nb"`, "a\nb"},
		{`"` + long + `tail"`, long[:maxPrettyBytes-1]},
		{`"` + long[:maxPrettyBytes-3] + `\u00e9tail"`, long[:maxPrettyBytes-3]},
		{`"` + long[:maxPrettyBytes-2] + `\\tail"`, long[:maxPrettyBytes-2]},
	} {
		if got := beginning([]byte(c.token)); got != c.want {
			t.Errorf("%d bytes, want %d: …%q", len(got), len(c.want), got[max(0, len(got)-8):])
		}
	}
}

// TestCancelledCallStandsStill: how long a call was waited for does not grow once it was given up.
func TestCancelledCallStandsStill(t *testing.T) {
	c := session.Call{Seq: 9, Sent: time.Second, GivenUp: client.NoteCancel, Left: 3 * time.Second}
	for _, now := range []time.Duration{3 * time.Second, time.Minute} {
		b := &lineBuilder{look: look{glyphs: text.Unicode}, width: 60}
		(&resultPane{}).running(b, &c, resultSource{snap: &session.Snapshot{}, now: now})
		if got := b.out[0].text; got != "given up after 2.0 s, not answered" {
			t.Errorf("at %v: %s", now, got)
		}
	}
}

// TestCancelledCallIsShown: what its revision says of a late answer, or why none can come.
func TestCancelledCallIsShown(t *testing.T) {
	for _, c := range []struct {
		call session.Call
		rev  client.Revision
		want string
	}{
		{session.Call{Progress: "3/9"}, client.Rev2025_06_18, "CANCELLED after 2.0 s|progress 3/9|in 2025-06-18 the server should not answer it any more|r sends it again"},
		{session.Call{}, client.Rev2026_07_28, "CANCELLED after 2.0 s|in 2026-07-28 the server must not answer it any more|r sends it again"},
		{session.Call{Lost: "its exchange was closed"}, client.Rev2026_07_28, "CANCELLED after 2.0 s|its exchange was closed|r sends it again"},
	} {
		c.call.GivenUp, c.call.Sent, c.call.Left = client.NoteCancel, time.Second, 3*time.Second
		b := &lineBuilder{look: look{glyphs: text.Unicode}, width: 90}
		(&resultPane{}).lost(b, c.call, resultSource{snap: &session.Snapshot{Server: &session.Server{Revision: c.rev}}})
		var got []string
		for _, l := range b.out {
			got = append(got, l.text)
		}
		if strings.Join(got, "|") != c.want {
			t.Errorf("%s, want %s", strings.Join(got, "|"), c.want)
		}
	}
}

func TestBlocksAreNamed(t *testing.T) {
	for block, want := range map[string]string{
		`{"type":"text","text":"hi"}`:                                "hi",
		`{"type":"image","mimeType":"image/png","data":"aGVsbG8\/"}`: "image image/png, 6 bytes",
		`{"type":"image","mimeType":"image/png","data":"*"}`:         "image image/png: data is not valid base64 (1 B of text)",
		`{"type":"video","x":1}`:                                     `block 1 has the unknown type "video":`,
		`{"text":"x"}`:                                               "block 1 has no type:",
		`17`:                                                         "block 1 is a number, not an object:",
		`{"type":"text","text":null}`:                                `block 1 of type text has no text "text":`,
		`{"type":"resource","resource":{"uri":"f:a","mimeType":"text/plain","text":"abc"}}`:           "embedded f:a text/plain, 3 B",
		`{"type":"resource_link","name":"n","uri":"f:b"}`:                                             "link n f:b",
		`{"type":"resource","resource":{"uri":"f:c","mimeType":"application/pdf","blob":"aGVsbG8="}}`: "embedded f:c application/pdf, 5 bytes",
	} {
		b := &lineBuilder{look: look{glyphs: text.Unicode}, width: 80}
		b.block(0, []byte(block))
		if len(b.out) == 0 || b.out[0].text != want {
			t.Errorf("%s: %+v, want %q", block, b.out, want)
		}
	}
}

// TestLostCallIsShown: why a call got no answer stands where its result would, whatever the server is.
func TestLostCallIsShown(t *testing.T) {
	p := &resultPane{}
	why := "tools/call (id 3): 502 Bad Gateway"
	p.sync(look{glyphs: text.Unicode}, resultSource{subject: session.ToolSubject("a"), diff: &compared{}, snap: &session.Snapshot{Lost: map[session.Subject]session.Call{session.ToolSubject("a"): {Seq: 7, Lost: why}}}}, 80, 20)
	var got []string
	for _, l := range p.lines.lines {
		got = append(got, l.text)
	}
	if p.title != "Result of #7" || !slices.Equal(got, []string{"NEVER ANSWERED", why}) {
		t.Errorf("%s: %q", p.title, got)
	}
}

// TestLostCallOfTheRunBefore: a server that was started again does not take away why the one before died.
func TestLostCallOfTheRunBefore(t *testing.T) {
	lost := session.Call{Seq: 7, Method: client.MethodToolsCall, Name: "a"}
	box := &session.BlackBox{Exit: client.Exit{Code: 3}, Run: 1, Open: []session.Call{lost}}
	for name, snap := range map[string]*session.Snapshot{
		"ended":       {Box: box},
		"started":     {Before: box},
		"ended again": {Before: box, Box: &session.BlackBox{Exit: client.Exit{Code: 4}, Run: 2}},
	} {
		snap.Lost = map[session.Subject]session.Call{session.ToolSubject("a"): lost}
		p := &resultPane{}
		p.sync(look{glyphs: text.Unicode}, resultSource{subject: session.ToolSubject("a"), diff: &compared{}, snap: snap, startable: true}, 80, 20)
		var got string
		for _, l := range p.lines.lines {
			got += l.text + "\n"
		}
		if !strings.Contains(got, "NEVER ANSWERED: the server ended with exit status 3") || strings.Contains(got, "R starts") != (name == "ended") {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// TestNothingToCall: where there is no tool nobody is told to fill a form.
func TestNothingToCall(t *testing.T) {
	p := &resultPane{}
	p.sync(look{glyphs: text.Unicode}, resultSource{diff: &compared{}, snap: &session.Snapshot{Phase: session.Connecting}}, 80, 20)
	if len(p.lines.lines) != 1 || p.lines.lines[0].text != "nothing was called" {
		t.Errorf("%+v", p.lines.lines)
	}
}

// TestTitleOfARunningCall: the title is that of the call that runs, whatever is shown of the one before.
func TestTitleOfARunningCall(t *testing.T) {
	a := appOn(t, sample(t, "legacy-crash.jsonl"), "none", 120, 36)
	for of, last := range a.snap.Last {
		if of.Method != client.MethodToolsCall {
			continue
		}
		for seq, head := range map[int]string{9999: "the call before", last.Request: "its answer so far"} { // the second became a task
			snap := *a.snap
			snap.Calls = []session.Call{{Seq: seq, Method: of.Method, Name: of.Name, Sent: time.Second}}
			p := &resultPane{}
			p.sync(look{glyphs: text.Unicode}, resultSource{subject: of, diff: &compared{}, snap: &snap, log: a.sess.Log(), bodies: &a.bodies, now: 2 * time.Second}, 80, 20)
			if p.title != fmt.Sprintf("Result of #%d", seq) || p.note != "" {
				t.Errorf("%s, %s; the one before was answered at #%d", p.title, p.note, last.Answer)
			}
			if !slices.ContainsFunc(p.lines.lines, func(l line) bool { return strings.Contains(l.text, head) }) {
				t.Errorf("#%d: no %q in %+v", seq, head, p.lines.lines)
			}
		}
		return
	}
	t.Fatal("the recording has no call that was answered")
}
