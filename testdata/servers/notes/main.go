// Command notes is a server of the handshake era with tools, resources and prompts over a few notes.
// It speaks three revisions, skips lines that it cannot parse and says so on stderr, and has two
// error codes of its own: -32001 for what its policy forbids and -32002 for too many calls.
//
//	notes [-burst N]    N calls of summarize until -32002
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"

	"example.com/mcpinspect/client/demo/rpc"
)

const maxLine = 16 << 20

// The codes of this server's own.
const (
	accessDenied = -32001
	rateLimited  = -32002
)

// revisions are those that are spoken, newest first.
func revisions() []string { return []string{"2025-06-18", "2025-03-26", "2024-11-05"} }

type server struct {
	notes *notes
	left  int // calls of summarize before the bucket is empty
}

func main() {
	burst := flag.Int("burst", 3, "calls of summarize before they are refused")
	flag.Parse()
	s := &server{notes: someNotes(), left: *burst}
	lines, out := rpc.NewReader(os.Stdin, maxLine), rpc.NewWriter(os.Stdout)
	for {
		line, err := lines.Next()
		if errors.Is(err, rpc.ErrTooLong) {
			fmt.Fprintln(os.Stderr, "notes: skipped a line that is too long")
			continue
		}
		if err != nil {
			return
		}
		m, fault := rpc.Parse(line)
		if fault != nil && fault.Code == rpc.ParseError {
			fmt.Fprintf(os.Stderr, "notes: skipped a line that is no JSON: %.80q\n", line)
			continue
		}
		var result any
		if fault == nil {
			if !m.IsRequest() {
				continue
			}
			result, fault = s.answer(m.Method, rpc.Members(m.Params))
		}
		if fault != nil {
			err = out.Send(rpc.Failure(m.ID, fault))
		} else {
			err = out.Send(rpc.Result(m.ID, result))
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "notes:", err)
			os.Exit(1)
		}
	}
}

func (s *server) answer(method string, params map[string]json.RawMessage) (any, *rpc.Error) {
	none := rpc.Object{}
	switch method {
	case "initialize":
		version, _ := rpc.Text(params["protocolVersion"])
		if !slices.Contains(revisions(), version) {
			version = revisions()[0] // the client decides whether it can go on
		}
		return rpc.Obj("protocolVersion", version, "capabilities", rpc.Obj("tools", none, "resources", none, "prompts", none),
			"serverInfo", rpc.Obj("name", "notes", "version", "0.3.0"), "instructions", "Notes to read, to add to and to summarize."), nil
	case "ping":
		return none, nil
	case "tools/list":
		var list []rpc.Object
		for _, t := range tools() {
			if !t.forbidden {
				list = append(list, rpc.Obj("name", t.name, "description", t.about, "inputSchema", json.RawMessage(t.schema)))
			}
		}
		return rpc.Obj("tools", list), nil
	case "tools/call":
		return s.call(params)
	case "resources/list":
		return rpc.Obj("resources", s.notes.resources()), nil
	case "resources/read":
		return s.notes.read(params)
	case "prompts/list":
		return rpc.Obj("prompts", json.RawMessage(prompts)), nil
	case "prompts/get":
		return prompt(params)
	}
	return nil, notFound("method", method)
}

// notFound is one code for unknown methods, tools, resources and prompts.
func notFound(kind, name string) *rpc.Error {
	return &rpc.Error{Code: rpc.MethodNotFound, Message: fmt.Sprintf("%s not found: %s", kind, name)}
}
