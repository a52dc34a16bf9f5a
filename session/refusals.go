package session

import (
	"net/http"

	"example.com/mcpinspect/client"
)

// refusals are the exchanges of HTTP whose reply has a status of refusal. An error in their bodies needs
// no id: the status says what is refused (basic/transports/streamable-http).
type refusals map[wireKey]struct{}

func (r *refusals) note(n *client.Note) {
	if n.HTTP == nil {
		return
	}
	key := wireKey{n.Run, client.Out, n.HTTP.Number}
	switch {
	case n.What == client.NoteDone:
		delete(*r, key)
	case n.What == client.NoteReply && n.HTTP.Status/100 == http.StatusBadRequest/100:
		if *r == nil {
			*r = refusals{}
		}
		(*r)[key] = struct{}{}
	}
}

func (r refusals) has(key wireKey) bool {
	_, ok := r[key]
	return ok
}
