package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

type player struct {
	sc       *scenario
	argv     []string
	bound    *message
	named    map[string]*message
	in       chan *message
	eof      chan struct{}
	out      *os.File
	n        int
	fired    map[*step]int
	noEOF    bool
	resume   chan time.Duration
	inited   bool
	initVer  string
	open     map[string]bool
	seen     map[string]bool
	pending  *step // a lone split/every modifier
	mu       *sync.Mutex
	rep      io.Writer
	fails    *int
	strict   bool
	w        *httpReply
	sessions *int
	initSeen *atomic.Bool
}

func (p *player) report(kind string, kv map[string]any) {
	if kind == "check" && kv["ok"] == false || kind == "lint" {
		p.mu.Lock()
		*p.fails++
		p.mu.Unlock()
	}
	if p.rep == nil {
		return
	}
	m := map[string]any{"t": time.Now().UTC().Format("15:04:05.000"), "kind": kind}
	for k, v := range kv {
		m[k] = v
	}
	b, _ := json.Marshal(m)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.rep.Write(append(b, '\n'))
}

func (p *player) lint(format string, a ...any) {
	p.report("lint", map[string]any{"what": fmt.Sprintf(format, a...)})
}

func (p *player) check(what, problem string) {
	p.report("check", map[string]any{"what": what, "ok": problem == "", "problem": problem})
}
