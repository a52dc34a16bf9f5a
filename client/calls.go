package client

import (
	"context"
	"errors"
	"fmt"
)

// ListKind is one of the four paged lists: its method, and the member that holds the items.
type ListKind struct {
	Name   string // as in contract and screen
	Method string
	Member string // of the result
	Cap    string // the server capability that offers it
}

// The paged lists of the protocol (server/tools, server/resources, server/prompts).
var (
	Tools     = ListKind{"tools", MethodToolsList, "tools", "tools"}
	Resources = ListKind{"resources", MethodResourcesList, "resources", "resources"}
	Templates = ListKind{"templates", MethodTemplatesList, "resourceTemplates", "resources"}
	Prompts   = ListKind{"prompts", MethodPromptsList, "prompts", "prompts"}
)

// ListKinds are all of them in the order they are shown.
var ListKinds = []ListKind{Tools, Resources, Templates, Prompts}

// Stop is why a page walk ended before its last page.
type Stop string

const (
	StopNone    Stop = ""
	StopError   Stop = "error"
	StopLoop    Stop = "loop"    // a cursor came back
	StopCeiling Stop = "ceiling" // maxPages pages, each with a new cursor
)

// Pages walks one list page by page, on demand. It is used by one goroutine.
type Pages struct {
	Call func(context.Context, Request) (Answer, error) // how a page is asked for; nil for Conn.Call

	Kind    ListKind
	Stopped Stop
	Reason  string // one sentence, when Stopped

	cursor []byte // raw token of the next page; nil for the first
	seen   map[string]bool
	count  int
	done   bool
	odd    bool // a cursor was no text, and it was said
}

// NewPages begins a walk at the first page.
func NewPages(kind ListKind) *Pages { return &Pages{Kind: kind, seen: map[string]bool{}} }

// Done reports whether there is no further page to ask for.
func (p *Pages) Done() bool { return p.done }

// Cursor is the raw JSON of the cursor that Next sends; nil for the first page.
func (p *Pages) Cursor() []byte { return p.cursor }

// ListError is an answer to a list request that holds no list.
type ListError struct {
	Kind ListKind
	Raw  []byte // the result as sent
}

func (e *ListError) Error() string {
	what := "has no list %q"
	if v := Get(e.Raw, e.Kind.Member); v != nil {
		what = "has %q, but it is " + JSONType(v) + ", not a list"
	}
	return fmt.Sprintf("the answer to %s "+what+": %s", e.Kind.Method, e.Kind.Member, Excerpt(e.Raw))
}

// Next fetches the next page. A page may be empty, but it has its list: an answer without one is
// returned as *ListError, an error response as *RPCError. Both stop the walk; the pages before
// stay what they are.
func (p *Pages) Next(ctx context.Context, c *Conn, r Request) (Answer, error) {
	r.Method, r.Params = p.Kind.Method, nil
	if p.cursor != nil {
		r.Params = append(append([]byte(`{"cursor":`), p.cursor...), '}')
	}
	call := p.Call
	if call == nil {
		call = c.Call
	}
	a, err := call(ctx, r)
	if err == nil {
		err = a.Err()
	}
	if raw := a.ResultRaw(); err == nil {
		if items := Get(raw, p.Kind.Member); len(items) == 0 || items[0] != '[' {
			err = &ListError{p.Kind, raw}
		}
	}
	if err != nil {
		var rpc *RPCError
		errors.As(err, &rpc)
		p.stop(c, StopError, fmt.Sprintf("page %d of the %s failed: %v", p.count+1, p.Kind.Name, err), rpc)
		if p.cursor != nil {
			err = fmt.Errorf("page %d of the %s (cursor %s): %w", p.count+1, p.Kind.Name, p.cursor, err)
		}
		return a, err
	}
	p.count++
	next := Get(a.ResultRaw(), "nextCursor")
	if _, text := Text(next); next != nil && !text && string(next) != "null" && !p.odd {
		p.odd = true
		c.door.Note(Note{Run: c.run, At: c.door.Now(), What: NotePages, Data: fmt.Appendf(nil, `{"list":%s,"cursor":%s}`, Quote(p.Kind.Name), next),
			Text: fmt.Sprintf("nextCursor of page %d of the %s is %s, which is no text: it is sent back as it is", p.count, p.Kind.Name, Excerpt(next))})
	}
	switch key := string(next); {
	case next == nil || key == "null": // absent is the end; null is sent by some and means the same
		p.done = true
	case key == string(p.cursor):
		p.stop(c, StopLoop, fmt.Sprintf("cursor %s was returned for itself: the list of %s never ends, it was stopped after %d pages", key, p.Kind.Name, p.count), nil)
	case p.seen[key]:
		p.stop(c, StopLoop, fmt.Sprintf("cursor %s came back: the list of %s goes round in a circle, it was stopped after %d pages", key, p.Kind.Name, p.count), nil)
	case p.count >= maxPages:
		p.stop(c, StopCeiling, fmt.Sprintf("the list of %s was stopped after %d pages, each with a new cursor", p.Kind.Name, p.count), nil)
	default:
		p.seen[key] = true
		p.cursor = append([]byte(nil), next...)
	}
	return a, nil
}

// stop ends the walk; refused is the server's error, when it is one that ended it.
func (p *Pages) stop(c *Conn, why Stop, reason string, refused *RPCError) {
	p.done, p.Stopped, p.Reason = true, why, reason
	data := fmt.Appendf(nil, `{"list":%s,"stop":%s`, Quote(p.Kind.Name), Quote(string(why)))
	if refused != nil {
		data = append(append(data, `,"error":`...), refused.Raw...)
	}
	c.door.Note(Note{Run: c.run, At: c.door.Now(), What: NotePages, Text: reason, Data: append(data, '}')})
}

// CallTool is the request of a tool call; arguments is a raw JSON object, nil for none.
func CallTool(name string, arguments []byte) Request {
	params := append([]byte(`{"name":`), Quote(name)...)
	if len(arguments) > 0 {
		params = append(append(params, `,"arguments":`...), arguments...)
	}
	return Request{Method: MethodToolsCall, Params: append(params, '}')}
}

// Resend is the request of a message that was sent, to be sent once more: its params as they were,
// without the keys of _meta that every request gets anew. ok is false for what is no request.
func Resend(in Incoming) (r Request, ok bool) {
	if in.Kind != KindRequest {
		return Request{}, false
	}
	r = Request{Method: in.MethodName(), Params: in.Raw(in.Params)}
	meta := Get(r.Params, "_meta")
	if meta == nil || !isObject(meta) {
		return r, true
	}
	params, first := []byte{'{'}, true
	for name, value := range Members(r.Params) {
		if nameIs(name, "_meta") {
			continue
		}
		if !first {
			params = append(params, ',')
		}
		first = false
		params = append(append(append(params, name...), ':'), value...)
	}
	if params = append(params, '}'); first {
		params = nil
	}
	for name, value := range Members(meta) {
		switch key, _ := Text(name); key {
		case MetaProtocolVersion, MetaClientCapabilities, MetaClientInfo, MetaProgressToken:
		default:
			r.Meta = append(r.Meta, MetaKey{key, value})
		}
	}
	r.Params = params
	return r, true
}
