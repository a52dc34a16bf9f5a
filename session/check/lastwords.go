package check

import (
	"bytes"
	"slices"

	"example.com/mcpinspect/session"
	"example.com/mcpinspect/session/check/stray"
)

// What pieces of stray output are grouped by until it is known whether the server died behind them.
const (
	wordsOfEnd   = "\x00end"     // such as a program says when it fails: a trace, how it is used, an error
	wordsPerhaps = "\x00perhaps" // text that may be anything
	wordsWide    = "\x00wide"    // UTF-16: an encoding is another fault than a print, and has another cure
)

// lastWords tells which pieces of stray output may be what a server said of its own end. A banner, a
// record of a logger, a notice of a package manager and the like are faults of their own, with a cure of
// their own, however the server ends behind them.
type lastWords struct {
	erred  map[int]bool // by run: it wrote to stderr
	looked int          // pieces
	run    int          // of the piece before
	seq    int          // the row of that
	before string       // what that was
}

// mostPieces is how many pieces are looked at; those behind them are what the last of them is.
const mostPieces = 1000

// of says whether a piece may be told of as last words; empty when it is another fault. Text
// that follows a piece at once belongs to it.
func (l *lastWords) of(e *session.Event) string {
	if l.run != e.Run {
		l.run, l.seq, l.before = e.Run, -near-1, ""
	}
	if l.looked++; l.looked > mostPieces {
		return l.before
	}
	switch p := stray.Of(e.Head); p.Class {
	case stray.Trace, stray.Usage:
		l.before = wordsOfEnd
	case stray.Text, stray.Blank, stray.Dump:
		switch {
		case namesFailure(e.Head):
			l.before = wordsOfEnd
		case e.Seq <= l.seq+near: // more of the same
		case p.Class == stray.Dump:
			l.before = ""
		default:
			l.before = wordsPerhaps
		}
	case stray.Wide:
		l.before = wordsWide
	default:
		l.before = ""
	}
	l.seq = e.Seq
	return l.before
}

// near is how many rows may lie between the lines of one text: those of stderr come between.
const near = 8

// because is what a group of pieces comes of: the end of the server, if it died and no message came behind
// the first of them. Text is told as that only where stderr says nothing.
func (l *lastWords) because(f *Finding, spoke map[int]int) string {
	if f.Because == wordsWide {
		f.wide = true
		return ""
	}
	other := slices.ContainsFunc(f.Runs, func(run int) bool {
		return spoke[run] > f.First.Seq || f.Because == wordsPerhaps && l.erred[run]
	})
	if other {
		return ""
	}
	return serverDied.Name
}

// namesFailure reports whether a text is likely to say why a program ends.
func namesFailure(line []byte) bool {
	return bytes.Contains(line, []byte("rror")) || bytes.Contains(line, []byte("sage: "))
}
