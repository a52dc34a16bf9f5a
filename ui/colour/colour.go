package colour

import (
	"strings"

	"github.com/alecthomas/chroma/v2"
)

// Palette holds the SGR sequence that begins each class of token, "\x1b[36m" for
// example. A class that is empty is drawn as the text around it.
type Palette struct {
	Key     string // the name of a member
	String  string
	Escape  string // \n and \u001b inside a string or a key
	Number  string
	Literal string // true, false, null
	Punct   string
	Remark  string // ours: the true size of what was cut
	Error   string // what is not JSON

	// Reset ends a class. It is "\x1b[0m" when empty; a selected row gives the
	// sequence that returns to its own look.
	Reset string
}

const reset = "\x1b[0m"

// lineLimit is how much of a line is coloured. A pretty line is shorter; whatever
// else comes here must not cost more.
const lineLimit = 16 << 10

// JSONLine colours one line of JSON that is clean (see text.Clean) and preferably
// clipped. Without the sequences of p it is line again, byte for byte. It keeps
// nothing and may be called from anywhere.
func JSONLine(line string, p Palette) string {
	if p == (Palette{Reset: p.Reset}) {
		return line
	}
	rest := ""
	if len(line) > lineLimit {
		line, rest = line[:lineLimit], line[lineLimit:]
	}
	end := p.Reset
	if end == "" {
		end = reset
	}
	var out strings.Builder
	out.Grow(2*len(line) + len(rest) + 16)
	tokens, _ := lexer{}.Tokenise(nil, line)
	now := ""
	for t := tokens(); t != chroma.EOF; t = tokens() {
		if sgr := p.sgr(t.Type); sgr != now && t.Type != chroma.TextWhitespace {
			if now != "" {
				out.WriteString(end)
			}
			out.WriteString(sgr)
			now = sgr
		}
		out.WriteString(t.Value)
	}
	if now != "" {
		out.WriteString(end)
	}
	out.WriteString(rest)
	return out.String()
}

// sgr returns the sequence of a token's class. An escape without one of its own
// takes that of strings.
func (p *Palette) sgr(t chroma.TokenType) string {
	switch {
	case t == chroma.NameTag:
		return p.Key
	case t == chroma.LiteralStringEscape && p.Escape != "":
		return p.Escape
	case t.InSubCategory(chroma.LiteralString):
		return p.String
	case t.InSubCategory(chroma.LiteralNumber):
		return p.Number
	case t.InCategory(chroma.Keyword):
		return p.Literal
	case t.InCategory(chroma.Comment):
		return p.Remark
	case t == chroma.Punctuation:
		return p.Punct
	case t == chroma.Error:
		return p.Error
	}
	return ""
}
