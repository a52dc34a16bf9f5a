package client

import (
	"bytes"
	"unicode/utf16"
)

// UTF16 reads a line that is written in UTF-16, in either order of its bytes, with or without a mark: the
// text of it as UTF-8, and false for a line that is none. A line is cut from its stream at the byte of a
// newline, so that half a character may stand at either end of it.
func UTF16(b []byte) ([]byte, bool) {
	const fewest = 4 // characters that tell: fewer may be anything
	big := bytes.HasPrefix(b, []byte("\xfe\xff"))
	if big || bytes.HasPrefix(b, []byte("\xff\xfe")) {
		return wideText(b[2:], big), true
	}
	if bytes.IndexByte(b[:min(len(b), 2)], 0) < 0 { // what nearly every line ends at
		return nil, false
	}
	zero := [2]int{}
	for i, c := range b {
		if c == 0 {
			zero[i&1]++
		}
	}
	n := len(b) / 2
	if n < fewest || min(zero[0], zero[1]) > 0 || 2*max(zero[0], zero[1]) < n {
		return nil, false
	}
	return wideText(b, zero[0] > 0), true
}

// wideText is UTF-16 as UTF-8.
func wideText(b []byte, big bool) []byte {
	units := make([]uint16, 0, len(b)/2)
	low, high := 0, 1
	if big {
		low, high = 1, 0
	}
	for ; len(b) >= 2; b = b[2:] {
		units = append(units, uint16(b[low])|uint16(b[high])<<8)
	}
	return []byte(string(utf16.Decode(units)))
}
