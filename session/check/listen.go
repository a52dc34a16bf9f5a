package check

import (
	"bytes"
	"strings"

	"example.com/mcpinspect/client"
)

// listens is what is known of subscriptions, in either era.
type listens struct {
	subscribed     seen // uris, of handshake revisions
	everSubscribed bool
	ended          [8]uint64 // ids of streams that are over, in a ring
	next           int
}

// listen is an open subscriptions/listen.
type listen struct {
	asked     filter
	granted   filter
	acked     bool
	cancelled bool
	told      bool // that it was not acknowledged
}

// filter is which notifications are wanted.
type filter struct {
	tools, prompts, resources, tasks bool
	uris                             []string
}

const maxURIs = 1000

func readFilter(raw []byte) (f filter) {
	for name, value := range client.Members(raw) {
		on := string(value) == "true"
		switch text(name) {
		case "toolsListChanged":
			f.tools = on
		case "promptsListChanged":
			f.prompts = on
		case "resourcesListChanged":
			f.resources = on
		case "taskIds":
			f.tasks = true
		case "resourceSubscriptions":
			for uri := range client.Elements(value) {
				if len(f.uris) < maxURIs {
					f.uris = append(f.uris, text(uri))
				}
			}
		}
	}
	return f
}

// covers reports whether an address is one of those, or below one.
func (f *filter) covers(uri string) bool {
	for _, u := range f.uris {
		if rest, ok := strings.CutPrefix(uri, u); ok && (rest == "" || strings.HasSuffix(u, "/") || strings.ContainsAny(rest[:1], "/?#")) {
			return true
		}
	}
	return false
}

// beyond names what is in f and not in the other; empty for nothing.
func (f *filter) beyond(asked *filter) string {
	switch {
	case f.tools && !asked.tools:
		return "toolsListChanged"
	case f.prompts && !asked.prompts:
		return "promptsListChanged"
	case f.resources && !asked.resources:
		return "resourcesListChanged"
	case f.tasks && !asked.tasks:
		return "taskIds"
	}
	for _, u := range f.uris {
		if !asked.covers(u) {
			return "the uri " + client.Excerpt(client.Quote(u))
		}
	}
	return ""
}

func (v *verdicts) listenBegins(q *request) {
	q.listen = &listen{asked: readFilter(v.o.params.get("notifications"))}
}

// tellsOf reports whether an open subscription would tell of a change of a list.
func (r *run) tellsOf(kind client.ListKind) bool {
	for _, q := range r.ours.open {
		if l := q.listen; l != nil && l.acked && q.givenUp < 0 {
			switch kind {
			case client.Tools:
				return l.granted.tools
			case client.Prompts:
				return l.granted.prompts
			}
			return l.granted.resources
		}
	}
	return false
}

// cancelledByServer notes that the server ends a stream by a notification.
func (l *listen) cancelledByServer() { l.cancelled = true }

// subscribed judges a notification of a stateless server that goes with a subscription
// (basic/patterns/subscriptions).
func (v *verdicts) subscribed(method string, meta, params []byte) {
	id := client.Get(meta, metaSubscription)
	switch method {
	case methodAck, methodToolsNew, methodPromptsNew, methodResNew, methodUpdated, methodTasks:
	case client.MethodProgress, client.MethodLog:
		if q := v.listening(id); q != nil {
			v.add(listenForeign, "%s carries the subscription id %s: it never goes with a subscription", method, client.Excerpt(id))
		}
		return
	default:
		return
	}
	if id == nil {
		v.withoutSubscription(method)
		return
	}
	q := v.listening(id)
	if q == nil {
		v.noSubscription(method, id)
		return
	}
	l := q.listen
	if method == methodAck {
		l.acked, l.granted = true, readFilter(client.Get(params, "notifications"))
		if what := l.granted.beyond(&l.asked); what != "" {
			v.add(ackBeyond, "the acknowledgement of id %s names %s, which was not asked for", client.Excerpt(id), what)
		}
		return
	}
	if !l.acked && !l.told {
		l.told = true
		v.add(listenUnacknowledged, "%s came for the subscription %s before it was acknowledged", method, client.Excerpt(id))
	}
	wanted := &l.granted
	if !l.acked {
		wanted = &l.asked
	}
	ok := true
	switch method {
	case methodToolsNew:
		ok = wanted.tools
	case methodPromptsNew:
		ok = wanted.prompts
	case methodResNew:
		ok = wanted.resources
	case methodTasks:
		ok = wanted.tasks
	case methodUpdated:
		if uri := text(client.Get(params, "uri")); !wanted.covers(uri) {
			v.add(updateUnasked, "%s came for %s, which the subscription %s does not name", method, client.Excerpt(client.Quote(uri)), client.Excerpt(id))
		}
	}
	if !ok {
		v.add(listenUnasked, "%s came, and the subscription %s does not have it", method, client.Excerpt(id))
	}
	if q.cancelled && v.e.T-q.givenUp > crossing {
		v.add(listenAfterEnd, "%s came for the subscription %s after it was cancelled", method, client.Excerpt(id))
	}
}

// listening is the open subscription with an id; nil for none.
func (v *verdicts) listening(id []byte) *request {
	if id == nil {
		return nil
	}
	for _, q := range v.r.ours.open {
		if q.listen != nil && bytes.Equal(q.id, id) {
			return q
		}
	}
	return nil
}

// withoutSubscription judges a notification that names no subscription.
func (v *verdicts) withoutSubscription(method string) {
	for _, q := range v.r.ours.open {
		if q.listen != nil && (v.e.Exchange == 0 || v.e.Exchange == q.exchange) {
			v.add(subscriptionID, "%s does not name in its _meta the subscription that it belongs to", method)
			return
		}
	}
	v.add(outsideListen, "%s came, and no subscription is open: nothing asked for it", method)
}

// noSubscription judges a notification that names one that is not open.
func (v *verdicts) noSubscription(method string, id []byte) {
	for _, h := range v.r.listens.ended {
		if h == hash(id) {
			v.add(listenAfterEnd, "%s came for the subscription %s, which is over", method, client.Excerpt(id))
			return
		}
	}
	for _, q := range v.r.ours.open {
		if q.listen != nil && client.SameIDOtherType(string(q.id), string(id)) {
			v.add(subscriptionID, "%s names the subscription %s (%s), the id of the request is %s (%s)", method, client.Excerpt(id), client.IDType(string(id)), q.id, client.IDType(string(q.id)))
			return
		}
	}
	v.add(subscriptionID, "%s names the subscription %s, and there is none", method, client.Excerpt(id))
}

// listenResult judges the result that ends a subscription.
func (v *verdicts) listenResult(q *request) {
	id := client.Get(v.o.result.get("_meta"), metaSubscription)
	if !bytes.Equal(id, q.id) {
		v.add(listenResultID, "the result of subscriptions/listen (id %s) has %s as its subscription id", clip(q.id), orNone(id))
	}
	if q.listen != nil && !q.listen.acked && !q.listen.told {
		v.add(listenUnacknowledged, "subscriptions/listen (id %s) was answered and never acknowledged", clip(q.id))
	}
}

// listenOver notes that a subscription has ended.
func (v *verdicts) listenOver(q *request) {
	if q.listen == nil {
		return
	}
	s := &v.r.listens
	s.ended[s.next%len(s.ended)] = hash(q.id)
	s.next++
}

// updated judges a notifications/resources/updated of a handshake revision.
func (v *verdicts) updated(params []byte) {
	uri := client.Get(params, "uri")
	if !isText(uri) {
		v.add(updateInvalid, "notifications/resources/updated has no uri")
		return
	}
	if c := v.r.life.caps; c.has(capKnown) && c.has(capSubscribe) && !v.r.listens.everSubscribed {
		v.add(updateUnsubscribed, "an update of %s came, and nothing was subscribed", client.Excerpt(uri))
	}
}

// listenEnds judges a subscription that is open when the run ends.
func (v *verdicts) listenEnds() {
	for _, q := range v.r.ours.open {
		if q.listen == nil || q.givenUp >= 0 {
			continue
		}
		if v.rev = v.r.effective(q); !q.listen.acked {
			v.add(listenUnacknowledged, "subscriptions/listen (id %s) was never acknowledged", clip(q.id))
		}
	}
}
