package client

import (
	"bytes"
	"time"
)

// ServerEvent is what an event of an event stream carries beside its data (WHATWG HTML, section
// 9.2 server-sent events).
type ServerEvent struct {
	Type  string // empty for the default, message
	ID    string // with HasID; an empty one resets what a reconnection sends
	HasID bool
	Retry string // as sent; digits only count

	NoData bool // the body is the lines of the event as they were sent
}

// Message reports whether the data of an event is for the protocol.
func (e *ServerEvent) Message() bool { return e.Type == "" || e.Type == "message" }

// maxEventField is how much of the name, the id and the retry of an event is kept.
const maxEventField = 4 << 10

// events cuts an event stream into frames: one for each event with its data as the body, one for
// each group of lines that carries none (comments, ids, retry times) as they were sent. Lines end
// with LF, CRLF or CR in any mixture, so whether a CR ends one is known at once.
// An event that comes in one read is not copied.
type events struct {
	limit int // bytes of one event that are kept; 0 means DefaultMaxLine

	line    Framer // carries the unfinished line
	after   bool   // the last byte was a CR: an LF that follows belongs to it
	begun   bool   // something of the stream has been seen
	offset  int64  // of the next byte
	feeds   int64
	open    bool // an event has begun
	first   int64
	began   time.Duration // when its first byte came
	start   int64         // offset of the first byte of the event
	head    bool
	hasData bool
	data    Body
	loans   int // the last pieces of data that lie in the chunk being fed
	size    int
	over    int64
	rest    []byte // lines without data, as sent
	event   ServerEvent
	flaws   Flaws
	frame   Frame
	whole   [1][]byte // backs a line that needed no carrying
}

// Feed takes the bytes of one read; emit gets every event that they complete. The frame and its
// body are borrowed.
func (s *events) Feed(chunk []byte, at time.Duration, emit func(*Frame, *ServerEvent)) {
	if len(chunk) == 0 {
		return
	}
	s.feeds++
	if s.after && chunk[0] == '\n' {
		chunk = chunk[1:]
		s.offset++
	}
	s.after = false
	for before := false; len(chunk) > 0; before = true {
		i := bytes.IndexByte(chunk, '\n')
		if cr := bytes.IndexByte(chunk[:cut(i, chunk)], '\r'); cr >= 0 {
			i = cr
		}
		if !s.open {
			s.open, s.first, s.start, s.head, s.began = true, s.feeds, s.offset, before, at
		}
		if i < 0 {
			s.line.keep(chunk, s.room())
			s.offset += int64(len(chunk))
			break
		}
		line, over, loan := s.take(chunk[:i])
		end := i + 1
		if chunk[i] == '\r' {
			switch {
			case end < len(chunk) && chunk[end] == '\n':
				end++
			case end == len(chunk):
				s.after = true
			}
		}
		s.offset += int64(end)
		chunk = chunk[end:]
		s.ended(line, over, loan, at, len(chunk) > 0, emit)
	}
	s.repay()
}

// repay copies what an unfinished event holds of a chunk that is going away.
func (s *events) repay() {
	for i := len(s.data) - s.loans; i < len(s.data); i++ {
		s.data[i] = append([]byte(nil), s.data[i]...)
	}
	s.loans = 0
}

func cut(i int, chunk []byte) int {
	if i < 0 {
		return len(chunk)
	}
	return i
}

// room is how long a line may grow; a little beyond the limit of data, for the name of the field.
func (s *events) room() int {
	limit := s.limit
	if limit <= 0 {
		limit = DefaultMaxLine
	}
	return limit + len("data: ")
}

// take ends the line with its last bytes and says how many bytes of it were not kept. loan: it
// lies in the chunk that is being fed.
func (s *events) take(tail []byte) (line Body, over int64, loan bool) {
	if len(s.line.carry) == 0 && len(tail) <= s.room() {
		s.whole[0] = tail
		return s.whole[:], 0, true
	}
	s.line.keep(tail, s.room())
	line, over = s.line.carry, s.line.over
	s.line.carry, s.line.size, s.line.over = nil, 0, 0
	return line, over, false
}

// ended takes in one line.
func (s *events) ended(line Body, over int64, loan bool, at time.Duration, more bool, emit func(*Frame, *ServerEvent)) {
	if !s.begun {
		s.begun = true
		if n := line.Len(); n >= len(utf8BOM) && bytes.Equal(line.Slice(0, len(utf8BOM)), utf8BOM) {
			line = line.Cut(len(utf8BOM), n)
			s.flaws |= FlawBOM
		}
	}
	if line.Len() == 0 && over == 0 {
		s.dispatch(at, more, emit)
		return
	}
	name, value := field(line)
	switch name {
	case "data":
		if s.hasData {
			s.data, s.size = append(s.data, newline), s.size+1
			if s.loans > 0 {
				s.loans++ // it lies between them
			}
		}
		s.hasData = true
		limit := s.room() - len("data: ")
		if room := limit - s.size; value.Len() > room {
			s.over += int64(value.Len() - max(room, 0))
			value = value.Cut(0, max(room, 0))
		}
		s.over += over
		s.data = append(s.data, value...)
		s.size += value.Len()
		if loan {
			s.loans += len(value)
		}
		return
	case "event":
		s.event.Type = short(value)
	case "id":
		if id := short(value); bytes.IndexByte([]byte(id), 0) < 0 {
			s.event.ID, s.event.HasID = id, true
		}
	case "retry":
		s.event.Retry = short(value)
	}
	if len(s.rest) < maxEventField {
		if len(s.rest) > 0 {
			s.rest = append(s.rest, '\n')
		}
		s.rest = line.Cut(0, maxEventField).Append(s.rest)
	}
}

var newline = []byte("\n")

// field is the name and the value of a line; a comment has no name.
func field(line Body) (string, Body) {
	const longest = len("event") + 1
	n := line.Len()
	head := line.Slice(0, min(longest+1, n))
	colon := bytes.IndexByte(head, ':')
	if colon < 0 {
		if n > longest {
			return "?", nil // a name that is not known here
		}
		return string(head), nil
	}
	from := colon + 1
	if from < len(head) && head[from] == ' ' {
		from++
	} else if from == len(head) && from < n && line.Slice(from, from+1)[0] == ' ' {
		from++
	}
	return string(head[:colon]), line.Cut(from, n)
}

func short(v Body) string { return string(v.Cut(0, maxEventField).Bytes()) }

// dispatch emits the event that an empty line ends.
func (s *events) dispatch(at time.Duration, more bool, emit func(*Frame, *ServerEvent)) {
	if !s.hasData && len(s.rest) == 0 {
		s.reset()
		return
	}
	s.emit(at, more, emit)
}

func (s *events) emit(at time.Duration, more bool, emit func(*Frame, *ServerEvent)) {
	f := &s.frame
	*f = Frame{Term: TermLF, Offset: s.start, First: s.began, At: at, Reads: int(s.feeds-s.first) + 1, Shared: s.head || more, Cut: s.over}
	f.Flaws, f.Lines = s.flaws, 1
	f.Body = s.data
	if s.event.NoData = s.size == 0; s.event.NoData {
		f.Body = Body{s.rest}
		f.Kind = KindText
	}
	if !s.event.Message() {
		f.Kind = KindText
	}
	emit(f, &s.event)
	s.reset()
}

func (s *events) reset() {
	clear(s.data)
	s.open, s.hasData, s.data, s.loans, s.size, s.over, s.rest, s.event, s.flaws = false, false, s.data[:0], 0, 0, 0, s.rest[:0], ServerEvent{}, 0
}

// Close ends the stream. An event without the empty line behind it does not count; what there is
// of it is emitted as torn text.
func (s *events) Close(at time.Duration, emit func(*Frame, *ServerEvent)) {
	if len(s.line.carry) > 0 {
		line, over, _ := s.take(nil)
		s.ended(line, over, false, at, false, emit)
	}
	if !s.hasData && len(s.rest) == 0 {
		return
	}
	s.flaws |= FlawTorn
	if s.size == 0 {
		s.event.Type = "" // only what was sent is shown
	}
	s.emit(at, false, func(f *Frame, e *ServerEvent) {
		f.Kind, f.Term = KindText, TermNone
		emit(f, e)
	})
}
