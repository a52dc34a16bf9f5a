package check

import (
	"bytes"
	"fmt"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/session"
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
			v.add(noNewlineAtEnd, "no newline at the end of the output: %s, %d bytes, could be read all the same", v.carried(f), size)
		} else {
			v.add(noNewlineAtEnd, "stdout ended within a line of %s: %s", client.Bytes(int64(size)), quote(f.Body, 0, size))
		}
	}
	if f.Cut > 0 {
		v.add(lineCut, "%d bytes of a line were kept, %d beyond the limit were not, so nothing can be read from it%s; --max-line sets the limit", size, f.Cut, whose(e, f))
	}
	if size >= largeLine {
		v.large(f, size)
	}
	if f.Flaws.Has(client.FlawSpread) && len(f.Messages) > 0 {
		v.add(messageSpansLines, "%s spans %d lines: the transport allows one", v.carried(f), f.Lines)
	}
	if len(f.Messages) > 0 && f.Flaws.Has(client.FlawGlued) {
		v.glued(f)
	}
	if len(f.Messages) > 0 && f.Flaws.Has(client.FlawMany) && f.Flaws.Has(client.FlawOverfull) {
		v.add(severalOnLine, "more than %d messages share a line", len(f.Messages))
	} else if len(f.Messages) > 0 && f.Flaws.Has(client.FlawMany) {
		v.add(severalOnLine, "%d messages share a line, the first of them %s", len(f.Messages), v.carried(f))
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
	what = article(what)
	if size >= readerLimit {
		v.add(longLine, "%s of %d bytes: common SDK readers give up at 10 to 16 MiB", what, size)
		return
	}
	v.add(longLine, "%s of %d bytes", what, size)
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
