package session

import (
	"context"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/recordings"
)

// counter counts what Tallies counts, as the events come: no row need be kept for it.
type counter struct {
	methods, tools map[string]*Tally
	open           map[int]tallying // by the row of the request
}

// tallying is where a request was counted; tool is nil for none.
type tallying struct{ method, tool *Tally }

const (
	// countedRows and countedBytes are what a log holds whose rows nobody looks at.
	countedRows  = 16 * rowChunk
	countedBytes = 16 << 20
)

// Count is Tallies of a whole recording, whatever its size, in little memory.
func Count(ctx context.Context, r *recordings.Reader) (methods, tools []*Tally, err error) {
	c := counter{methods: map[string]*Tally{}, tools: map[string]*Tally{}, open: map[int]tallying{}}
	s := Recorded(r.Head(), Target{}, Options{Observers: []Observer{&c}})
	s.Log().Bound(countedRows, countedBytes)
	s.door.log.store.thinFrom = 0
	err = s.Load(ctx, r)
	return tallied(c.methods), tallied(c.tools), err
}

// Frame is Observer.
func (c *counter) Frame(e *Event, f *client.Frame) []Mark {
	switch e.Kind {
	case client.KindRequest, client.KindNotification:
		at := tallying{method: count(c.methods, e.Method, e)}
		if e.Kind == client.KindNotification {
			break
		}
		if e.Method == client.MethodToolsCall {
			params := f.Messages[0].Params
			name := ""
			if params.Present() {
				name = client.GetText(f.Body.Slice(params.Start, params.End), "name")
			}
			at.tool = count(c.tools, name, e)
		}
		c.open[e.Seq] = at
	}
	if at, ok := c.open[e.Pair]; ok && e.Stream != client.Life && (e.Kind.IsAnswer() || e.Latency >= 0) {
		delete(c.open, e.Pair)
		at.method.answered(e)
		if at.tool != nil {
			at.tool.answered(e)
		}
	}
	return nil
}

// Note is Observer.
func (c *counter) Note(*Event, *client.Note) []Mark { return nil }
