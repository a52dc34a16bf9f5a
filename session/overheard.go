package session

import (
	"fmt"

	"example.com/mcpinspect/client"
)

// overheard draws from the rows of a client that is not ours what ours would have noted: which
// revision was agreed on, and which requests were given up. One goroutine at a time uses it.
type overheard struct {
	door *door
	seen int  // rows that were looked at
	era  bool // it is known
}

// watch looks at the rows that are new.
func (o *overheard) watch() {
	log := o.door.log
	for end := log.Len(); o.seen < end; o.seen++ {
		e, _ := log.Event(o.seen)
		switch {
		case e.Stream == client.Out && e.Kind == client.KindResponse && e.Pair != NoPair && !o.era:
			o.agreed(&e)
		case e.Stream == client.In && e.Kind == client.KindNotification && e.Method == client.MethodCancelled:
			params := client.Get(log.Body(e.Seq).Bytes(), "params")
			if id := client.Get(params, "requestId"); id != nil {
				o.note(&e, client.NoteCancel, string(id), nil, "the client gave up the request with id %s: %s", id, client.GetText(params, "reason"))
			}
		}
	}
}

// agreed notes the era by the first result.
func (o *overheard) agreed(answer *Event) {
	log := o.door.log
	var rev client.Revision
	text := "the client sends %s with every request"
	if answer.Method == client.MethodInitialize {
		rev = client.Revision(client.GetText(log.Body(answer.Seq).Bytes(), "result", "protocolVersion"))
		text = "the client shook hands, and the server chose %s"
	} else {
		rev = client.Revision(client.GetText(log.Body(answer.Pair).Bytes(), "params", "_meta", client.MetaProtocolVersion))
	}
	if rev == "" {
		return
	}
	o.era = true
	o.note(answer, client.NoteEra, "", append(append([]byte(`{"revision":`), client.Quote(string(rev))...), '}'), text, rev)
}

func (o *overheard) note(e *Event, what, id string, data []byte, format string, args ...any) {
	o.door.Note(client.Note{Run: e.Run, At: e.T, What: what, ID: id, Data: data, Text: fmt.Sprintf(format, args...)})
}
