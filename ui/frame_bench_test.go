package ui

import (
	"fmt"
	"strings"
	"testing"

	"example.com/mcpinspect/session"
)

// big is a session of n notifications.
func big(t testing.TB, n int) *session.Session {
	each := min(n, 2000)
	line := `out:` + strings.Repeat(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"something happened"}}`+"\n", each)
	chunks := make([]string, n/each)
	for i := range chunks {
		chunks[i] = line
	}
	return made(t, chunks...)
}

// BenchmarkFrame is one key and the frame that follows, at the sizes of a laptop, a wall of
// monitors and more than any of them.
func BenchmarkFrame(b *testing.B) {
	s := big(b, 10_000)
	for _, size := range [][2]int{{80, 24}, {160, 45}, {400, 120}, {1000, 1000}} {
		b.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(b *testing.B) {
			a := appOn(b, s, "ansi", size[0], size[1])
			press(a, "5")
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				press(a, [...]string{"k", "j"}[i%2])
				a.View()
			}
		})
	}
}

// BenchmarkRows is one key and the frame that follows, over logs of a thousand to five million
// rows: what a frame costs does not depend on them.
func BenchmarkRows(b *testing.B) {
	for _, n := range []int{1_000, 100_000, 1_000_000, 5_000_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			a := appOn(b, big(b, n), "ansi", 160, 45)
			press(a, "5")
			for i := 0; b.Loop(); i++ {
				press(a, [...]string{"k", "j"}[i%2])
				a.View()
			}
		})
	}
}

// BenchmarkFrameOfALongLine is a frame after a key while a text of 50,000 characters without a space
// is the result that is shown, and one of twice that the description beside it.
func BenchmarkFrameOfALongLine(b *testing.B) {
	a := appOn(b, made(b,
		`in:{"jsonrpc":"2.0","id":1,"method":"tools/list"}`+"\n",
		`out:{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"echo","description":"`+strings.Repeat("y", 100_000)+`","inputSchema":{"type":"object"}}]}}`+"\n",
		`in:{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo"}}`+"\n",
		`out:{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"`+strings.Repeat("x", 50_000)+`END"}]}}`+"\n"), "ansi", 120, 36)
	press(a, "5", "G", "4")
	for b.Loop() {
		press(a, "j")
		_ = a.View()
	}
}
