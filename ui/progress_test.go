package ui

import (
	"strings"
	"testing"

	"example.com/mcpinspect/session"
	"example.com/mcpinspect/ui/text"
)

func TestProgressBar(t *testing.T) {
	for _, c := range []struct {
		glyphs *text.Glyphs
		width  int
		said   string
		far    session.Progress
		want   string
	}{
		{text.Unicode, 13, "2/8 copying", session.Progress{Measured: true, Part: 0.25}, "██░░░░░░ 25%|progress 2/8|         copying"},
		{text.Plain, 13, "8", session.Progress{Measured: true, Part: 1}, "######## 100%|progress 8"},
		{text.Unicode, 60, "7", session.Progress{}, "progress 7"},
		{text.Unicode, 2, "", session.Progress{Measured: true}, "░ 0%"},
		{text.Plain, 70, "1", session.Progress{Fell: true}, "progress 1|the server has told less than before: progress must only grow, the bar|stands still"},
	} {
		b := &lineBuilder{look: look{glyphs: c.glyphs}, width: c.width}
		b.progress(c.said, c.far)
		var got []string
		for _, l := range b.out {
			got = append(got, l.text)
		}
		if strings.Join(got, "|") != c.want {
			t.Errorf("%q, want %q", strings.Join(got, "|"), c.want)
		}
	}
}
