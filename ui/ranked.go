package ui

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"example.com/mcpinspect/session"
)

// ranked keeps the calls that the wire shows in another order than that of time. Few changes are
// taken in at once; many calls are ranked in a command, and until that is done the ranking of
// before is shown.
type ranked struct {
	order   session.Order
	ranking *session.Ranking // nil while there is none yet
	held    []int32          // the calls that it holds, ascending
	work    context.CancelFunc
}

// rankMsg is a ranking that was made.
type rankMsg struct {
	of      *ranked
	ranking *session.Ranking
	held    []int32
}

// rankAtOnce is how many calls are ranked, or put in another place, on the loop.
const rankAtOnce = 2048

// end stops the work that goes on.
func (r *ranked) end() {
	if r != nil && r.work != nil {
		r.work()
		r.work = nil
	}
}

// sync takes over the calls that are shown now. Below the index changed they are those of the time
// before.
func (r *ranked) sync(ctx context.Context, log *session.Log, calls []int32, changed int) tea.Cmd {
	if r.work != nil {
		return nil
	}
	if r.ranking != nil && r.ranking.Update() {
		changed = min(changed, len(r.held), len(calls))
		added, removed := differ(r.held[changed:], calls[changed:])
		if len(added)+len(removed) <= rankAtOnce {
			r.ranking.Remove(removed)
			r.ranking.Add(added)
			r.held = calls
			return nil
		}
	}
	if len(calls) <= rankAtOnce {
		r.ranking, r.held = log.Rank(ctx, r.order, calls), calls
		return nil
	}
	work, stop := context.WithCancel(ctx)
	r.work = stop
	return func() tea.Msg {
		made := log.Rank(work, r.order, calls)
		if work.Err() != nil {
			return nil
		}
		return rankMsg{r, made, calls}
	}
}

// deliver takes in a ranking that was made.
func (r *ranked) deliver(m rankMsg) {
	r.end()
	r.ranking, r.held = m.ranking, m.held
}

// differ compares two ascending lists.
func differ(was, now []int32) (added, removed []int32) {
	for len(was) > 0 && len(now) > 0 {
		switch {
		case was[0] == now[0]:
			was, now = was[1:], now[1:]
		case was[0] < now[0]:
			removed, was = append(removed, was[0]), was[1:]
		default:
			added, now = append(added, now[0]), now[1:]
		}
	}
	return append(added, now...), append(removed, was...)
}
