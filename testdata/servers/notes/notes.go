package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"example.com/mcpinspect/client/demo/rpc"
)

// note is a title and a body, which need not be text.
type note struct {
	id    string
	title string
	body  any
}

type notes struct{ list []note }

func someNotes() *notes {
	return &notes{[]note{
		{"1", "shopping", "milk\nbread\nink"},
		{"2", "ideas", "an inspector for servers"},
		{"3", "numbers", []float64{3, 1, 4, 1, 5}},
	}}
}

func (n *notes) find(id string) (note, bool) {
	i := slices.IndexFunc(n.list, func(x note) bool { return x.id == id })
	if i < 0 {
		return note{}, false
	}
	return n.list[i], true
}

// text is a body as text: what is no string is written as JSON.
func (x note) text() string {
	if s, is := x.body.(string); is {
		return s
	}
	b, err := rpc.Encode(x.body)
	if err != nil {
		return err.Error()
	}
	return string(b)
}

func (n *notes) resources() []rpc.Object {
	var list []rpc.Object
	for _, x := range n.list {
		mime := "text/plain"
		if _, is := x.body.(string); !is {
			mime = "application/json"
		}
		list = append(list, rpc.Obj("uri", "notes://"+x.id, "name", x.title, "mimeType", mime))
	}
	return list
}

func (n *notes) read(params map[string]json.RawMessage) (any, *rpc.Error) {
	uri, _ := rpc.Text(params["uri"])
	x, has := n.find(strings.TrimPrefix(uri, "notes://"))
	if !has {
		return nil, notFound("resource", uri)
	}
	return rpc.Obj("contents", []rpc.Object{rpc.Obj("uri", uri, "text", x.text())}), nil
}

const prompts = `[{"name":"review","description":"Look a note over","arguments":[{"name":"id","description":"which note","required":true}]}]`

func prompt(params map[string]json.RawMessage) (any, *rpc.Error) {
	name, _ := rpc.Text(params["name"])
	if name != "review" {
		return nil, notFound("prompt", name)
	}
	id, is := rpc.Text(rpc.Members(params["arguments"])["id"])
	if !is {
		return nil, &rpc.Error{Code: rpc.InvalidParams, Message: "missing required field: id"}
	}
	text := fmt.Sprintf("Read the note notes://%s and say what is missing in it.", id)
	return rpc.Obj("messages", []rpc.Object{rpc.Obj("role", "user", "content", rpc.Obj("type", "text", "text", text))}), nil
}
