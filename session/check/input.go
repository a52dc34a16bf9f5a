package check

import (
	"encoding/base64"
	"strings"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/session"
)

// input is what is known of questions of the server.
type input struct {
	rounds []round
}

// round is a request that was answered with questions and may be sent again with the answers.
type round struct {
	method string
	id     string // raw
	params uint64
	state  uint64 // hash; 0 for none
	asked  []string
	hash   uint64 // of inputRequests
	count  int
}

const (
	maxRounds    = 64 // requests that wait for a retry
	manyRounds   = 10 // where the SDKs give up
	largeState   = 8 << 10
	maxAskedKeys = 100
)

// inputRequired judges a result that asks for input (basic/patterns/mrtr).
func (v *verdicts) inputRequired(q *request) {
	res := &v.o.result
	asked, state := res.get("inputRequests"), res.get("requestState")
	switch q.method {
	case client.MethodToolsCall, client.MethodPromptsGet, client.MethodResourcesRead:
	default:
		v.add(inputMethod, "%s was answered with input_required, which only tools/call, prompts/get and resources/read may be", q.method)
	}
	if asked == nil && state == nil {
		v.add(inputEmpty, "the answer to %s asks for input and has neither inputRequests nor requestState", q.label())
	}
	if state != nil && !isText(state) {
		v.add(stateType, "the requestState of %s is %s, not text", q.label(), client.JSONType(state))
	}
	v.openState(q, state)
	if res.has("ttlMs") || res.has("cacheScope") {
		v.add(inputCached, "the answer to %s asks for input and says how long it holds", q.label())
	}
	for _, member := range []string{"content", "contents", "messages"} {
		if raw := res.get(member); raw != nil && !isNull(raw) {
			v.add(inputMembers, "the answer to %s asks for input and has %s, too", q.label(), member)
		}
	}
	if asked != nil && !isObject(asked) {
		v.add(inputRequest, "inputRequests of %s is %s, not an object", q.label(), client.JSONType(asked))
	}
	now := round{method: q.method, id: string(q.id), params: q.params, hash: hash(asked)}
	if isText(state) {
		now.state = hash(state)
	}
	for key, value := range client.Members(asked) {
		if len(now.asked) < maxAskedKeys {
			now.asked = append(now.asked, text(key))
		}
		v.inputEntry(q, client.Excerpt(key), value)
	}
	v.nextRound(q, now)
}

// nextRound remembers what a retry is judged by.
func (v *verdicts) nextRound(q *request, now round) {
	in := &v.r.input
	for i := range in.rounds {
		r := &in.rounds[i]
		if r.method != now.method || r.params != now.params {
			continue
		}
		now.count = r.count + 1
		if now.count == manyRounds {
			v.add(inputRounds, "%s asked for input %d times", q.label(), now.count)
		} else if q.retry && now.hash == r.hash && len(now.asked) > 0 {
			v.add(inputRounds, "%s asks the same again after it was answered", q.label())
		}
		*r = now
		return
	}
	now.count = 1
	if len(in.rounds) >= maxRounds {
		in.rounds = append(in.rounds[:0], in.rounds[1:]...)
	}
	in.rounds = append(in.rounds, now)
}

// openState judges a state that clients could read and change.
func (v *verdicts) openState(q *request, state []byte) {
	s, ok := client.Text(state)
	if !ok {
		return
	}
	if len(s) > largeState {
		v.add(stateOpen, "the requestState of %s has %d bytes", q.label(), len(s))
		return
	}
	plain := s
	if b, err := base64.StdEncoding.DecodeString(s); err == nil {
		plain = string(b)
	} else if b, err := base64.RawURLEncoding.DecodeString(s); err == nil {
		plain = string(b)
	}
	if strings.HasPrefix(plain, "{") && client.ValidJSON([]byte(plain)) {
		v.add(stateOpen, "the requestState of %s is plain JSON: whatever it says, clients can change it", q.label())
	}
}

// inputEntry judges one question.
func (v *verdicts) inputEntry(q *request, key string, raw []byte) {
	if !isObject(raw) {
		v.add(inputRequest, "the input request %s is %s, not an object", key, client.JSONType(raw))
		return
	}
	for _, member := range []string{"jsonrpc", "id"} {
		if client.Get(raw, member) != nil {
			v.add(inputEntryMembers, "the input request %s has %s: it is no message of its own", key, member)
		}
	}
	params := client.Get(raw, "params")
	if client.Get(params, "_meta", client.MetaProtocolVersion) != nil {
		v.add(inputEntryMembers, "the input request %s has %s in its _meta: it is no request of its own", key, client.MetaProtocolVersion)
	}
	method := text(client.Get(raw, "method"))
	switch method {
	case methodElicit, methodSample, methodRoots:
		if fault := missingCap(method, params, q.caps); fault != "" && q.caps.has(capKnown) {
			v.add(inputUndeclared, "the input request %s is %s, and the client did not declare %s", key, method, fault)
		}
		v.question("the input request "+key, method, params, q.caps)
	default:
		v.add(inputRequest, "the input request %s has the method %s: it is elicitation/create, sampling/createMessage or roots/list", key, orNone(client.Get(raw, "method")))
	}
}

// missingCap names what a client had to declare for a question and did not; empty for nothing.
func missingCap(method string, params []byte, c caps) string {
	switch method {
	case methodRoots:
		if !c.has(capRoots) {
			return "roots"
		}
	case methodSample:
		if !c.has(capSampling) {
			return "sampling"
		}
	case methodElicit:
		url := is(client.Get(params, "mode"), "url")
		switch {
		case c&(capForms|capURLs) == 0:
			return "elicitation"
		case url && !c.has(capURLs):
			return "elicitation.url"
		case !url && !c.has(capForms):
			return "elicitation.form"
		}
	}
	return ""
}

// serverAsks judges a request of the server.
func (v *verdicts) serverAsks(f *client.Frame, m *client.Message) {
	r := v.r
	id, method := raw(f, m.ID), known(raw(f, m.Method))
	if strings.HasPrefix(method, "notifications/") {
		v.add(notificationWithID, "the notification %s has the id %s", client.Excerpt([]byte(method)), clip(id))
		return
	}
	v.largeID(m, id)
	if v.rev.Modern() {
		where := "stdout"
		if v.e.Exchange > 0 {
			where = "the stream of a reply"
		}
		v.add(serverRequest, "the request %s (id %s) came on %s: %s servers send no requests, and none may be answered", client.Excerpt([]byte(method)), clip(id), where, v.rev)
		return
	}
	if client.FromClient(method) {
		return // an echo of what was sent
	}
	if r.theirs.used.add(hash(id)) {
		v.add(idReused, "the server uses the id %s again, for %s", clip(id), method)
	}
	r.theirs.add(id, raw(f, m.Method))
	if l := &r.life; (l.shaking || l.shaken) && !l.initialized && method != client.MethodPing {
		v.add(serverEarly, "%s came before notifications/initialized", method)
	}
	params := raw(f, m.Params)
	if meta := client.Get(params, "_meta"); meta != nil {
		v.anyMeta("the request", method, meta)
	}
	if fault := missingCap(method, params, r.life.offered); fault != "" && r.life.offered.has(capKnown) {
		v.add(clientCapMissing, "the server sends %s, and the client did not declare %s", method, fault)
	}
	v.question("the request "+method, method, params, r.life.offered)
}

// question judges what is asked of a client, in either era.
func (v *verdicts) question(where, method string, params []byte, c caps) {
	if v.rev.Modern() && (method == methodRoots || method == methodSample) {
		v.add(deprecated, "%s uses %s, which is deprecated in %s", where, method, v.rev)
	}
	switch method {
	case methodElicit:
		v.elicitation(where, params)
	case methodSample:
		v.sampling(where, params, c)
	}
}

// judgeRetry judges a request that carries answers (basic/patterns/mrtr), of a client that is not ours.
func (v *verdicts) judgeRetry(q *request) {
	p := &v.o.params
	answers, state := p.get("inputResponses"), p.get("requestState")
	if !q.retry || !v.rev.Modern() {
		return
	}
	var was *round
	for i := range v.r.input.rounds {
		r := &v.r.input.rounds[i]
		if r.method == q.method && r.params == q.params {
			was = r
		}
	}
	if was == nil {
		for i := range v.r.input.rounds {
			if r := &v.r.input.rounds[i]; r.method == q.method && state != nil && r.state == hash(state) {
				v.add(retryDiffers, "the retry of %s (id %s) has other parameters than the request before", q.label(), clip(q.id))
				return
			}
		}
		v.add(retryUnrelated, "%s (id %s) carries answers or a state, and nothing was asked of it", q.label(), clip(q.id))
		return
	}
	switch {
	case string(q.id) == was.id:
		v.add(retryDiffers, "the retry of %s has the id of the request before, %s", q.label(), clip(q.id))
	case was.state != 0 && state == nil:
		v.add(retryDiffers, "the retry of %s leaves the requestState out", q.label())
	case was.state == 0 && state != nil:
		v.add(retryDiffers, "the retry of %s has a requestState, and none was given", q.label())
	case state != nil && hash(state) != was.state:
		v.add(retryDiffers, "the retry of %s has another requestState than the one that was given", q.label())
	}
	for _, key := range was.asked {
		if client.Get(answers, key) == nil {
			v.add(retryIncomplete, "the retry of %s does not answer %s", q.label(), client.Excerpt(client.Quote(key)))
		}
	}
	for key, answer := range client.Members(answers) {
		for _, member := range []string{"jsonrpc", "id", "resultType"} {
			if client.Get(answer, member) != nil {
				v.add(inputEntryMembers, "the answer %s has %s: it is a bare result", client.Excerpt(key), member)
			}
		}
		if client.Get(answer, "action") != nil {
			v.judgeElicited(answer, nil)
		}
		v.judgeRoots(client.Get(answer, "roots"))
	}
}

// largeID judges the id of a request of the server.
func (v *verdicts) largeID(m *client.Message, id []byte) {
	digits := strings.TrimPrefix(string(id), "-")
	if digits != "" && digits[0] >= '1' && digits[0] <= '9' && !m.Flaws.Has(client.FlawIDSpelling|client.FlawIDType) &&
		(len(digits) > len(maxSafeInteger) || len(digits) == len(maxSafeInteger) && digits > maxSafeInteger) {
		v.add(largeID, "a request has the id %s, beyond 2^53", clip(id))
	}
}

var _ = session.Info
