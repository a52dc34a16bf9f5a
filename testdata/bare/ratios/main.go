// Command ratios prints what mcpinspect costs beside programs that do no more than must be done,
// as one table of one run. Machines differ and are noisy: the ratio counts, the times only say
// where it was measured. Each pair is run in turn, so that a busy moment meets both.
//
//	go run ./testdata/bare/ratios [-n 20] [-bench=false]
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

func main() {
	n := flag.Int("n", 20, "runs of each program of a pair")
	bench := flag.Bool("bench", true, "run the Go benchmarks too")
	flag.Parse()
	if err := run(*n, *bench); err != nil {
		fmt.Fprintln(os.Stderr, "ratios:", err)
		os.Exit(1)
	}
}

// row is one line of the table. A limit of 0 is none.
type row struct {
	what          string
	ours, measure string
	ratio, limit  float64
}

func (r row) print() {
	verdict, limit := "", "-"
	if r.limit > 0 {
		limit = fmt.Sprintf("%.2f", r.limit)
		if r.ratio > r.limit {
			verdict = "over"
		}
	}
	fmt.Printf("| %s | %s | %s | %.2f | %s | %s |\n", r.what, r.ours, r.measure, r.ratio, limit, verdict)
}

func run(n int, bench bool) error {
	folder, err := os.MkdirTemp("", "ratios")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	os.Setenv("XDG_STATE_HOME", filepath.Join(folder, "state"))
	p, err := build(folder)
	if err != nil {
		return err
	}
	host, _ := os.Hostname()
	fmt.Printf("%s, %s %s, %d CPUs, %s\n\n", host, runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), runtime.Version())
	fmt.Println("| what | mcpinspect | measure | ratio | limit | |\n|---|---|---|---|---|---|")
	if err := p.verbs(n); err != nil {
		return err
	}
	if err := p.floods(max(n/4, 3)); err != nil {
		return err
	}
	if err := p.sizes(); err != nil {
		return err
	}
	if !bench {
		return nil
	}
	return benchmarks()
}

// programs are the executables of a run.
type programs struct {
	inspector, plain, linked string
	gosdk, flood, big        string
}

func build(folder string) (programs, error) {
	var p programs
	for _, b := range []struct {
		to   *string
		path string
	}{
		{&p.inspector, "."},
		{&p.plain, "./testdata/bare/plain"},
		{&p.linked, "./testdata/bare/linked"},
		{&p.gosdk, "./testdata/servers/gosdk"},
		{&p.flood, "./testdata/servers/flood"},
		{&p.big, "./testdata/servers/big"},
	} {
		*b.to = filepath.Join(folder, strings.ReplaceAll(strings.TrimPrefix(b.path, "./"), "/", "-"))
		if b.path == "." {
			*b.to = filepath.Join(folder, "mcpinspect")
		}
		if out, err := exec.Command("go", "build", "-o", *b.to, b.path).CombinedOutput(); err != nil {
			return p, fmt.Errorf("building %s: %w\n%s", b.path, err, out)
		}
	}
	return p, nil
}
