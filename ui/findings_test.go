package ui

import (
	"slices"
	"strings"
	"testing"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/session/check"
	"example.com/mcpinspect/ui/text"
)

// TestFindingsBySeverity: what comes of another finding stands behind it and hides none that follow.
func TestFindingsBySeverity(t *testing.T) {
	f := &findings{ready: true, least: session.Error, list: []check.Finding{
		{Rule: "first", Severity: check.Severity(session.Error), Count: 1},
		{Rule: "of-first", Severity: check.Severity(session.Warning), Count: 1, Because: "first"},
		{Rule: "second", Severity: check.Severity(session.Error), Count: 1},
		{Rule: "third", Severity: check.Severity(session.Info), Count: 1},
	}}
	lines := func() (got []string) {
		out, rows := f.lines(look{glyphs: text.Unicode}, 80)
		if len(out) != len(rows) || len(out) != len(f.at) {
			t.Errorf("%d lines, %d rows, %d findings", len(out), len(rows), len(f.at))
		}
		for _, l := range out {
			if l.text = strings.TrimSpace(l.text); l.text != "" {
				got = append(got, l.text)
			}
		}
		return got
	}
	want := []string{"2 errors", "first, once, first at #0", "second, once, first at #0", "1 finding of less weight: o shows them"}
	if got := lines(); !slices.Equal(got, want) {
		t.Errorf("errors alone: %q", got)
	}
	if x, ok := f.under(0); !ok || x.Rule != "first" {
		t.Errorf("a key on the heading is about %q, %v", x.Rule, ok)
	}
	f.least = session.Info
	want = []string{"2 errors", "first, once, first at #0", "of-first, once, first at #0", "because of first", "second, once, first at #0", "1 info", "third, once, first at #0"}
	if got := lines(); !slices.Equal(got, want) {
		t.Errorf("all: %q", got)
	}
}

// TestFindingsSeenOften: the header counts each time, and the list says so where it counts less.
func TestFindingsSeenOften(t *testing.T) {
	for count, want := range map[int]string{1: "1 error", 3: "1 error, seen 3 times"} {
		f := &findings{ready: true, list: []check.Finding{{Rule: "first", Severity: check.Severity(session.Error), Count: count}}}
		if out, _ := f.lines(look{glyphs: text.Unicode}, 80); strings.TrimSpace(out[0].text) != want {
			t.Errorf("%d: %q", count, out[0].text)
		}
	}
}

// TestCureOfARow: the detail of a row says what to do about what stands there, not about its kind.
func TestCureOfARow(t *testing.T) {
	for _, c := range []struct {
		name string
		mark []session.Mark
		want string
	}{
		{"its own", []session.Mark{{Rule: "stray-stdout", Fix: "give pino stderr"}}, "cure: give pino stderr"},
		{"of its rule", []session.Mark{{Rule: "stray-stdout"}}, "cure: print everything that is no message to stderr"},
		{"none", nil, "stdout is for messages only"},
	} {
		e := &session.Event{Stream: client.Out, Kind: client.KindNotJSON, Marks: c.mark}
		var got []string
		for _, l := range detailHead(look{glyphs: text.Unicode}, &session.Log{}, e, 200) {
			got = append(got, l.text)
		}
		said := strings.Join(got, "\n")
		if !strings.Contains(said, c.want) || len(c.mark) > 0 && strings.Contains(said, "stdout is for messages only") {
			t.Errorf("%s: %q", c.name, got)
		}
	}
}
