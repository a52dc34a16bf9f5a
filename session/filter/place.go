package filter

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"example.com/mcpinspect/session"
)

// Place is the word of an expression that is being written.
type Place struct {
	From  int    // the byte where it begins; of the value of a field, where that begins
	Field string // whose value it is, in lower case; empty for a word of its own
	Typed string // from there to the end of what is written
}

// At is the word that ends at the end of s, the part of an expression before a cursor. It is false
// where nothing is to be proposed: in quotes, in a regular expression, behind a comparison.
func At(s string) (Place, bool) {
	p := parser{text: s}
	for {
		for p.space(); p.at < len(s) && strings.ContainsRune("()-", p.next()); p.space() {
			p.at++
		}
		begin := p.at
		name := p.name()
		field := name != "" && strings.HasPrefix(p.rest(), ":")
		if field {
			p.at++
		} else {
			p.at = begin
		}
		var err error
		switch from := p.at; {
		case strings.HasPrefix(p.rest(), `"`):
			_, err = p.quoted()
		case field && name == "re":
			_, err = p.expression()
			if p.at == len(s) {
				return Place{}, false
			}
		default:
			if word := p.bare(); p.at == len(s) {
				return Place{from, field1(field, name), word}, field || !compares(word)
			}
		}
		if err != nil || p.at == len(s) {
			return Place{}, false
		}
	}
}

func field1(is bool, name string) string {
	if is {
		return name
	}
	return ""
}

// compares reports whether a word is a comparison that has begun.
func compares(word string) bool {
	low := lowerASCII(word)
	return strings.HasPrefix(low, ">") || strings.HasPrefix(low, "<") || strings.HasPrefix(low, "size>") || strings.HasPrefix(low, "size<")
}

// Words are what an expression may begin with, with what each is for: fields, which end with a colon,
// comparisons, the words of the grammar, and the selectors.
func Words() (words [][2]string) {
	for _, f := range [...][2]string{{"method:", "method, * for any text"}, {"tool:", "call of a tool"}, {"id:", "request and answer"}, {"is:", "kind of row"}, {"dir:", "direction"},
		{"stream:", "of the server"}, {"rule:", "finding"}, {"level:", "log message, and worse"}, {">500ms", "took longer"}, {"size>1k", "is larger"}, {"re:/", "regular expression"},
		{"@marked", "marked rows"}, {"@all", "every row"}, {"or", ""}, {"not", ""}, {"and", ""}} {
		words = append(words, f)
	}
	return words
}

// Values are the values that a field may have, where those are few; nil for any others.
func Values(field string) []string {
	switch field {
	case "is":
		return strings.Split(kinds, ", ")
	case "dir":
		return strings.Split(dirNames, ", ")
	case "stream":
		return strings.Split(streamNames, ", ")
	case "level":
		return session.LogLevels[:]
	}
	return nil
}

// Quote writes a value, or a word, so that it is read as it stands.
func Quote(s string) string {
	plain := s != "" && utf8.ValidString(s) && !strings.ContainsAny(s, `*"()\`) && strings.IndexFunc(s, unicode.IsSpace) < 0
	if plain {
		return s
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(strings.ToValidUTF8(s, "\uFFFD")) + `"`
}
