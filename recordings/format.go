// Package recordings writes and reads the file that keeps a session: JSON Lines, one object a
// line, where the bytes are the truth. Messages are not stored; they are derived again from the
// bytes by the code that reads a live server.
//
//	{"k":"head","v":1,…}                       first line: what was inspected, and when
//	{"k":"spawn","t":…,"pid":…,"path":…}       the server was started; again for a restart
//	{"k":"b","t":…,"ch":"out","d":"…"}         one read or write; d64 when it is not UTF-8
//	{"k":"end","t":…,"ch":"out"}               a stream of the server ended
//	{"k":"ctl","t":…,"what":"era",…}           what was decided
//	{"k":"exit","t":…,"code":0,"asked":"no"}   the server ended
//	{"k":"drop","t":…,"ch":"out","n":…}        bytes that could not be kept
//	{"k":"hq","t":…,"x":1,"line":"POST /mcp",…}    the head of an HTTP request; x counts exchanges
//	{"k":"hs","t":…,"x":1,"status":200,…}          the head of its reply
//	{"k":"hb","t":…,"x":1,"ch":"out","d":"…"}      bytes of a body; with end:true no more follow
//	{"k":"he","t":…,"x":1}                         the exchange is over; err says why it broke
//
// Some ctl lines are about other lines: what mark and note put something on a row of the log, what mask
// names a place in answers that differs by itself. In data they say where:
//
//	{"k":"ctl","t":…,"what":"mark","text":"","data":{"row":2,"run":1,"ch":"out","off":0,"at":…,"on":true}}
//	{"k":"ctl","t":…,"what":"note","text":"why?","data":{"row":2,"run":1,"ch":"out","off":0,"at":…}}
//	{"k":"ctl","t":…,"what":"mask","data":{"method":"tools/call","name":"now","path":"/result/time"}}
//
// A row is known by the offset of its bytes in its channel, or by its time where it has none. Where the
// recording cannot take them they stand in the file beside it, see NotesExt.
//
// t is nanoseconds since start, on the monotonic clock. It is taken when the bytes came, so t may
// step back a little from one line to the next: the order of lines is the order of the session.
package recordings

import (
	"fmt"
	"time"
)

// Version is the v of the head line.
const Version = 1

// The kinds of lines. Readers pass other kinds on untouched.
const (
	KindHead  = "head"
	KindSpawn = "spawn"
	KindBytes = "b"
	KindEnd   = "end"
	KindCtl   = "ctl"
	KindExit  = "exit"
	KindDrop  = "drop"

	KindRequest = "hq"
	KindReply   = "hs"
	KindBody    = "hb"
	KindOver    = "he"
)

// Channel is where bytes came from or went to.
type Channel uint8

const (
	None Channel = iota // no bytes
	In                  // what we wrote: the server's stdin
	Out                 // the server's stdout
	Err                 // the server's stderr
	channels
)

func (c Channel) String() string {
	if c >= channels {
		return fmt.Sprintf("channel(%d)", uint8(c))
	}
	return [...]string{"", "in", "out", "err"}[c]
}

// channelOf reads a ch; ok is false for a channel that is not known here.
func channelOf(s string) (c Channel, ok bool) {
	switch s {
	case "in":
		return In, true
	case "out":
		return Out, true
	case "err":
		return Err, true
	}
	return None, s == ""
}

// Head is the first line.
type Head struct {
	Tool     string    // name and version of what wrote the file
	Start    time.Time // wall time of t = 0
	OS       string    // GOOS/GOARCH
	Target   Target
	Options  Options
	Redacted []string // names of the secrets that were masked from the start
	Imported string   // what the file is when it is no recording of ours; times and the process are not in it
	Filtered string   // the filter expression, when the file keeps only a part of a session
}

// Target is what was inspected.
type Target struct {
	Transport string   `json:"transport,omitempty"` // stdio, http
	Command   []string `json:"command,omitempty"`   // with its arguments
	Cwd       string   `json:"cwd,omitempty"`
	Env       []string `json:"env,omitempty"` // names of the variables that were set, never values
	URL       string   `json:"url,omitempty"`
}

// Options are the settings that opening the file needs to derive the same messages again.
type Options struct {
	MaxLine  int    `json:"max_line,omitempty"` // bytes; 0 is the default of the reader
	Protocol string `json:"protocol,omitempty"` // auto or a revision, as it was asked for
}

// Field is one further fact of a ctl line; see Text, Int and JSON.
type Field struct {
	key  string
	kind fieldKind
	text string
	raw  []byte
	n    int64
}

type fieldKind uint8

const (
	textField fieldKind = iota
	intField
	jsonField
)

// Text is a field with a string. Bytes that are not UTF-8 become U+FFFD.
func Text(key, value string) Field { return Field{key: key, kind: textField, text: value} }

// Int is a field with a number.
func Int(key string, value int64) Field { return Field{key: key, kind: intField, n: value} }

// JSON is a field with a value that is JSON already; what is no JSON is written as a string.
func JSON(key string, value []byte) Field { return Field{key: key, kind: jsonField, raw: value} }

// Span is a masked part of some bytes: Len of them from Off were replaced by as many stars.
type Span struct {
	Off, Len int
	Name     string // of the secret
}
