package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"
)

type message struct {
	raw    []byte
	method string
	id     json.RawMessage // nil when absent
	tree   any
	isResp bool
	hdr    http.Header
}

func parseMessage(b []byte) (*message, error) {
	m := &message{raw: b}
	dec := json.NewDecoder(bytes.NewReader(b))
	dec.UseNumber()
	if err := dec.Decode(&m.tree); err != nil {
		return m, err
	}
	if dec.More() {
		return m, errors.New("more than one JSON value on the line")
	}
	o, ok := m.tree.(map[string]any)
	if !ok {
		return m, errors.New("not a JSON object")
	}
	var env struct {
		ID     json.RawMessage `json:"id"`
		Method *string         `json:"method"`
		Result json.RawMessage `json:"result"`
		Error  json.RawMessage `json:"error"`
	}
	if err := json.Unmarshal(b, &env); err != nil {
		return m, err
	}
	if _, ok := o["id"]; ok {
		m.id = env.ID
		if m.id == nil {
			m.id = json.RawMessage("null")
		}
	}
	if env.Method != nil {
		m.method = *env.Method
	} else if env.Result != nil || env.Error != nil {
		m.isResp = true
		m.method = "response"
	}
	return m, nil
}

// get walks a dotted path; a segment may hold dots when written in [brackets].
func get(v any, path string) (any, bool) {
	for path != "" {
		var seg string
		if path[0] == '[' {
			end := strings.IndexByte(path, ']')
			if end < 0 {
				return nil, false
			}
			seg, path = path[1:end], strings.TrimPrefix(path[end+1:], ".")
		} else {
			n := strings.IndexAny(path, ".[")
			if n < 0 {
				seg, path = path, ""
			} else {
				seg = path[:n]
				path = path[n:]
				path = strings.TrimPrefix(path, ".")
			}
		}
		switch t := v.(type) {
		case map[string]any:
			x, ok := t[seg]
			if !ok {
				return nil, false
			}
			v = x
		case []any:
			i, err := strconv.Atoi(seg)
			if err != nil || i < 0 || i >= len(t) {
				return nil, false
			}
			v = t[i]
		default:
			return nil, false
		}
	}
	return v, true
}
