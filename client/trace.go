package client

import (
	"crypto/rand"
	"encoding/hex"
)

// MetaTraceparent is the key of the W3C trace context in _meta (basic/index, 2026-07-28; no earlier
// revision forbids it).
const MetaTraceparent = "traceparent"

// Trace makes the traceparent of each request of one run: one trace, a span a request.
type Trace struct{ id [16]byte }

// NewTrace begins a trace.
func NewTrace() *Trace {
	t := &Trace{}
	rand.Read(t.id[:])
	return t
}

// Span is the traceparent of the next request, sampled: 00-<trace>-<span>-01.
func (t *Trace) Span() string {
	var span [8]byte
	rand.Read(span[:])
	return "00-" + hex.EncodeToString(t.id[:]) + "-" + hex.EncodeToString(span[:]) + "-01"
}
