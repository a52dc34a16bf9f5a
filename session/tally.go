package session

import (
	"cmp"
	"slices"
	"time"

	"example.com/mcpinspect/client"
)

// Tally is what a log holds of one method or of one tool. Latencies are those of answered requests;
// all are 0 when there was none.
type Tally struct {
	Name       string
	Count      int // requests and notifications
	Errors     int // answered by an error, or by a result that says isError
	Unanswered int
	P50, P95   time.Duration // nearest rank
	Max        time.Duration
	Bytes      int64 // of the messages and their answers, without line ends

	took []time.Duration
}

// Tallies counts what keep lets through, nil for everything, by method and by tool. What came
// most often stands first.
func (l *Log) Tallies(keep func(*Event) bool) (methods, tools []*Tally) {
	byMethod, byTool := map[string]*Tally{}, map[string]*Tally{}
	l.Each(0, func(e Event) bool {
		if e.Kind != client.KindRequest && e.Kind != client.KindNotification || e.Note != nil || keep != nil && !keep(&e) {
			return true
		}
		l.tally(byMethod, e.Method, &e)
		if e.Method == client.MethodToolsCall && e.Kind == client.KindRequest {
			l.tally(byTool, l.toolOf(&e), &e)
		}
		return true
	})
	return tallied(byMethod), tallied(byTool)
}

// toolOf is the tool that is called: its name comes first, so that the rest is seldom looked at.
func (l *Log) toolOf(e *Event) string {
	if name := client.GetText(e.Head, "params", "name"); name != "" && len(e.Head) == e.Size {
		return name
	}
	return client.GetText(l.Line(e.Seq), "params", "name")
}

func (l *Log) tally(all map[string]*Tally, name string, e *Event) {
	t := count(all, name, e)
	if a, ok := l.Event(e.Pair); ok && e.Kind == client.KindRequest {
		a.Latency = e.Latency
		t.answered(&a)
	}
}

// count takes in a request, unanswered so far, or a notification.
func count(all map[string]*Tally, name string, e *Event) *Tally {
	t := all[name]
	if t == nil {
		t = &Tally{Name: name}
		all[name] = t
	}
	t.Count++
	t.Bytes += int64(e.Size)
	if e.Kind == client.KindRequest {
		t.Unanswered++
	}
	return t
}

// answered takes in the answer of a request that was counted.
func (t *Tally) answered(a *Event) {
	t.Unanswered--
	t.Bytes += int64(a.Size)
	if a.Kind == client.KindError || a.Failed {
		t.Errors++
	}
	t.took = append(t.took, a.Latency)
}

func tallied(all map[string]*Tally) (out []*Tally) {
	for _, t := range all {
		if n := len(t.took); n > 0 {
			slices.Sort(t.took)
			t.P50, t.P95, t.Max = t.took[(n*50+99)/100-1], t.took[(n*95+99)/100-1], t.took[n-1]
			t.took = nil
		}
		out = append(out, t)
	}
	slices.SortFunc(out, func(a, b *Tally) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Name, b.Name))
	})
	return out
}
