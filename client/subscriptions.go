package client

import (
	"errors"
	"slices"
	"strings"
)

// What a server tells of when it is asked to: by subscriptions/listen, a request that stays open
// (basic/patterns/subscriptions, 2026-07-28), and before by resources/subscribe for resources and
// unasked for lists (server/resources, server/tools, server/prompts).
const (
	MethodListen           = "subscriptions/listen"
	MethodAcknowledged     = "notifications/subscriptions/acknowledged"
	MethodSubscribe        = "resources/subscribe"
	MethodUnsubscribe      = "resources/unsubscribe"
	MethodUpdated          = "notifications/resources/updated"
	MethodToolsChanged     = "notifications/tools/list_changed"
	MethodPromptsChanged   = "notifications/prompts/list_changed"
	MethodResourcesChanged = "notifications/resources/list_changed"

	// MetaSubscription names, in what a server tells, the subscriptions/listen that asked for it.
	MetaSubscription = MetaPrefix + "subscriptionId"
)

// ErrListenEnded is a subscription that the server ended by a notification.
var ErrListenEnded = errors.New("the server ended the subscription")

// Interest is what a person wants to be told of.
type Interest struct {
	Tools, Prompts, Resources bool     // when a list changes
	URIs                      []string // of resources, when their content changes
	Tasks                     []string // ids of tasks of the extension, when their status changes
}

// Empty reports whether it asks for nothing.
func (i Interest) Empty() bool {
	return !i.Tools && !i.Prompts && !i.Resources && len(i.URIs) == 0 && len(i.Tasks) == 0
}

// String names what is asked for: "tools, resources, demo://visits, task t1".
func (i Interest) String() string {
	var parts []string
	for _, l := range i.lists() {
		if *l.on {
			parts = append(parts, l.name)
		}
	}
	parts = append(parts, i.URIs...)
	for _, id := range i.Tasks {
		parts = append(parts, "task "+id)
	}
	return strings.Join(parts, ", ")
}

// Without is what is left of an interest when another is given up.
func (i Interest) Without(o Interest) Interest {
	left := Interest{Tools: i.Tools && !o.Tools, Prompts: i.Prompts && !o.Prompts, Resources: i.Resources && !o.Resources}
	left.URIs, left.Tasks = missing(i.URIs, o.URIs), missing(i.Tasks, o.Tasks)
	return left
}

// missing are the texts that the other list has not.
func missing(list, other []string) (left []string) {
	for _, s := range list {
		if !slices.Contains(other, s) {
			left = append(left, s)
		}
	}
	return left
}

// interest is one list that can be asked about: its name here and on the wire.
type interest struct {
	on           *bool
	name, member string
}

func (i *Interest) lists() []interest {
	return []interest{{&i.Tools, "tools", "toolsListChanged"}, {&i.Prompts, "prompts", "promptsListChanged"}, {&i.Resources, "resources", "resourcesListChanged"}}
}

// Members of a filter beside those of the lists.
const (
	memberURIs  = "resourceSubscriptions"
	memberTasks = "taskIds" // with the extension of tasks only
)

// ReadInterest reads a filter as it is asked for, or acknowledged: a raw JSON object.
func ReadInterest(raw []byte) (i Interest) {
	for _, l := range i.lists() {
		*l.on = string(Get(raw, l.member)) == "true"
	}
	i.URIs, i.Tasks = texts(Get(raw, memberURIs)), texts(Get(raw, memberTasks))
	return i
}

// Listen is the request that asks for an interest. It is answered when the subscription ends, so that no
// limit fits it.
func Listen(i Interest) Request {
	b := []byte(`{"notifications":{`)
	first := true
	add := func(member string) {
		if !first {
			b = append(b, ',')
		}
		first = false
		b = append(AppendQuote(b, member), ':')
	}
	for _, l := range i.lists() {
		if *l.on {
			add(l.member)
			b = append(b, "true"...)
		}
	}
	all := func(member string, list []string) {
		if len(list) == 0 {
			return
		}
		add(member)
		b = append(b, '[')
		for n, s := range list {
			if n > 0 {
				b = append(b, ',')
			}
			b = AppendQuote(b, s)
		}
		b = append(b, ']')
	}
	all(memberURIs, i.URIs)
	all(memberTasks, i.Tasks)
	return Request{Method: MethodListen, Params: append(b, "}}"...)}
}

// Subscribe is resources/subscribe, or resources/unsubscribe, of the handshake revisions.
func Subscribe(method, uri string) Request {
	return Request{Method: method, Params: append(append([]byte(`{"uri":`), Quote(uri)...), '}')}
}

// Changed are the lists that a notification says have changed; nil for any other notification.
func Changed(method string) []ListKind {
	switch method {
	case MethodToolsChanged:
		return []ListKind{Tools}
	case MethodPromptsChanged:
		return []ListKind{Prompts}
	case MethodResourcesChanged: // one for both
		return []ListKind{Resources, Templates}
	}
	return nil
}
