package ui

import (
	"bytes"
	"os"
	"time"
	"unicode/utf8"
)

// keyboard is the terminal as Bubble Tea reads it. A terminal without bracketed paste, or one
// whose user switched it off, types a pasted text, and its lines would become commands and calls.
// Only here is it known what came in one read, so here such a text gets its brackets.
//
// A read is taken for a paste when it has a line break between texts: no hand is that fast, and
// a burst of keys that a slow line delivered together has none, unless enter was among them.
type keyboard struct {
	*os.File
	tail  []byte    // the last bytes inside of brackets that the terminal set; nil outside
	paste time.Time // when the last piece of a paste without brackets came
}

const (
	pasteBegin = "\x1b[200~"
	pasteEnd   = "\x1b[201~"

	// pasteGap is how long the pieces of one paste lie apart at most. A terminal writes them as
	// fast as they are read; whoever answers what the screen shows needs a frame for it.
	pasteGap = 10 * time.Millisecond
)

// Read fills p with whole keys. It leaves room for the brackets, and uses that room where a
// sequence or character would be cut instead: Bubble Tea takes the end of a read that does not
// fill its buffer for the end of a key.
func (k *keyboard) Read(p []byte) (int, error) {
	room := len(p) - len(pasteBegin) - len(pasteEnd)
	if room <= 0 {
		return k.File.Read(p)
	}
	n, err := k.File.Read(p[:room])
	for n == room && room < len(p) && err == nil && unfinished(p[:n]) {
		room++
		var more int
		more, err = k.File.Read(p[n:room])
		n += more
	}
	return k.bracket(p, n, time.Now()), err
}

// bracket puts a paste that has no brackets into some and returns the new length of what is in p.
func (k *keyboard) bracket(p []byte, n int, now time.Time) int {
	b := p[:n]
	if k.tail != nil || bytes.Contains(b, []byte(pasteBegin)) {
		k.inside(b)
		return n
	}
	goesOn := now.Sub(k.paste) < pasteGap && plainText(b)
	if n == 0 || n+len(pasteBegin)+len(pasteEnd) > len(p) || !goesOn && !linesOfText(b) {
		return n
	}
	k.paste = now
	copy(p[len(pasteBegin):], b)
	copy(p, pasteBegin)
	copy(p[len(pasteBegin)+n:], pasteEnd)
	return n + len(pasteBegin) + len(pasteEnd)
}

// inside follows pastes that have brackets to their end, which a read may cut.
func (k *keyboard) inside(b []byte) {
	b = append(k.tail, b...)
	for open := k.tail != nil; ; open = !open {
		want := pasteBegin
		if open {
			want = pasteEnd
		}
		_, rest, found := bytes.Cut(b, []byte(want))
		if found {
			b = rest
			continue
		}
		if k.tail = nil; open {
			k.tail = append([]byte{}, b[max(0, len(b)-len(pasteEnd)+1):]...)
		}
		return
	}
}

// plainText reports whether b is what a paste is made of: no control bytes but line breaks and tabs.
func plainText(b []byte) bool {
	for _, c := range b {
		if c < ' ' && c != '\r' && c != '\n' && c != '\t' || c == 0x7f {
			return false
		}
	}
	return true
}

// linesOfText reports whether b is plain text with a line break between texts.
func linesOfText(b []byte) bool {
	b = bytes.Trim(b, "\r\n\t ")
	return bytes.ContainsAny(b, "\r\n") && plainText(b)
}

// unfinished reports whether b ends inside of an escape sequence or a character.
func unfinished(b []byte) bool {
	const longest = 12 // bytes that such a sequence has
	if i := bytes.LastIndexByte(b, 0x1b); i >= 0 && len(b)-i < longest {
		switch rest := b[i+1:]; {
		case len(rest) == 0:
			return true
		case rest[0] == '[' || rest[0] == 'O':
			return len(rest) == 1 || !final(rune(rest[len(rest)-1]))
		}
		return false
	}
	for i := 1; i <= utf8.UTFMax && i <= len(b); i++ {
		if utf8.RuneStart(b[len(b)-i]) {
			return !utf8.FullRune(b[len(b)-i:])
		}
	}
	return false
}
