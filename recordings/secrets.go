package recordings

import (
	"net/url"
	"slices"
	"strings"
	"sync"
)

// MinSecret is the shortest value that is masked, in bytes: a shorter one stands in too many
// places by chance.
const MinSecret = 8

// Secrets are the values that must not be seen, by name. Add may be called at any time and holds
// for what is masked afterwards. The zero value and nil mask nothing. Safe for concurrent use.
type Secrets struct {
	mu      sync.Mutex
	values  []secret
	matcher *matcher // nil until it is needed after an Add
}

type secret struct{ name, value string }

// Add takes a secret in. Surrounding space is not part of it. It reports whether the value is
// masked from now on: not when it is shorter than MinSecret.
func (s *Secrets) Add(name, value string) bool {
	value = strings.TrimSpace(value)
	if len(value) < MinSecret {
		return false
	}
	name = cleanName(name)
	s.mu.Lock()
	defer s.mu.Unlock()
	if slices.ContainsFunc(s.values, func(x secret) bool { return x.value == value }) {
		return true
	}
	s.values = append(s.values, secret{name, value})
	s.matcher = nil
	return true
}

// AddHeader takes the value of an HTTP header in, and the credentials after its scheme by
// themselves: "Bearer abc…" also hides "abc…", and a cookie the value of each of its pairs.
func (s *Secrets) AddHeader(name, value string) bool {
	added := s.Add(name, value)
	if scheme, rest, ok := strings.Cut(strings.TrimSpace(value), " "); ok && !strings.ContainsAny(scheme, "=,;") {
		added = s.Add(name, rest) || added
	}
	if strings.EqualFold(name, "Cookie") {
		for pair := range strings.SplitSeq(value, ";") {
			if _, v, ok := strings.Cut(pair, "="); ok {
				added = s.Add(name, v) || added
			}
		}
	}
	return added
}

// AddURL takes the values in the query of an address whose names tell that they are secret, as they
// are and as they are written there.
func (s *Secrets) AddURL(address string) {
	u, err := url.Parse(address)
	if err != nil {
		return
	}
	for pair := range strings.SplitSeq(u.RawQuery, "&") {
		name, value, _ := strings.Cut(pair, "=")
		if plain, err := url.QueryUnescape(name); err == nil {
			name = plain
		}
		if !NamesSecret(name) {
			continue
		}
		s.Add(name, value)
		if plain, err := url.QueryUnescape(value); err == nil {
			s.Add(name, plain)
		}
	}
}

// AddEnviron takes the variables in, each NAME=VALUE, whose names tell that they are secret.
func (s *Secrets) AddEnviron(environ []string) {
	for _, kv := range environ {
		if name, value, ok := strings.Cut(kv, "="); ok && NamesSecret(name) {
			s.Add(name, value)
		}
	}
}

// NamesSecret reports whether a name of a variable, header or argument tells that its value is
// secret. The progress token of the protocol is none.
func NamesSecret(name string) bool {
	if name == "progressToken" {
		return false
	}
	name = strings.ToUpper(name)
	for _, word := range []string{"TOKEN", "SECRET", "KEY", "PASSWORD"} {
		if strings.Contains(name, word) {
			return true
		}
	}
	return false
}

// SecretHeader reports whether a header of HTTP is there for a secret, or has a name that tells that
// it holds one.
func SecretHeader(name string) bool {
	switch strings.ToLower(name) {
	case "authorization", "proxy-authorization", "cookie":
		return true
	}
	return NamesSecret(name)
}

// Names are the names of the secrets, each once, in the order they came.
func (s *Secrets) Names() []string {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	var names []string
	for _, v := range s.values {
		if !slices.Contains(names, v.name) {
			names = append(names, v.name)
		}
	}
	return names
}

// Mask overwrites the secrets in a whole text with as many stars. It returns p itself when there
// is none, else a copy, and where they stood: in order, without overlap.
func (s *Secrets) Mask(p []byte) ([]byte, []Span) {
	m := s.compiled()
	if m == nil {
		return p, nil
	}
	spans := disjoint(m.find(p, nil))
	if len(spans) == 0 {
		return p, nil
	}
	p = slices.Clone(p)
	star(p, spans)
	return p, spans
}

// MaskCut is Mask for the beginning of a text: what may be the beginning of a secret at its end,
// of MinSecret bytes or more, is masked too.
func (s *Secrets) MaskCut(p []byte) ([]byte, []Span) {
	m := s.compiled()
	if m == nil {
		return p, nil
	}
	spans := m.find(p, nil)
	if at, name := m.open(p); len(p)-at >= MinSecret {
		spans = append(spans, Span{at, len(p) - at, name})
	}
	if spans = disjoint(spans); len(spans) == 0 {
		return p, nil
	}
	p = slices.Clone(p)
	star(p, spans)
	return p, spans
}

// MaskString is Mask for text whose spans do not matter.
func (s *Secrets) MaskString(text string) string {
	if s == nil || len(text) < MinSecret {
		return text
	}
	masked, spans := s.Mask([]byte(text))
	if spans == nil {
		return text
	}
	return string(masked)
}

// Replace puts ⟦NAME⟧ where secrets stood: for the head, headers and everything that is no stream.
func (s *Secrets) Replace(text string) string {
	if s == nil || len(text) < MinSecret {
		return text
	}
	m := s.compiled()
	if m == nil {
		return text
	}
	spans := disjoint(m.find([]byte(text), nil))
	if len(spans) == 0 {
		return text
	}
	var b strings.Builder
	from := 0
	for i, sp := range spans {
		b.WriteString(text[from:sp.Off])
		// Parts of one place that touch get one name.
		if i == 0 || sp.Off != from || sp.Name != spans[i-1].Name {
			b.WriteString("⟦" + sp.Name + "⟧")
		}
		from = sp.Off + sp.Len
	}
	b.WriteString(text[from:])
	return b.String()
}

// compiled is the matcher of all secrets, nil when there are none.
func (s *Secrets) compiled() *matcher {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.matcher == nil && len(s.values) > 0 {
		var patterns []pattern
		for _, v := range s.values {
			for _, text := range spellings(v.value) {
				patterns = append(patterns, pattern{[]byte(text), v.name})
			}
		}
		s.matcher = newMatcher(patterns)
	}
	return s.matcher
}

// cleanName makes a name that can stand in any text: what would need an escape becomes "_".
func cleanName(name string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r == '"' || r == '\\' || r == '⟦' || r == '⟧' || hidden(r) && r > 0x7f {
			return '_'
		}
		return r
	}, toValid(name))
}
