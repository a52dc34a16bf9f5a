package demo

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"example.com/mcpinspect/client/demo/rpc"
)

// call is one request in flight. Once it is answered or cancelled nothing more is sent for it.
type call struct {
	server   *server
	ctx      context.Context // done when the client cancels, and when the server ends
	cancel   context.CancelFunc
	id       json.RawMessage
	method   string
	params   map[string]json.RawMessage
	revision string                     // whose rules it follows
	client   map[string]json.RawMessage // the client's capabilities
	level    string                     // the lowest level of log messages wanted; "" is none
	token    json.RawMessage            // progressToken or nil

	mu   sync.Mutex
	over bool
}

// open makes a call of a request, or says why not: it reads _meta, which decides the era.
func (s *server) open(m rpc.Message) (*call, *rpc.Error) {
	c := &call{server: s, id: m.ID, method: m.Method, params: rpc.Members(m.Params)}
	if fault := c.meta(); fault != nil {
		return nil, fault
	}
	if !known(c.method, c.revision) {
		return nil, &rpc.Error{Code: rpc.MethodNotFound, Message: "Method not found: " + c.method}
	}
	c.ctx, c.cancel = context.WithCancel(s.ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.calls[string(c.id)] != nil {
		c.cancel()
		return nil, &rpc.Error{Code: rpc.InvalidRequest, Message: "Invalid request: the id is in use by a request in flight"}
	}
	s.calls[string(c.id)] = c
	return c, nil
}

// modern says whether c came without a handshake.
func (c *call) modern() bool { return c.since(rev2607) }

// since says whether c's revision is this one or a later one.
func (c *call) since(revision string) bool { return c.revision >= revision }

// send writes a message for c unless c is over.
func (c *call) send(message rpc.Object) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.over {
		c.server.send(message)
	}
}

// finish answers c, which is over then. A listen is not over before the client cancels it.
func (c *call) finish(result rpc.Object, fault *rpc.Error) {
	switch {
	case fault != nil:
		c.send(rpc.Failure(c.id, fault))
	case result == nil:
		return
	default:
		c.send(rpc.Result(c.id, c.complete(result)))
	}
	c.abandon()
}

// abandon ends c without an answer.
func (c *call) abandon() {
	c.mu.Lock()
	c.over = true
	c.mu.Unlock()
	c.cancel()
	c.server.mu.Lock()
	delete(c.server.calls, string(c.id))
	c.server.mu.Unlock()
}

// pause waits, and says whether c is still wanted.
func (c *call) pause(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-c.ctx.Done():
		return false
	}
}

// progress tells how far c is, when the client asked for that.
func (c *call) progress(done, total int, message string) {
	if c.token == nil {
		return
	}
	params := rpc.Obj("progressToken", c.token, "progress", done, "total", total)
	if c.since(rev2503) {
		params = params.With("message", message)
	}
	c.send(rpc.Notification("notifications/progress", params))
}

// log sends a log message, when the client wants that level.
func (c *call) log(level string, data any) {
	if c.level == "" || rank(level) < rank(c.level) {
		return
	}
	c.send(rpc.Notification("notifications/message", rpc.Obj("level", level, "logger", "demo", "data", data)))
}

// rank orders the eight levels of logging; -1 for a word that is none of them.
func rank(level string) int {
	for i, name := range [...]string{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"} {
		if name == level {
			return i
		}
	}
	return -1
}

// handle does what the method says. A result of nil without an error leaves the call open.
func (c *call) handle() (rpc.Object, *rpc.Error) {
	switch c.method {
	case "initialize":
		return c.initialize()
	case "server/discover":
		return c.discover(), nil
	case "ping":
		return rpc.Object{}, nil
	case "logging/setLevel":
		return c.setLevel()
	case "tools/list":
		return c.page("tools", c.tools())
	case "tools/call":
		return c.callTool()
	case "resources/list":
		return c.page("resources", c.resources())
	case "resources/templates/list":
		return c.page("resourceTemplates", c.templates())
	case "resources/read":
		return c.readResource()
	case "resources/subscribe", "resources/unsubscribe":
		return c.watch()
	case "subscriptions/listen":
		return c.listen()
	case "prompts/list":
		return c.page("prompts", c.prompts())
	case "prompts/get":
		return c.getPrompt()
	default: // known has let nothing else through
		return c.completion()
	}
}

// invalid is the error for params that cannot be used.
func invalid(message string) *rpc.Error {
	return &rpc.Error{Code: rpc.InvalidParams, Message: message}
}
