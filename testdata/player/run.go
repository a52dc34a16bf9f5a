package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"syscall"
	"time"
)

var errStop = errors.New("stop")
var errLoop = errors.New("loop")

func (p *player) run(steps []*step) error {
	for i := 0; i < len(steps); i++ {
		s := steps[i]
		if s.lone() {
			if s.sub != nil {
				for k := 0; k < max(1, s.Repeat); k++ {
					p.n = k
					if err := p.run(s.sub); err != nil {
						return err
					}
				}
				continue
			}
			if s.Repeat > 0 && i+1 < len(steps) {
				for k := 0; k < s.Repeat; k++ {
					p.n = k
					if err := p.one(steps[i+1]); err != nil {
						return err
					}
				}
				i++
				continue
			}
			p.pending = s
			continue
		}
		times := max(1, s.Repeat)
		for k := 0; k < times; k++ {
			if times > 1 {
				p.n = k
			}
			if err := p.one(s); err != nil {
				return err
			}
		}
	}
	return nil
}

func (p *player) one(s *step) error {
	if b, ok := p.wire(s); ok {
		if p.w != nil && s.raw["raw"] == nil && s.raw["raw_b64"] == nil {
			p.w.message(bytes.TrimRight(b, "\r\n"), s.SSE || p.sc.def.SSE)
			return nil
		}
		p.write(b, s)
		return nil
	}
	switch {
	case s.Expect != "":
		return p.await(s)
	case s.ExpectEOF:
		return p.awaitEOF(s)
	case s.Stderr != nil:
		os.Stderr.WriteString(p.expand(*s.Stderr))
	case s.SleepMS != nil:
		p.sleep(ms(int64(*s.SleepMS)))
	case s.Exit != nil:
		p.finish(*s.Exit)
	case s.Signal != "":
		p.report("signal", map[string]any{"name": s.Signal})
		selfSignal(s.Signal)
		time.Sleep(200 * time.Millisecond)
	case s.Loop:
		return errLoop
	case s.Stop:
		return errStop
	case s.Close != "":
		switch s.Close {
		case "stdout":
			p.out.Close()
		case "stdin":
			os.Stdin.Close()
		case "stderr":
			os.Stderr.Close()
		}
	case s.Ignore != "":
		switch s.Ignore {
		case "eof":
			p.noEOF = true
		case "SIGTERM":
			signal.Ignore(syscall.SIGTERM)
		case "SIGINT":
			signal.Ignore(syscall.SIGINT)
		}
	case s.PauseMS != nil:
		p.resume <- ms(int64(*s.PauseMS))
	case s.Child != nil:
		p.spawn(s.Child)
	case s.Auto:
		p.auto(p.bound)
	case s.HTTP != nil:
		if p.w != nil {
			p.w.run(p, s.HTTP)
		}
	}
	return nil
}

// sleep ends early once stdin is closed, unless the case ignores that.
func (p *player) sleep(d time.Duration) {
	if p.w != nil || p.noEOF {
		time.Sleep(d)
		return
	}
	select {
	case <-time.After(d):
	case <-p.eof:
	}
}

func (p *player) spawn(raw json.RawMessage) {
	var c struct {
		SleepS  int    `json:"sleep_s"`
		Inherit bool   `json:"inherit"` // keep our stdout and stderr open
		PIDFile string `json:"pid_file"`
	}
	c.SleepS = 60
	json.Unmarshal(raw, &c)
	self, err := os.Executable()
	if err != nil {
		return
	}
	cmd := exec.Command(self, "-linger", strconv.Itoa(c.SleepS))
	if c.Inherit {
		cmd.Stdout, cmd.Stderr = p.out, os.Stderr
	}
	if err := cmd.Start(); err != nil {
		p.report("child", map[string]any{"error": err.Error()})
		return
	}
	p.report("child", map[string]any{"pid": cmd.Process.Pid})
	if f := os.Getenv("MCP_PLAYER_PIDFILE"); f != "" {
		os.WriteFile(f, []byte(strconv.Itoa(cmd.Process.Pid)+"\n"), 0o644)
	}
	fmt.Fprintf(os.Stderr, "player: child pid %d\n", cmd.Process.Pid)
}
