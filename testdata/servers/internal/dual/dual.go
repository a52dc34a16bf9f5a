// Package dual answers what every server has to answer, in 2026-07-28 and in 2025-06-18, for test
// servers whose point is one call.
package dual

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"

	"example.com/mcpinspect/client/demo/rpc"
)

const (
	modern  = "2026-07-28"
	legacy  = "2025-06-18"
	maxLine = 16 << 20
)

// Server is what one test server adds.
type Server struct {
	Name  string
	Tools string // JSON: the list of tools
	// Call answers tools/call: it writes whole lines to out, its answer last. With an error it must
	// not have written an answer.
	Call func(out *bufio.Writer, c Call) *rpc.Error
}

// Call is one call of a tool.
type Call struct {
	Name      string
	Arguments map[string]json.RawMessage
	// Before and After are the line of the answer around the text of its one block, which is written
	// between them as the inside of a JSON string. After ends the line.
	Before, After string
}

// Serve answers in to out, one message after the other, until in ends.
func (s Server) Serve(in io.Reader, out io.Writer) error {
	lines, held := rpc.NewReader(in, maxLine), bufio.NewWriterSize(out, 64<<10)
	initialized := false
	for {
		line, err := lines.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		m, fault := rpc.Parse(line)
		if fault == nil && !m.IsRequest() {
			continue
		}
		var result rpc.Object
		stateless := rpc.Meta(m.Params)[rpc.KeyVersion] != nil || !initialized
		switch {
		case fault != nil:
		case m.Method == "initialize":
			initialized = true
			result = rpc.Obj("protocolVersion", legacy, "capabilities", capabilities(), "serverInfo", s.identity())
		case m.Method == "ping" && !stateless:
			result = rpc.Object{}
		case stateless:
			if fault = rpc.CheckMeta(rpc.Meta(m.Params), modern); fault == nil {
				result, fault = s.answer(m, true, held)
			}
		default:
			result, fault = s.answer(m, false, held)
		}
		writer := rpc.NewWriter(held)
		switch {
		case fault != nil:
			err = writer.Send(rpc.Failure(m.ID, fault))
		case result != nil:
			err = writer.Send(rpc.Result(m.ID, result))
		}
		if err = errors.Join(err, held.Flush()); err != nil {
			return err
		}
	}
}

// answer is nil without an error when the call has written its own.
func (s Server) answer(m rpc.Message, stateless bool, held *bufio.Writer) (rpc.Object, *rpc.Error) {
	var result rpc.Object
	switch m.Method {
	case "server/discover":
		if !stateless {
			return nil, &rpc.Error{Code: rpc.MethodNotFound, Message: "Method not found: " + m.Method}
		}
		result = rpc.Obj("supportedVersions", []string{modern, legacy}, "capabilities", capabilities())
	case "tools/list":
		result = rpc.Obj("tools", json.RawMessage(s.Tools))
	case "tools/call":
		return nil, s.call(m, stateless, held)
	default:
		return nil, &rpc.Error{Code: rpc.MethodNotFound, Message: "Method not found: " + m.Method}
	}
	if stateless {
		result = append(rpc.Obj("resultType", "complete"), result...)
		result = append(result, rpc.Obj("ttlMs", 0, "cacheScope", "public", "_meta", s.meta())...)
	}
	return result, nil
}

func (s Server) call(m rpc.Message, stateless bool, held *bufio.Writer) *rpc.Error {
	params := rpc.Members(m.Params)
	name, _ := rpc.Text(params["name"])
	c := Call{Name: name, Arguments: rpc.Members(params["arguments"])}
	first, last := "", ""
	if stateless {
		meta, err := rpc.Encode(s.meta())
		if err != nil {
			return &rpc.Error{Code: rpc.InternalError, Message: err.Error()}
		}
		first, last = `"resultType":"complete",`, `,"_meta":`+string(meta)
	}
	c.Before = `{"jsonrpc":"2.0","id":` + string(m.ID) + `,"result":{` + first + `"content":[{"type":"text","text":"`
	c.After = `"}],"isError":false` + last + "}}\n"
	return s.Call(held, c)
}

func capabilities() rpc.Object { return rpc.Obj("tools", rpc.Object{}, "logging", rpc.Object{}) }

func (s Server) identity() rpc.Object { return rpc.Obj("name", s.Name, "version", "1.0.0") }

func (s Server) meta() rpc.Object { return rpc.Obj(rpc.KeyServer, s.identity()) }

// Number is an integer argument of at least zero; otherwise when it is not given.
func (c Call) Number(name string, otherwise int) (int, *rpc.Error) {
	raw, has := c.Arguments[name]
	if !has {
		return otherwise, nil
	}
	var n int
	if json.Unmarshal(raw, &n) != nil || n < 0 {
		return 0, &rpc.Error{Code: rpc.InvalidParams, Message: name + " must be an integer of 0 or more"}
	}
	return n, nil
}
