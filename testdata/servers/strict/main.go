// Command strict is a server that holds its client to the handshake: nothing but ping before
// notifications/initialized, which must be a notification, and not one malformed line. A client that
// sends notifications/initialized as a request never gets beyond it.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"

	"example.com/mcpinspect/client/demo/rpc"
)

const maxLine = 1 << 20

// tooEarly is the code that servers on older kits answer with before the handshake is done. It is
// none of the defined ones.
const tooEarly = 0

// revisions are those that are spoken, newest first.
func revisions() []string { return []string{"2025-06-18", "2024-11-05"} }

const tools = `[{"name":"reverse","description":"Turns a text around","inputSchema":` + textSchema + `},` +
	`{"name":"count","description":"Counts the words of a text","inputSchema":` + textSchema + `}]`

const textSchema = `{"type":"object","properties":{"text":{"type":"string"}},"required":["text"],"additionalProperties":false}`

// The steps of the handshake.
const (
	fresh = iota
	answered
	ready
)

type server struct{ step int }

func main() {
	s := &server{}
	lines, out := rpc.NewReader(os.Stdin, maxLine), rpc.NewWriter(os.Stdout)
	for {
		line, err := lines.Next()
		if err == rpc.ErrTooLong {
			giveUp("a line is too long")
		}
		if err != nil {
			return
		}
		m, fault := rpc.Parse(line)
		switch {
		case fault != nil && fault.Code == rpc.ParseError:
			giveUp("malformed line: %.80q", line)
		case fault != nil && m.ID == nil:
			giveUp("%s: %.80q", fault.Message, line)
		case fault != nil:
			out.Send(rpc.Failure(m.ID, fault))
		case m.IsNotification():
			if m.Method == "notifications/initialized" && s.step == answered {
				s.step = ready
			}
		case m.IsRequest():
			result, fault := s.answer(m.Method, rpc.Members(m.Params))
			if fault != nil {
				out.Send(rpc.Failure(m.ID, fault))
			} else {
				out.Send(rpc.Result(m.ID, result))
			}
		}
	}
}

func giveUp(format string, a ...any) {
	fmt.Fprintf(os.Stderr, "strict: fatal: "+format+"\n", a...)
	os.Exit(1)
}

func (s *server) answer(method string, params map[string]json.RawMessage) (rpc.Object, *rpc.Error) {
	switch {
	case method == "ping":
		return rpc.Object{}, nil
	case strings.HasPrefix(method, "notifications/"):
		return nil, &rpc.Error{Code: rpc.InvalidRequest, Message: fmt.Sprintf("%q is a notification and must not have an id", method)}
	case method == "initialize":
		return s.initialize(params)
	case s.step != ready:
		return nil, &rpc.Error{Code: tooEarly, Message: fmt.Sprintf("method %q is invalid during session initialization", method)}
	case method == "tools/list":
		return rpc.Obj("tools", json.RawMessage(tools)), nil
	case method == "tools/call":
		return call(params)
	}
	return nil, &rpc.Error{Code: rpc.MethodNotFound, Message: "Method not found: " + method}
}

func (s *server) initialize(params map[string]json.RawMessage) (rpc.Object, *rpc.Error) {
	if s.step != fresh {
		return nil, &rpc.Error{Code: rpc.InvalidRequest, Message: "initialize was sent before"}
	}
	for _, key := range []string{"protocolVersion", "capabilities", "clientInfo"} {
		if params[key] == nil {
			return nil, &rpc.Error{Code: rpc.InvalidParams, Message: "initialize lacks " + key}
		}
	}
	version, _ := rpc.Text(params["protocolVersion"])
	if !slices.Contains(revisions(), version) {
		version = revisions()[0]
	}
	s.step = answered
	return rpc.Obj("protocolVersion", version, "capabilities", rpc.Obj("tools", rpc.Object{}),
		"serverInfo", rpc.Obj("name", "strict", "version", "1.0.0")), nil
}

func call(params map[string]json.RawMessage) (rpc.Object, *rpc.Error) {
	name, _ := rpc.Text(params["name"])
	if name != "reverse" && name != "count" {
		return nil, &rpc.Error{Code: rpc.InvalidParams, Message: "Unknown tool: " + name}
	}
	arguments, has := params["arguments"]
	if !has {
		arguments = json.RawMessage("{}")
	}
	if problems := rpc.Problems(json.RawMessage(textSchema), arguments); problems != nil {
		return nil, &rpc.Error{Code: rpc.InvalidParams, Message: strings.Join(problems, "; ")}
	}
	text, _ := rpc.Text(rpc.Members(arguments)["text"])
	if name == "count" {
		text = fmt.Sprint(len(strings.Fields(text)))
	} else {
		letters := []rune(text)
		slices.Reverse(letters)
		text = string(letters)
	}
	return rpc.Obj("content", []rpc.Object{rpc.Obj("type", "text", "text", text)}), nil
}
