package main

import (
	"fmt"
	"sort"
	"strings"
	"time"
)

func (p *player) matches(s *step, name string, m *message) bool {
	if name != "*" && name != m.method {
		return false
	}
	for path, want := range s.Where {
		v, ok := get(m.tree, path)
		if compare(v, ok, want) != "" {
			return false
		}
	}
	return true
}

func (p *player) bind(s *step, m *message) {
	p.bound = m
	if m.method == "initialize" && len(p.sc.legacy()) > 0 {
		p.inited = true
	}
	if s.As != "" {
		p.named[s.As] = m
	}
	for _, path := range keys(s.Check) {
		v, ok := get(m.tree, path)
		p.check(m.method+" "+path, compare(v, ok, s.Check[path]))
	}
	for _, h := range keys(s.Headers) {
		vals := m.hdr.Values(h)
		p.check(m.method+" header "+h, compare(strings.Join(vals, ", "), len(vals) > 0, s.Headers[h]))
	}
}

func keys(m map[string]any) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	sort.Strings(out)
	return out
}

func (p *player) await(s *step) error {
	var timer <-chan time.Time
	if s.TimeoutMS > 0 {
		timer = time.After(ms(int64(s.TimeoutMS)))
	}
	for {
		select {
		case m := <-p.in:
			if p.matches(s, s.Expect, m) {
				p.bind(s, m)
				return nil
			}
			if err := p.dispatch(m); err != nil {
				return err
			}
		case <-timer:
			if !s.Optional {
				p.check("expect "+s.Expect, fmt.Sprintf("not seen within %d ms", s.TimeoutMS))
			}
			return nil
		case <-p.eof:
			if len(p.in) > 0 {
				continue
			}
			if !s.Optional {
				p.check("expect "+s.Expect, "stdin closed before it was seen")
			}
			return errStop
		}
	}
}

func (p *player) awaitEOF(s *step) error {
	limit := s.TimeoutMS
	if limit == 0 {
		limit = 10000
	}
	timer := time.After(ms(int64(limit)))
	for {
		select {
		case m := <-p.in:
			if err := p.dispatch(m); err != nil {
				return err
			}
		case <-p.eof:
			p.check("stdin closed", "")
			return nil
		case <-timer:
			if !s.Optional {
				p.check("stdin closed", fmt.Sprintf("still open after %d ms", limit))
			}
			return nil
		}
	}
}

func (p *player) dispatch(m *message) error {
	for _, r := range p.sc.rules {
		if r.Times > 0 && p.fired[r] >= r.Times {
			continue
		}
		if p.matches(r, r.On, m) {
			p.fired[r]++
			p.bind(r, m)
			return p.run(r.sub)
		}
	}
	p.auto(m)
	return nil
}

// serve answers by rules and defaults until stdin closes.
func (p *player) serve() error {
	for {
		select {
		case m := <-p.in:
			if err := p.dispatch(m); err != nil {
				return err
			}
		case <-p.eof:
			for len(p.in) > 0 {
				if err := p.dispatch(<-p.in); err != nil {
					return err
				}
			}
			if p.noEOF {
				p.report("ignoring", map[string]any{"what": "eof"})
				select {}
			}
			return nil
		}
	}
}
