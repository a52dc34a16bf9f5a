package main

import (
	"bufio"
	"bytes"
	"os"
	"time"
)

// gate reads stdin but stops for a while when the scenario asked for it, so
// that the pipe fills up and the client feels it.
type gate struct{ p *player }

func (g *gate) Read(b []byte) (int, error) {
	select {
	case d := <-g.p.resume:
		g.p.report("pause", map[string]any{"ms": d.Milliseconds()})
		time.Sleep(d)
	default:
	}
	return os.Stdin.Read(b)
}

func (p *player) readLoop() {
	r := bufio.NewReaderSize(&gate{p}, 1<<14)
	for {
		line, err := r.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			if line[len(line)-1] != '\n' {
				p.lint("the last line had no newline")
			}
			body := bytes.TrimRight(line, "\r\n")
			m, perr := parseMessage(body)
			p.inspect(body, m, perr)
			if perr == nil {
				p.in <- m
			} else if p.sc.def.Manual == nil {
				p.put([]byte(`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}` + "\n"))
			}
		}
		if err != nil {
			p.report("eof", map[string]any{"error": err.Error()})
			close(p.eof)
			return
		}
	}
}
