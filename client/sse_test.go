package client

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// eventText lists the frames of an event stream that comes in the given pieces.
func eventText(limit int, pieces ...string) string {
	var out strings.Builder
	s := events{limit: limit}
	emit := func(f *Frame, e *ServerEvent) {
		fmt.Fprintf(&out, "%s %q", f.Kind, f.Body.Bytes())
		if e.Type != "" {
			fmt.Fprintf(&out, " event=%q", e.Type)
		}
		if e.HasID {
			fmt.Fprintf(&out, " id=%q", e.ID)
		}
		if e.Retry != "" {
			fmt.Fprintf(&out, " retry=%q", e.Retry)
		}
		if f.Cut > 0 {
			fmt.Fprintf(&out, " cut=%d", f.Cut)
		}
		if f.Flaws.Has(FlawTorn) {
			out.WriteString(" torn")
		}
		if f.Flaws.Has(FlawBOM) {
			out.WriteString(" bom")
		}
		fmt.Fprintf(&out, " @%d\n", f.Offset)
	}
	for _, p := range pieces {
		s.Feed([]byte(p), 0, emit)
	}
	s.Close(0, emit)
	return out.String()
}

func TestEvents(t *testing.T) {
	for name, c := range map[string]struct{ in, want string }{
		"one":                    {"data: {}\n\n", `blank "{}" @0`},
		"carriage returns":       {"data: {}\r\r", `blank "{}" @0`},
		"both":                   {"data: {}\r\n\r\n", `blank "{}" @0`},
		"mixed":                  {"data: a\rdata: b\r\ndata: c\n\n", `blank "a\nb\nc" @0`},
		"one blank is dropped":   {"data:  a\n\n", `blank " a" @0`},
		"no blank":               {"data:a\n\n", `blank "a" @0`},
		"no colon":               {"data\n\n", `text "" @0`},
		"empty data":             {"id: 1\ndata:\n\n", `text "id: 1" id="1" @0`},
		"two lines, both empty":  {"data\ndata\n\n", `blank "\n" @0`},
		"a comment":              {": keep-alive\n\n", `text ": keep-alive" @0`},
		"retry":                  {"retry: 1000\nid: 7\n\n", `text "retry: 1000\nid: 7" id="7" retry="1000" @0`},
		"endpoint":               {"event: endpoint\ndata: /m?s=1\n\n", `text "/m?s=1" event="endpoint" @0`},
		"message by name":        {"event: message\ndata: {}\n\n", `blank "{}" event="message" @0`},
		"byte order mark":        {"\xef\xbb\xbfdata: {}\n\n", `blank "{}" bom @0`},
		"a mark later is a name": {"data: 1\n\n\xef\xbb\xbfdata: 2\n\n", "blank \"1\" @0\ntext \"\\ufeffdata: 2\" @9"},
		"id with a zero byte":    {"id: a\x00b\ndata: x\n\n", `blank "x" @0`},
		"unknown field":          {"colour: red\ndata: x\n\n", `blank "x" @0`},
		"torn":                   {"data: {}\n", `text "{}" torn @0`},
		"torn in its line":       {"data: {}\n\ndata: {", "blank \"{}\" @0\ntext \"{\" torn @10"},
		"blank lines between":    {"\n\n\r\ndata: 1\n\n\n\n", `blank "1" @0`},
		"two":                    {"data: 1\n\ndata: 2\n\n", "blank \"1\" @0\nblank \"2\" @9"},
		"longer than is kept":    {"data: 0123456789abcdef\n\ndata: x\n\n", "blank \"0123456789\" cut=6 @0\nblank \"x\" @24"},
	} {
		t.Run(name, func(t *testing.T) {
			want := c.want + "\n"
			if name == "blank lines between" {
				want = strings.Replace(want, "@0", "@4", 1)
			}
			if got := eventText(10, c.in); got != want {
				t.Errorf("%q:\n%swant\n%s", c.in, got, want)
			}
		})
	}
}

// An event stream means the same in whatever pieces it comes.
func FuzzEvents(f *testing.F) {
	f.Add("data: {}\r\n\r\n: x\nid: 1\ndata: a\rdata: b\n\n", 3)
	f.Add("\xef\xbb\xbfdata: {}\n\nretry: 5\n", 1)
	f.Add("event: endpoint\rdata:/m\r\r\r\n\n", 2)
	f.Fuzz(func(t *testing.T, in string, size int) {
		size = size&15 + 1
		var pieces []string
		for rest := in; rest != ""; {
			n := min(size, len(rest))
			pieces, rest = append(pieces, rest[:n]), rest[n:]
		}
		whole := eventText(64, in)
		if got := eventText(64, pieces...); got != whole {
			t.Fatalf("%q in pieces of %d:\n%swhole\n%s", in, size, got, whole)
		}
		for i := range in {
			if got := eventText(64, in[:i], in[i:]); got != whole {
				t.Fatalf("%q cut at %d:\n%swhole\n%s", in, i, got, whole)
			}
			if i > 200 {
				break
			}
		}
	})
}

func BenchmarkEvents(b *testing.B) {
	line := `data: {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"` + strings.Repeat("x", 200) + "\"}}\n\n"
	chunk := bytes.Repeat([]byte(line), ReadSize/len(line))
	b.SetBytes(int64(len(chunk)))
	b.ReportAllocs()
	var s events
	for b.Loop() {
		s.Feed(chunk, 0, func(*Frame, *ServerEvent) {})
	}
}
