package check

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"time"

	"example.com/mcpinspect/client"
)

// request is one that waits for its answer. It is used again for a later one.
type request struct {
	id        []byte // raw
	method    string
	rev       client.Revision // that its _meta names; empty for none
	at        time.Duration
	exchange  int    // of HTTP
	name      []byte // raw: the tool, prompt or resource
	cursor    []byte // raw: the page that is asked for
	token     []byte // raw: what its progress goes by
	level     int    // the lowest level of logs that it asks for; noLevel for none
	caps      caps   // what the client declared for it
	version   string // of the protocol, where it is none that is known here
	bare      bool   // of a stateless client, without the keys of _meta that are required
	anonymous bool   // of a stateless client that does not say who it is
	retry     bool   // it has answers to what the server asked, or a state
	task      bool
	first     bool // of a list: it asks for the first page
	probe     bool // sent to see what happens: its answer is judged by whoever asked
	cancelled bool
	givenUp   time.Duration
	params    uint64 // hash of what a retry must repeat
	last      float64
	total     float64
	reported  int // progress notifications
	burst     time.Duration
	listen    *listen
	args      string // what is wrong with the arguments, where that is plain to see
}

const noLevel = 99

// requests are the open ones of one side, in order.
type requests struct {
	open []*request
	free []*request
	used seen // ids
}

// maxOpenJudged is how many open requests are known to the rules. What is beyond is not judged.
const maxOpenJudged = 4096

// add notes a request; nil when there are too many.
func (s *requests) add(id []byte, method []byte) *request {
	if len(s.open) >= maxOpenJudged {
		return nil
	}
	var q *request
	if n := len(s.free); n > 0 {
		q = s.free[n-1]
		s.free = s.free[:n-1]
	} else {
		q = &request{}
	}
	*q = request{id: append(q.id[:0], id...), name: q.name[:0], cursor: q.cursor[:0], token: q.token[:0], level: noLevel, givenUp: -1, last: -1, total: -1}
	q.method = known(method)
	s.open = append(s.open, q)
	return q
}

// find is the open request with an id.
func (s *requests) find(id []byte) *request {
	for _, q := range s.open {
		if bytes.Equal(q.id, id) {
			return q
		}
	}
	return nil
}

// drop takes a request from the open ones. It stays readable until the next one is added.
func (s *requests) drop(q *request) {
	if i := slices.Index(s.open, q); i >= 0 {
		s.open = slices.Delete(s.open, i, i+1)
		s.free = append(s.free, q)
	}
}

// seen remembers values by their hash, the newest of them at least.
type seen struct{ now, before map[uint64]struct{} }

const maxSeen = 4096

// add remembers a value; true when it was there.
func (s *seen) add(h uint64) bool {
	if s.has(h) {
		return true
	}
	if s.now == nil || len(s.now) >= maxSeen {
		s.now, s.before = make(map[uint64]struct{}, 64), s.now
	}
	s.now[h] = struct{}{}
	return false
}

func (s *seen) has(h uint64) bool {
	_, now := s.now[h]
	_, before := s.before[h]
	return now || before
}

// whole reports whether nothing was forgotten.
func (s *seen) whole() bool { return s.before == nil }

// known is a decoded method, without a copy of one that the protocol has.
func known(raw []byte) string {
	if len(raw) < 2 || raw[0] != '"' {
		return ""
	}
	switch string(raw[1 : len(raw)-1]) {
	case client.MethodToolsCall:
		return client.MethodToolsCall
	case client.MethodToolsList:
		return client.MethodToolsList
	case client.MethodProgress:
		return client.MethodProgress
	case client.MethodLog:
		return client.MethodLog
	case client.MethodCancelled:
		return client.MethodCancelled
	case client.MethodDiscover:
		return client.MethodDiscover
	case client.MethodInitialize:
		return client.MethodInitialize
	case client.MethodInitialized:
		return client.MethodInitialized
	case client.MethodPing:
		return client.MethodPing
	case client.MethodResourcesRead:
		return client.MethodResourcesRead
	case client.MethodResourcesList:
		return client.MethodResourcesList
	case client.MethodTemplatesList:
		return client.MethodTemplatesList
	case client.MethodPromptsList:
		return client.MethodPromptsList
	case client.MethodPromptsGet:
		return client.MethodPromptsGet
	case client.MethodComplete:
		return client.MethodComplete
	}
	return strings.Clone(text(raw[:min(len(raw), maxMethod)]))
}

// maxMethod is the longest method that is told apart, in bytes.
const maxMethod = 200

// Methods that package client does not name.
const (
	methodSetLevel    = "logging/setLevel"
	methodSubscribe   = "resources/subscribe"
	methodUnsubscribe = "resources/unsubscribe"
	methodListen      = "subscriptions/listen"
	methodAck         = "notifications/subscriptions/acknowledged"
	methodElicit      = "elicitation/create"
	methodSample      = "sampling/createMessage"
	methodRoots       = "roots/list"
	methodUpdated     = "notifications/resources/updated"
	methodToolsNew    = "notifications/tools/list_changed"
	methodPromptsNew  = "notifications/prompts/list_changed"
	methodResNew      = "notifications/resources/list_changed"
	methodRootsNew    = "notifications/roots/list_changed"
	methodElicited    = "notifications/elicitation/complete"
	methodTaskStatus  = "notifications/tasks/status"
	methodTasks       = "notifications/tasks"
)

// owed names requests that wait for an answer.
func owed(open []*request) string {
	const most = 20 // whoever leaves more is told how many
	var names []string
	for i, q := range open {
		if i == most {
			names = append(names, fmt.Sprintf("%d more", len(open)-most))
			break
		}
		names = append(names, fmt.Sprintf("%s (id %s)", q.method, clip(q.id)))
	}
	return strings.Join(names, ", ")
}

// keep copies a raw value into a buffer that is used again. A very long one is not kept.
func keep(dst, raw []byte) []byte {
	if len(raw) > maxKept {
		return dst[:0]
	}
	return append(dst[:0], raw...)
}

const maxKept = 1 << 10

// label is a request for a sentence: "tools/call of "add"".
func (q *request) label() string {
	if len(q.name) == 0 {
		return q.method
	}
	return q.method + " of " + client.Excerpt(q.name)
}
