package check

import (
	"bytes"
	"math"
	"strings"
	"time"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/session"
)

// progress is what is known of tokens whose requests are over, and of logs.
type progress struct {
	finished [16]uint64 // hashes of the latest tokens, in a ring
	next     int
	level    int  // asked for by logging/setLevel
	elicited seen // ids of url elicitations
}

// over notes that a request was answered.
func (p *progress) over(q *request) {
	if len(q.token) == 0 {
		return
	}
	p.finished[p.next%len(p.finished)] = hash(q.token)
	p.next++
}

func (p *progress) lately(token []byte) bool {
	h := hash(token)
	for _, f := range p.finished {
		if f == h {
			return true
		}
	}
	return false
}

// notification judges one of the server.
func (v *verdicts) notification(f *client.Frame, m *client.Message) {
	o := v.o
	method := known(raw(f, m.Method))
	params := raw(f, m.Params)
	o.params.read(params)
	meta := o.params.get("_meta")
	switch method {
	case client.MethodProgress:
		v.progressed(params)
	case client.MethodLog:
		v.logged()
		v.changes(method)
	case client.MethodCancelled:
		v.serverCancels()
	case methodToolsNew:
		v.changed(method, client.Tools)
	case methodPromptsNew:
		v.changed(method, client.Prompts)
	case methodResNew:
		v.changed(method, client.Resources)
		v.r.catalogue.stale(client.Templates)
	case methodUpdated:
		v.changes(method)
	case methodElicited:
		v.elicited(params)
	case methodTaskStatus, methodTasks:
		v.taskStatus(params)
	default:
		if !strings.HasPrefix(method, "notifications/") && isMethod(method) {
			v.add(requestWithoutID, "%s was sent without an id: it is a request, and without one nothing answers it", method)
		}
	}
	if v.rev.Modern() {
		v.subscribed(method, meta, params)
		if method == methodElicited || method == methodTaskStatus || method == methodRootsNew {
			v.add(removedMessage, "%s came, which %s does not have any more", method, v.rev)
		}
	} else {
		v.early(method)
		if method == methodUpdated {
			v.updated(params)
		}
	}
	if meta != nil {
		v.anyMeta("the notification", method, meta)
	}
}

// early judges what a server sends before the handshake is done.
func (v *verdicts) early(method string) {
	l := &v.r.life
	if !l.shaking && !l.shaken || l.initialized {
		return
	}
	if method != client.MethodLog && method != client.MethodPing && method != client.MethodProgress && method != client.MethodCancelled {
		v.add(serverEarly, "%s came before notifications/initialized", method)
	}
}

// changed notes that a list is another now.
func (v *verdicts) changed(method string, kind client.ListKind) {
	v.r.catalogue.stale(kind)
	v.changes(method)
}

func (c *catalogue) stale(kind client.ListKind) {
	if l := c.lists[kind.Name]; l != nil {
		l.changed = true
	}
}

// progressed judges one notifications/progress (basic/patterns/progress).
func (v *verdicts) progressed(raw []byte) {
	r := v.r
	p := &v.o.params
	token, done, total := p.get("progressToken"), p.get("progress"), p.get("total")
	message := p.has("message")
	n, ok := number(done)
	switch {
	case !isText(token) && !isNumber(token):
		v.add(progressInvalid, "notifications/progress has no progressToken: %s", client.Excerpt(raw))
		return
	case !ok:
		v.add(progressInvalid, "notifications/progress has no number progress: %s", client.Excerpt(raw))
		return
	}
	var q *request
	for _, open := range r.ours.open {
		if len(open.token) > 0 && bytes.Equal(open.token, token) {
			q = open
			break
		}
	}
	if q == nil {
		v.strayProgress(token)
		return
	}
	v.rev = r.effective(q)
	if v.rev == "" {
		v.rev = r.revision
	}
	if q.cancelled && v.rev.Modern() && !r.http && v.e.T-q.givenUp > crossing {
		v.add(answerAfterCancel, "progress for %s (id %s) came %s after it was cancelled", q.method, clip(q.id), client.Elapsed(v.e.T-q.givenUp, time.Millisecond))
	}
	if q.last >= 0 && n <= q.last || math.IsInf(n, 0) {
		v.add(progressFalls, "the progress of %s went from %v to %s: it must increase", q.label(), q.last, client.Excerpt(done))
	}
	if sum, ok := number(total); ok {
		switch {
		case n > sum:
			v.add(progressBeyond, "the progress of %s is %s of %s", q.label(), client.Excerpt(done), client.Excerpt(total))
		case q.total >= 0 && sum < q.total:
			v.add(progressBeyond, "the total of %s went down from %v to %s", q.label(), q.total, client.Excerpt(total))
		}
		q.total = sum
	} else if total != nil && !isNull(total) {
		v.add(progressInvalid, "notifications/progress has a total that is %s, not a number", client.JSONType(total))
	}
	if message && v.rev == client.Rev2024_11_05 {
		v.add(newerMember, "notifications/progress has the member message, which came with %s", client.Rev2025_03_26)
	}
	q.last = n
	if q.reported%progressRate == 0 {
		if q.reported > 0 && v.e.T-q.burst < time.Second {
			v.add(progressFlood, "%d notifications of progress for %s came within a second", progressRate, q.label())
		}
		q.burst = v.e.T
	}
	q.reported++
}

// progressRate is how many reports of one request a second are more than anyone can see.
const progressRate = 200

// strayProgress judges progress that belongs to no open request.
func (v *verdicts) strayProgress(token []byte) {
	r := v.r
	for _, open := range r.ours.open {
		if len(open.token) > 0 && client.SameIDOtherType(string(open.token), string(token)) {
			v.rev = r.effective(open)
			v.add(progressTokenType, "the progressToken %s (%s) does not equal %s (%s), that of %s", client.Excerpt(token), client.IDType(string(token)), open.token, client.IDType(string(open.token)), open.label())
			return
		}
	}
	switch {
	case r.progress.lately(token):
		v.add(progressLate, "progress with the token %s came after its request had been answered", client.Excerpt(token))
	case len(r.ours.open) < maxOpenJudged:
		v.add(progressUnknown, "progress came with the token %s, which no open request gave", client.Excerpt(token))
	}
}

// logged judges one notifications/message (server/utilities/logging).
func (v *verdicts) logged() {
	r := v.r
	level, data := v.o.params.get("level"), v.o.params.get("data")
	n := levelOf(level)
	if n == noLevel {
		v.add(logInvalid, "notifications/message has the level %s, which is none of debug to emergency", orNone(level))
	}
	if data == nil {
		v.add(logInvalid, "notifications/message has no data")
	}
	if hasSecret(data) {
		v.add(logSecret, "a log message has what looks like a secret; it is not shown here")
	}
	if !v.rev.Modern() {
		if n < r.progress.level && n != noLevel && r.progress.level != noLevel {
			v.graded(logBelow, session.Warning, "a log message of level %s came, and logging/setLevel asked for %s", levels[n], levels[r.progress.level])
		}
		return
	}
	lowest := noLevel
	for _, q := range r.ours.open {
		if v.e.Exchange == 0 || q.exchange == v.e.Exchange {
			lowest = min(lowest, q.level)
		}
	}
	switch {
	case lowest == noLevel:
		v.add(logUnasked, "a log message came, and no request that is open asked for logs by %s", metaLogLevel)
	case n != noLevel && n < lowest:
		v.add(logBelow, "a log message of level %s came, and the lowest that was asked for is %s", levels[n], levels[lowest])
	}
}

// hasSecret looks for what only credentials look like.
func hasSecret(data []byte) bool {
	for _, mark := range [...]string{"sk-ant-", "ghp_", "github_pat_", "xoxb-", "AKIA", "-----BEGIN", "Bearer ey"} {
		if i := bytes.Index(data, []byte(mark)); i >= 0 && len(data)-i > len(mark)+12 {
			return true
		}
	}
	return false
}

// serverCancels judges a notifications/cancelled of the server.
func (v *verdicts) serverCancels() {
	r := v.r
	id := v.o.params.get("requestId")
	if id == nil {
		if !v.o.params.has("taskId") {
			v.add(cancelWithoutID, "notifications/cancelled names no requestId")
		}
		return
	}
	ours, theirs := r.ours.find(id), r.theirs.find(id)
	if v.rev.Modern() {
		switch {
		case ours != nil && ours.method == methodListen:
			ours.listen.cancelledByServer()
		default:
			v.add(serverCancels, "the server cancels id %s, which is no open subscriptions/listen", client.Excerpt(id))
		}
		return
	}
	switch {
	case theirs != nil:
		r.theirs.drop(theirs)
	case ours != nil:
		v.add(cancelOther, "notifications/cancelled names the id %s, which is a request of the client", client.Excerpt(id))
	default:
		v.add(cancelUnknown, "notifications/cancelled names the id %s, and no such request is open", client.Excerpt(id))
	}
}
