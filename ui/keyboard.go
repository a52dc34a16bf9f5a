package ui

import (
	"bytes"
	"os"
	"sync/atomic"
	"time"
	"unicode/utf8"
)

// keyboard is the terminal as Bubble Tea reads it. A terminal without bracketed paste, or one
// whose user switched it off, types a pasted text, and its lines would become commands and calls.
// Only here is it known what came in one read, so here such a text gets its brackets.
//
// A read is taken for a paste when it has a line break between texts: no hand is that fast, and
// a burst of keys that a slow line delivered together has none, unless enter was among them. Where
// keys are no text, one with a blank between texts is taken for a paste, too.
type keyboard struct {
	*os.File
	text  *atomic.Bool // keys are text, as far as the screen has come; nil for always
	gone  func()       // called at the end of the terminal, which Bubble Tea does not tell of; nil for nobody
	tail  []byte       // the last bytes inside of brackets that the terminal set; nil outside
	paste time.Time    // when the last piece of a paste came that filled its read; zero for none
}

const (
	// longestKey is how many bytes the sequence of a key has at most.
	longestKey = 12

	pasteBegin = "\x1b[200~"
	pasteEnd   = "\x1b[201~"

	// pasteGap is how long the pieces of a paste that is larger than a read lie apart at most: the
	// next one waits already while the one before is read.
	pasteGap = 10 * time.Millisecond
)

// Read fills p with whole keys. It leaves room for the brackets, and for the rest of a sequence or
// character that would be cut: Bubble Tea takes the end of a read that does not fill its buffer for
// the end of a key.
func (k *keyboard) Read(p []byte) (int, error) {
	most := len(p) - len(pasteBegin) - len(pasteEnd)
	room := most - longestKey
	if room <= 0 {
		return k.File.Read(p)
	}
	n, err := k.File.Read(p[:room])
	if n == 0 && err != nil && k.gone != nil {
		k.gone()
	}
	full := n == room
	for ; n == room && room < most && err == nil && unfinished(p[:n]); room++ {
		var more int
		more, err = k.File.Read(p[n : room+1])
		n += more
	}
	return k.bracket(p, n, full, time.Now()), err
}

// bracket puts a paste that has no brackets into some and returns the new length of what is in p.
// full says that there may be more of it.
func (k *keyboard) bracket(p []byte, n int, full bool, now time.Time) int {
	b := p[:n]
	if k.tail != nil || bytes.Contains(b, []byte(pasteBegin)) {
		k.inside(b)
		return n
	}
	goesOn := now.Sub(k.paste) < pasteGap && plainText(b)
	k.paste = time.Time{}
	words := k.text != nil && !k.text.Load() && wordsOfText(b)
	if n == 0 || n+len(pasteBegin)+len(pasteEnd) > len(p) || !goesOn && !linesOfText(b) && !words {
		return n
	}
	if full {
		k.paste = now
	}
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

// beginsText are the keys behind which a line is typed in every pane.
const beginsText = ":/"

// wordsOfText reports whether b is plain text with a blank between texts that no key before it makes text.
func wordsOfText(b []byte) bool {
	b = bytes.Trim(b, "\r\n\t ")
	blank := bytes.IndexByte(b, ' ')
	if blank == 1 && b[0] == 'f' { // a filter
		return false
	}
	return blank > 0 && !bytes.ContainsAny(b[:blank], beginsText) && plainText(b)
}

// unfinished reports whether b ends inside of an escape sequence or a character.
func unfinished(b []byte) bool {
	if i := bytes.LastIndexByte(b, 0x1b); i >= 0 && len(b)-i < longestKey {
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
