package demo

import (
	"encoding/json"
	"fmt"

	"example.com/mcpinspect/client/demo/rpc"
)

// askKey and askState are what the tool ask gives the client to bring back (2026-07-28, basic/patterns/mrtr).
const (
	askKey   = "order"
	askState = "ZGVtby1hc2stcm91bmQtMQ=="
)

const askMessage = "What may we brew for you?"

// askForm is flat and of primitives, as elicitation wants it. It says nothing that 2025-06-18 does
// not know yet.
const askForm = `{"type":"object","properties":{` +
	`"drink":{"type":"string","title":"Drink","enum":["tea","coffee","water"],"enumNames":["Tea","Coffee","Just water"]},` +
	`"cups":{"type":"integer","title":"Cups","minimum":1,"maximum":6},` +
	`"name":{"type":"string","title":"Your name","description":"to call out when it is ready","minLength":1,"maxLength":40},` +
	`"email":{"type":"string","title":"Receipt to","format":"email"},` +
	`"sugar":{"type":"boolean","title":"With sugar","default":false}},"required":["drink","name"]}`

func askingTools() []tool {
	return []tool{{
		name: "ask", title: "Asks you back", hints: hintReads,
		about: "Cannot go on without an answer from you, and asks for it (elicitation).",
		input: noArguments,
		run: func(c *call, _ arguments) (rpc.Object, *rpc.Error) {
			form, declared := c.client["elicitation"]
			modes := rpc.Members(form)
			_, onlyURL := modes["url"]
			if _, both := modes["form"]; both {
				onlyURL = false
			}
			switch {
			case !c.since(rev2506):
				return failed("This tool would ask you something, but revision " + c.revision + " has no way to ask."), nil
			case !declared || onlyURL:
				return failed("This tool would ask you something, but the client did not say that it can show a form (capability elicitation)."), nil
			case c.modern():
				return c.askByResult()
			default:
				return c.askByRequest()
			}
		},
	}}
}

// askByResult is the stateless way: the question is a result, the answer comes with the same call again.
func (c *call) askByResult() (rpc.Object, *rpc.Error) {
	responses, state := rpc.Members(c.params["inputResponses"]), c.params["requestState"]
	if responses == nil || responses[askKey] == nil {
		question := rpc.Obj("method", "elicitation/create", "params",
			rpc.Obj("mode", "form", "message", askMessage, "requestedSchema", json.RawMessage(askForm)))
		return rpc.Obj("resultType", "input_required", "inputRequests", rpc.Obj(askKey, question), "requestState", askState), nil
	}
	if text, _ := rpc.Text(state); text != askState {
		return nil, invalid("requestState is not the one that this tool gave out")
	}
	return poured(responses[askKey])
}

// askByRequest is the way of 2025-06-18 and 2025-11-25: a request of the server's own.
func (c *call) askByRequest() (rpc.Object, *rpc.Error) {
	s := c.server
	answer := make(chan rpc.Message, 1)
	s.mu.Lock()
	s.asks++
	id := fmt.Sprintf("demo-%d", s.asks)
	s.asked[id] = answer
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		delete(s.asked, id)
		s.mu.Unlock()
	}()
	c.send(rpc.Request(id, "elicitation/create", rpc.Obj("message", askMessage, "requestedSchema", json.RawMessage(askForm))))
	select {
	case m := <-answer:
		if m.Error != nil {
			reason, _ := rpc.Text(rpc.Members(m.Error)["message"])
			return failed("The client could not ask you: " + reason), nil
		}
		return poured(m.Result)
	case <-c.ctx.Done():
		if s.ctx.Err() == nil { // the client gave the call up: it need not ask any longer
			s.send(rpc.Notification("notifications/cancelled", rpc.Obj("requestId", id, "reason", "the call was cancelled")))
		}
		return failed("cancelled"), nil
	}
}

// answered gives the client's answer to the call that waits for it.
func (s *server) answered(m rpc.Message) {
	id, _ := rpc.Text(m.ID)
	s.mu.Lock()
	waiting := s.asked[id]
	delete(s.asked, id)
	s.mu.Unlock()
	if waiting == nil {
		s.note("nobody waits for an answer to the request %s", m.ID)
		return
	}
	waiting <- m
}

// poured is what ask says to the filled form.
func poured(answer json.RawMessage) (rpc.Object, *rpc.Error) {
	members := rpc.Members(answer)
	action, _ := rpc.Text(members["action"])
	switch action {
	case "decline":
		return said("Nothing then. You declined."), nil
	case "cancel":
		return said("Nothing yet. You closed the form."), nil
	case "accept":
	default:
		return nil, invalid("the answer needs an action: accept, decline or cancel")
	}
	content := members["content"]
	if content == nil {
		content = json.RawMessage("{}")
	}
	if problems := rpc.Problems(json.RawMessage(askForm), content); problems != nil {
		text := "The form does not fit:"
		for _, p := range problems {
			text += "\n" + p
		}
		return failed(text), nil
	}
	a := arguments{content, rpc.Members(content)}
	text := fmt.Sprintf("%d × %s for %s", a.number("cups", 1), a.text("drink", ""), a.text("name", ""))
	if a.flag("sugar") {
		text += ", with sugar"
	}
	return said(text), nil
}
