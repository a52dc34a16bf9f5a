package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"time"
)

// command is a program of a pair. The server is the last word; what it costs is in both.
type command struct {
	argv []string
	env  string // one more variable; "" for none
}

// cost is one run: the time from start to end, the processor time and the largest memory of the
// process itself.
type cost struct {
	wall, cpu time.Duration
	peak      int64 // bytes; 0 where the system does not say
}

func (c command) run() (cost, error) {
	cmd := exec.Command(c.argv[0], c.argv[1:]...)
	if c.env != "" {
		cmd.Env = append(os.Environ(), c.env)
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	began := time.Now()
	if err := cmd.Run(); err != nil {
		return cost{}, fmt.Errorf("%q: %w\n%s", c.argv, err, stderr.Bytes())
	}
	return cost{time.Since(began), cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), peak(cmd.ProcessState)}, nil
}

// medians runs the commands in turn, n times each, and returns the median of each figure.
func medians(n int, commands ...command) ([]cost, error) {
	all := make([][]cost, len(commands))
	for i := range n + 1 {
		for k, c := range commands {
			got, err := c.run()
			if err != nil {
				return nil, err
			}
			if i > 0 { // the first run fills the caches
				all[k] = append(all[k], got)
			}
		}
	}
	out := make([]cost, len(commands))
	for k, costs := range all {
		out[k] = cost{
			wall: median(costs, func(c cost) time.Duration { return c.wall }),
			cpu:  median(costs, func(c cost) time.Duration { return c.cpu }),
			peak: median(costs, func(c cost) int64 { return c.peak }),
		}
	}
	return out, nil
}

func median[T int64 | time.Duration](costs []cost, of func(cost) T) T {
	figures := make([]T, len(costs))
	for i, c := range costs {
		figures[i] = of(c)
	}
	slices.Sort(figures)
	return figures[len(figures)/2]
}

func ms(d time.Duration) string { return fmt.Sprintf("%.1f ms", float64(d)/1e6) }

const mib = 1 << 20

func size(n int64) string { return fmt.Sprintf("%.1f MiB", float64(n)/mib) }

// Limits, as the product promises them.
const (
	linkedLimit = 1.4 // beside a bare program with the same libraries
	plainLimit  = 1.9 // beside one without
	verbPeak    = 20 * mib
	floodLimit  = 1.3
	bodyLimit   = 1.5 // of a 50 MB answer, beside a bare reader
	bodyPeak    = 3   // of its size
	hugeCap     = 1 << 30
	binaryLimit = 25 * mib
)

func (p programs) verbs(n int) error {
	const call = `"name":"greet","arguments":{"name":"ada"}`
	for _, v := range []struct {
		what string
		ours []string
		env  string
	}{
		{"list tools --json", []string{"list", "tools", "--json"}, ""},
		{"call greet --json", []string{"call", "greet", "name=ada", "--json"}, "BARE_CALL=" + call},
	} {
		got, err := medians(n,
			command{argv: slices.Concat([]string{p.inspector}, v.ours, []string{"--", p.gosdk})},
			command{[]string{p.linked, p.gosdk}, v.env}, command{[]string{p.plain, p.gosdk}, v.env})
		if err != nil {
			return err
		}
		row{v.what + ", same libraries", ms(got[0].wall), ms(got[1].wall), ratio(got[0].wall, got[1].wall), linkedLimit}.print()
		row{v.what + ", no libraries", ms(got[0].wall), ms(got[2].wall), ratio(got[0].wall, got[2].wall), plainLimit}.print()
		row{v.what + ", memory", size(got[0].peak), size(verbPeak), float64(got[0].peak) / verbPeak, 1}.print()
	}
	return nil
}

func (p programs) floods(n int) error {
	const whole = 50 << 20
	flood, err := medians(n, command{argv: []string{p.inspector, "call", "flood", "--json", "-q", "--", p.flood}}, command{[]string{p.plain, p.flood}, `BARE_CALL="name":"flood","arguments":{}`})
	if err != nil {
		return err
	}
	row{"200,000 log messages before an answer", ms(flood[0].wall), ms(flood[1].wall), ratio(flood[0].wall, flood[1].wall), floodLimit}.print()
	body, err := medians(n, command{argv: []string{p.inspector, "call", "big", "--json", "-q", "--", p.big}}, command{[]string{p.plain, p.big}, `BARE_CALL="name":"big","arguments":{}`})
	if err != nil {
		return err
	}
	row{"an answer of 50 MiB on one line", ms(body[0].wall), ms(body[1].wall), ratio(body[0].wall, body[1].wall), bodyLimit}.print()
	row{"an answer of 50 MiB, memory", size(body[0].peak), size(whole), float64(body[0].peak) / whole, bodyPeak}.print()
	huge, err := command{argv: []string{p.inspector, "call", "big", "--json", "-q", "--max-line", "1GiB", "--", p.big, "-bytes", fmt.Sprint(500 << 20)}}.run()
	if err != nil {
		return err
	}
	row{"an answer of 500 MiB, memory", size(huge.peak), size(hugeCap), float64(huge.peak) / hugeCap, 1}.print()
	return nil
}

func (p programs) sizes() error {
	st, err := os.Stat(p.inspector)
	if err != nil {
		return err
	}
	row{"executable", size(st.Size()), size(binaryLimit), float64(st.Size()) / binaryLimit, 1}.print()
	return nil
}

func ratio(a, b time.Duration) float64 { return float64(a) / float64(b) }
