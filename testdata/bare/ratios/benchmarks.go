package main

import (
	"bufio"
	"bytes"
	"fmt"
	"maps"
	"os/exec"
	"slices"
	"strconv"
	"strings"
)

// figures are what the Go benchmarks report, by name without the number of processors, then unit.
type figures map[string]map[string]float64

// benchmarks runs the benchmarks of the packages and prints those figures that stand for a promise.
func benchmarks() error {
	got := figures{}
	for _, b := range []struct{ pkg, pattern, time string }{
		{"./client", "^(BenchmarkFramer|BenchmarkScan)$", "300ms"},
		{"./session", "^(BenchmarkIngest|BenchmarkIngestRecorded|BenchmarkIngestJudged|BenchmarkBytesPerRow|BenchmarkRoundTrip.*)$", "1s"},
		{"./session/check", "^(BenchmarkFrame|BenchmarkRules)$", "500ms"},
		{"./session/filter", "^BenchmarkMillion$", "300ms"},
		{"./recordings", "^BenchmarkBytes.*$", "500ms"},
		{"./ui", "^(BenchmarkRows|BenchmarkFilter)$", "300ms"},
		{"./ui", "^BenchmarkToolsVisible$", "30x"},
		{"./ui", "^BenchmarkKeyEcho$", "400x"},
	} {
		out, err := exec.Command("go", "test", "-run", "^$", "-bench", b.pattern, "-benchtime", b.time, b.pkg).CombinedOutput()
		if err != nil {
			return fmt.Errorf("%s %s: %w\n%s", b.pkg, b.pattern, err, out)
		}
		got.read(out)
	}
	missing := got.promises()
	fmt.Println("\n| benchmark | |\n|---|---|")
	got.print()
	if missing != nil {
		return fmt.Errorf("no benchmark reports %s", strings.Join(missing, ", "))
	}
	return nil
}

// read takes the lines of go test: a name, a count, then values with their units.
func (f figures) read(out []byte) {
	for lines := bufio.NewScanner(bytes.NewReader(out)); lines.Scan(); {
		words := strings.Fields(lines.Text())
		if len(words) < 4 || !strings.HasPrefix(words[0], "Benchmark") {
			continue
		}
		name := strings.TrimPrefix(words[0], "Benchmark")
		if at := strings.LastIndexByte(name, '-'); at > 0 {
			name = name[:at]
		}
		units := map[string]float64{}
		for i := 2; i+1 < len(words); i += 2 {
			if v, err := strconv.ParseFloat(words[i], 64); err == nil {
				units[words[i+1]] = v
			}
		}
		f[name] = units
	}
}

// print lists what was measured, in the order of the packages.
func (f figures) print() {
	for _, name := range slices.Sorted(maps.Keys(f)) {
		var values []string
		for _, unit := range slices.Sorted(maps.Keys(f[name])) {
			values = append(values, fmt.Sprintf("%.6g %s", f[name][unit], unit))
		}
		fmt.Printf("| %s | %s |\n", name, strings.Join(values, ", "))
	}
}

// promises prints the rows of the table that come from benchmarks, and returns which figures it misses.
func (f figures) promises() (missing []string) {
	const (
		framerGoal = 2000    // MB/s of lines of 300 bytes
		scanLimit  = 700     // ns of one pass over a message of 200 bytes
		ingestGoal = 500_000 // lines/s in chunks of 64 KiB, rules and recording on
		singleGoal = 350_000 // the same, a line a chunk
		rulesLimit = 500     // ns of all rules for a message
		startPeak  = 25      // MiB resident when the tools are visible
		rowsLimit  = 1.2     // a frame of a million rows beside one of a thousand
		startLimit = 1.3     // until the tools are visible
		keyFrame   = 16      // ms: a key under a flood, p99
		drawn      = 8.33    // ms: a key that has just missed a frame of the renderer
		paceGoal   = 95_000  // messages/s: less was no flood of 100,000
		tapLimit   = 50      // microseconds that a tap adds to a message, median
		rowBytes   = 80      // of a row beside its payload
		payload    = 299     // of the benchmark's notification
	)
	at := func(name, unit string) float64 {
		v, ok := f[name][unit]
		if !ok {
			missing = append(missing, name+" in "+unit)
		}
		return v
	}
	// atLeast is a row whose ratio says how far a goal was missed: above 1 it is.
	atLeast := func(what, name, unit string, goal float64) {
		got := at(name, unit)
		row{what, fmt.Sprintf("%.6g %s", got, unit), fmt.Sprintf("%.6g %s", goal, unit), goal / got, 1}.print()
	}
	beside := func(what, unit string, a, b, limit float64) {
		row{what, fmt.Sprintf("%.4g %s", a, unit), fmt.Sprintf("%.4g %s", b, unit), a / b, limit}.print()
	}
	atLeast("framer, lines of 300 B", "Framer/300", "MB/s", framerGoal)
	beside("scan of a message of 200 B", "ns", at("Scan/200B", "ns/op"), scanLimit, 1)
	atLeast("ingest, 64 KiB a chunk, the log alone", "Ingest/64KiB", "lines/s", ingestGoal)
	atLeast("ingest, 64 KiB a chunk, rules and recording", "IngestJudged/64KiB", "lines/s", ingestGoal)
	beside("ingest, a line a chunk, beside write(2) alone", "ns", at("IngestJudged/line", "ns/op"), at("BytesToFile/300B", "ns/op"), 0)
	atLeast("ingest, a line a chunk, rules and recording", "IngestJudged/line", "lines/s", singleGoal)
	beside("all rules for a message", "ns", at("Rules", "ns/op"), rulesLimit, 1)
	for _, rows := range []struct{ name, said string }{{"100000", "100,000"}, {"1000000", "1,000,000"}, {"5000000", "5,000,000"}} {
		beside("frame of "+rows.said+" rows beside 1,000", "ns", at("Rows/"+rows.name, "ns/op"), at("Rows/1000", "ns/op"), rowsLimit)
	}
	beside("tools visible, beside bare screen and server", "ns", at("ToolsVisible/mcpinspect", "ns/op"), at("ToolsVisible/bare", "ns/op")+at("ToolsVisible/server", "ns/op"), startLimit)
	beside("tools visible, resident", "MiB", at("ToolsVisible/mcpinspect", "MiB-resident"), startPeak, 1)
	beside("filter of 1,000,000 rows, the loop busy at most", "ms", at("Filter/happened", "loop-ms"), keyFrame, 1)
	beside("key, nothing going on, median", "ms", at("KeyEcho/idle", "p50-ms"), drawn, 0)
	beside("key, nothing going on, p99", "ms", at("KeyEcho/idle", "p99-ms"), drawn, 0)
	atLeast("messages/s taken in while keys were pressed", "KeyEcho/paced", "rows/s", paceGoal)
	beside("key under 100,000 messages/s, median", "ms", at("KeyEcho/paced", "p50-ms"), drawn, 0)
	beside("key under 100,000 messages/s, p99", "ms", at("KeyEcho/paced", "p99-ms"), keyFrame, 1)
	beside("key under the same, p99, beside a bare screen", "ms", at("KeyEcho/paced", "p99-ms"), at("KeyEcho/bare", "p99-ms"), 0)
	beside("key under the same, beside twice idle and 2 ms", "ms", at("KeyEcho/paced", "p99-ms"), 2*at("KeyEcho/idle", "p99-ms")+2, 1)
	for _, flood := range []struct{ name, said string }{{"stray", "stray lines"}, {"messages", "messages"}, {"stderr", "stderr"}} {
		beside("key under "+flood.said+" without end, p99", "ms", at("KeyEcho/"+flood.name, "p99-ms"), 2*at("KeyEcho/idle", "p99-ms")+2, 0)
	}
	beside("tap, added to a message, median", "us", (at("RoundTripTapped", "µs/median")-at("RoundTripDirect", "µs/median"))/2, tapLimit, 1)
	beside("memory of a row beside its payload", "B", at("BytesPerRow/notification", "B/row")-payload, rowBytes, 1)
	return missing
}
