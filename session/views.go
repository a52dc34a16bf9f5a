package session

import (
	"sort"

	"example.com/mcpinspect/client"
)

// View is a selection of rows that the log keeps as they arrive.
type View uint8

const (
	Frames   View = iota // every row
	Calls                // requests of either side
	Messages             // what the server logs: notifications/message
)

func (v View) String() string { return [...]string{"frames", "calls", "messages"}[v] }

// index knows the rows of each view. What it takes is bounded by the rows that are kept: 6 bytes a
// call, and 4 more once it is done; 4 bytes a message.
type index struct {
	calls    []int32  // ascending
	labels   []uint16 // of calls, numbers of names
	messages []int32
	done     []int32 // calls in the order in which they were done: answered, or given up
	doneFrom int     // how many were before done[0]
	names    names   // of tools and prompts
}

func newIndex() index { return index{names: newNames()} }

// take notes a frame of one message; the caller holds the log. It reports whether it is a request.
func (l *Log) take(seq int, stream client.Stream, m *client.Message, method string, body client.Body) bool {
	switch {
	case m.Kind == client.KindRequest:
		name := ""
		if method == client.MethodToolsCall || method == client.MethodPromptsGet {
			head := body.Slice(m.Params.Start, min(m.Params.End, m.Params.Start+headSize)) // the name comes first
			name = client.GetText(head, "name")
		}
		l.index.calls = append(l.index.calls, int32(seq))
		l.index.labels = append(l.index.labels, l.index.names.intern(name))
		return true
	case m.Kind == client.KindNotification && stream == client.Out && method == client.MethodLog:
		l.index.messages = append(l.index.messages, int32(seq))
	}
	return false
}

// finish notes that nothing more happens to a call; the caller holds the log.
func (l *Log) finish(seq int) { l.index.done = append(l.index.done, int32(seq)) }

// forget drops the rows before first.
func (x *index) forget(first int) {
	n := searchRows(x.calls, first)
	x.calls, x.labels = x.calls[n:], x.labels[n:]
	x.messages = x.messages[searchRows(x.messages, first):]
	if spare := len(x.done) - 2*len(x.calls); spare > rowChunk {
		x.done, x.doneFrom = x.done[spare:], x.doneFrom+spare
	}
}

// searchRows is where a row stands in a list of them, or would stand.
func searchRows(rows []int32, seq int) int {
	return sort.Search(len(rows), func(i int) bool { return int(rows[i]) >= seq })
}

// Rows are the rows of a view that are here, ascending; nil for Frames alone, which are all. The slice is
// shared: it must not be changed, and what it holds stays as it is while the log goes on.
func (l *Log) Rows(v View) []int32 {
	if v == Frames {
		return nil
	}
	l.mu.RLock()
	defer l.mu.RUnlock()
	rows := l.index.calls
	if v == Messages {
		rows = l.index.messages
	}
	if rows == nil {
		return []int32{}
	}
	return rows[:len(rows):len(rows)]
}
