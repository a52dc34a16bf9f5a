package session

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"example.com/mcpinspect/recordings"
)

// A message there and back, to a server that echoes: without a tap, and with one that records. The
// difference is what two messages are delayed by.

func BenchmarkRoundTripDirect(b *testing.B) {
	self, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), playVar+"=cat")
	in, err := cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	roundTrips(b, in, out)
	in.Close()
	_ = cmd.Wait() // 3
}

func BenchmarkRoundTripTapped(b *testing.B) {
	w, err := recordings.Create(filepath.Join(b.TempDir(), "a.jsonl"), false)
	if err != nil {
		b.Fatal(err)
	}
	o := Options{Start: time.Now()}
	rec := NewRecording(w, Target{}, o, "bench", o.Start, nil)
	o.Recorder = rec
	x := tap(b, tapSession(b, o, playVar+"=cat"))
	roundTrips(b, x.stdin, x.stdout)
	x.stdin.Close()
	if _, whole := x.Wait(); !whole {
		b.Error("the capture did not follow")
	}
	rec.Close()
}

func roundTrips(b *testing.B, in io.Writer, out io.Reader) {
	line := []byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":{"a":2,"b":3},"_meta":{"progressToken":1}}}` + "\n")
	lines := bufio.NewReader(out)
	took := make([]time.Duration, 0, b.N)
	for b.Loop() {
		start := time.Now()
		if _, err := in.Write(line); err != nil {
			b.Fatal(err)
		}
		if _, err := lines.ReadSlice('\n'); err != nil {
			b.Fatal(err)
		}
		took = append(took, time.Since(start))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds()), "µs/median")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "µs/p99")
}
