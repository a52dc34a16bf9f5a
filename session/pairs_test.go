package session

import (
	"fmt"
	"strings"
	"testing"

	"example.com/mcpinspect/client"
)

// TestLatestAmongMany: stray output belongs to the newest request that is open, however many were
// answered before and since.
func TestLatestAmongMany(t *testing.T) {
	f := newFeeder()
	f.ask("0", "kept", "{}")
	f.ask(`"last"`, "newest", "{}")
	for i := 1; i <= 200; i++ {
		f.ask(fmt.Sprint(i), "m", "{}")
		f.answer(fmt.Sprint(i), "{}")
	}
	during := func(want string) {
		t.Helper()
		f.out("stray")
		if e, _ := f.log.Event(f.log.Len() - 1); e.Method != want {
			t.Errorf("stray output during %q, want %q", e.Method, want)
		}
	}
	during("newest")
	f.answer(`"last"`, "{}")
	during("kept")
	f.answer("0.0", "{}") // matched by what the id means
	during("")
	f.exit(client.Exit{})
	if n := f.log.Len(); n != 2+400+5+1 {
		t.Errorf("%d rows", n)
	}
}

// TestMarksOfOneRow: a row keeps a few marks of a rule and counts the rest; rows that are marked
// alike and rows that are not have their own.
func TestMarksOfOneRow(t *testing.T) {
	f := newFeeder()
	f.out("[%s]", strings.Repeat(`{"jsonrpc":"2.0","id":7,"result":{}},`, 99)+`{"jsonrpc":"2.0","method":"x"}`)
	f.out(`{"jsonrpc":"2.0","id":7,"result":{}}`)
	f.out(`{"jsonrpc":"2.0","id":8,"result":{}}`)
	f.out(`{"jsonrpc":"2.0","id":7,"result":{}}`)
	e, _ := f.log.Event(0)
	if n := len(e.Marks); n != maxSame+1 || e.Marks[0].Rule != "unknown-id" || e.Marks[maxSame].More != 99-maxSame-1 || e.Marks[maxSame].Text != "83 more like these on the same line" {
		t.Errorf("%d marks, the last %+v", n, e.Marks[n-1])
	}
	if n := f.snapshot().Counts.Errors; n != 102 {
		t.Errorf("%d errors are counted", n)
	}
	for seq, id := range []string{1: "7", 2: "8", 3: "7"} {
		if e, _ := f.log.Event(seq); id != "" && (len(e.Marks) != 1 || !strings.HasPrefix(e.Marks[0].Text, "id "+id+" ")) {
			t.Errorf("row %d: %+v", seq, e.Marks)
		}
	}
}

// BenchmarkStrayBesideRequests is a stray line and an answer to nothing while many requests of the
// server, which nobody may answer, are open: the cost must not grow with their number.
func BenchmarkStrayBesideRequests(b *testing.B) {
	for _, n := range []int{10, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			f := newFeeder()
			f.ask("1", "tools/list", "{}")
			for i := range n {
				f.out(`{"jsonrpc":"2.0","id":%d,"method":"x/y"}`, i)
			}
			for b.Loop() {
				f.out("stray")
				f.out(`{"jsonrpc":"2.0","id":"nothing","result":{}}`)
			}
		})
	}
}
