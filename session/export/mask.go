package export

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/recordings"
	"example.com/mcpinspect/session"
)

// Mask hides parts of what is exported, beside what was masked in the recording. It counts what it
// hides. A value of 8 bytes or more that a pointer leads to is hidden in every other text, too. nil
// hides nothing.
type Mask struct {
	pointers []pointer
	exprs    []*regexp.Regexp
	secrets  *recordings.Secrets
	found    *recordings.Secrets // values that a pointer led to: hidden wherever they stand
	hidden   map[string]int
	met      map[string]bool // pointers that led to something
	silent   bool            // nothing is counted
}

// pointer is a JSON pointer (RFC 6901) into a message; * stands for every member or element.
type pointer struct {
	text string
	path []string
}

// NewMask reads words that are each a JSON pointer into messages, such as /params/arguments/user or
// /result/content/*/text, or re:EXPR, a regular expression for any text. The secrets are hidden, too.
func NewMask(words []string, secrets *recordings.Secrets) (*Mask, error) {
	m := &Mask{secrets: secrets, found: &recordings.Secrets{}, hidden: map[string]int{}, met: map[string]bool{}}
	for _, w := range words {
		expr, is := strings.CutPrefix(w, "re:")
		switch {
		case is:
			re, err := regexp.Compile(expr)
			if err != nil {
				return nil, fmt.Errorf("%q is no regular expression: %s", expr, strings.TrimPrefix(err.Error(), "error parsing regexp: "))
			}
			if re.MatchString("") {
				return nil, fmt.Errorf("%q matches empty text, and so everything and nothing", expr)
			}
			m.exprs = append(m.exprs, re)
		case strings.HasPrefix(w, "/"):
			path := strings.Split(w[1:], "/")
			for i, p := range path {
				path[i] = strings.ReplaceAll(strings.ReplaceAll(p, "~1", "/"), "~0", "~")
			}
			m.pointers = append(m.pointers, pointer{w, path})
		default:
			return nil, fmt.Errorf("%q is neither a JSON pointer, which begins with /, nor re:EXPR", w)
		}
	}
	return m, nil
}

// Hidden says what was hidden so far and how often, one sentence each.
func (m *Mask) Hidden() (out []string) {
	if m == nil {
		return nil
	}
	for what, n := range m.hidden {
		out = append(out, fmt.Sprintf("%s (%d×)", what, n))
	}
	slices.Sort(out)
	return out
}

// Idle are the words given to NewMask that have hidden nothing so far.
func (m *Mask) Idle() (out []string) {
	if m == nil {
		return nil
	}
	for _, p := range m.pointers {
		if !m.met[p.text] {
			out = append(out, p.text)
		}
	}
	for _, re := range m.exprs {
		if m.hidden["re:"+re.String()] == 0 {
			out = append(out, "re:"+re.String())
		}
	}
	return out
}

// learn follows the pointers into every message of a session.
func (m *Mask) learn(s *session.Session) {
	if m == nil || len(m.pointers) == 0 {
		return
	}
	m.silent = true
	s.Log().Each(0, func(e session.Event) bool {
		if e.Note == nil && e.Kind.IsMessage() {
			body := s.Log().Line(e.Seq)
			m.message(body[:len(body):len(body)])
		}
		return true
	})
	m.silent = false
}

func (m *Mask) count(what string, n int) {
	if !m.silent {
		m.hidden[what] += n
	}
}

// message hides parts of a message. It returns p itself when there is nothing to hide.
func (m *Mask) message(p []byte) []byte {
	if m == nil {
		return p
	}
	for _, ptr := range m.pointers {
		var spans []recordings.Span
		for value := range client.Elements(bytes.TrimSpace(p)) { // of a batch
			spans = find(p, value, ptr.path, spans)
		}
		if spans = find(p, p, ptr.path, spans); len(spans) > 0 {
			m.count(ptr.text, len(spans))
			m.met[ptr.text] = true
			for _, sp := range spans {
				if value, ok := client.Text(p[sp.Off : sp.Off+sp.Len]); ok {
					m.found.Add(ptr.text, value)
				}
			}
			p = hide(p, spans)
		}
	}
	return m.bytes(p)
}

// bytes hides what is hidden in any text.
func (m *Mask) bytes(p []byte) []byte {
	if m == nil {
		return p
	}
	for i, secrets := range [...]*recordings.Secrets{m.secrets, m.found} {
		masked, spans := secrets.Mask(p)
		for _, sp := range spans {
			m.count([...]string{"the secret ", "what stands at "}[i]+sp.Name, 1)
		}
		p = masked
	}
	for _, re := range m.exprs {
		at := re.FindAllIndex(p, -1)
		if len(at) == 0 {
			continue
		}
		p = bytes.Clone(p)
		for _, x := range at {
			star(p[x[0]:x[1]])
		}
		m.count("re:"+re.String(), len(at))
	}
	return p
}

func (m *Mask) text(s string) string {
	if m == nil {
		return s
	}
	return string(m.bytes([]byte(s)))
}

// find appends where the values at a path lie in whole; value is a part of whole.
func find(whole, value []byte, path []string, spans []recordings.Span) []recordings.Span {
	if len(path) == 0 {
		return append(spans, recordings.Span{Off: cap(whole) - cap(value), Len: len(value)})
	}
	for name, v := range client.Members(value) {
		if n, _ := client.Text(name); n == path[0] || path[0] == "*" {
			spans = find(whole, v, path[1:], spans)
		}
	}
	i := 0
	for v := range client.Elements(value) {
		if path[0] == "*" || path[0] == strconv.Itoa(i) {
			spans = find(whole, v, path[1:], spans)
		}
		i++
	}
	return spans
}

// hide overwrites values so that the JSON stays JSON: a string keeps its quotes and its length, any
// other value becomes a string.
func hide(p []byte, spans []recordings.Span) []byte {
	slices.SortFunc(spans, func(a, b recordings.Span) int { return a.Off - b.Off })
	out := make([]byte, 0, len(p)+8*len(spans))
	from := 0
	for _, sp := range spans {
		if sp.Off < from {
			continue // within one that is hidden already
		}
		out = append(out, p[from:sp.Off]...)
		value := p[sp.Off : sp.Off+sp.Len]
		inner := 3
		if len(value) > 2 && value[0] == '"' {
			inner = len(value) - 2
		}
		out = append(append(append(out, '"'), bytes.Repeat([]byte{'*'}, inner)...), '"')
		from = sp.Off + sp.Len
	}
	return append(out, p[from:]...)
}

func star(p []byte) {
	for i := range p {
		p[i] = '*'
	}
}
