package main

import (
	"bufio"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"
)

// samplePause is between two looks at what the product holds.
const samplePause = 5 * time.Second

// names of the figures of a sample, and what may be more at the end than in the middle, beside what
// was read meanwhile: the log keeps that.
var figures = []struct {
	name  string
	unit  int64
	slack int64
	keeps int64 // so many times what was read it grows; the collector lets a heap double
}{
	{"seconds", 1, 0, 0},
	{"read KiB", 1 << 10, 0, 0},
	{"resident MiB", 1 << 20, 12 << 20, 2},
	{"live heap MiB", 1 << 20, 4 << 20, 1},
	{"goroutines", 1, 3, 0},
	{"threads", 1, 3, 0},
	{"open files", 1, 3, 0},
}

// sample writes a line of figures every samplePause: it runs in the product.
func sample(file string) {
	f, err := os.Create(file)
	if err != nil {
		panic(err)
	}
	begun := time.Now()
	for range time.Tick(samplePause) {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		files, _ := os.ReadDir("/proc/self/fd")
		fmt.Fprintln(f, int(time.Since(begun).Seconds()), proc("/proc/self/io", "rchar:"), proc("/proc/self/status", "VmRSS:")<<10, m.HeapAlloc,
			runtime.NumGoroutine(), proc("/proc/self/status", "Threads:"), len(files))
	}
}

// proc is a number in a file of /proc.
func proc(file, name string) (n int64) {
	b, _ := os.ReadFile(file)
	if _, rest, ok := strings.Cut(string(b), name); ok {
		fmt.Sscan(rest, &n)
	}
	return n
}

// judge prints the medians of the quarters and compares the last with the second.
func judge(file string) (flat bool, err error) {
	f, err := os.Open(file)
	if err != nil {
		return false, err
	}
	defer f.Close()
	columns := make([][]int64, len(figures))
	for lines := bufio.NewScanner(f); lines.Scan(); {
		for i, word := range strings.Fields(lines.Text()) {
			var n int64
			fmt.Sscan(word, &n)
			columns[i] = append(columns[i], n)
		}
	}
	n := len(columns[0])
	if n < 8 {
		return false, fmt.Errorf("only %d samples: it has to run longer", n)
	}
	median := func(i, quarter int) int64 {
		part := slices.Clone(columns[i][quarter*n/4 : (quarter+1)*n/4])
		slices.Sort(part)
		return part[len(part)/2]
	}
	flat = true
	read := median(1, 3) - median(1, 1)
	fmt.Printf("%-14s %10s %10s %10s %10s\n", "median of", "quarter 1", "2", "3", "4")
	for i, fig := range figures {
		fmt.Printf("%-14s", fig.name)
		for q := range 4 {
			fmt.Printf(" %10.1f", float64(median(i, q))/float64(fig.unit))
		}
		may := fig.slack + fig.keeps*(read+read/60*80) // the bytes, and 80 of each row beside them, which has some 60 at least
		if grew := median(i, 3) - median(i, 1); i > 1 && grew > may {
			flat = false
			fmt.Printf("  GREW by %.1f, more than %.1f", float64(grew)/float64(fig.unit), float64(may)/float64(fig.unit))
		}
		fmt.Println()
	}
	return flat, nil
}
