package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"example.com/mcpinspect/client/demo/rpc"
)

// retryAfter is when the bucket has a token again, in seconds. It never has here, so that tests need
// not wait.
const retryAfter = 30

type tool struct {
	name, about, schema string
	forbidden           bool // by policy: not listed, refused when called
	run                 func(s *server, arguments map[string]json.RawMessage) (string, error)
}

const oneID = `{"type":"object","properties":{"id":{"type":"string","description":"which note"}},"required":["id"]}`

func tools() []tool {
	return []tool{
		{name: "list_notes", about: "List the notes", schema: `{"type":"object","properties":{}}`,
			run: func(s *server, _ map[string]json.RawMessage) (string, error) {
				var lines []string
				for _, x := range s.notes.list {
					lines = append(lines, x.id+" "+x.title)
				}
				return strings.Join(lines, "\n"), nil
			}},
		{name: "read_note", about: "Read a note", schema: oneID,
			run: func(s *server, arguments map[string]json.RawMessage) (string, error) {
				x, err := s.wanted(arguments)
				return x.text(), err
			}},
		{name: "add_note", about: "Add a note",
			schema: `{"type":"object","properties":{"title":{"type":"string"},"body":{"type":"string"},"pinned":{"type":"boolean"},"tags":{"type":"array","items":{"type":"string"}}},"required":["title","body"]}`,
			run: func(s *server, arguments map[string]json.RawMessage) (string, error) {
				title, _ := rpc.Text(arguments["title"])
				body, _ := rpc.Text(arguments["body"])
				id := fmt.Sprint(len(s.notes.list) + 1)
				s.notes.list = append(s.notes.list, note{id, title, body})
				return "added notes://" + id, nil
			}},
		{name: "summarize", about: "Summarize a note; only a few times", schema: oneID,
			run: func(s *server, arguments map[string]json.RawMessage) (string, error) {
				x, err := s.wanted(arguments)
				return fmt.Sprintf("%s: %d characters", x.title, len(x.text())), err
			}},
		{name: "delete_note", about: "Delete a note", schema: oneID, forbidden: true},
	}
}

func (s *server) wanted(arguments map[string]json.RawMessage) (note, error) {
	id, _ := rpc.Text(arguments["id"])
	x, has := s.notes.find(id)
	if !has {
		return note{body: ""}, fmt.Errorf("no note with the id '%s'", id)
	}
	return x, nil
}

// call refuses with an error what could not be called, and answers with isError what was called and failed.
func (s *server) call(params map[string]json.RawMessage) (any, *rpc.Error) {
	name, _ := rpc.Text(params["name"])
	for _, t := range tools() {
		if t.name != name {
			continue
		}
		if t.forbidden {
			return nil, &rpc.Error{Code: accessDenied, Message: "access denied: " + name}
		}
		arguments, has := params["arguments"]
		if !has {
			arguments = json.RawMessage("{}")
		}
		if problems := rpc.Problems(json.RawMessage(t.schema), arguments); problems != nil {
			return nil, &rpc.Error{Code: rpc.InvalidParams, Message: "invalid arguments: " + strings.Join(problems, "; ")}
		}
		if name == "summarize" {
			if s.left == 0 {
				return nil, &rpc.Error{Code: rateLimited, Message: "rate limited", Data: rpc.Obj("retry_after_seconds", retryAfter)}
			}
			s.left--
		}
		text, err := t.run(s, rpc.Members(arguments))
		result := rpc.Obj("content", []rpc.Object{rpc.Obj("type", "text", "text", text)})
		if err != nil {
			result = rpc.Obj("content", []rpc.Object{rpc.Obj("type", "text", "text", err.Error())}, "isError", true)
		}
		return result, nil
	}
	return nil, notFound("tool", name)
}
