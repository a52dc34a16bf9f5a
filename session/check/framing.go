package check

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/session/check/stray"
)

// bytes judges how a line of stdout is framed and encoded.
func (v *verdicts) bytes(f *client.Frame) {
	r, e := v.r, v.e
	size := f.Body.Len()
	if f.Term == client.TermCRLF && !r.crlf && !v.client {
		r.crlf = true
		v.add(crlfLines, "the server ends its lines with CRLF")
	}
	if f.Flaws.Has(client.FlawBOM) {
		v.add(byteOrderMark, "the bytes EF BB BF, a UTF-8 byte order mark, stand at offset %d of stdout", f.Offset)
	} else if head := f.Body.Slice(0, min(2, size)); string(head) == "\xff\xfe" || string(head) == "\xfe\xff" {
		v.add(byteOrderMark, "the bytes %X, a UTF-16 byte order mark, stand at offset %d of stdout", head, f.Offset)
	}
	if f.Flaws.Has(client.FlawUTF8) {
		v.add(invalidUTF8, "byte 0x%02x at offset %d of the line is no UTF-8", f.Body.Slice(f.BadUTF8, f.BadUTF8+1), f.BadUTF8)
	}
	if f.Kind == client.KindBlank && !f.Flaws.Has(client.FlawTorn) {
		v.add(blankLine, "a line with nothing but white space, %d bytes", size)
	}
	if f.Flaws.Has(client.FlawTorn) && f.Kind != client.KindBlank {
		if f.Kind.IsMessage() {
			v.add(noNewlineAtEnd, "no newline at the end of the output: the last %s, %d bytes, could be read all the same", f.Kind, size)
		} else {
			v.add(noNewlineAtEnd, "stdout ended within a line of %d bytes: %s", size, quote(f.Body, 0, size))
		}
	}
	if f.Cut > 0 {
		v.add(lineCut, "%d bytes of a line were kept, %d beyond the limit were not, so nothing can be read from it%s; --max-line sets the limit", size, f.Cut, whose(e, f))
	}
	if size >= largeLine {
		v.large(f, size)
	}
	if f.Flaws.Has(client.FlawSpread) && len(f.Messages) > 0 {
		v.add(messageSpansLines, "a %s spans %d lines: the transport allows one", f.Kind, f.Lines)
	}
	if len(f.Messages) > 0 && f.Flaws.Has(client.FlawGlued) {
		v.add(messageGlued, "%s shares a line with a %s", outside(f), f.Messages[0].Kind)
	}
	if len(f.Messages) > 0 && f.Flaws.Has(client.FlawMany) && f.Flaws.Has(client.FlawOverfull) {
		v.add(severalOnLine, "more than %d messages share a line", len(f.Messages))
	} else if len(f.Messages) > 0 && f.Flaws.Has(client.FlawMany) {
		v.add(severalOnLine, "%d messages share a line", len(f.Messages))
	}
	if f.Flaws.Has(client.FlawOverfull) {
		v.add(overfullLine, "a line holds more than %d messages: those from byte %d of its %d on were not delivered", len(f.Messages), f.Beyond, size)
	}
}

// whose names the request that an answer which cannot be read was meant for.
func whose(e *session.Event, f *client.Frame) string {
	if f.Lost == nil || e.Pair == session.NoPair {
		return ""
	}
	return fmt.Sprintf(", though it answers %s of #%d", e.Method, e.Pair)
}

func (v *verdicts) large(f *client.Frame, size int) {
	what, e := f.Kind.String(), v.e
	if !f.Kind.IsMessage() {
		what = "line"
	}
	if e.Method != "" {
		what += " of " + e.Method
	}
	if size >= readerLimit {
		v.add(longLine, "a %s of %d bytes: common SDK readers give up at 10 to 16 MiB", what, size)
		return
	}
	v.add(longLine, "a %s of %d bytes", what, size)
}

// quotedParts is how many pieces of text between messages are quoted.
const quotedParts = 3

// outside is the text of a line that belongs to none of its messages.
func outside(f *client.Frame) string {
	var parts []string
	at := 0
	add := func(end int) {
		if len(parts) == quotedParts {
			return
		}
		if text := bytes.TrimSpace(f.Body.Slice(at, min(end, at+2*excerpt))); end > at && len(text) > 0 {
			parts = append(parts, quote(f.Body, at, end))
		}
	}
	for i := range f.Messages {
		add(f.Messages[i].Span.Start)
		at = f.Messages[i].Span.End
	}
	add(f.Body.Len())
	return strings.Join(parts, " and ")
}

// meantAsMessage reports whether a line that is no JSON looks like a message all the same.
func meantAsMessage(b client.Body) bool {
	head := bytes.TrimLeft(b.Slice(0, min(b.Len(), messageHead)), " \t")
	return bytes.HasPrefix(head, []byte("{")) && bytes.Contains(head, []byte(`"jsonrpc"`))
}

// messageHead is where the version of a message is looked for: some encoders write it last, but
// then a short message has it in its beginning too.
const messageHead = 64 << 10

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
	case f.Kind == client.KindNotJSON && !f.Flaws.Has(client.FlawTorn) && meantAsMessage(f.Body):
		v.add(brokenMessage, "a message that is no JSON%s: %s, at byte %d: %s", whose(e, f), f.Reason, f.ReasonAt, text)
	case f.Flaws.Has(client.FlawTorn):
		return // an unfinished line is what it is, not a banner
	default:
		v.strayPiece(f, during, "", text)
	}
	head := f.Body.Slice(0, min(size, len(contentLengthHeader)))
	if strings.EqualFold(string(head), contentLengthHeader) {
		v.add(contentLength, "a header as of the Language Server Protocol: %s", text)
	}
	if f.Flaws.Has(client.FlawControl) {
		switch {
		case f.Kind == client.KindNotJSON && bytes.HasPrefix(bytes.TrimLeft(head, " \t"), []byte("{")):
			v.add(controlByte, "a raw control byte in what would be JSON: %s", f.Reason)
		case hasEscape(f.Body) && v.o.said[ansiEscape] == 0:
			v.add(ansiEscape, "stdout has terminal escape sequences: %s", text)
		}
	}
}

const contentLengthHeader = "content-length:"

// nearby is how close a line of stderr must be to stray output to be told along with it.
const nearby = time.Second

// strayPiece says what a piece of stray output is, what may have written it, and what was going on.
func (v *verdicts) strayPiece(f *client.Frame, where, json, text string) {
	if v.o.said[strayStdout] >= fullTexts { // what it is does not matter any more
		v.add(strayStdout, "")
		return
	}
	p := stray.Of(f.Body.Slice(0, min(f.Body.Len(), messageHead)))
	what := p.Class.String()
	if p.Class == stray.Blank || p.Class == stray.Text && json != "" {
		what = "JSON"
	}
	if p.Class == stray.LogRecord {
		json = ""
	}
	guess := ""
	if p.Guess != "" {
		guess = "; it looks like " + p.Guess
	}
	around := ""
	if r := v.r; r.lastErr != "" && v.e.T-r.errAt < nearby {
		around = "; stderr said just before: " + string(client.Quote(r.lastErr))
	}
	v.add(strayStdout, "%s%s on stdout%s: %s%s%s; stdout is for messages, stderr for everything else", what, json, where, text, guess, around)
	v.marks[len(v.marks)-1].Fix = p.Fix
}

// surrogates looks for half of a surrogate pair, \ud800 to \udfff without its other half.
func (v *verdicts) surrogates(f *client.Frame) {
	for _, p := range f.Body {
		for at := 0; ; {
			i := bytes.Index(p[at:], []byte(`\u`))
			if i < 0 || at+i+6 > len(p) {
				break
			}
			at += i
			high, ok := surrogate(p[at:])
			if !ok || escaped(p, at) {
				at += 2
				continue
			}
			if high && at+12 <= len(p) {
				if second, ok := surrogate(p[at+6:]); ok && !second {
					at += 12
					continue
				}
			}
			if high && at+12 > len(p) && len(f.Body) > 1 {
				break // the other half may lie in the next piece
			}
			v.add(loneSurrogate, "half of a surrogate pair, %s, at byte %d", p[at:at+6], at)
			return
		}
	}
}

// surrogate reads \ud800 to \udfff; high is true for the first half of a pair.
func surrogate(p []byte) (high, ok bool) {
	if p[0] != '\\' || p[1] != 'u' || p[2]|0x20 != 'd' {
		return false, false
	}
	switch c := p[3] | 0x20; {
	case '8' <= p[3] && p[3] <= '9', c == 'a', c == 'b':
		return true, true
	case 'c' <= c && c <= 'f':
		return false, true
	}
	return false, false
}

// escaped reports whether the backslash at p[at] is itself escaped.
func escaped(p []byte, at int) bool {
	n := 0
	for at > 0 && p[at-1] == '\\' {
		at--
		n++
	}
	return n%2 == 1
}
