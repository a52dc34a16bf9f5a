package filter

import (
	"context"

	"example.com/mcpinspect/session"
)

// selectStep is how many rows are taken from the log at a time: the log is held only for short.
const selectStep = 256

// Select appends to dst the numbers of the rows from on, below to, that pass; rows that were let go
// do not. It returns early, with next below to, when ctx ends.
func (x *Expr) Select(ctx context.Context, dst []int32, log *session.Log, from, to int) (picked []int32, next int) {
	to = min(to, log.Len())
	buf := make([]session.Event, 0, min(selectStep, max(to-from, 0)))
	for from < to && ctx.Err() == nil {
		buf = log.Window(buf[:0], from, min(selectStep, to-from))
		for i := range buf {
			if x.root.pass(&buf[i], log) {
				dst = append(dst, int32(buf[i].Seq))
			}
		}
		if len(buf) == 0 { // they were let go
			from = min(max(log.First(), from+1), to)
			continue
		}
		from = buf[len(buf)-1].Seq + 1
	}
	return dst, from
}

// exchange is a request with the answer that it has.
type exchange struct {
	Rows
	answer *session.Event
}

// either makes what is asked of one row a question to an exchange: it is true of one when it is
// true of its request or of its answer.
func either(n node) node {
	pass := n.pass
	n.pass = func(e *session.Event, rows Rows) bool {
		if pass(e, rows) {
			return true
		}
		x, ok := rows.(*exchange)
		return ok && x.answer != nil && pass(x.answer, x.Rows)
	}
	return n
}

// MatchCall judges a request together with its answer: each part of the expression passes when it
// does for one of them. dir and stream are those of the request.
func (x *Expr) MatchCall(e *session.Event, rows Rows) bool {
	both := exchange{Rows: rows}
	if e.Pair != session.NoPair {
		if a, ok := rows.Event(e.Pair); ok {
			both.answer = &a
		}
	}
	return x.root.pass(e, &both)
}

// Among appends to dst those of the given rows that pass, and returns how many it has judged: all
// unless ctx ends. Those of session.Calls pass together with their answers.
func (x *Expr) Among(ctx context.Context, dst []int32, log *session.Log, view session.View, rows []int32) (picked []int32, judged int) {
	for i, seq := range rows {
		if i%selectStep == 0 && ctx.Err() != nil {
			return dst, i
		}
		e, ok := log.Event(int(seq))
		if ok && (view == session.Calls && x.MatchCall(&e, log) || view != session.Calls && x.root.pass(&e, log)) {
			dst = append(dst, seq)
		}
	}
	return dst, len(rows)
}
