package schema

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/dlclark/regexp2/v2"
)

// matcher is a regular expression as ECMAScript has them, with look-around and
// back-references, and therefore with a limit of time. It is compiled when it
// is first asked.
type matcher struct {
	source string
	once   sync.Once
	re     *regexp2.Regexp
	failed error
}

// newMatcher refuses what the compiler must not see.
func newMatcher(source string) (*matcher, error) {
	if len(source) > maxPatternLen {
		return nil, fmt.Errorf("a pattern of %d bytes is too long", len(source))
	}
	return &matcher{source: source}, nil
}

// compile says why the pattern cannot be used, if so.
func (m *matcher) compile() error {
	m.once.Do(func() {
		defer func() {
			if fault := recover(); fault != nil {
				m.failed = fmt.Errorf("pattern %s cannot be compiled: %v", quote(m.source), fault)
			}
		}()
		re, err := regexp2.Compile(m.source, regexp2.ECMAScript|regexp2.Unicode)
		if err != nil {
			// Some patterns, such as \-, are only accepted without the u flag.
			re, err = regexp2.Compile(m.source, regexp2.ECMAScript)
		}
		if err != nil {
			m.failed = fmt.Errorf("pattern %s is no regular expression: %s", quote(m.source), strings.TrimPrefix(err.Error(), "error parsing regexp: "))
			return
		}
		re.MatchTimeout = patternTime
		m.re = re
	})
	return m.failed
}

// MatchString reports whether the text matches. What cannot be compiled or
// takes too long matches: it must refuse nothing.
func (m *matcher) MatchString(text string) bool { return m.match(text, nil) }

func (m *matcher) match(text string, spent *expiry) (ok bool) {
	if m.compile() != nil {
		return true
	}
	if spent != nil && spent.time > patternBudget {
		spent.add(m.source)
		return true
	}
	start := time.Now()
	defer func() {
		if recover() != nil {
			ok = true
			spent.add(m.source)
		}
	}()
	ok, err := m.re.MatchString(text)
	if err != nil {
		if spent != nil {
			spent.time += time.Since(start)
		}
		spent.add(m.source)
		return true
	}
	return ok
}

// expiry collects the patterns that took too long in one check.
type expiry struct {
	time     time.Duration
	patterns []string
}

func (e *expiry) add(source string) {
	if e != nil && !slices.Contains(e.patterns, source) {
		e.patterns = append(e.patterns, source)
	}
}
