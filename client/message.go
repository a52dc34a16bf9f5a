package client

import (
	"strings"
	"time"
)

// Kind is what one message, or one line without a message, is.
type Kind uint8

const (
	KindBlank        Kind = iota // nothing but white space
	KindNotJSON                  // stray text
	KindJSON                     // valid JSON that is no JSON-RPC message
	KindRequest                  // has a method and an id
	KindNotification             // has a method and no id
	KindResponse                 // has a result
	KindError                    // has an error, or an id and nothing that could be an answer
	KindBatch                    // an array of messages
	KindText                     // a line of stderr, which has no grammar
)

var kindNames = [...]string{"blank", "not JSON", "JSON but no message", "request", "notification", "response", "error response", "batch", "text"}

func (k Kind) String() string { return kindNames[k] }

// IsMessage reports whether a peer would have to act on it.
func (k Kind) IsMessage() bool { return k >= KindRequest && k <= KindBatch }

// IsAnswer reports whether it answers a request.
func (k Kind) IsAnswer() bool { return k == KindResponse || k == KindError }

// Flaws are what is wrong or odd with a frame or a message, as bits.
type Flaws uint32

const (
	FlawBOM        Flaws = 1 << iota // a byte order mark before the text
	FlawUTF8                         // bytes that are no UTF-8
	FlawCut                          // longer than the line limit
	FlawTorn                         // the stream ended before the line did
	FlawGlued                        // text stands before or behind the message on its line
	FlawSpread                       // the message spans several lines
	FlawMany                         // several JSON values on one line
	FlawDuplicate                    // a member name occurs twice in one object
	FlawFolded                       // a member differs from a JSON-RPC name in case only
	FlawExtra                        // a top-level member that JSON-RPC does not know
	FlawNoVersion                    // jsonrpc is missing or not "2.0"
	FlawIDType                       // the id is null, a boolean, an object, an array or no integer
	FlawIDNull                       // the id is null or absent in an error response
	FlawIDSpelling                   // an integral id spelled 1.0 or 1e0
	FlawMethodType                   // the method is no string, or empty
	FlawParamsType                   // params is no object
	FlawBoth                         // result and error together, or with a method
	FlawNeither                      // an answer with neither result nor error
	FlawResultType                   // the result is no object
	FlawErrorShape                   // the error is no object
	FlawDeep                         // nested deeper than 1000 levels
	FlawInBatch                      // came as part of a batch
	FlawControl                      // a control byte in a line that is no JSON
	FlawOverfull                     // more messages than MaxMessages
	FlawUnjoined                     // the first line of a value that is spread too far to be put together
)

// Has reports whether any of the given bits is set.
func (f Flaws) Has(bits Flaws) bool { return f&bits != 0 }

// deepNesting is where common decoders give up.
const deepNesting = 1000

// Message is one JSON-RPC message inside a frame, as spans of the frame's body.
type Message struct {
	Kind   Kind
	Flaws  Flaws
	Span   Span
	ID     Span
	Method Span
	Params Span
	Result Span
	Error  Span
	Dup    Span // the first repeated member name, quotes included
}

// Verdict is what a Wire found in a frame.
type Verdict struct {
	Kind     Kind // of the line: the kind of its message, KindBatch for several, else what it is instead
	Flaws    Flaws
	Messages []Message // in order; several in a batch or on one line
	Lines    int       // how many lines the frame covers: more than one for a pretty-printed message
	Reason   string    // why it is not JSON, with ReasonAt the offset in the body
	ReasonAt int
	BadUTF8  int   // offset of the first byte that is no UTF-8, with FlawUTF8
	Beyond   int   // offset of the first message that is not delivered, with FlawOverfull
	Lost     *Lost // the answer that this is, although it is no message; nil for none
}

// judge turns what the scanner found of one object into a message. ok is false when it is no
// JSON-RPC message at all.
func (e *envelope) judge(body Body, maxDepth int) (m Message, ok bool) {
	at := func(n member) Span { return e.members[n] }
	m = Message{Span: e.span, ID: at(mID), Method: at(mMethod), Params: at(mParams), Result: at(mResult), Error: at(mError), Dup: e.dup}
	if v := at(mJSONRPC); !v.Present() || string(body.Slice(v.Start, v.End)) != `"2.0"` {
		m.Flaws |= FlawNoVersion
	}
	id := ""
	if m.ID.Present() {
		id = string(body.Slice(m.ID.Start, m.ID.End))
	}
	switch {
	case m.Method.Present() && m.ID.Present():
		m.Kind = KindRequest
	case m.Method.Present():
		m.Kind = KindNotification
	case m.Error.Present() && !(m.Result.Present() && e.first[mError] == 'n'):
		m.Kind = KindError // an error beside a result wins: nothing that failed may look like success
	case m.Result.Present():
		m.Kind = KindResponse
	case m.ID.Present() && id != "null" && !e.nested(mID):
		m.Kind = KindError // somebody waits for it, and it is no result
		m.Flaws |= FlawNeither
	default:
		return m, false
	}
	if m.Flaws.Has(FlawNoVersion) {
		// Structured log records look like messages. Without the version only what could be meant
		// for us counts: an answer or request with an id and no member beside, or a method of the
		// protocol.
		method := ""
		if m.Method.Present() {
			method = string(body.Slice(m.Method.Start, m.Method.End))
		}
		if (!m.ID.Present() || e.extra && !at(mJSONRPC).Present()) && !strings.HasPrefix(method, `"notifications/`) {
			return m, false
		}
	}
	m.Flaws |= e.flaws(&m, id)
	if maxDepth > deepNesting {
		m.Flaws |= FlawDeep
	}
	return m, true
}

// nested reports whether a member is an object or an array.
func (e *envelope) nested(n member) bool { return e.first[n] == '{' || e.first[n] == '[' }

// flaws judges the shape of the members (JSON-RPC 2.0 sections 4 and 5, MCP basic/index).
func (e *envelope) flaws(m *Message, id string) (f Flaws) {
	if m.Dup.Present() {
		f |= FlawDuplicate
	}
	if e.folded {
		f |= FlawFolded
	}
	if e.extra {
		f |= FlawExtra
	}
	answer := m.Kind.IsAnswer()
	if answer && (id == "" || id == "null") {
		f |= FlawIDNull
	} else if id != "" {
		f |= idFlaws(id)
	}
	if m.Method.Present() && (e.first[mMethod] != '"' || m.Method.End-m.Method.Start == 2) {
		f |= FlawMethodType
	}
	if m.Params.Present() && e.first[mParams] != '{' {
		f |= FlawParamsType
	}
	if m.Result.Present() && (m.Error.Present() || m.Method.Present()) || m.Error.Present() && m.Method.Present() {
		f |= FlawBoth
	}
	if m.Kind == KindResponse && e.first[mResult] != '{' {
		f |= FlawResultType
	}
	if m.Kind == KindError && m.Error.Present() && e.first[mError] != '{' {
		f |= FlawErrorShape
	}
	return f
}

// Incoming is one message with bytes that stay valid: what the door hands back for dispatch.
type Incoming struct {
	Message
	Body Body
	At   time.Duration // when its last byte was read
	Seq  int64         // the row in the log, for whoever keeps one
	Lost *Lost         // what it is instead of a message; nil for a message
	From Origin        // what an answer without an id can be for
}

// Origin is the stream that a message came on.
type Origin struct {
	ID     string // raw, of the request that it is the reply to; empty for another
	Closed bool   // it is a reply, to that request or to none of ours; otherwise the stream is there for all that is open
}

// Raw returns the bytes of a span: a view of the kept body where it lies in one piece.
func (in *Incoming) Raw(s Span) []byte {
	if !s.Present() {
		return nil
	}
	return in.Body.Slice(s.Start, s.End)
}

// RawID is the id as it was written; empty when there is none.
func (in *Incoming) RawID() string { return string(in.Raw(in.ID)) }

// MethodName is the decoded method.
func (in *Incoming) MethodName() string {
	raw := in.Raw(in.Method)
	for _, often := range [...]string{MethodLog, MethodProgress} { // they come in floods: no copy
		if len(raw) == len(often)+2 && string(raw[1:len(raw)-1]) == often {
			return often
		}
	}
	s, _ := Text(raw)
	return s
}
