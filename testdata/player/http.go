package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
)

func (p *player) serveHTTP(addr string) {
	ln, err := net.Listen("tcp", addr)
	if err != nil {
		fatal("%v", err)
	}
	fmt.Fprintf(os.Stderr, "player: http://%s%s\n", ln.Addr(), p.sc.def.Path)
	var mu sync.Mutex // one request at a time keeps a scripted case repeatable
	next := 0
	h := http.HandlerFunc(func(rw http.ResponseWriter, req *http.Request) {
		body, _ := io.ReadAll(req.Body)
		hdr := map[string]any{}
		for k, v := range req.Header {
			hdr[k] = strings.Join(v, " | ")
		}
		p.report("http", map[string]any{"verb": req.Method, "url": req.URL.String(), "headers": hdr, "bytes": len(body)})
		var m *message
		if req.Method == http.MethodPost && len(body) > 0 {
			var perr error
			m, perr = parseMessage(body)
			mu.Lock()
			p.inspect(body, m, perr)
			if perr == nil && m.id != nil && req.URL.Path != p.sc.def.Path {
				delete(p.seen, string(m.id)) // a redirected POST comes again
			}
			mu.Unlock()
			p.lintHeaders(req, m)
			if perr != nil {
				http.Error(rw, "bad JSON", 400)
				return
			}
		} else {
			m = &message{method: "HTTP " + req.Method, tree: map[string]any{}}
		}
		m.hdr = req.Header
		if o, ok := m.tree.(map[string]any); ok {
			o["http"] = map[string]any{"path": req.URL.Path, "verb": req.Method, "query": req.URL.RawQuery}
			hh := map[string]any{}
			for k, v := range req.Header {
				hh[strings.ToLower(k)] = strings.Join(v, ", ")
			}
			o["headers"] = hh
		}
		mu.Lock()
		held := true
		unlock := func() {
			if held {
				held = false
				mu.Unlock()
			}
		}
		defer unlock()
		q := *p // a private view per request: bound message and writer
		q.w = &httpReply{rw: rw, req: req}
		q.named = p.named
		// sequence
		if next < len(p.sc.steps) && p.sc.steps[next].Expect != "" && q.matches(p.sc.steps[next], p.sc.steps[next].Expect, m) {
			st := p.sc.steps[next]
			end := next + 1
			for end < len(p.sc.steps) && p.sc.steps[end].Expect == "" && !p.sc.steps[end].Loop {
				end++
			}
			part := p.sc.steps[next+1 : end]
			next = end
			if next < len(p.sc.steps) && p.sc.steps[next].Loop {
				next = 0
			}
			q.bind(st, m)
			unlock()
			q.run(part)
			q.done(m)
			return
		}
		for _, r := range p.sc.rules {
			if r.Times > 0 && p.fired[r] >= r.Times {
				continue
			}
			if q.matches(r, r.On, m) {
				p.fired[r]++
				q.bind(r, m)
				unlock()
				q.run(r.sub)
				q.done(m)
				return
			}
		}
		if strings.HasPrefix(m.method, "HTTP ") {
			if req.URL.Path != p.sc.def.Path {
				http.NotFound(rw, req)
				return
			}
			rw.Header().Set("Allow", "POST")
			http.Error(rw, "method not allowed", http.StatusMethodNotAllowed)
			return
		}
		if req.URL.Path != p.sc.def.Path {
			http.NotFound(rw, req)
			return
		}
		q.auto(m)
		p.inited = p.inited || q.inited
		p.initVer = q.initVer
		q.done(m)
	})
	srv := &http.Server{Handler: h}
	fatal("%v", srv.Serve(ln))
}

func (p *player) done(m *message) {
	if p.w.started {
		return
	}
	if m.id == nil {
		p.w.rw.WriteHeader(http.StatusAccepted)
		return
	}
	p.w.rw.WriteHeader(http.StatusNoContent)
}
