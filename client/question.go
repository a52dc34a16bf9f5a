package client

import (
	"bytes"
	"context"
	"errors"
	"strconv"
)

// The requests that a server may make of its client: by requests of its own in handshake revisions,
// by input_required results in 2026-07-28 (basic/patterns/mrtr; client/elicitation, sampling, roots).
const (
	MethodElicit = "elicitation/create"
	MethodSample = "sampling/createMessage"
	MethodRoots  = "roots/list"

	MethodElicited     = "notifications/elicitation/complete"
	MethodRootsChanged = "notifications/roots/list_changed"
)

// Question is what a server wants to know.
type Question struct {
	Method string
	Params []byte // raw; nil for none
	Key    string // by which an input_required result names it; empty for a request
	ID     string // raw id of a request; of the request that was answered with input_required otherwise
	Order  int    // in which the requests of a run came, counted from 1; zero where it is none

	// Refused says that the request with ID was answered with an error that names this address: it may be
	// sent again once the person has been there (-32042, 2025-11-25). Nothing is sent for the answer.
	Refused bool
}

// Reply is the answer to a question: a result, or none with the reason.
type Reply struct {
	Result []byte // raw JSON object
	Code   int    // of the error that is sent without a Result, where a request must be answered
	Reason string
}

// CodeRejected says that the person refused (client/sampling, handshake revisions).
const CodeRejected = -1

// Answerer answers what a server asks at once: one request of its own, or all that a result asks for.
// The replies stand in the order of the questions. It may wait for a person; ctx ends when no answer is
// wanted any more, and its cause says why.
type Answerer func(ctx context.Context, asked []Question) []Reply

// Why a question needs no answer any more.
var (
	ErrWithdrawn  = errors.New("the server withdrew it")
	ErrServerGone = errors.New("the server has gone")
	ErrCallOver   = errors.New("its call was given up")
)

// asking is a request of the server that waits for its answer.
type asking struct {
	stop  context.CancelCauseFunc
	calls map[string]bool // the requests of ours that were open when it came; nil once one of them was answered
}

// asked answers a request of the server: real servers wait for a minute when they are ignored.
// The stateless era knows no such requests, and a client must not answer them (transports/stdio).
func (c *Conn) asked(in Incoming) {
	if c.Asked != nil && c.Asked(in) {
		return
	}
	if c.Revision().Modern() || in.Flaws.Has(FlawIDType) {
		return
	}
	id := in.RawID()
	method := in.MethodName()
	switch {
	case method == MethodPing:
		c.respond(id, Reply{Result: []byte("{}")})
	default:
		q := Question{Method: method, Params: append([]byte(nil), in.Raw(in.Params)...), ID: id}
		if code, why := c.identity.Unserved(q); why != "" {
			if code == CodeInvalidParams { // it was asked for in a way that was not offered
				c.note(NoteInfo, id, "%s (id %s) was refused: %s", method, id, why)
			}
			c.respond(id, Reply{Code: code, Reason: why})
			return
		}
		ctx, cancel := context.WithCancelCause(context.Background())
		c.mu.Lock()
		open := make(map[string]bool, len(c.pending))
		for call := range c.pending {
			open[call] = true
		}
		c.questions[id] = &asking{cancel, open}
		c.asks++
		q.Order = c.asks
		c.mu.Unlock()
		Go("answer", c.report, func() {
			reply := c.identity.Answer(ctx, []Question{q})[0]
			c.mu.Lock()
			_, wanted := c.questions[id]
			delete(c.questions, id)
			c.mu.Unlock()
			if wanted {
				c.respond(id, reply)
			}
		}, func() { cancel(nil) })
	}
}

// withdrawn ends a question that needs no answer any more; with an empty id all of them.
func (c *Conn) withdrawn(id string, why error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for q, a := range c.questions {
		if id == "" || q == id {
			a.stop(why)
			delete(c.questions, q)
		}
	}
}

// orphan ends the questions that came while no other requests of ours were open than those that were
// given up by now, this one last. They are answered, with an error: a server may not notice by itself.
func (c *Conn) orphan(call string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, a := range c.questions {
		if !a.calls[call] {
			continue
		}
		if delete(a.calls, call); len(a.calls) == 0 {
			a.stop(ErrCallOver)
		}
	}
}

// respond sends the answer to a request of the server.
func (c *Conn) respond(id string, r Reply) {
	line := append(append([]byte(`{"jsonrpc":"2.0","id":`), id...), ',')
	if r.Result != nil {
		line = append(append(line, `"result":`...), r.Result...)
	} else {
		line = appendInt(append(line, `"error":{"code":`...), r.Code)
		line = append(AppendQuote(append(line, `,"message":`...), r.Reason), '}')
	}
	_ = c.enqueue(append(oneLine(line), '}', '\n'), nil) // the server has gone: nobody waits for the answer
}

// The modes of elicitation (client/elicitation); none is the form.
const (
	ModeForm = "form"
	ModeURL  = "url"
)

// Unserved says why a question is not answered, and the code of the error for it: only what was offered
// is, and of elicitation and sampling only the parts that were. why is empty for what is answered.
func (id Identity) Unserved(q Question) (code int, why string) {
	name := map[string]string{MethodElicit: "elicitation", MethodSample: "sampling", MethodRoots: "roots"}[q.Method]
	offered := Get(id.capabilities(), name)
	if name == "" || offered == nil || id.Answer == nil {
		return CodeMethodNotFound, "this client does not serve " + q.Method
	}
	has := func(part string) bool { return Get(offered, part) != nil }
	switch q.Method {
	case MethodElicit:
		mode := GetText(q.Params, "mode")
		raw := Get(q.Params, "mode")
		form := has(ModeForm) || !has(ModeURL) // an empty object offers forms, as before there were modes
		if (raw == nil || mode == ModeForm) && form || mode == ModeURL && has(ModeURL) {
			return 0, ""
		}
		if raw == nil {
			raw = []byte(`"` + ModeForm + `"`)
		}
		return CodeInvalidParams, "mode " + Excerpt(raw) + " of elicitation was not offered"
	case MethodSample:
		for _, part := range []string{"tools", "toolChoice"} {
			if Get(q.Params, part) != nil && !has("tools") {
				return CodeInvalidParams, "sampling with " + part + " was not offered"
			}
		}
	}
	return 0, ""
}

// CodeURLRequired answers a request that can be served once the person has opened an address (2025-11-25).
const CodeURLRequired = -32042

// Addresses are what a request was refused for with CodeURLRequired, as questions of mode url; asks is false
// for any other answer. There are none where the error names none.
func Addresses(a Answer) (questions []Question, asks bool) {
	if a.Kind != KindError {
		return nil, false
	}
	rpc := NewRPCError(a.Raw(a.Error))
	if rpc.CodeRaw != strconv.Itoa(CodeURLRequired) {
		return nil, false
	}
	for entry := range Elements(Get(rpc.Data, "elicitations")) {
		if mode := Get(entry, "mode"); GetText(entry, "url") == "" || mode != nil && GetText(entry, "mode") != ModeURL {
			continue
		}
		if Get(entry, "mode") == nil { // it can mean nothing else
			entry = append([]byte(`{"mode":"`+ModeURL+`",`), entry[1:]...)
		}
		questions = append(questions, Question{Method: MethodElicit, Params: bytes.Clone(entry), Key: GetText(entry, "elicitationId"), ID: a.RequestID, Refused: true})
	}
	return questions, true
}

// InputRequired reports whether a result asks for input before it is complete, and what for. Questions
// keep the order in which the server wrote them.
func InputRequired(result []byte) (questions []Question, asks bool) {
	if GetText(result, "resultType") != "input_required" {
		return nil, false
	}
	return Questions(result), true
}

// Questions are the inputRequests of a result, or of a task.
func Questions(raw []byte) (questions []Question) {
	for name, entry := range Members(Get(raw, "inputRequests")) {
		key, _ := Text(name)
		questions = append(questions, Question{Method: GetText(entry, "method"), Params: Get(entry, "params"), Key: key})
	}
	return questions
}

// Again is a request repeated with the answers to what its result asked for: the same params, the newest
// state as the server wrote it. answers are raw members, key by key.
func Again(r Request, result []byte, keys []string, answers [][]byte) Request {
	params := []byte{'{'}
	add := func(name, value []byte) {
		if len(params) > 1 {
			params = append(params, ',')
		}
		params = append(append(append(params, name...), ':'), value...)
	}
	for name, value := range Members(r.Params) {
		if !nameIs(name, "inputResponses") && !nameIs(name, "requestState") {
			add(name, value)
		}
	}
	if len(keys) > 0 {
		all := []byte{'{'}
		for i, key := range keys {
			if i > 0 {
				all = append(all, ',')
			}
			all = append(append(AppendQuote(all, key), ':'), answers[i]...)
		}
		add([]byte(`"inputResponses"`), append(all, '}'))
	}
	if state := Get(result, "requestState"); state != nil {
		add([]byte(`"requestState"`), state)
	}
	r.Params = append(params, '}')
	return r
}
