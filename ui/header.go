package ui

import (
	"fmt"

	"example.com/mcpinspect/session"
	"example.com/mcpinspect/ui/text"
	"example.com/mcpinspect/ui/theme"
)

// headPart is a part of the header. Where there is no room the parts of the highest rank go first, whole.
type headPart struct {
	text  string
	short string // said instead before anything that tells of trouble goes; empty for nothing shorter
	rank  int
}

// Ranks of the parts of the header: how soon one goes.
const (
	rankStays   = iota // what is wrong, and how often
	rankTrouble        // stray output, questions, a recording that lacks something
	rankWatch
	rankFile
	rankOpen
	rankRevision
	rankRecording
	rankProcess
	rankTraffic
)

// header says in one line who is inspected and how it goes. A narrow screen has less of it: the worst
// that was found and how often always stands there.
func (a *app) header() string {
	s := a.snap
	name := a.sess.Target().Label
	if v := s.Server; v != nil && v.Name != "" {
		name = v.Name
		if v.Version != "" {
			name += " " + v.Version
		}
	}
	const longest, least = 40, 16 // cells
	name = a.look.glyphs.Short(a.look.mask(name), min(longest, max(least, a.w/3)))
	parts := a.headParts()
	role := theme.Header
	switch {
	case s.Phase == session.Ended, s.Phase == session.Failed:
		role = theme.Bad
	case s.Counts.Stray > 0, s.Counts.Errors > 0:
		role = theme.Odd
	}
	bar := " " + a.look.glyphs.Vertical + " "
	made := func() string {
		out := " " + name
		for _, p := range parts {
			out += bar + p.text
		}
		return out
	}
	for over := true; over; {
		line := made()
		if text.Width(line) <= a.w {
			break
		}
		parts, over = narrower(parts)
	}
	if over := text.Width(made()) - a.w; over > 0 {
		name = a.look.glyphs.Short(name, max(text.Width(name)-over, 1))
	}
	return a.look.Paint(role, a.look.fit(made(), a.w))
}

// narrower takes one part away, or says some shorter; false when there is nothing left to take.
func narrower(parts []headPart) ([]headPart, bool) {
	at := -1
	for i, p := range parts {
		if p.rank > rankStays && (at < 0 || p.rank >= parts[at].rank) {
			at = i
		}
	}
	if at < 0 || parts[at].rank <= rankTrouble {
		shorter := false
		for i, p := range parts {
			if p.short != "" {
				parts[i], shorter = headPart{p.short, "", p.rank}, true
			}
		}
		if shorter || at < 0 {
			return parts, shorter
		}
	}
	if short := parts[at].short; short != "" && parts[at].rank > rankTrouble {
		parts[at] = headPart{short, "", rankTrouble}
		return parts, true
	}
	return append(parts[:at], parts[at+1:]...), true
}

// headParts are the parts behind the name, in their order.
func (a *app) headParts() (parts []headPart) {
	s := a.snap
	add := func(rank int, text, short string) { parts = append(parts, headPart{text, short, rank}) }
	short := "recording"
	for _, p := range a.recorded() {
		add(rankFile, p, short)
		short = ""
	}
	switch s.Phase {
	case session.Connecting:
		add(rankStays, "connecting "+text.Duration(a.sess.Now()-s.Started), "connecting")
	case session.Ended:
		if s.Box != nil {
			add(rankStays, "ENDED "+s.Box.Exit.String(), "ENDED")
		} else {
			add(rankStays, "CLOSED", "")
		}
	case session.Failed:
		add(rankStays, "FAILED", "")
	default:
		if v := s.Server; v != nil && v.Revision != "" {
			add(rankRevision, string(v.Revision)+" "+v.Revision.Era(), "")
		}
	}
	if w := a.watch.header(); w != "" {
		add(rankWatch, w, "")
	}
	if s.Counts.Stray > 0 {
		add(rankTrouble, fmt.Sprintf("STRAY %d", s.Counts.Stray), "")
	}
	if n := len(a.asking.open); n > 0 {
		add(rankTrouble, fmt.Sprintf("ASKS %d", n), "")
	}
	errs, warnings := s.Counts.Errors, s.Counts.Warnings
	worst := fmt.Sprintf("ERR %d", errs)
	if errs == 0 && warnings > 0 {
		worst = fmt.Sprintf("WARN %d", warnings)
	}
	add(rankStays, fmt.Sprintf("ERR %d WARN %d", errs, warnings), worst)
	if n := s.Open(); n > 0 {
		add(rankOpen, fmt.Sprintf("open %d", n), "")
	}
	run := fmt.Sprintf("run %d", s.Run)
	if s.PID != 0 {
		run += fmt.Sprintf(" pid %d", s.PID)
	}
	add(rankProcess, run, "")
	add(rankTraffic, fmt.Sprintf("out %d in %d", s.Counts.Out, s.Counts.In), "")
	if a.live() {
		rank := rankRecording
		if s.Losing || s.Unrecorded > 0 {
			rank = rankTrouble
		}
		add(rank, a.recording(), "")
	}
	return parts
}
