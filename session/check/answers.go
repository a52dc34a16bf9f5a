package check

import (
	"strconv"
	"time"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/session"
)

// result judges the answer to a request of the client.
func (v *verdicts) result(q *request, raw []byte) {
	if q.probe || !isObject(raw) {
		return // resultNoObject says so
	}
	r, res := v.r, &v.o.result
	res.read(raw)
	kind := res.get("resultType")
	if kind != nil && q.rev.Modern() {
		v.stateless()
	}
	if kind == nil && q.rev.Modern() && r.life.chosen != "" {
		v.keptToHandshake(q)
	}
	v.rev = r.effective(q)
	if q.method == client.MethodInitialize || q.method == client.MethodDiscover {
		v.identity(q, raw)
	}
	v.resultKind(q, kind)
	v.resultMeta(q)
	v.metaNeeded(q, false, 0, "")
	if q.rev.Modern() && r.modern {
		v.served(q)
	}
	v.offers(q, false, 0)
	switch {
	case is(kind, client.ResultInputRequired) && v.rev.Modern():
		v.inputRequired(q)
		return
	case is(kind, "task"), res.has("task") && !v.rev.Modern():
		v.taskCreated(q, kind != nil)
		return
	}
	v.cacheHints(q)
	switch q.method {
	case client.MethodToolsCall:
		v.toolResult(q, raw)
	case client.MethodResourcesRead:
		v.contents(q)
	case client.MethodPromptsGet:
		v.promptMessages()
	case client.MethodComplete:
		v.completion()
	case methodListen:
		v.listenResult(q)
	case "tasks/get", "tasks/cancel", "tasks/result", "tasks/list":
		v.taskResult(q)
	default:
		for i := range client.ListKinds {
			if client.ListKinds[i].Method == q.method {
				v.page(q, client.ListKinds[i], raw)
			}
		}
	}
}

// stateless notes that the server has shown that it knows the stateless era.
func (v *verdicts) stateless() {
	r := v.r
	if r.modern {
		return
	}
	r.modern = true
	if r.revision == "" {
		r.revision = client.Revisions[0]
	}
	v.discoverRefused()
}

// resultKind judges resultType (basic, results).
func (v *verdicts) resultKind(q *request, kind []byte) {
	switch {
	case !v.rev.Modern():
		if kind != nil {
			v.add(resultTypeEarly, "the result of %s has a resultType, which %s does not know", q.method, orUnknown(v.rev))
		}
	case kind == nil:
		v.add(resultTypeMissing, "the result of %s has no resultType", q.method)
	case is(kind, client.ResultComplete), is(kind, client.ResultInputRequired):
	case is(kind, "task") && q.caps.has(capTaskExtension) && q.method == client.MethodToolsCall:
	case is(kind, "task"):
		v.add(resultType, "the result of %s is a task, and the client did not declare the extension %s", q.method, taskExtension)
	default:
		v.add(resultType, "resultType of %s is %s: the result counts as invalid", q.method, client.Excerpt(kind))
	}
}

func orUnknown(rev client.Revision) string {
	if rev == "" {
		return "a handshake revision"
	}
	return string(rev)
}

// refusal judges an error that answers a request of the client.
func (v *verdicts) refusal(q *request, raw []byte) {
	if q.probe {
		return
	}
	res := &v.o.result
	res.read(raw)
	n, ok := number(res.get("code"))
	code := int(n)
	message, data := text(res.get("message")), res.get("data")
	if (code == client.CodeHeaderMismatch || code == client.CodeMissingCapability || code == client.CodeUnsupportedVersion) && q.rev.Modern() {
		v.stateless()
	}
	v.rev = v.r.effective(q)
	if q.method == client.MethodInitialize || q.method == client.MethodDiscover {
		v.refusedIdentity(q, code, data)
		v.rev = v.r.effective(q)
	}
	if q.method == client.MethodInitialize { // whatever is answered to it, the eras differ in what it means
		return
	}
	if ok && isInteger(res.get("code")) {
		v.code(q, code, message, data)
		v.offers(q, true, code)
	}
	v.metaNeeded(q, true, code, message)
	v.leaks(message, data)
}

// answered judges when an answer comes; failed is true for an error.
func (v *verdicts) answered(q *request, failed bool) {
	r := v.r
	v.rev = r.effective(q)
	if q.cancelled && v.rev.Modern() && !r.http && v.e.T-q.givenUp > crossing && q.method != methodListen {
		v.add(answerAfterCancel, "%s (id %s) was answered %s after it was cancelled", q.method, clip(q.id), client.Elapsed(v.e.T-q.givenUp, time.Millisecond))
	}
	r.progress.over(q)
	v.listenOver(q)
}

// crossing is how long after a cancellation messages that were under way may come.
const crossing = time.Second

// unasked judges an error without an id while nothing is open.
func (v *verdicts) unasked(m *client.Message) {
	l := &v.r.life
	if !m.Flaws.Has(client.FlawIDNull) || l.lastTold == "" || len(v.r.ours.open) > 0 || v.e.Exchange > 0 {
		return
	}
	v.rev = v.r.revision
	v.add(notificationAnswered, "an error without an id came behind %s: a notification is never answered", l.lastTold)
	l.lastTold = ""
}

// cacheable reports whether results of a method say how long they hold (server/utilities/caching).
func cacheable(method string) bool {
	switch method {
	case client.MethodDiscover, client.MethodToolsList, client.MethodPromptsList, client.MethodResourcesList, client.MethodTemplatesList, client.MethodResourcesRead:
		return true
	}
	return false
}

// cacheHints judges how long a result says that it holds, and for whom.
func (v *verdicts) cacheHints(q *request) {
	if !v.rev.Modern() || !cacheable(q.method) {
		return
	}
	ttl, scope := v.o.result.get("ttlMs"), v.o.result.get("cacheScope")
	switch {
	case ttl == nil && scope == nil:
		v.add(cacheHintsMissing, "the result of %s has neither ttlMs nor cacheScope", q.method)
	case ttl == nil:
		v.add(cacheHintsMissing, "the result of %s has no ttlMs", q.method)
	case scope == nil:
		v.add(cacheHintsMissing, "the result of %s has no cacheScope", q.method)
	}
	if n, ok := number(ttl); ttl != nil {
		switch {
		case !ok || !isInteger(ttl):
			v.add(ttlInvalid, "the ttlMs of %s is %s: it is an integer of milliseconds", q.method, client.Excerpt(ttl))
		case n < 0:
			v.add(ttlInvalid, "the ttlMs of %s is %s, which counts as 0", q.method, client.Excerpt(ttl))
		case n > dayMs:
			v.add(ttlLong, "the ttlMs of %s is %s, more than a day", q.method, strconv.FormatFloat(n, 'f', -1, 64))
		}
	}
	switch {
	case scope == nil, is(scope, "private"):
	case is(scope, "public"):
		if v.r.web.authorized {
			v.add(publicPrivate, "the result of %s is for everybody, and it was asked for with an Authorization header", q.method)
		}
	default:
		v.add(scopeInvalid, "the cacheScope of %s is %s: it is \"public\" or \"private\"", q.method, client.Excerpt(scope))
	}
}

const dayMs = 24 * 60 * 60 * 1000

var _ = session.Info
