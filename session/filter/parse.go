package filter

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Error is why an expression is none, and where.
type Error struct {
	At   int // the character, counted from 0
	Text string
}

func (e *Error) Error() string { return fmt.Sprintf("at character %d: %s", e.At+1, e.Text) }

const (
	// maxDepth bounds parentheses inside of parentheses; nobody reads as many.
	maxDepth = 100

	// maxLength bounds an expression in bytes: one that was typed is far shorter.
	maxLength = 64 << 10
)

// Parse reads an expression. Errors are of type *Error. Blank text lets every row pass.
func Parse(s string) (*Expr, error) {
	p := parser{text: s}
	if len(s) > maxLength {
		return nil, p.fail(0, "the filter is longer than %d bytes", maxLength)
	}
	if !utf8.ValidString(s) {
		return nil, p.fail(strings.IndexRune(s, utf8.RuneError), "the filter is no UTF-8")
	}
	x := &Expr{source: s, root: node{pass: all}}
	if p.space(); p.at == len(s) {
		return x, nil
	}
	root, err := p.either(0)
	if err == nil && p.at < len(s) {
		err = p.fail(p.at, "a ) without its (")
	}
	if err != nil {
		return nil, err
	}
	x.root = root
	return x, nil
}

// parser walks over the text; at is the next byte.
type parser struct {
	text string
	at   int
}

func (p *parser) fail(at int, format string, args ...any) error {
	return &Error{At: utf8.RuneCountInString(p.text[:min(max(at, 0), len(p.text))]), Text: fmt.Sprintf(format, args...)}
}

func (p *parser) rest() string { return p.text[p.at:] }

func (p *parser) next() rune {
	r, _ := utf8.DecodeRuneInString(p.rest())
	return r
}

func (p *parser) space() {
	p.at = len(p.text) - len(strings.TrimLeftFunc(p.rest(), unicode.IsSpace))
}

// keyword steps over a word of the grammar, if it comes next as a word of its own.
func (p *parser) keyword(word string) bool {
	rest := p.rest()
	if len(rest) < len(word) || !strings.EqualFold(rest[:len(word)], word) {
		return false
	}
	if next, _ := utf8.DecodeRuneInString(rest[len(word):]); len(rest) > len(word) && !unicode.IsSpace(next) && next != '(' && next != ')' {
		return false
	}
	p.at += len(word)
	p.space()
	return true
}

// either reads parts that "or" joins, up to a closing parenthesis or the end.
func (p *parser) either(depth int) (node, error) {
	var list []node
	for {
		n, err := p.both(depth)
		if err != nil {
			return n, err
		}
		list = append(list, n)
		if !p.keyword("or") {
			break
		}
	}
	if len(list) == 1 {
		return list[0], nil
	}
	cheapestFirst(list)
	return or(list), nil
}

// both reads parts that "and" or a blank joins.
func (p *parser) both(depth int) (node, error) {
	var list []node
	for {
		n, err := p.part(depth)
		if err != nil {
			return n, err
		}
		list = append(list, n)
		p.space()
		if p.keyword("and") {
			continue
		}
		at := p.at
		if over := p.at == len(p.text) || p.text[p.at] == ')' || p.keyword("or"); over {
			p.at = at
			break
		}
	}
	if len(list) == 1 {
		return list[0], nil
	}
	cheapestFirst(list)
	return and(list), nil
}

// part reads one term with what negates it.
func (p *parser) part(depth int) (node, error) {
	negate := false
	begin := p.at
	for {
		if strings.HasPrefix(p.rest(), "-") {
			p.at++
			negate = !negate
		} else if p.keyword("not") {
			negate = !negate
		} else {
			break
		}
	}
	n, err := p.positive(depth, begin)
	if negate && err == nil {
		n = not(n)
	}
	return n, err
}

// positive reads a group or a term. begin is where what negates it stands.
func (p *parser) positive(depth, begin int) (node, error) {
	at := p.at
	switch {
	case p.at == len(p.text), p.text[p.at] == ')', unicode.IsSpace(p.next()):
		return node{}, p.missing(begin)
	case p.keyword("and"), p.keyword("or"):
		p.at = at
		return node{}, p.missing(begin)
	case p.text[p.at] == '(':
		if depth == maxDepth {
			return node{}, p.fail(at, "more than %d parentheses inside of each other", maxDepth)
		}
		p.at++
		p.space()
		n, err := p.either(depth + 1)
		if err != nil {
			return n, err
		}
		if !strings.HasPrefix(p.rest(), ")") {
			return n, p.fail(at, "this ( is not closed")
		}
		p.at++
		return n, nil
	}
	return p.term()
}

// missing says that there is nothing where a part should begin.
func (p *parser) missing(begin int) error {
	at := p.at
	before := strings.TrimRightFunc(p.text[:at], unicode.IsSpace)
	where := ""
	switch word := lastWord(before); {
	case strings.HasSuffix(before, "("):
		where = "inside of this ( )"
	case begin < p.at, word == "and", word == "or":
		where = "behind " + word
	case p.at < len(p.text) && p.text[p.at] == ')':
		where = "before this )"
	default:
		where = "before " + p.bare()
	}
	return p.fail(at, "something to look for is missing %s; to look for and, or, not or a leading - put it in quotes", where)
}

// lastWord is what s ends with.
func lastWord(s string) string {
	return lowerASCII(s[strings.LastIndexFunc(s, func(r rune) bool { return unicode.IsSpace(r) || r == '(' || r == ')' })+1:])
}

func cheapestFirst(list []node) {
	slices.SortStableFunc(list, func(a, b node) int { return a.cost - b.cost })
}

// joined is what a list of nodes costs and depends on.
func joined(list []node) (n node) {
	for i := range list {
		n.cost += list[i].cost
		n.changes = n.changes || list[i].changes
	}
	return n
}

// quoted reads text in quotes, which begins here; \" and \\ stand for a quote and a backslash.
func (p *parser) quoted() (string, error) {
	begin := p.at
	var out strings.Builder
	for p.at++; p.at < len(p.text); p.at++ {
		switch c := p.text[p.at]; {
		case c == '"':
			p.at++
			return out.String(), nil
		case c == '\\' && p.at+1 < len(p.text) && (p.text[p.at+1] == '"' || p.text[p.at+1] == '\\'):
			p.at++
			out.WriteByte(p.text[p.at])
		default:
			out.WriteByte(c)
		}
	}
	return "", p.fail(begin, "this quote is not closed")
}

// bare reads text up to a blank, a quote or a parenthesis.
func (p *parser) bare() string {
	rest := p.rest()
	end := strings.IndexFunc(rest, func(r rune) bool { return unicode.IsSpace(r) || r == '(' || r == ')' || r == '"' })
	if end < 0 {
		end = len(rest)
	}
	p.at += end
	return rest[:end]
}
