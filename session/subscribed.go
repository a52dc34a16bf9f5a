package session

import (
	"slices"
	"time"

	"example.com/mcpinspect/client"
)

// subscribe takes a subscription in. Snapshots share the slice: it is copied when it changes.
func (s *state) subscribe(sub Subscription) {
	s.snap.Subscriptions = append(slices.Clip(s.snap.Subscriptions), sub)
}

func (s *state) unsubscribe(gone func(*Subscription) bool) {
	var left []Subscription
	for i := range s.snap.Subscriptions {
		if !gone(&s.snap.Subscriptions[i]) {
			left = append(left, s.snap.Subscriptions[i])
		}
	}
	s.snap.Subscriptions = left
}

// unlisten drops the subscription whose request has that id.
func (s *state) unlisten(id string) {
	s.unsubscribe(func(sub *Subscription) bool { return sub.ID == id && id != "" })
}

// watched takes in that a resource is subscribed to, or not any more, in a handshake revision.
func (s *state) watched(method, uri string, at time.Duration) {
	s.unsubscribe(func(sub *Subscription) bool { return sub.ID == "" && slices.Contains(sub.Asked.URIs, uri) })
	if method == client.MethodSubscribe {
		one := client.Interest{URIs: []string{uri}}
		s.subscribe(Subscription{Asked: one, Honoured: one, Acked: true, Since: at})
	}
}

// news counts a notification of a subscription, or takes in its acknowledgement or its end.
func (s *state) news(method string, params []byte) {
	if method == client.MethodCancelled {
		s.unlisten(string(client.Get(params, "requestId")))
		return
	}
	id := string(client.Get(params, "_meta", client.MetaSubscription))
	uri := client.GetText(params, "uri")
	for i := range s.snap.Subscriptions {
		sub := &s.snap.Subscriptions[i]
		if sub.ID != id || id == "" && !slices.Contains(sub.Asked.URIs, uri) {
			continue
		}
		s.snap.Subscriptions = slices.Clone(s.snap.Subscriptions)
		sub = &s.snap.Subscriptions[i]
		if method == client.MethodAcknowledged {
			sub.Acked, sub.Honoured = true, client.ReadInterest(client.Get(params, "notifications"))
		} else {
			sub.Told++
		}
		return
	}
}
