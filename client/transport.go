package client

import (
	"strings"
	"time"
)

// Stream is where bytes came from or went to.
type Stream uint8

const (
	In   Stream = iota // what we wrote: the server's stdin
	Out                // the server's stdout
	Err                // the server's stderr
	Life               // no bytes: spawn, exit and decisions
)

func (s Stream) String() string { return [...]string{"in", "out", "err", "life"}[s] }

// Form is how the messages of a stream are told apart.
type Form uint8

const (
	FormLines  Form = iota // one a line (basic/transports/stdio)
	FormWhole              // all of it is one message, or one batch: the body of a request or of a JSON answer
	FormEvents             // the data of every event (basic/transports/streamable-http)
)

// Chunk is what one read brought or one write was given.
type Chunk struct {
	Run      int
	Stream   Stream
	Exchange int // of HTTP, each with a stream in either direction; 0 for the streams of a process
	Form     Form
	At       time.Duration // since the start of the session, on the monotonic clock
	Bytes    []byte        // borrowed until the door returns
	End      bool          // the stream has ended; Bytes may be empty
}

// Note is a fact that is no bytes: the start and the end of the child, and whatever was decided.
type Note struct {
	Run   int
	At    time.Duration
	What  string // one of the Note constants
	Text  string // one plain sentence
	ID    string // the request it is about, as its raw id token
	Spawn *Spawned
	Exit  *Exit
	HTTP  *Exchange
	Data  []byte // further facts as one JSON object, for the recording
}

// What a Note says.
const (
	NoteSpawn    = "spawn"
	NoteExit     = "exit"
	NoteEra      = "era"      // which era and why
	NoteFailed   = "failed"   // no revision was agreed on, and why
	NoteTimeout  = "timeout"  // a request had no answer in time
	NoteHang     = "hang"     // a request that is still open has no answer for some time: Data has "facts"
	NoteCancel   = "cancel"   // we gave a request up
	NoteLost     = "lost"     // a request can get no answer any more: its exchange is over
	NoteUnsent   = "unsent"   // a request could not be sent any more: the server had ended; the first of a run
	NoteLate     = "late"     // an answer came after its request was given up
	NoteMatch    = "match"    // an answer was given to a request whose id it does not have
	NotePages    = "pages"    // a page walk stopped early, or what it was given is odd
	NoteShutdown = "shutdown" // one rung of the ladder
	NoteWrite    = "write"    // a write failed or fell short
	NoteDrop     = "drop"     // bytes that could not be kept: Data has "ch" and "n"
	NoteWarning  = "warning"  // anything else odd that must not be skipped in silence
	NoteFault    = "fault"    // a fault of ours
	NoteChanged  = "changed"  // a list was loaded anew: Data has "list" and "changes"
	NoteTask     = "task"     // the status of a task that a call became; ID is that of the call
	NoteInfo     = "info"
	NoteMark     = "mark"   // a person has marked a row, or unmarked it; Data says which
	NoteText     = "note"   // a person has put a note on a row; Data says on which
	NoteTap      = "tap"    // the client is another: we stand between it and the server
	NoteClosed   = "closed" // no answer can come any more from a server that is no process of ours, or that still runs

	NoteRequest = "http-request" // the head of an HTTP request
	NoteReply   = "http-reply"   // the head of the reply
	NoteDone    = "http-done"    // the reply has ended
)

// Spawned says what was started.
type Spawned struct {
	PID  int
	Path string
}

// Door is the one way into a session: every byte and every decision passes it, in order.
type Door interface {
	// Chunk takes bytes in and returns the messages that they completed, for dispatch. The slice
	// is valid until the next chunk of its stream, the bodies stay valid.
	Chunk(Chunk) []Incoming
	Note(Note)
	// Now is the time since the start of the session.
	Now() time.Duration
	// Pending tells of the unfinished line of a stream of a run.
	Pending(run int, s Stream) (size int64, tail []byte)
}

// Exchange is what a note says of one HTTP exchange: the head of its request with NoteRequest,
// that of its reply with NoteReply.
type Exchange struct {
	Number int    // from 1 within a run
	Line   string // POST /mcp HTTP/1.1, or HTTP/1.1 200 OK
	URL    string // of the request
	Status int    // of the reply
	Header [][2]string
	Failed string // why it ended early, with NoteDone
}

// Form is how the messages in the body of a reply are told apart, by its head.
func (e *Exchange) Form() Form {
	for _, kv := range e.Header {
		if e.Status/100 == 2 && strings.EqualFold(kv[0], "Content-Type") && mediaType(kv[1]) == "text/event-stream" {
			return FormEvents
		}
	}
	return FormWhole
}

// Broken is the sentence of a NoteDone; empty for an exchange that ended as it should.
func (e *Exchange) Broken() string {
	if e.Failed == "" {
		return ""
	}
	return "the exchange broke: " + e.Failed
}

// mediaType is a Content-Type without its parameters, in lower case.
func mediaType(s string) string {
	s, _, _ = strings.Cut(s, ";")
	return strings.ToLower(strings.TrimSpace(s))
}

// Transport carries messages to one server process or address. It gives what comes back to the
// function it was opened with.
type Transport interface {
	// Send writes one message with its line end and blocks while the peer does not read. One
	// goroutine calls it.
	Send(line []byte) error
	// Close ends the peer politely, then firmly, and returns how it ended. It may be called more
	// than once and while Send blocks.
	Close() Exit
	// Done is closed when the peer has ended and all its output has been delivered.
	Done() <-chan struct{}
	// Exit is how the peer ended; valid once Done is closed, and zero when it is no process of ours.
	Exit() Exit
}
