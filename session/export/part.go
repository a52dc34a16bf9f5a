package export

import (
	"bytes"
	"slices"
	"time"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/recordings"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/session/script"
)

// Part writes the rows of a session that are kept as a recording: one line for each frame, and with
// them what they cannot be read without, the starts of their runs and the heads of their exchanges.
// What was masked in the recording, of which masks tells, stays masked; the secrets are masked, too.
// It returns how many rows were kept. The writer is left open.
func Part(w *recordings.Writer, s *session.Session, o Options, masks script.Masks, secrets *recordings.Secrets) (rows int, err error) {
	o.Head.Filtered = o.Filter
	if o.Filter == "" {
		o.Head.Filtered = "@all"
	}
	w.Mask(secrets)
	w.Head(o.Head)
	p := part{w: w, rec: session.Into(w), log: s.Log(), masks: masks, secrets: secrets, runs: map[int]*client.Note{}, exchanges: map[int]*exchange{}, streams: map[lane]*stream{}}
	s.Log().Each(0, func(e session.Event) bool {
		p.context(&e)
		if !o.Keep(&e) {
			return true
		}
		rows++
		p.row(&e)
		return true
	})
	p.end()
	return rows, w.Err()
}

// part is a recording of some rows in the making.
type part struct {
	w         *recordings.Writer
	rec       *session.Recording
	log       *session.Log
	masks     script.Masks
	secrets   *recordings.Secrets
	runs      map[int]*client.Note // starts that are not written yet
	exchanges map[int]*exchange
	streams   map[lane]*stream
	last      time.Duration // of the latest row
}

type lane struct {
	run, exchange int
	stream        client.Stream
}

// stream is one that was written to.
type stream struct {
	at   int64 // offset of its next byte
	open bool  // its last line has no end
}

// exchange is one of HTTP that was seen: its heads until they are written.
type exchange struct {
	heads  []client.Note
	events bool // its reply is an event stream
	open   bool // events of it were written, and not their end
	begun  bool // a body of it was written
}

// context remembers what later rows may need.
func (p *part) context(e *session.Event) {
	n := e.Note
	switch {
	case n == nil:
	case n.What == client.NoteSpawn:
		p.runs[e.Run] = n
	case n.What == client.NoteExit, n.What == client.NoteClosed:
		p.finish(e.Run, e.T)
	case n.HTTP != nil && (n.What == client.NoteRequest || n.What == client.NoteReply):
		x := p.exchange(n.HTTP.Number)
		x.heads = append(x.heads, *n)
		x.events = x.events || n.What == client.NoteReply && n.HTTP.Form() == client.FormEvents
	}
}

func (p *part) exchange(number int) *exchange {
	x := p.exchanges[number]
	if x == nil {
		x = &exchange{}
		p.exchanges[number] = x
	}
	return x
}

// need writes what a row of a run, and of an exchange where that is not 0, cannot be read without.
func (p *part) need(run, number int) {
	if n := p.runs[run]; n != nil {
		p.rec.Note(*n)
		delete(p.runs, run)
	}
	if number == 0 {
		return
	}
	x := p.exchange(number)
	for _, n := range x.heads {
		p.rec.Note(n)
	}
	x.heads = nil
}

// row writes one row, and what a person has put on it.
func (p *part) row(e *session.Event) {
	at := int64(0)
	switch n := e.Note; {
	case n == nil:
		p.need(e.Run, e.Exchange)
		at, p.last = p.frame(e), e.T
	case n.What == client.NoteSpawn:
		p.need(e.Run, 0)
	case n.HTTP != nil:
		p.need(e.Run, n.HTTP.Number)
		if n.What == client.NoteDone {
			p.over(n.HTTP.Number, *n)
		}
	default:
		p.need(e.Run, 0)
		p.rec.Note(*n)
	}
	for _, put := range session.Puts(e, at) {
		p.rec.Note(put)
	}
}

// frame writes the bytes of a row on a line of their own and returns their offset.
func (p *part) frame(e *session.Event) int64 {
	line := p.log.Line(e.Seq)
	spans := p.masks.Of(e)
	key := lane{e.Run, e.Exchange, e.Stream}
	out := p.streams[key]
	if out == nil {
		out = &stream{}
		p.streams[key] = out
	}
	if e.Exchange > 0 {
		x := p.exchange(e.Exchange)
		x.begun = true
		if x.events && e.Stream == client.Out {
			line, spans, x.open = eventLines(e.Event, line), nil, true
		} else {
			defer p.w.Body(e.T, e.Exchange, session.ChannelOf(e.Stream), nil, true) // it is a whole body
		}
	} else if line = append(slices.Clone(line), e.Term.String()...); out.open {
		line = append([]byte{'\n'}, line...)
		for i := range spans {
			spans[i].Off++
		}
		out.at++ // the frame begins behind it
	}
	begin := out.at
	out.at += int64(len(line))
	if out.open {
		out.at--
	}
	out.open = e.Exchange == 0 && e.Term == client.TermNone
	p.w.Masked(e.T, e.Exchange, session.ChannelOf(e.Stream), line, spans)
	if out.open && (e.Stream == client.Err || e.Flaws.Has(client.FlawTorn)) { // the end of the stream made it a row
		p.w.End(e.T, session.ChannelOf(e.Stream))
		out.open = false
	}
	return begin
}

// eventLines writes the data of an event as an event stream has it.
func eventLines(e *client.ServerEvent, data []byte) []byte {
	var b bytes.Buffer
	if e != nil && e.NoData {
		b.Write(data)
		b.WriteString("\n\n")
		return b.Bytes()
	}
	if e != nil {
		if e.Type != "" {
			b.WriteString("event: " + e.Type + "\n")
		}
		if e.HasID {
			b.WriteString("id: " + e.ID + "\n")
		}
		if e.Retry != "" {
			b.WriteString("retry: " + e.Retry + "\n")
		}
	}
	for line := range bytes.SplitSeq(data, []byte{'\n'}) {
		b.WriteString("data: ")
		b.Write(line)
		b.WriteByte('\n')
	}
	b.WriteByte('\n')
	return b.Bytes()
}

// finish ends the streams of a run whose last line has no end, as the end of the server did.
func (p *part) finish(run int, at time.Duration) {
	for _, stream := range []client.Stream{client.Out, client.Err} {
		if out := p.streams[lane{run, 0, stream}]; out != nil && out.open {
			p.w.End(at, session.ChannelOf(stream))
			out.open = false
		}
	}
}

// over ends an exchange.
func (p *part) over(number int, done client.Note) {
	if x := p.exchange(number); x.open {
		p.w.Body(done.At, number, recordings.Out, nil, true)
	}
	p.rec.Note(done)
	delete(p.exchanges, number)
}

// end ends the exchanges that were begun.
func (p *part) end() {
	for key, out := range p.streams {
		if out.open {
			p.finish(key.run, p.last)
		}
	}
	var numbers []int
	for n, x := range p.exchanges {
		if x.begun {
			numbers = append(numbers, n)
		}
	}
	slices.Sort(numbers)
	for _, n := range numbers {
		p.over(n, client.Note{What: client.NoteDone, HTTP: &client.Exchange{Number: n}})
	}
}
