// Package rpc is a small server's side of JSON-RPC 2.0 over lines: it reads what a client wrote, and
// writes whole lines. It is for the built-in demo server and the test servers; the inspector's own
// wire, which has to survive and to show everything, is package client.
package rpc

import (
	"bytes"
	"encoding/json"
)

// The codes of JSON-RPC 2.0 and of MCP (2026-07-28/schema.ts).
const (
	ParseError         = -32700
	InvalidRequest     = -32600
	MethodNotFound     = -32601
	InvalidParams      = -32602
	InternalError      = -32603
	ResourceNotFound   = -32002 // up to 2025-11-25; InvalidParams after it
	UnsupportedVersion = -32022 // 2026-07-28
)

// Error is the error member of an answer.
type Error struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
	Data    any    `json:"data,omitempty"`
}

func (e *Error) Error() string { return e.Message }

// Message is one thing that the client wrote. Members that are absent are nil; those that are null
// hold the four bytes null.
type Message struct {
	ID     json.RawMessage // as it was written: 7, "7"
	Method string
	Params json.RawMessage // an object or nil
	Result json.RawMessage
	Error  json.RawMessage
}

// IsRequest says whether m wants an answer.
func (m Message) IsRequest() bool { return m.Method != "" && m.ID != nil }

// IsNotification says whether m has a method and must not be answered.
func (m Message) IsNotification() bool { return m.Method != "" && m.ID == nil }

// IsResponse says whether m answers a request of the server.
func (m Message) IsResponse() bool { return m.Method == "" }

// Parse reads one message. Keys are matched exactly, unlike encoding/json does for a struct. With an
// error the message holds the id if that much could be read, for the answer.
func Parse(line []byte) (Message, *Error) {
	var m Message
	if !json.Valid(line) {
		return m, &Error{Code: ParseError, Message: "Parse error: the line is not JSON"}
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(line, &members) != nil || members == nil {
		return m, &Error{Code: InvalidRequest, Message: "Invalid request: a message is a JSON object"}
	}
	invalid := func(why string) (Message, *Error) {
		return m, &Error{Code: InvalidRequest, Message: "Invalid request: " + why}
	}
	if id, has := members["id"]; has {
		if !ValidID(id) {
			return invalid("an id is a string or an integer")
		}
		m.ID = id
	}
	if string(members["jsonrpc"]) != `"2.0"` {
		return invalid(`jsonrpc must be "2.0"`)
	}
	m.Result, m.Error = members["result"], members["error"]
	method, has := members["method"]
	if !has {
		if m.ID == nil || (m.Result == nil) == (m.Error == nil) {
			return invalid("neither a method nor one of result and error")
		}
		return m, nil
	}
	if json.Unmarshal(method, &m.Method) != nil || m.Method == "" {
		m.Method = ""
		return invalid("the method must be a string")
	}
	if params, has := members["params"]; has {
		if params[0] != '{' {
			return invalid("params must be an object")
		}
		m.Params = params
	}
	return m, nil
}

// ValidID says whether id is a string or an integer, as ids and progress tokens are.
func ValidID(id json.RawMessage) bool {
	if len(id) > 0 && id[0] == '"' {
		return true
	}
	digits := bytes.TrimPrefix(id, []byte("-"))
	for _, c := range digits {
		if c < '0' || c > '9' {
			return false
		}
	}
	return len(digits) > 0
}

// Elements are the messages of a batch (2025-03-26), or nil when line is no array.
func Elements(line []byte) []json.RawMessage {
	line = bytes.TrimLeft(line, " \t\r\n")
	if len(line) == 0 || line[0] != '[' {
		return nil
	}
	var list []json.RawMessage
	if json.Unmarshal(line, &list) != nil {
		return nil
	}
	return list
}

// Members reads an object's members; nil for everything else.
func Members(object json.RawMessage) map[string]json.RawMessage {
	var members map[string]json.RawMessage
	if json.Unmarshal(object, &members) != nil {
		return nil
	}
	return members
}

// Text reads a JSON string; "" and false for everything else.
func Text(value json.RawMessage) (string, bool) {
	if len(value) == 0 || value[0] != '"' {
		return "", false
	}
	var s string
	err := json.Unmarshal(value, &s)
	return s, err == nil
}
