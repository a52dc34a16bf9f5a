// Command player runs one scripted MCP server described by a JSON Lines file.
//
//	player [flags] scenario.jsonl [args shown to the scenario as $argv]
//	player -http 127.0.0.1:8123 [flags] scenario.jsonl
//	player -check scenario.jsonl ...        parse only, print problems
//
// Over stdio it is the server process that a client spawns. With -http it
// listens and answers Streamable HTTP requests. The file format is described
// in scenarios/FORMAT.md beside this folder. Standard library only.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// scale shortens or stretches every wait that a scenario asks for.
var scale = 1.0

// ms is n milliseconds of scenario time.
func ms(n int64) time.Duration { return time.Duration(float64(n) * scale * float64(time.Millisecond)) }

func (p *player) finish(code int) {
	p.report("exit", map[string]any{"code": code, "fails": *p.fails})
	if code == 0 && p.strict && *p.fails > 0 {
		code = 90
	}
	os.Exit(code)
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func fatal(f string, a ...any) {
	fmt.Fprintf(os.Stderr, "player: "+f+"\n", a...)
	os.Exit(64)
}

func selfSignal(name string) {
	sig := map[string]syscall.Signal{"SIGKILL": syscall.SIGKILL, "SIGTERM": syscall.SIGTERM}[name]
	pr, err := os.FindProcess(os.Getpid())
	if err != nil {
		return
	}
	if runtime.GOOS == "windows" || sig == syscall.SIGKILL {
		pr.Kill()
		return
	}
	signal.Reset(sig)
	pr.Signal(sig)
}

func main() {
	httpAddr := flag.String("http", "", "serve Streamable HTTP on this address instead of stdio")
	repPath := flag.String("report", os.Getenv("MCP_PLAYER_REPORT"), "append JSON Lines about what the client did to this file")
	flag.Float64Var(&scale, "scale", 1, "multiply every wait of the scenario by this")
	strict := flag.Bool("strict", false, "exit 90 when a check or lint failed")
	checkOnly := flag.Bool("check", false, "only parse the scenarios")
	linger := flag.Int("linger", 0, "internal: sleep this many seconds")
	flag.Parse()
	if *linger > 0 {
		signal.Ignore(syscall.SIGTERM, syscall.SIGINT)
		time.Sleep(time.Duration(*linger) * time.Second)
		return
	}
	if flag.NArg() < 1 {
		fatal("usage: player [-http addr] [-report file] [-strict] scenario.jsonl [args]")
	}
	if *checkOnly {
		bad := 0
		for _, f := range flag.Args() {
			if _, err := load(f); err != nil {
				fmt.Printf("%s: %v\n", f, err)
				bad++
			}
		}
		if bad > 0 {
			os.Exit(1)
		}
		return
	}
	sc, err := load(flag.Arg(0))
	if err != nil {
		fatal("%s: %v", flag.Arg(0), err)
	}
	p := &player{sc: sc, mu: &sync.Mutex{}, fails: new(int), sessions: new(int), initSeen: new(atomic.Bool), argv: append([]string{}, flag.Args()[1:]...), named: map[string]*message{}, in: make(chan *message, 4096),
		eof: make(chan struct{}), out: os.Stdout, fired: map[*step]int{}, resume: make(chan time.Duration, 8),
		open: map[string]bool{}, seen: map[string]bool{}, strict: *strict}
	if *repPath != "" {
		f, err := os.OpenFile(*repPath, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
		if err != nil {
			fatal("%v", err)
		}
		p.rep = f
	}
	p.report("start", map[string]any{"case": sc.head.Case, "pid": os.Getpid(), "argv": p.argv})
	if *httpAddr != "" {
		p.serveHTTP(*httpAddr)
		return
	}
	go p.readLoop()
	for {
		err = p.run(sc.steps)
		if err == errLoop {
			select {
			case <-p.eof:
				err = errStop
			default:
				continue
			}
		}
		break
	}
	if err == nil {
		err = p.serve()
	}
	if p.noEOF && err == errStop {
		select {}
	}
	p.finish(0)
}
