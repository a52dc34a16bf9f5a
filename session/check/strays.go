package check

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"time"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/session/check/stray"
)

// strays is what one run of a server wrote to stdout besides messages, as far as it tells what else came
// of it.
type strays struct {
	spoke  bool          // a message came
	ever   *Rule         // of the latest line that was no message, whatever came behind it
	everAt time.Duration // when that came
	last   *Rule         // of the latest line, when it was no message
	wide   bool          // that line was in UTF-16, so that half a character may follow it
	lsp    bool          // there were headers of the Language Server Protocol
	lost   *Rule         // of the latest piece that an answer may have gone into
	lostAt time.Duration // when that came
	flaw   *Rule         // of how the latest message was written; nil when it was well
}

// message notes that a message came.
func (s *strays) message() { s.spoke, s.last, s.wide, s.flaw = true, nil, false, nil }

// because says that marks of this event, of the rules named, come of a rule.
func (v *verdicts) because(cause *Rule, effects ...*Rule) {
	for i := range v.marks {
		m := &v.marks[i]
		if m.Because == "" && m.Rule != cause.Name && slices.ContainsFunc(effects, func(r *Rule) bool { return r.Name == m.Rule }) {
			m.Because = cause.Name
		}
	}
}

// follows joins what was found of one line of stdout: one cause is told once.
func (v *verdicts) follows(f *client.Frame) {
	s := &v.r.strays
	switch {
	case f.Kind.IsMessage():
		s.message()
		for _, rule := range [...]*Rule{messageGlued, severalOnLine, messageSpansLines, noNewlineAtEnd} {
			if v.marked(rule) {
				v.because(rule, noNewlineAtEnd, crlfLines)
				s.flaw = rule
				break
			}
		}
	case f.Kind == client.KindBlank:
		switch {
		case s.last != nil:
			v.because(s.last, blankLine, crlfLines)
		case s.lsp:
			v.because(contentLength, blankLine)
		case s.flaw != nil:
			v.because(s.flaw, blankLine)
		}
	case v.marked(brokenMessage):
		v.because(brokenMessage, controlByte)
	}
}

func (v *verdicts) marked(rule *Rule) bool {
	return slices.ContainsFunc(v.marks, func(m session.Mark) bool { return m.Rule == rule.Name })
}

// spoilt is the rule that a request without an answer comes of: what the server wrote instead of it, or
// instead of any message.
func (r *run) spoilt(q *request) string {
	s := &r.strays
	switch {
	case s.lost != nil && (q == nil || s.lostAt >= q.at):
		return s.lost.Name
	case s.ever != nil && r.revision == "" && q != nil && q.method != client.MethodDiscover && (!s.spoke || s.everAt >= q.at):
		return s.ever.Name // it broke the handshake
	}
	return ""
}

// stray judges a line that is no message.
func (v *verdicts) stray(f *client.Frame) {
	e := v.e
	v.r.said.Out(f.Body)
	size := f.Body.Len()
	text := quote(f.Body, 0, size)
	lines := ""
	if f.Lines > 1 {
		lines = fmt.Sprintf(" over %d lines", f.Lines)
	}
	during := ""
	if e.Pair != session.NoPair && f.Lost == nil {
		during = fmt.Sprintf(" while %s of #%d was open", e.Method, e.Pair)
	}
	begun := bytes.TrimLeft(f.Body.Slice(0, min(size, messageHead)), " \t")
	opens := len(begun) > 0 && (begun[0] == '{' || begun[0] == '[')
	switch {
	case f.Kind == client.KindJSON && client.Get(f.Body.Bytes(), "jsonrpc") != nil: // and no id, see message
		v.add(neitherResultError, "a message without method, result or error: %s", text)
		return
	case f.Kind == client.KindJSON && v.r.revision.Batches() && string(bytes.TrimSpace(f.Body.Slice(0, min(size, excerpt)))) == "[]":
		v.add(batchEmpty, "a batch of no messages: []")
		return
	case f.Kind == client.KindJSON:
		v.strayPiece(f, lines+during, " that is no message", text)
		return
	case f.Flaws.Has(client.FlawCut):
		return // told as a line that is too long
	case f.Flaws.Has(client.FlawUnjoined):
		v.add(messageNotJoined, "a JSON value that begins with %s was not put together%s: %s", text, whose(e, f), f.Reason)
		v.r.strays.last = messageNotJoined
	case f.Kind == client.KindNotJSON && !f.Flaws.Has(client.FlawTorn) && meantAsMessage(begun):
		v.add(brokenMessage, "a message that is no JSON%s: %s, at byte %d: %s", whose(e, f), f.Reason, f.ReasonAt, text)
	case f.Flaws.Has(client.FlawTorn) && opens:
		return // the beginning of a message is what it is
	case f.Flaws.Has(client.FlawTorn) && v.r.strays.wide && size == 1 && begun[0] == 0:
		v.because(strayStdout, noNewlineAtEnd) // half of the newline before
		return
	default:
		v.strayPiece(f, during, "", text)
	}
	if f.Flaws.Has(client.FlawControl) && !v.r.strays.wide {
		switch {
		case f.Kind == client.KindNotJSON && opens && begun[0] == '{':
			v.add(controlByte, "a raw control byte in what would be JSON: %s", f.Reason)
		case hasEscape(f.Body) && v.o.said[ansiEscape] == 0:
			v.add(ansiEscape, "stdout has terminal escape sequences: %s", text)
		}
	}
	if last := v.r.strays.last; last != nil && !v.marked(brokenMessage) {
		v.because(last, controlByte, ansiEscape)
	}
}

// meantAsMessage reports whether a line that is no JSON, of which this is the beginning, looks like a
// message all the same.
func meantAsMessage(begun []byte) bool {
	return bytes.HasPrefix(begun, []byte("{")) && bytes.Contains(begun, []byte(`"jsonrpc"`))
}

// messageHead is where the version of a message is looked for: some encoders write it last, but
// then a short message has it in its beginning too.
const messageHead = 64 << 10

// nearby is how close a line of stderr must be to stray output to be told along with it.
const nearby = time.Second

// strayPiece says what a piece of stray output is, what may have written it, and what was going on.
func (v *verdicts) strayPiece(f *client.Frame, where, json, text string) {
	s := &v.r.strays
	p, told := stray.Piece{}, v.o.said[strayStdout] < fullTexts // what it is does not matter any more behind that
	if told {
		p = stray.Of(f.Body.Slice(0, min(f.Body.Len(), messageHead)))
	} else if _, header := client.ContentLength(f.Body.Slice(0, min(f.Body.Len(), excerpt))); header && s.lsp {
		p.Class = stray.Header
	}
	lead := strayStdout
	if s.last == messageNotJoined { // this is more of it
		lead = messageNotJoined
	}
	if p.Class == stray.Header {
		lead, s.lsp = contentLength, true
		v.add(contentLength, "a header as of the Language Server Protocol, in which MCP on stdio has none: %s", text)
	}
	what := p.Class.String()
	if p.Class == stray.Blank || p.Class == stray.Text && json != "" {
		what = "JSON"
	}
	if p.Class == stray.LogRecord {
		json = ""
	}
	if f.Flaws.Has(client.FlawTorn) {
		json = " without a newline"
	}
	guess := ""
	if p.Class == stray.Wide {
		read, _ := client.UTF16(f.Body.Slice(0, min(f.Body.Len(), messageHead)))
		if read = bytes.TrimSpace(read); meantAsMessage(read) {
			what = "a message in UTF-16"
		}
		where += whose(v.e, f)
		guess = "; read as that it is " + client.Excerpt(read)
	}
	if p.Guess != "" {
		guess += "; it looks like " + p.Guess
	}
	around := ""
	if r := v.r; r.lastErr != "" && v.e.T-r.errAt < nearby {
		around = "; stderr said just before: " + string(client.Quote(r.lastErr))
	}
	v.add(strayStdout, "%s%s on stdout%s: %s%s%s; stdout is for messages, stderr for everything else", what, json, where, text, guess, around)
	if told {
		v.marks[len(v.marks)-1].Fix = p.Fix
	}
	v.because(lead, strayStdout, invalidUTF8, crlfLines, noNewlineAtEnd, longLine)
	if p.Class == stray.Wide {
		v.because(lead, byteOrderMark)
	}
	s.wide = p.Class == stray.Wide
	s.last, s.ever, s.everAt = lead, lead, v.e.T
	if instead(p.Class) && f.Lost == nil {
		s.lost, s.lostAt = lead, v.e.T
	}
}

// instead reports whether a piece is likely to have been written in place of an answer.
func instead(c stray.Class) bool {
	switch c {
	case stray.Wide, stray.Header, stray.Object, stray.List, stray.Scalar, stray.Dump, stray.Trace:
		return true
	}
	return false
}

// glued judges a message that shares its line with text.
func (v *verdicts) glued(f *client.Frame) {
	s := &v.r.strays
	first, parts := outside(f)
	half := s.wide && len(bytes.Trim(first, "\x00")) == 0 // of the newline before
	p := stray.Piece{}
	if !half {
		p = stray.Of(first)
	}
	what := ""
	if p.Class != stray.Text && p.Class != stray.Blank {
		what = ", " + p.Class.String() + ","
	}
	if p.Guess != "" {
		what += " which looks like " + p.Guess + ","
	}
	v.add(messageGlued, "%s%s shares a line with %s: it was recovered here, and clients lose it", parts, what, v.carried(f))
	if len(v.marks) == 0 {
		return // nobody judges this side
	}
	if m := &v.marks[len(v.marks)-1]; m.Rule == messageGlued.Name {
		m.Fix = p.Fix
	}
	switch {
	case half:
		v.because(strayStdout, messageGlued)
	case s.lsp && p.Class == stray.Header:
		v.because(contentLength, messageGlued)
	}
}

// carried names the first message of a line with the request that it was delivered for: "the response
// to tools/call of #9".
func (v *verdicts) carried(f *client.Frame) string {
	kind := f.Messages[0].Kind
	switch e := v.e; {
	case kind.IsAnswer() && e.Pair != session.NoPair:
		return fmt.Sprintf("the %s to %s of #%d", kind, e.Method, e.Pair)
	case e.Method != "" && kind.IsMessage() && !kind.IsAnswer():
		return fmt.Sprintf("the %s %s", kind, e.Method)
	}
	return article(kind.String())
}

// article puts "a" or "an" before a word.
func article(word string) string {
	if strings.IndexByte("aeiou", word[0]) >= 0 {
		return "an " + word
	}
	return "a " + word
}

// quotedParts is how many pieces of text between messages are quoted.
const quotedParts = 3

// outside is the text of a line that belongs to none of its messages: its first part, and the parts quoted.
func outside(f *client.Frame) (first []byte, quoted string) {
	var parts []string
	at := 0
	add := func(end int) {
		if len(parts) == quotedParts {
			return
		}
		if text := bytes.TrimSpace(f.Body.Slice(at, min(end, at+2*excerpt))); end > at && len(text) > 0 {
			if parts == nil {
				first = text
			}
			parts = append(parts, quote(f.Body, at, end))
		}
	}
	for i := range f.Messages {
		add(f.Messages[i].Span.Start)
		at = f.Messages[i].Span.End
	}
	add(f.Body.Len())
	return first, strings.Join(parts, " and ")
}
