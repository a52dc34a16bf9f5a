package rpc

import (
	"bytes"
	"encoding/json"
	"io"
	"sync"
)

// Object is a JSON object that keeps the order of its members.
type Object []Member

// Member is one member of an Object.
type Member struct {
	Key   string
	Value any
}

// Obj makes an Object of alternating keys and values.
func Obj(pairs ...any) Object {
	o := make(Object, 0, len(pairs)/2)
	for i := 0; i+1 < len(pairs); i += 2 {
		o = append(o, Member{pairs[i].(string), pairs[i+1]})
	}
	return o
}

// With is o and one more member.
func (o Object) With(key string, value any) Object {
	return append(o[:len(o):len(o)], Member{key, value})
}

// MarshalJSON writes the members in their order.
func (o Object) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for i, m := range o {
		if i > 0 {
			b = append(b, ',')
		}
		value, err := Encode(m.Value)
		if err != nil {
			return nil, err
		}
		key, err := Encode(m.Key)
		if err != nil {
			return nil, err
		}
		b = append(append(append(b, key...), ':'), value...)
	}
	return append(b, '}'), nil
}

// Encode is json.Marshal that leaves <, > and & alone.
func Encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// Writer writes whole lines, one write each, whoever calls: lines of concurrent calls never mix.
type Writer struct {
	mu  sync.Mutex
	out io.Writer
}

// NewWriter writes to out.
func NewWriter(out io.Writer) *Writer { return &Writer{out: out} }

// Raw writes b as it is.
func (w *Writer) Raw(b []byte) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	_, err := w.out.Write(b)
	return err
}

// Send writes one message and its newline.
func (w *Writer) Send(message any) error {
	b, err := Encode(message)
	if err != nil {
		return err
	}
	return w.Raw(append(b, '\n'))
}

// Result is the message that answers a request.
func Result(id json.RawMessage, result any) Object {
	return Obj("jsonrpc", "2.0", "id", id, "result", result)
}

// Failure is the message that refuses a request. Without an id it has none, as MCP wants it for
// what could not be read (2025-11-25/schema.ts).
func Failure(id json.RawMessage, e *Error) Object {
	if id == nil {
		return Obj("jsonrpc", "2.0", "error", e)
	}
	return Obj("jsonrpc", "2.0", "id", id, "error", e)
}

// Request is a message of the server's own that wants an answer.
func Request(id, method string, params any) Object {
	return Obj("jsonrpc", "2.0", "id", id, "method", method, "params", params)
}

// Notification is a message that wants none.
func Notification(method string, params any) Object {
	return Obj("jsonrpc", "2.0", "method", method, "params", params)
}
