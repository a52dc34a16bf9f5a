package session

import (
	"net/http"
	"strings"

	"example.com/mcpinspect/client"
)

// exchanges are the open ones of HTTP whose bodies may hold an error without an id. It belongs to the
// request of its own exchange; only the stream of a GET is for whatever is open.
type exchanges map[wireKey]exchangeKind

type exchangeKind struct {
	shared  bool // a stream that was opened by GET
	refused bool // by its status, which says what is refused: an error in its body needs no id (basic/transports/streamable-http)
}

func (x *exchanges) note(n *client.Note) {
	if n.HTTP == nil {
		return
	}
	key := wireKey{n.Run, client.Out, n.HTTP.Number}
	switch n.What {
	case client.NoteRequest:
		if strings.HasPrefix(n.HTTP.Line, http.MethodGet+" ") {
			x.put(key, exchangeKind{shared: true})
		}
	case client.NoteReply:
		if n.HTTP.Status/100 == http.StatusBadRequest/100 {
			x.put(key, exchangeKind{refused: true})
		} else if n.HTTP.Status != http.StatusOK {
			delete(*x, key)
		}
	case client.NoteDone:
		delete(*x, key)
	}
}

func (x *exchanges) put(key wireKey, kind exchangeKind) {
	if *x == nil {
		*x = exchanges{}
	}
	(*x)[key] = kind
}

// shared reports whether what comes on a stream may be meant for any open request.
func (x exchanges) shared(key wireKey) bool {
	return key.exchange == 0 || key.stream == client.In || x[key].shared
}
