package filter

import (
	"bytes"
	"strings"
	"testing"
)

// FuzzText: the fast search finds what the plain one finds.
func FuzzText(f *testing.F) {
	for _, s := range []string{"", "a", "zz", "method", `"id":7`, "É", "AbC", "k", "~~"} {
		f.Add([]byte(`{"jsonrpc":"2.0","METHOD":"tools/call","id":7,"É":"abcABCzzk"}`), s)
	}
	f.Fuzz(func(t *testing.T, b []byte, want string) {
		m := NewText(want)
		found := bytes.Contains([]byte(lowerASCII(string(b))), []byte(lowerASCII(want)))
		if m.In(b) != found || m.InString(string(b)) != found {
			t.Errorf("%q in %q: %v and %v, want %v", want, b, m.In(b), m.InString(string(b)), found)
		}
	})
}

func TestTextAllocatesNothing(t *testing.T) {
	m, b, s := NewText("Needle"), bytes.Repeat([]byte("n e e d l e "), 1000), strings.Repeat("need ", 100)
	if n := testing.AllocsPerRun(10, func() { m.In(b); m.InString(s) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkText(b *testing.B) {
	line := []byte(strings.Repeat(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"something happened"}}`, 10))
	for _, word := range []string{"tools/call", "nothing", "e", "xyz"} {
		b.Run(word, func(b *testing.B) {
			m := NewText(word)
			b.SetBytes(int64(len(line)))
			for b.Loop() {
				m.In(line)
			}
		})
	}
}
