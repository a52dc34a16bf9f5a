package demo

import (
	"encoding/json"

	"example.com/mcpinspect/client/demo/rpc"
)

// listen is one subscriptions/listen request (2026-07-28), open until the client cancels it.
type listen struct {
	call *call
	uris map[string]bool
}

// listen acknowledges what it will report, which is updates of resources and nothing else, and
// leaves the request open.
func (c *call) listen() (rpc.Object, *rpc.Error) {
	filter := rpc.Members(c.params["notifications"])
	if filter == nil {
		return nil, invalid("notifications must be an object that says what to listen to")
	}
	honoured := rpc.Object{}
	l := &listen{call: c, uris: map[string]bool{}}
	if raw, has := filter["resourceSubscriptions"]; has {
		var uris []string
		if json.Unmarshal(raw, &uris) != nil {
			return nil, invalid("resourceSubscriptions must be a list of URIs")
		}
		for _, uri := range uris {
			l.uris[uri] = true
		}
		honoured = honoured.With("resourceSubscriptions", raw)
	}
	c.send(rpc.Notification("notifications/subscriptions/acknowledged",
		rpc.Obj("_meta", rpc.Obj(rpc.KeySubscription, c.id), "notifications", honoured)))
	if len(honoured) == 0 { // nothing will ever come
		return rpc.Obj("_meta", rpc.Obj(rpc.KeySubscription, c.id)), nil
	}
	c.server.mu.Lock()
	c.server.listens[string(c.id)] = l
	c.server.mu.Unlock()
	return nil, nil
}

// watch is resources/subscribe and resources/unsubscribe of the handshake revisions.
func (c *call) watch() (rpc.Object, *rpc.Error) {
	uri, is := rpc.Text(c.params["uri"])
	if !is {
		return nil, invalid("uri must be a string")
	}
	c.server.mu.Lock()
	defer c.server.mu.Unlock()
	if c.method == "resources/subscribe" {
		c.server.watched[uri] = true
	} else {
		delete(c.server.watched, uri)
	}
	return rpc.Object{}, nil
}

// updated tells everyone who wants to know that a resource changed.
func (s *server) updated(uri string) {
	const method = "notifications/resources/updated"
	s.mu.Lock()
	watched := s.watched[uri]
	var listeners []*call
	for _, l := range s.listens {
		if l.uris[uri] {
			listeners = append(listeners, l.call)
		}
	}
	s.mu.Unlock()
	if watched {
		s.send(rpc.Notification(method, rpc.Obj("uri", uri)))
	}
	for _, c := range listeners {
		c.send(rpc.Notification(method, rpc.Obj("_meta", rpc.Obj(rpc.KeySubscription, c.id), "uri", uri)))
	}
}
