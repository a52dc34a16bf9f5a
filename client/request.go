package client

import (
	"fmt"
	"strconv"
	"time"
)

// Request is one request to send.
type Request struct {
	Method    string
	Params    []byte    // raw JSON, nil for none; sent token for token, with _meta merged in
	Meta      []MetaKey // overrides of _meta
	Bare      bool      // add no _meta at all
	Unchecked bool      // send it also where a client has to refuse; see HeaderError
	Limits    Limits
	// Progress is told of every progress notification of this request, on the reading goroutine.
	Progress func(params []byte)
	// Sent is told the id before the request can be answered.
	Sent func(id string)
}

// Limits end a request that is not answered. Zero means no limit.
type Limits struct {
	Idle time.Duration // without an answer or progress
	Max  time.Duration // whatever comes
	// Quiet ends nothing: after so long without an answer or progress it is noted what is known of why.
	Quiet time.Duration
}

// Answer is what came back for a request.
type Answer struct {
	Incoming
	RequestID string
	Latency   time.Duration
	Match     Match
}

// Match is why an answer was given to a request.
type Match uint8

const (
	MatchExact      Match = iota
	MatchType             // the id differs in JSON type or spelling only
	MatchAttributed       // an error without id, while one request was open
)

// IsError reports whether it is an error response.
func (a *Answer) IsError() bool { return a.Kind == KindError }

// ResultRaw is the result as sent.
func (a *Answer) ResultRaw() []byte { return a.Raw(a.Result) }

// Err is the error response as an error; nil for a result.
func (a *Answer) Err() error {
	if !a.IsError() {
		return nil
	}
	return NewRPCError(a.Raw(a.Error))
}

// RPCError is an error response as the server sent it, of whatever shape; without Raw it is an
// answer that has neither result nor error.
type RPCError struct {
	Raw     []byte // the whole error member
	Code    int64
	CodeRaw string // the code as written; empty when there is none
	Message string
	Data    []byte
}

// NewRPCError reads an error member leniently: it may be absent, no object, or lack members.
func NewRPCError(raw []byte) *RPCError {
	e := &RPCError{Raw: raw, Message: GetText(raw, "message"), Data: Get(raw, "data")}
	if s, ok := Text(raw); ok {
		e.Message = s
	} else if len(raw) == 0 {
		e.Message = "the answer has neither result nor error"
	} else if raw[0] != '{' {
		e.Message = "the error is no object but " + Excerpt(raw)
	}
	e.CodeRaw = string(Get(raw, "code"))
	e.Code, _ = strconv.ParseInt(e.CodeRaw, 10, 64)
	return e
}

func (e *RPCError) Error() string {
	message := e.Message
	if len(e.Raw) == 0 {
		return message
	}
	if message == "" {
		message = "no message given"
	}
	if e.CodeRaw == "" {
		return "the server answered with an error: " + message
	}
	return fmt.Sprintf("the server answered with error %s: %s", e.CodeRaw, message)
}

// TimeoutError is a request given up by us; the server never said anything of it.
type TimeoutError struct {
	Method, ID string
	Limits     Limits
	Total      bool // the total limit ended it, not the idle one
	Waited     time.Duration
	Facts      []string // what is known of why, one sentence each
}

func (e *TimeoutError) Error() string {
	if e.Total {
		return fmt.Sprintf("%s (id %s) was given up after %v in total, although progress still came (idle limit %v, total limit %v)", e.Method, e.ID, e.Limits.Max, e.Limits.Idle, e.Limits.Max)
	}
	return fmt.Sprintf("%s (id %s) got no answer within %v", e.Method, e.ID, e.Limits.Idle)
}

// ClosedError is a request that can no longer be answered: the server has gone, or its stdout has.
type ClosedError struct {
	Method, ID string
	Exit       *Exit // nil while the process still runs
	Err        error // why the connection is unusable, when it is not the exit
	Unsent     bool  // the request was not even sent: it had ended before
}

func (e *ClosedError) Error() string {
	what := "the connection ended"
	switch {
	case e.Exit != nil:
		what = "the server ended with " + e.Exit.String()
	case e.Err != nil:
		what = e.Err.Error()
	}
	switch {
	case e.Method == "":
		return what
	case e.Unsent:
		return fmt.Sprintf("%s: %s was not sent", what, e.Method)
	}
	return fmt.Sprintf("%s before %s (id %s) was answered", what, e.Method, e.ID)
}

func (e *ClosedError) Unwrap() error { return e.Err }
