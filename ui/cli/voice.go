package cli

import (
	"bytes"
	"maps"
	"os"
	"slices"
	"sync"
	"time"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/recordings"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/session/check"
	"example.com/mcpinspect/ui/text"
)

// voice says on stderr what the log says, in the order of the log: the server's stderr, warnings,
// and progress on a terminal. It follows the log at its own pace, so that a slow reader of our
// stderr slows the server down no more than its own pipe does, and nothing is lost.
type voice struct {
	sess     *session.Session
	w        *os.File
	paint    paint
	terminal bool
	logs     bool // log messages were asked for, and are printed
	quiet    bool // the server's stderr is not passed on
	judged   bool // findings are reported elsewhere
	log      *debugFile
	hidden   *recordings.Secrets // masked in what we say; the server's stderr is passed on as it is

	mu       sync.Mutex // guards buf and writes
	buf      bytes.Buffer
	next     int // the first row that was not looked at
	rows     []session.Event
	said     map[string]int // warnings by rule
	remarked map[string]int // remarks by kind
	seen     map[int]bool   // runs that were started
	agreed   map[int]bool   // runs with a revision
	left     string         // a server that ended unasked; said when nothing else says it
	moved    chan struct{}  // has a value when there was something new since it was last received from
	stop     chan struct{}
	done     chan struct{}
}

const (
	// fewWarnings is how many warnings of one kind are printed before the rest is counted.
	fewWarnings = 3

	// manyRemarks is how many remarks of one kind are printed before the rest is counted. They differ
	// more than findings do, but a server that provokes one with every message must not bury the result.
	manyRemarks = 50

	// breathing is the pause between two looks at the log: waking up for each of a hundred thousand
	// lines would cost more than reading them. It ends with the session.
	breathing = 5 * time.Millisecond

	// voiceRows is how many rows are looked at at once: each look holds up the door for a moment.
	voiceRows = 512
)

// newVoice starts to follow a session; finish ends it.
func newVoice(a *app, s *session.Session, report func(*client.Fault)) *voice {
	f := &a.line.flags
	v := &voice{sess: s, w: a.io.Err, paint: painter(a.io.Err, f.noColor), terminal: isTerminal(a.io.Err), logs: f.logLevel != "", quiet: f.quiet, judged: a.judged, log: a.log, hidden: a.given(),
		said: map[string]int{}, remarked: map[string]int{}, seen: map[int]bool{}, agreed: map[int]bool{}, moved: make(chan struct{}, 1), stop: make(chan struct{}), done: make(chan struct{})}
	client.Go("voice", report, v.follow, func() { close(v.done) })
	return v
}

func (v *voice) follow() {
	breath := time.NewTimer(0)
	defer breath.Stop()
	for {
		select {
		case <-v.sess.Changed():
			v.catchUp()
			select {
			case v.moved <- struct{}{}:
			default:
			}
		case <-v.stop:
			v.catchUp()
			return
		}
		breath.Reset(breathing)
		select {
		case <-breath.C:
		case <-v.stop:
			v.catchUp()
			return
		}
	}
}

// finish says what is left; the session has been closed. err is why the run failed.
func (v *voice) finish(err error) {
	close(v.stop)
	<-v.done
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, rule := range slices.Sorted(maps.Keys(v.said)) {
		if n := v.said[rule] - fewWarnings; n > 0 {
			v.line("%d more like these: %s", n, rule)
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(v.remarked)) {
		if n := v.remarked[kind] - manyRemarks; n > 0 {
			v.line("%d more remarks of the kind %s", n, kind)
		}
	}
	if err == nil && v.left != "" {
		v.line("%s", v.left)
	}
	v.write()
}

// warn says something odd that is in no log.
func (v *voice) warn(format string, args ...any) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.line(format, args...)
	v.write()
}

// question says how a question of the server was answered.
func (v *voice) question(format string, args ...any) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.remark("question", format, args...)
	v.write()
}

// remark is line for what may come with every message; the caller holds mu.
func (v *voice) remark(kind, format string, args ...any) {
	if v.remarked[kind]++; v.remarked[kind] <= manyRemarks {
		v.line(format, args...)
	}
}

// line adds a warning; the caller holds mu.
func (v *voice) line(format string, args ...any) {
	v.sentence(v.paint.odd("warning:"), sentence(format, args...))
}

// inform says what is good to know and nobody's fault.
func (v *voice) inform(format string, args ...any) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.sentence("info:", sentence(format, args...))
	v.write()
}

// aside is remark for what is nobody's fault; the caller holds mu.
func (v *voice) aside(kind, what string) {
	if v.remarked[kind]++; v.remarked[kind] <= manyRemarks {
		v.sentence("info:", what)
	}
}

func (v *voice) sentence(grade, what string) {
	v.buf.WriteString(grade + " " + cleanLine(v.hidden.MaskString(what)) + "\n")
}

// write empties buf. Who cannot be told anything any more is not told that either.
func (v *voice) write() {
	if v.buf.Len() > 0 {
		_, _ = v.w.Write(harmless(v.buf.Bytes()))
		v.buf.Reset()
	}
}

// catchUp looks at the rows that are new.
func (v *voice) catchUp() {
	v.mu.Lock()
	defer v.mu.Unlock()
	for end := v.sess.Settled(); v.next < end; {
		v.rows = v.sess.Log().Window(v.rows[:0], v.next, min(voiceRows, end-v.next))
		from := min(v.sess.Log().First(), end)
		if len(v.rows) > 0 {
			from = v.rows[0].Seq
		}
		if n := from - v.next; n > 0 {
			v.line("%d rows came faster than they could be looked at here, and are gone: what they had on stderr is not shown", n)
		}
		v.next = from + len(v.rows)
		for i := range v.rows {
			v.row(&v.rows[i])
		}
		v.write()
	}
}

func (v *voice) row(e *session.Event) {
	switch {
	case e.Note != nil:
		v.note(e.Note)
	case e.Stream == client.Err && !v.quiet:
		v.buf.WriteString("server: ")
		body, _, err := v.sess.Log().Read(e.Seq)
		v.buf.Write(text.CleanBytes(nil, body.Bytes()))
		v.buf.WriteByte('\n')
		if err != nil {
			v.line("%v", err)
		}
	case v.terminal && e.Stream == client.Out && e.Method == client.MethodProgress:
		v.progress(e)
	case v.logs && e.Stream == client.Out && e.Method == client.MethodLog:
		v.logged(e)
	}
	if v.judged {
		return
	}
	for _, m := range e.Marks {
		if m.Severity == session.Info || e.Note != nil || check.OfResult(m.Rule) { // the verb that called judges it itself
			continue
		}
		if v.said[m.Rule]++; v.said[m.Rule] <= fewWarnings {
			v.line("%s", m.Text)
		}
		v.said[m.Rule] += m.More
	}
}

// note says a decision that a person should know of. What the run's error says anyway is left to it.
func (v *voice) note(n *client.Note) {
	v.log.note(n)
	switch n.What {
	case client.NoteSpawn:
		v.seen[n.Run] = true
	case client.NoteWarning:
		if !v.seen[n.Run] { // it could not be started: the error says so
			return
		}
		v.remark(n.What, "%s", n.Text)
	case client.NoteTimeout:
		if !v.agreed[n.Run] { // a silent probe; a call that timed out is the run's error
			v.remark(n.What, "%s", n.Text)
		}
	case client.NoteEra:
		v.agreed[n.Run] = true
	case client.NotePages:
		if client.Stop(client.GetText(n.Data, "stop")) != client.StopError {
			v.remark(n.What, "%s", n.Text)
		}
	case client.NoteShutdown:
		if client.Asked(client.GetText(n.Data, "asked")) != client.AskedStdin {
			v.remark(n.What, "%s", n.Text)
		}
	case client.NoteWrite:
		v.remark(n.What, "%s", n.Text)
	case client.NoteLate:
		if !v.judged { // there it is a finding
			v.aside(n.What, n.Text)
		}
	case client.NoteInfo, client.NoteTask:
		v.aside(n.What, n.Text)
	case client.NoteExit:
		if v.left = ""; n.Exit != nil && n.Exit.Asked == client.AskedNo {
			v.left = n.Text
		}
	}
}

// logged prints one log message of the server.
func (v *voice) logged(e *session.Event) {
	params := client.Get(v.sess.Log().Body(e.Seq).Bytes(), "params")
	line := "log " + client.GetText(params, "level") + ": "
	if logger := client.GetText(params, "logger"); logger != "" {
		line += logger + ": "
	}
	data := client.Get(params, "data")
	if s, ok := client.Text(data); ok {
		line += s
	} else {
		line += string(oneLine(data))
	}
	v.buf.WriteString(cleanLine(line) + "\n")
}

// progress shows how far a call is.
func (v *voice) progress(e *session.Event) {
	params := client.Get(v.sess.Log().Body(e.Seq).Bytes(), "params")
	line := "progress: " + string(client.Get(params, "progress"))
	if total := client.Get(params, "total"); total != nil && string(total) != "null" {
		line += "/" + string(total)
	}
	if m := client.GetText(params, "message"); m != "" {
		line += " " + m
	}
	v.buf.WriteString(v.paint.dim(cleanLine(line)) + "\n")
}
