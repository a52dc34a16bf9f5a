package ui

import (
	"context"
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"example.com/mcpinspect/session"
	"example.com/mcpinspect/session/filter"
	"example.com/mcpinspect/ui/text"
)

// sieve keeps the rows of the log that a filter lets pass, and keeps up with the log: few new rows
// are judged at once, many in commands beside the loop.
type sieve struct {
	expr    *filter.Expr
	view    session.View
	picked  []int32 // ascending; never changed in place, since a hunt may read them
	changed int     // the lowest index of picked at which something changed since it was set to len(picked)
	upto    int     // rows below it were judged
	redo    int     // the lowest row that changed since, when below upto
	work    context.CancelFunc
}

// sieveMsg is a piece of the log that was judged.
type sieveMsg struct {
	of     *sieve
	from   int
	upto   int
	picked []int32
}

const (
	// sieveAtOnce is how many rows are judged on the loop, which costs less than a frame.
	sieveAtOnce = 2048

	// sievePiece is how many rows a command judges before it tells: some tens of milliseconds.
	sievePiece = 100_000
)

func newSieve(x *filter.Expr, view session.View) *sieve {
	return &sieve{expr: x, view: view, picked: []int32{}, redo: noRow}
}

const noRow = 1<<31 - 1

// end stops the work that goes on.
func (s *sieve) end() {
	if s != nil && s.work != nil {
		s.work()
		s.work = nil
	}
}

// letGo drops the rows before first, which the log has no longer.
func (s *sieve) letGo(first int) {
	if first > 0 && len(s.picked) > 0 && int(s.picked[0]) < first {
		i, _ := rows{picked: s.picked}.index(first)
		s.picked, s.changed = s.picked[i:], 0
	}
}

// touch notes that rows from one on may have another verdict now.
func (s *sieve) touch(row int) {
	if s.expr.Changes() && row < s.upto {
		s.redo = min(s.redo, row)
	}
}

// keepUp judges what is new or has changed: on the loop when it is little, else by the command it
// returns. What has changed is judged anew from the lowest such row on; until that is done the
// verdicts of before are shown.
func (s *sieve) keepUp(ctx context.Context, log *session.Log) tea.Cmd {
	if s.work != nil {
		return nil
	}
	from, to := max(min(s.upto, s.redo), log.First()), log.Len()
	among, few := s.among(log, from, to)
	if few {
		if from < to {
			fresh, next := s.judge(ctx, log, from, to, among)
			s.take(from, next, fresh)
		}
		return nil
	}
	if s.redo < s.upto {
		to = max(s.upto, from) // in one piece: half of it would be neither old nor new
		s.redo = noRow
		among, _ = s.among(log, from, to)
	} else if s.view == session.Frames {
		to = from + sievePiece
	} else if len(among) > sievePiece {
		to = int(among[sievePiece])
		among = among[:sievePiece]
	}
	work, stop := context.WithCancel(ctx)
	s.work = stop
	return func() tea.Msg {
		picked, next := s.judge(work, log, from, to, among)
		if work.Err() != nil {
			return nil
		}
		return sieveMsg{s, from, next, picked}
	}
}

// among are the rows of the view from one on, below another; nil where all rows are of it. few says
// that they can be judged at once.
func (s *sieve) among(log *session.Log, from, to int) (list []int32, few bool) {
	if s.view == session.Frames {
		return nil, to-from <= sieveAtOnce
	}
	list = log.Rows(s.view)
	end, _ := rows{picked: list}.index(to)
	begin, _ := rows{picked: list[:end]}.index(from)
	return list[begin:end], end-begin <= sieveAtOnce
}

// judge picks those that pass, and says which row comes next.
func (s *sieve) judge(ctx context.Context, log *session.Log, from, to int, among []int32) (picked []int32, next int) {
	if s.view == session.Frames {
		return s.expr.Select(ctx, nil, log, from, to)
	}
	picked, _ = s.expr.Among(ctx, nil, log, s.view, among)
	return picked, to
}

// take replaces the verdicts from one row on.
func (s *sieve) take(from, upto int, fresh []int32) {
	at, _ := rows{picked: s.picked}.index(from)
	same := 0 // most often nothing is different, and the new rows follow
	for same < len(fresh) && at+same < len(s.picked) && s.picked[at+same] == fresh[same] {
		same++
	}
	if at += same; at < len(s.picked) {
		s.picked = s.picked[:at:at]
	}
	s.changed = min(s.changed, at)
	s.picked = append(s.picked, fresh[same:]...)
	s.upto = upto
	if s.redo >= from {
		s.redo = noRow
	}
}

// deliver takes back a piece.
func (s *sieve) deliver(m sieveMsg) {
	s.end()
	redo := s.redo // what changed while the command ran is judged again
	s.take(m.from, m.upto, m.picked)
	s.redo = redo
}

// count says how many rows pass, of how many of the view, and whether that is not all yet: the log
// has n rows.
func (s *sieve) count(of, n int, noun string) string {
	more := ""
	if s.upto < n {
		more = "+"
	}
	return fmt.Sprintf("%s%s of %s", text.Count(len(s.picked)), more, text.Plural(of, noun))
}
