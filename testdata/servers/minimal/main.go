// Command minimal is the smallest server of revision 2026-07-28 worth testing against: two tools and
// a third with a schema that refuses what it does not know. It keeps nothing between requests.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"example.com/mcpinspect/client/demo/rpc"
)

const (
	revision = "2026-07-28"
	maxLine  = 16 << 20
)

const addSchema = `{"type":"object","properties":{"a":{"type":"number"},"b":{"type":"number"}},"required":["a","b"]}`

const weatherSchema = `{"type":"object","properties":{"location":{"type":"string"},"days":{"type":"integer"},` +
	`"units":{"type":"string","enum":["c","f"]}},"required":["location"],"additionalProperties":false}`

const tools = `[{"name":"add","description":"Adds two numbers","inputSchema":` + addSchema + `},` +
	`{"name":"boom","description":"Always fails","inputSchema":{"type":"object"}},` +
	`{"name":"weather","description":"Says what the weather will be","inputSchema":` + weatherSchema + `}]`

func main() {
	lines, out := rpc.NewReader(os.Stdin, maxLine), rpc.NewWriter(os.Stdout)
	for {
		line, err := lines.Next()
		var fault *rpc.Error
		var m rpc.Message
		switch {
		case errors.Is(err, rpc.ErrTooLong):
			fault = &rpc.Error{Code: rpc.ParseError, Message: err.Error()}
		case err != nil:
			return // the end of the input is the end of the server
		default:
			m, fault = rpc.Parse(line)
		}
		var result rpc.Object
		if fault == nil {
			if !m.IsRequest() {
				continue
			}
			result, fault = answer(m)
		}
		if fault != nil {
			err = out.Send(rpc.Failure(m.ID, fault))
		} else {
			err = out.Send(rpc.Result(m.ID, result))
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "minimal:", err)
			os.Exit(1)
		}
	}
}

// answer judges every request on its own.
func answer(m rpc.Message) (rpc.Object, *rpc.Error) {
	if m.Method == "initialize" {
		requested, _ := rpc.Text(rpc.Members(m.Params)["protocolVersion"])
		return nil, rpc.Unsupported(requested, revision)
	}
	if fault := rpc.CheckMeta(rpc.Meta(m.Params), revision); fault != nil {
		return nil, fault
	}
	switch m.Method {
	case "server/discover":
		return complete(rpc.Obj("supportedVersions", []string{revision}, "capabilities", rpc.Obj("tools", rpc.Object{}),
			"ttlMs", 300_000, "cacheScope", "public")), nil
	case "tools/list":
		return complete(rpc.Obj("tools", json.RawMessage(tools), "ttlMs", 300_000, "cacheScope", "public")), nil
	case "tools/call":
		return call(rpc.Members(m.Params))
	}
	return nil, &rpc.Error{Code: rpc.MethodNotFound, Message: "Method not found"}
}

func call(params map[string]json.RawMessage) (rpc.Object, *rpc.Error) {
	name, _ := rpc.Text(params["name"])
	arguments, has := params["arguments"]
	if !has {
		arguments = json.RawMessage("{}")
	}
	switch name {
	case "add":
		if problems := rpc.Problems(json.RawMessage(addSchema), arguments); problems != nil {
			return text(strings.Join(problems, "\n"), true), nil
		}
		var n struct{ A, B float64 }
		if err := json.Unmarshal(arguments, &n); err != nil {
			return text(err.Error(), true), nil
		}
		return text(fmt.Sprint(n.A+n.B), false), nil
	case "boom":
		return text("city not found", true), nil
	case "weather":
		if problems := rpc.Problems(json.RawMessage(weatherSchema), arguments); problems != nil {
			return text(strings.Join(problems, "\n"), true), nil
		}
		location, _ := rpc.Text(rpc.Members(arguments)["location"])
		return text("sunny in "+location, false), nil
	}
	return nil, &rpc.Error{Code: rpc.InvalidParams, Message: "Unknown tool: " + name}
}

func text(s string, isError bool) rpc.Object {
	return complete(rpc.Obj("content", []rpc.Object{rpc.Obj("type", "text", "text", s)}, "isError", isError))
}

func complete(o rpc.Object) rpc.Object {
	whole := append(rpc.Obj("resultType", "complete"), o...)
	return whole.With("_meta", rpc.Obj(rpc.KeyServer, rpc.Obj("name", "minimal", "version", "1.0.0")))
}
