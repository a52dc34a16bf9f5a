// Package colour colours JSON, one visible line at a time.
package colour

import (
	"strings"

	"github.com/alecthomas/chroma/v2"
)

// lexer is a chroma lexer for one line of pretty-printed JSON. Chroma's own JSON
// lexer is a table of regular expressions: it costs hundreds of microseconds a
// kilobyte and its package registers every language at start-up. This one has no
// state that outlives a line, no table to build, and reads each byte once, so it
// can run on what a frame shows, while it is drawn.
//
// Its input is what a pane shows of a document, not a document: the line may end
// anywhere, with or without an ellipsis, and may hold /* remarks */ of ours.
type lexer struct{}

var _ chroma.Lexer = lexer{}

func (lexer) Config() *chroma.Config                               { return &chroma.Config{Name: "JSON line"} }
func (l lexer) SetRegistry(*chroma.LexerRegistry) chroma.Lexer     { return l }
func (l lexer) SetAnalyser(func(text string) float32) chroma.Lexer { return l }
func (lexer) AnalyseText(string) float32                           { return 0 }

// Tokenise never fails; the values of its tokens add up to line.
func (lexer) Tokenise(_ *chroma.TokeniseOptions, line string) (chroma.Iterator, error) {
	in := chroma.None // or the type of the string we are in
	return func() chroma.Token {
		if line == "" {
			return chroma.EOF
		}
		var n int
		var kind chroma.TokenType
		switch {
		case in == chroma.None && line[0] == '"':
			in = chroma.LiteralStringDouble
			if isKey(line) {
				in = chroma.NameTag
			}
			n, kind = inside(line[1:])+1, in
			if closes(line, n) {
				n, in = n+1, chroma.None
			}
		case in == chroma.None:
			n, kind = outside(line)
		case line[0] == '\\':
			n, kind = escape(line), chroma.LiteralStringEscape
		default:
			n, kind = inside(line), in
			if closes(line, n) {
				n, in = n+1, chroma.None
			}
		}
		token := chroma.Token{Type: kind, Value: line[:n]}
		line = line[n:]
		return token
	}, nil
}

// inside returns the length of string content up to a quote, an escape or the end.
func inside(s string) int {
	if n := strings.IndexAny(s, `"\`); n >= 0 {
		return n
	}
	return len(s)
}

func closes(s string, n int) bool { return n < len(s) && s[n] == '"' }

// escape returns the length of the escape at the start of s, or 1 for a backslash
// before anything else.
func escape(s string) int {
	if len(s) < 2 {
		return 1
	}
	switch s[1] {
	case 'u':
		if strings.HasPrefix(s, `\u{`) { // how a character above U+FFFF is made visible
			if n := strings.IndexByte(s[:min(len(s), 10)], '}'); n > 0 {
				return n + 1
			}
			return 2
		}
		return digits(s, 2, 4)
	case 'x': // how a byte that is no UTF-8 is made visible
		return digits(s, 2, 2)
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2
	}
	return 1
}

// digits returns the end of at most count hexadecimal digits that begin at i.
func digits(s string, i, count int) int {
	end := min(i+count, len(s))
	for i < end && (s[i] >= '0' && s[i] <= '9' || s[i]|0x20 >= 'a' && s[i]|0x20 <= 'f') {
		i++
	}
	return i
}

// isKey says whether the string at the start of s is followed by a colon.
func isKey(s string) bool {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return strings.HasPrefix(strings.TrimLeft(s[i+1:], " "), ":")
		}
	}
	return false
}

const (
	ellipsis = "…"   // of text.Clip
	dots     = "..." // of a value that package detail cut
)

// outside returns the token at the start of s, which stands in no string.
func outside(s string) (int, chroma.TokenType) {
	switch c := s[0]; {
	case c == ' ':
		return len(s) - len(strings.TrimLeft(s, " ")), chroma.TextWhitespace
	case strings.IndexByte("{}[]:,", c) >= 0:
		return 1, chroma.Punctuation
	case c == '-' || c >= '0' && c <= '9':
		return span(s, "+-.eE0123456789"), chroma.LiteralNumber
	case c >= 'a' && c <= 'z':
		n := span(s, "abcdefghijklmnopqrstuvwxyz")
		cut := strings.HasPrefix(s[n:], ellipsis) || n == len(s)
		for _, word := range [...]string{"true", "false", "null"} {
			if s[:n] == word || cut && strings.HasPrefix(word, s[:n]) {
				return n, chroma.KeywordConstant
			}
		}
	case strings.HasPrefix(s, "/*"):
		if n := strings.Index(s, "*/"); n > 0 {
			return n + 2, chroma.CommentMultiline
		}
		return len(s), chroma.CommentMultiline
	case strings.HasPrefix(s, ellipsis):
		return len(ellipsis), chroma.Comment
	case strings.HasPrefix(s, dots):
		return len(dots), chroma.Comment
	}
	n := strings.IndexAny(s[1:], ` "{}[]:,`) // never inside a character: these are ASCII
	if n < 0 {
		return len(s), chroma.Error
	}
	return n + 1, chroma.Error
}

// span returns how many bytes at the start of s are in set.
func span(s, set string) int {
	n := 1
	for n < len(s) && strings.IndexByte(set, s[n]) >= 0 {
		n++
	}
	return n
}
