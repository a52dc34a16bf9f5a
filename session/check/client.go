package check

import (
	"bytes"
	"strings"

	"example.com/mcpinspect/client"
)

// fromClient takes in what the client sends. It is judged where the client is not ours.
func (v *verdicts) fromClient(f *client.Frame) {
	v.client = true
	for i := range f.Messages {
		m := &f.Messages[i]
		switch m.Kind {
		case client.KindRequest:
			v.clientAsks(f, m)
		case client.KindNotification:
			v.clientTells(f, m)
		default:
			v.clientAnswers(f, m)
		}
		v.r.life.spoke = true
		if v.r.foreign && m.Flaws != 0 {
			v.envelope(f, m)
		}
	}
	if v.e.Exchange > 0 {
		v.webBody(f)
	}
	if !v.r.foreign {
		return
	}
	v.rev = v.r.revision
	if f.Flaws != 0 || f.Term == client.TermCRLF || !f.Kind.IsMessage() || v.e.Size >= largeLine {
		v.bytes(f)
		v.strayStdin(f)
	}
	if f.Kind == client.KindBatch {
		v.batch(f)
	}
}

// strayStdin judges a line of the client that is no message.
func (v *verdicts) strayStdin(f *client.Frame) {
	switch f.Kind {
	case client.KindNotJSON, client.KindJSON:
		if !f.Flaws.Has(client.FlawTorn | client.FlawCut) {
			v.add(strayInput, "the client sent a line that is no message: %s", quote(f.Body, 0, f.Body.Len()))
		}
	}
}

// clientAsks notes a request of the client, and what its answer will be judged by.
func (v *verdicts) clientAsks(f *client.Frame, m *client.Message) {
	r, o := v.r, v.o
	id := raw(f, m.ID)
	before := r.ours.find(id)
	if before != nil && !r.foreign {
		r.ours.drop(before) // sent twice on purpose
	}
	q := r.ours.add(id, raw(f, m.Method))
	if q == nil {
		return
	}
	q.at, q.exchange, q.probe = v.e.T, v.e.Exchange, r.probing
	r.probing = false
	o.params.read(raw(f, m.Params))
	o.meta.read(o.params.get("_meta"))
	v.requestMeta(q)
	switch q.method {
	case client.MethodToolsCall, client.MethodPromptsGet:
		q.name = keep(q.name, o.params.get("name"))
	case client.MethodResourcesRead, methodSubscribe, methodUnsubscribe:
		q.name = keep(q.name, o.params.get("uri"))
	}
	cursor := o.params.get("cursor")
	q.cursor, q.first = keep(q.cursor, cursor), cursor == nil
	q.task = o.params.has("task")
	q.retry = o.params.has("inputResponses") || o.params.has("requestState")
	v.rev = r.effective(q)
	v.noteRequest(q)
	if r.foreign {
		v.judgeRequest(q, m, before)
	}
	r.life.lastTold = ""
}

// noteRequest lets each part of the rules remember what it needs of a request.
func (v *verdicts) noteRequest(q *request) {
	r := v.r
	switch q.method {
	case client.MethodInitialize:
		v.handshakeBegins(q)
	case methodSetLevel:
		r.progress.level = levelOf(v.o.params.get("level"))
	case methodSubscribe:
		r.listens.subscribed.add(hash(q.name))
		r.listens.everSubscribed = true
	case methodListen:
		v.listenBegins(q)
	case client.MethodToolsCall:
		r.catalogue.calls++
		q.args = r.catalogue.argsFault(q.name, v.o.params.get("arguments"))
	}
	switch q.method {
	case client.MethodToolsCall, client.MethodPromptsGet, client.MethodResourcesRead:
		q.params = v.lasting()
	}
	if q.method != client.MethodPing && q.method != client.MethodInitialize && q.method != client.MethodDiscover {
		r.life.requests++
	}
}

// lasting is a hash of the params that a retry repeats.
func (v *verdicts) lasting() (h uint64) {
	for _, m := range v.o.params.members {
		switch string(m.name) {
		case "_meta", "inputResponses", "requestState":
		default:
			h += hash(m.name) ^ hash(m.value)*31
		}
	}
	return h
}

// judgeRequest judges a request of a client that is not ours.
func (v *verdicts) judgeRequest(q *request, m *client.Message, before *request) {
	r, o := v.r, v.o
	switch {
	case before != nil && v.rev.Modern():
		v.add(idInFlight, "the id %s is used for %s while %s with the same id is open", clip(q.id), q.method, before.method)
	case r.ours.used.add(hash(q.id)) || before != nil:
		v.add(idReused, "the id %s is used again, for %s", clip(q.id), q.method)
	}
	v.order(q)
	v.judgeMeta(q)
	params := &o.params
	switch q.method {
	case client.MethodInitialize:
		v.judgeInitialize()
	case client.MethodToolsCall:
		args := params.get("arguments")
		if args != nil && !isObject(args) {
			v.add(argumentsType, "the arguments of tools/call are %s, not an object", client.JSONType(args))
		}
		if q.args != "" {
			v.add(argumentsUnfit, "the arguments of %s do not fit its inputSchema: %s", client.Excerpt(q.name), q.args)
		}
	case client.MethodPromptsGet:
		for name, value := range client.Members(params.get("arguments")) {
			if !isText(value) {
				v.add(promptArguments, "the prompt argument %s is %s, not text", client.Excerpt(name), client.JSONType(value))
			}
		}
	case methodListen:
		if !isObject(params.get("notifications")) {
			v.add(listenFilter, "subscriptions/listen has no object notifications that says what is wanted")
		}
	}
	v.judgeRetry(q)
}

// clientTells takes in a notification of the client.
func (v *verdicts) clientTells(f *client.Frame, m *client.Message) {
	r, o := v.r, v.o
	method := known(raw(f, m.Method))
	v.rev = r.revision
	o.params.read(raw(f, m.Params))
	r.life.lastTold = method
	switch method {
	case client.MethodInitialized:
		if r.life.initialized = true; !r.life.shaken {
			v.add(initializedEarly, "notifications/initialized came before the result of initialize")
		}
	case client.MethodCancelled:
		v.clientCancels()
	default:
		if !strings.HasPrefix(method, "notifications/") && isMethod(method) {
			v.add(requestWithoutID, "%s was sent without an id: it is a request, and without one nothing answers it", method)
		}
	}
	if meta := o.params.get("_meta"); meta != nil {
		v.anyMeta("the notification", method, meta)
	}
}

// isMethod reports whether a request of the protocol has that name.
func isMethod(method string) bool {
	switch method {
	case client.MethodPing, methodElicit, methodSample, methodRoots, "tasks/get", "tasks/result", "tasks/list", "tasks/cancel", "tasks/update":
		return true
	}
	return client.FromClient(method) && !strings.HasPrefix(method, "notifications/")
}

// clientCancels takes in a notifications/cancelled of the client.
func (v *verdicts) clientCancels() {
	r := v.r
	id := v.o.params.get("requestId")
	if id == nil {
		if !v.o.params.has("taskId") {
			v.add(cancelWithoutID, "notifications/cancelled names no requestId")
		}
		return
	}
	q := r.ours.find(id)
	switch {
	case q == nil && r.theirs.find(id) != nil && !r.revision.Modern():
		v.add(cancelOther, "notifications/cancelled names the id %s, which is a request of the server", client.Excerpt(id))
	case q == nil:
		v.add(cancelUnknown, "notifications/cancelled names the id %s, and no such request is open", client.Excerpt(id))
	case q.method == client.MethodInitialize:
		v.add(cancelInitialize, "the client cancels initialize (id %s)", client.Excerpt(id))
	default:
		q.cancelled = true
		if q.givenUp < 0 {
			q.givenUp = v.e.T
		}
	}
}

// clientAnswers takes in an answer of the client to a request of the server.
func (v *verdicts) clientAnswers(f *client.Frame, m *client.Message) {
	r := v.r
	q := r.theirs.find(raw(f, m.ID))
	v.rev = r.revision
	if v.rev.Modern() {
		v.add(clientAnswer, "the client sent an answer (id %s): the server of %s asks nothing that could be answered", client.Excerpt(raw(f, m.ID)), v.rev)
	}
	if q == nil {
		return
	}
	if r.foreign && m.Kind == client.KindResponse {
		v.judgeClientResult(q.method, raw(f, m.Result))
	}
	r.theirs.drop(q)
}

// judgeClientResult judges what a client answers.
func (v *verdicts) judgeClientResult(method string, result []byte) {
	switch method {
	case methodRoots:
		v.judgeRoots(client.Get(result, "roots"))
	case methodElicit:
		v.judgeElicited(result, nil)
	}
}

func (v *verdicts) judgeRoots(list []byte) {
	for root := range client.Elements(list) {
		if uri := client.Get(root, "uri"); !bytes.HasPrefix(uri, []byte(`"file://`)) {
			v.add(rootURI, "a root has the uri %s, which does not begin with file://", client.Excerpt(uri))
		}
	}
}
