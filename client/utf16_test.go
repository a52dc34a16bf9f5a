package client

import (
	"testing"
	"unicode/utf16"
)

// wide is a text in UTF-16.
func wide(s string, big bool) (out string) {
	for _, u := range utf16.Encode([]rune(s)) {
		if big {
			out += string([]byte{byte(u >> 8), byte(u)})
		} else {
			out += string([]byte{byte(u), byte(u >> 8)})
		}
	}
	return out
}

func TestUTF16(t *testing.T) {
	for _, c := range []struct {
		line, text string
		is         bool
	}{
		{wide("ready, größer", false), "ready, größer", true},
		{wide("ready, größer", true), "ready, größer", true},
		{"\xff\xfe" + wide("漢字", false), "漢字", true},
		{"\xfe\xff" + wide("漢字", true), "漢字", true},
		{"\x00" + wide("ready\r", false), "ready\r", true}, // behind a newline whose second byte is the first
		{wide("ready", true) + "\x00", "ready", true},      // before a newline whose first byte is the last
		{"\xff\xfe", "", true},
		{"", "", false},
		{"ready", "", false},
		{"\x00", "", false},
		{"a\x00b\x00", "", false}, // too short to tell
		{"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00", "", false},
		{"a\x00 and then text without an end", "", false},
	} {
		if text, is := UTF16([]byte(c.line)); string(text) != c.text || is != c.is {
			t.Errorf("%q: %q %v", c.line, text, is)
		}
	}
}
