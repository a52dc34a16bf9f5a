package session

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/recordings"
)

// Marking is what a person put on a row: a mark, a note, or both. It is no row of its own: on a wire
// nothing happened.
type Marking struct {
	Seq    int
	Marked bool
	Note   string // one line or more; empty for none
}

// maxMarkings bounds how many rows have one: more than a person makes, and less than a file made
// up for it can hold.
const maxMarkings = 1 << 16

// ErrUnkept is a mark or note that is there as long as the session, and in no file.
var ErrUnkept = errors.New("the session is not recorded: marks and notes are lost at its end")

// spot says where a row is: by its bytes, or by its time where it has none. The number of the row is
// most often right, too; a recording that has gaps counts other rows than the session did.
type spot struct {
	Row      int           `json:"row"`
	Run      int           `json:"run"`
	Exchange int           `json:"x,omitempty"`
	Channel  string        `json:"ch,omitempty"` // in, out, err; empty for a row without bytes
	Offset   int64         `json:"off"`          // of its first byte in the channel
	At       time.Duration `json:"at"`           // nanoseconds since the start
	On       bool          `json:"on,omitempty"` // of a mark: put on, not taken off
}

func spotOf(e *Event) spot {
	p := spot{Row: e.Seq, Run: e.Run, Exchange: e.Exchange, Offset: e.Offset, At: e.T}
	if e.Stream != client.Life {
		p.Channel = e.Stream.String()
	}
	return p
}

// spotKey is what a row is found by.
type spotKey struct {
	run, exchange int
	channel       string
	at            int64
}

func (p spot) key() spotKey {
	if p.Channel == "" {
		return spotKey{at: int64(p.At)} // notes of a start that failed have no run in the file
	}
	if p.Exchange > 0 { // their numbers count over all runs
		return spotKey{0, p.Exchange, p.Channel, p.Offset}
	}
	return spotKey{p.Run, 0, p.Channel, p.Offset}
}

// remarked is a mark or note whose row is not known yet.
type remarked struct {
	spot
	what, text string
}

// isMarking reports whether a note puts a mark or a note on a row, and so is no row itself.
func isMarking(n *client.Note) bool {
	if n.What != client.NoteMark && n.What != client.NoteText {
		return false
	}
	var p struct {
		Row *int `json:"row"`
	}
	return json.Unmarshal(n.Data, &p) == nil && p.Row != nil
}

// Mark puts a mark on a row, or takes it off. kept is the file that has it then; without one the
// error says why, and the mark is there all the same. It may write to a disk.
func (s *Session) Mark(seq int, on bool) (kept string, err error) {
	return s.remark(seq, client.NoteMark, "", on)
}

// PutNote puts a note on a row in place of the one it has; empty text takes it off. See Mark.
func (s *Session) PutNote(seq int, text string) (kept string, err error) {
	return s.remark(seq, client.NoteText, text, text != "")
}

func (s *Session) remark(seq int, what, text string, on bool) (string, error) {
	e, ok := s.Log().Event(seq)
	if !ok {
		return "", errLetGo
	}
	at := spotOf(&e)
	at.On = on
	data, err := json.Marshal(at)
	if err != nil {
		return "", err
	}
	n := client.Note{Run: e.Run, At: s.Now(), What: what, Text: text, Data: data}
	switch recorder := s.door.put(n); r := recorder.(type) {
	case nil:
	case interface{ Path() string }:
		return r.Path(), nil
	default:
		return "", nil
	}
	if s.opts.Notebook == nil {
		return "", ErrUnkept
	}
	return s.opts.Notebook.write(n)
}

// Puts are the notes that put on a row what it has, for a file in which the row begins at another
// offset of its stream.
func Puts(e *Event, offset int64) (notes []client.Note) {
	at := spotOf(e)
	at.Row, at.Offset, at.On = 0, offset, true // the number of the row is found when the file is read
	data, err := json.Marshal(at)
	if err != nil {
		return nil
	}
	if e.Marked {
		notes = append(notes, client.Note{Run: e.Run, At: e.T, What: client.NoteMark, Data: data})
	}
	if e.Noted != "" {
		notes = append(notes, client.Note{Run: e.Run, At: e.T, What: client.NoteText, Text: e.Noted, Data: data})
	}
	return notes
}

// put takes in a mark or a note and gives it to the recorder if that has the row, and then returns
// the recorder.
func (d *door) put(n client.Note) Recorder {
	d.mu.Lock()
	defer d.mu.Unlock()
	defer d.wake()
	d.log.put(&n)
	if d.recorder == nil || n.Run < d.recordsFrom {
		return nil
	}
	d.recorder.Note(n)
	d.recorded(n.Run, n.At)
	return d.recorder
}

// settleMarkings finds the rows of marks and notes that did not say their number.
func (d *door) settleMarkings() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if left := d.log.placeMarkings(); left > 0 {
		d.remark(d.state.snap.Run, d.clock.Now(), client.NoteWarning, fmt.Sprintf("%d marks or notes are on rows that this recording does not have", left))
	}
}

// Notebook keeps what a person puts on the rows of a recording that was opened.
type Notebook struct {
	Path    string // of the recording
	Secrets *recordings.Secrets
}

func (b *Notebook) write(n client.Note) (string, error) {
	return recordings.Annotate(b.Path, b.Secrets, n.At, n.What, noteFields(&n)...)
}

// put takes in a mark or a note. One whose row has other bytes than it says, or has not come yet,
// waits.
func (l *Log) put(n *client.Note) {
	r := remarked{what: n.What, text: n.Text}
	if json.Unmarshal(n.Data, &r.spot) != nil || r.Row < 0 {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.isOn(&r):
		l.putOn(r.Row, &r)
	case len(l.unplaced) < maxMarkings:
		l.unplaced = append(l.unplaced, r)
		if r.Row >= l.count {
			l.due = min(l.due, r.Row)
		}
	}
}

// isOn reports whether the row of that number is the one that is meant; the caller holds mu.
func (l *Log) isOn(r *remarked) bool {
	if l.row(r.Row) == nil {
		return false
	}
	e := l.event(r.Row)
	return spotOf(&e).key() == r.key()
}

// placeDue puts those on their rows that were read before them, of a file whose end may never come.
func (l *Log) placeDue() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.due >= l.count {
		return
	}
	l.due = math.MaxInt
	left := l.unplaced[:0]
	for _, r := range l.unplaced {
		if l.isOn(&r) {
			l.putOn(r.Row, &r)
			continue
		}
		if r.Row >= l.count {
			l.due = min(l.due, r.Row)
		}
		left = append(left, r)
	}
	l.unplaced = left
}

// putOn changes what is on a row; the caller holds mu.
func (l *Log) putOn(seq int, r *remarked) {
	m, had := l.markings[seq]
	if !had && len(l.markings) >= maxMarkings {
		return
	}
	m.Seq = seq
	if r.what == client.NoteMark {
		m.Marked = r.On
	} else {
		m.Note = r.text
	}
	if l.markings == nil {
		l.markings = map[int]Marking{}
	}
	if l.markings[seq] = m; !m.Marked && m.Note == "" {
		delete(l.markings, seq)
	}
	l.touch(seq)
}

// placeMarkings finds the rows of the marks and notes that wait for them, and returns how many have none.
func (l *Log) placeMarkings() (left int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.unplaced) == 0 {
		return 0
	}
	wanted := map[spotKey]int{}
	for _, r := range l.unplaced {
		wanted[r.key()] = NoPair
	}
	for seq := l.first; seq < l.count; seq++ {
		e := l.event(seq)
		at := spotOf(&e)
		if was, ok := wanted[at.key()]; ok && was == NoPair {
			wanted[at.key()] = seq
		}
	}
	for _, r := range l.unplaced {
		if seq := wanted[r.key()]; seq != NoPair {
			l.putOn(seq, &r)
		} else {
			left++
		}
	}
	l.unplaced, l.due = nil, math.MaxInt
	return left
}

// Marked reports whether a row has a mark.
func (l *Log) Marked(seq int) bool {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.markings[seq].Marked
}

// Markings are the rows that have a mark or a note, in order.
func (l *Log) Markings() []Marking {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return slices.SortedFunc(maps.Values(l.markings), func(a, b Marking) int { return a.Seq - b.Seq })
}
