package recordings

import (
	"encoding/base64"
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// escapeStyle is how one family of encoders writes a text inside a JSON string.
type escapeStyle struct {
	slash bool   // "/" as "\/"
	ascii bool   // what is not ASCII as \uXXXX
	upper bool   // hex digits in capitals
	codes string // ASCII characters written as \uXXXX that need not be
}

// escapeStyles are the encoders that servers are written with.
func escapeStyles() []escapeStyle {
	return []escapeStyle{
		{},                         // JavaScript, Rust, Java, C++
		{slash: true},              // org.json, older Foundation
		{codes: "<>&"},             // Go, Rails
		{codes: "<>&='"},           // Gson
		{ascii: true},              // Python, Ruby's generate in ASCII
		{ascii: true, slash: true}, // PHP
		{ascii: true, upper: true}, // Newtonsoft in ASCII
		{ascii: true, upper: true, codes: "\"&'+<>`"}, // System.Text.Json
	}
}

func (e escapeStyle) escape(s string) string {
	var b strings.Builder
	code := func(u uint16) {
		if e.upper {
			fmt.Fprintf(&b, `\u%04X`, u)
		} else {
			fmt.Fprintf(&b, `\u%04x`, u)
		}
	}
	for i, r := range s {
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(s[i:], "\uFFFD"):
			b.WriteByte(s[i]) // not UTF-8: kept as it is
		case r < utf8.RuneSelf && strings.ContainsRune(e.codes, r):
			code(uint16(r))
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteByte(byte(r))
		case r == '/' && e.slash:
			b.WriteString(`\/`)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\b':
			b.WriteString(`\b`)
		case r == '\f':
			b.WriteString(`\f`)
		case r < ' ':
			code(uint16(r))
		case r >= utf8.RuneSelf && e.ascii:
			for _, u := range utf16.Encode([]rune{r}) {
				code(u)
			}
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// spellings are the forms in which a secret may stand in a stream: as it is, inside a JSON
// string, inside JSON that is itself the text of a JSON string, and in base64 wherever it starts.
func spellings(value string) []string {
	var all []string
	seen := map[string]bool{}
	add := func(s string) {
		if !seen[s] {
			seen[s] = true
			all = append(all, s)
		}
	}
	add(value)
	plain := escapeStyle{}
	for _, e := range escapeStyles() {
		once := e.escape(value)
		add(once)
		add(plain.escape(once))
		add(e.escape(once))
	}
	for _, coded := range base64Cores(value) {
		for _, e := range escapeStyles() {
			add(e.escape(coded))
		}
	}
	return all
}

// base64Cores are the parts of the base64 of a longer text that depend on value alone, for the
// three places in a group of three bytes where value may start. The one character at either end
// that also depends on a neighbour is left out: it tells at most four bits.
func base64Cores(value string) []string {
	var cores []string
	for before := range 3 {
		text := append(make([]byte, before), value...)
		first := (before*8 + 5) / 6
		last := len(text) * 8 / 6
		std := base64.RawStdEncoding.EncodeToString(text)[first:last]
		cores = append(cores, std, strings.NewReplacer("+", "-", "/", "_").Replace(std))
	}
	return cores
}
