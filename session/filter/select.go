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
