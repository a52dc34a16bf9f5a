package detail

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"example.com/mcpinspect/ui/text"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// split makes a body of many small segments.
func split(data []byte, size int) *Body {
	var segments [][]byte
	for len(data) > 0 {
		n := min(size, len(data))
		segments = append(segments, data[:n], nil)
		data = data[n:]
	}
	return NewBody(segments...)
}

func all(t testing.TB, v View) []string {
	t.Helper()
	n, err := v.Count(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	lines := v.Window(0, n+10)
	if len(lines) != n {
		t.Fatalf("%d lines, counted %d", len(lines), n)
	}
	if got, exact := v.Lines(); got != n || !exact {
		t.Fatalf("Lines() = %d, %v after counting %d", got, exact, n)
	}
	return lines
}

func TestGolden(t *testing.T) {
	long, _ := json.Marshal(map[string]any{"text": strings.Repeat("y", 100_000), "after": 1})
	for _, c := range []struct {
		name  string
		body  string
		mode  Mode
		width int
	}{
		{"result", "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"before\u2028mid\u2029after \x97\"}],\"n\":1E400,\"n\":0.10,\"e\":{ },\"a\":[\n],\"ok\":true}}\n", Pretty, 40},
		{"result", "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"before\u2028mid\u2029after \x97\"}],\"n\":1E400}}\n", Raw, 40},
		{"result", "{\"jsonrpc\":\"2.0\",\"id\":1}\r\n\x1b[3", Hex, 80},
		{"narrow", "{\"jsonrpc\":\"2.0\",\"id\":1}\r\n\x1b[3", Hex, 50},
		{"stray", "\x1b[?25l\x1b[33m[2026-03-18T10:00:00.000] [WARN] - [connecting]\x1b[0m\n\x1b[1m\n\x1b[32mready\t東京\x1b[0m\n", Pretty, 30},
		{"stray", "\x1b[?25l\x1b[33m[2026-03-18T10:00:00.000] [WARN] - [connecting]\x1b[0m\n\x1b[1m\n\x1b[32mready\t東京\x1b[0m\n", Raw, 30},
		{"cut-off", `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"te`, Pretty, 40},
		{"long", string(long), Pretty, 40},
		{"deep", strings.Repeat("[", 300) + strings.Repeat("]", 300), Pretty, 40},
	} {
		t.Run(c.name+"."+c.mode.String(), func(t *testing.T) {
			v := Open(NewBody([]byte(c.body)), c.mode, c.width)
			lines := all(t, v)
			for i, l := range lines { // a hundred thousand y are no reading
				lines[i] = strings.ReplaceAll(l, strings.Repeat("y", 1000), "<1000 y>")
			}
			got := v.Mode().String() + "\n" + strings.Join(lines, "\n") + "\n"
			path := filepath.Join("testdata", c.name+"."+c.mode.String()+".golden")
			if *update {
				if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

func TestBody(t *testing.T) {
	data := []byte("0123456789abcdef")
	for size := 1; size <= len(data); size++ {
		b := split(data, size)
		for off := range len(data) + 2 {
			for n := range len(data) + 2 {
				want := data[min(off, len(data)):min(off+n, len(data))]
				if got := b.Bytes(int64(off), int64(n)); !bytes.Equal(got, want) {
					t.Fatalf("segments of %d: Bytes(%d, %d) = %q, want %q", size, off, n, got, want)
				}
			}
			if got := b.head(int64(off)); off > 0 && !bytes.Equal(got.Bytes(0, 99), data[:min(off, len(data))]) {
				t.Fatalf("segments of %d: head(%d) = %q", size, off, got.Bytes(0, 99))
			}
		}
	}
	if b := NewBody(); b.Len() != 0 || b.Bytes(0, 1) != nil {
		t.Error("an empty body has bytes")
	}
}

func TestPointerAndValue(t *testing.T) {
	const doc = ` {"a":[1,{"b/~":"x","\u0041":null}],"":[],"c":{"d":[[true]]},"c":2} `
	v := Open(split([]byte(doc), 3), Pretty, 80)
	lines := all(t, v)
	want := [][3]string{
		{`{`, ``, strings.TrimSpace(doc)},
		{`"a": [`, `/a`, `[1,{"b/~":"x","\u0041":null}]`},
		{`1,`, `/a/0`, `1`},
		{`{`, `/a/1`, `{"b/~":"x","\u0041":null}`},
		{`"b/~": "x",`, `/a/1/b~1~0`, `"x"`},
		{`"\u0041": null`, `/a/1/A`, `null`},
		{`}`, `/a/1`, `{"b/~":"x","\u0041":null}`},
		{`],`, `/a`, `[1,{"b/~":"x","\u0041":null}]`},
		{`"": [],`, `/`, `[]`},
		{`"c": {`, `/c`, `{"d":[[true]]}`},
		{`"d": [`, `/c/d`, `[[true]]`},
		{`[`, `/c/d/0`, `[true]`},
		{`true`, `/c/d/0/0`, `true`},
		{`]`, `/c/d/0`, `[true]`},
		{`]`, `/c/d`, `[[true]]`},
		{`},`, `/c`, `{"d":[[true]]}`},
		{`"c": 2 /* the name again */`, `/c`, `2`},
		{`}`, ``, strings.TrimSpace(doc)},
	}
	if len(lines) != len(want) {
		t.Fatalf("%d lines, want %d: %q", len(lines), len(want), lines)
	}
	for i := len(want) - 1; i >= 0; i-- {
		pointer, ok := v.Pointer(i)
		off, n, has := v.Value(i)
		if got := [3]string{strings.TrimSpace(lines[i]), pointer, doc[off : off+n]}; got != want[i] || !ok || !has {
			t.Errorf("line %d: %q, want %q (%v, %v)", i, got, want[i], ok, has)
		}
	}
	if _, ok := v.Pointer(len(want)); ok {
		t.Error("a pointer behind the end")
	}
	if _, _, ok := v.Value(-1); ok {
		t.Error("a value before the start")
	}
}

func TestNotJSON(t *testing.T) {
	for body, want := range map[string]Mode{
		"": Text, "  \n": Text, "Server started": Text, "[WARN] careful": Text, `{"a":1} trailing`: Text, `{"a":1}{"b":2}`: Text, "n": Text, "-": Text,
		`{"a":1,}`: Text, `[01]`: Text, "\"a\nb\"": Text, `{"a" 1}`: Text, `["\x"]`: Text, `{"a":tru}`: Text,
		"1": Pretty, `"x"`: Pretty, "null\n": Pretty, `{"a":`: Pretty, `{"a":tr`: Pretty, `["\u00`: Pretty, "{": Pretty,
	} {
		v := Open(NewBody([]byte(body)), Pretty, 80)
		if v.Mode() != want {
			t.Errorf("%q is shown as %v, want %v", body, v.Mode(), want)
		}
		all(t, v)
	}
}

// A document that breaks behind what was checked is indented up to there, and
// every byte behind it can still be read.
func TestBreaksLate(t *testing.T) {
	var doc strings.Builder
	doc.WriteString("[")
	for doc.Len() < 2*checkLimit {
		doc.WriteString(`"some text",`)
	}
	at := doc.Len()
	doc.WriteString("oops here\nand more \x1b\n")
	v := Open(NewBody([]byte(doc.String())), Pretty, 80)
	if v.Mode() != Pretty {
		t.Fatal("not pretty at all")
	}
	n, _ := v.Count(context.Background())
	got := v.Window(n-4, 4)
	want := []string{`  "some text",`, fmt.Sprintf("/* not JSON at byte %d; as sent: */", at), "oops here", `and more \u001b`}
	if strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("got %q, want %q", got, want)
	}
	if _, ok := v.Pointer(n - 1); ok {
		t.Error("text has a pointer")
	}
	if line, ok := v.Find(context.Background(), "and more", 0, true); !ok || line != n-1 {
		t.Errorf("found in line %d %v, want %d", line, ok, n-1)
	}
	if !strings.Contains(v.Window(n-1, 1)[0], "more") {
		t.Error("the last line is lost")
	}
}

func TestFind(t *testing.T) {
	ctx := context.Background()
	doc := `{"first":"Hello","second":"` + strings.Repeat("y", 100_000) + `THE END","third":{"sum":4,"city":"\u6771\u4eac"},"fourth":"hello\u001b` + "\u202e" + `"}`
	for size := range []int{7, 1 << 20} {
		v := Open(split([]byte(doc), size+7), Pretty, 80)
		for _, c := range []struct {
			query   string
			from    int
			forward bool
			want    int
		}{
			{"hello", 0, true, 1}, {"hello", 2, true, 7}, {"hello", 8, true, -1}, {"Hello", 2, true, -1},
			{"hello", 7, false, 1}, {"hello", 99, false, 7}, {"hello", 1, false, -1},
			{"the end", 0, true, 2}, {`"sum": 4`, 0, true, 4}, {"東", 0, true, 5}, {`\u202e`, 0, true, 7}, {`\u001B`, 0, true, -1}, {`\u001b`, 0, true, 7},
			{"", 0, true, -1}, {"nowhere", 0, true, -1}, {"third", 0, true, 3},
		} {
			line, ok := v.Find(ctx, c.query, c.from, c.forward)
			if !ok {
				line = -1
			}
			if line != c.want {
				t.Errorf("Find(%q, %d, %v) = %d, want %d", c.query, c.from, c.forward, line, c.want)
			}
		}
	}
	raw := Open(NewBody([]byte(strings.Repeat("0123456789", 10)+"\x1b[33mneedle\n")), Raw, 20)
	if line, ok := raw.Find(ctx, `\u001b[33m`, 0, true); line != 5 || !ok {
		t.Errorf("raw: line %d %v", line, ok)
	}
	hex := Open(NewBody([]byte(strings.Repeat("0123456789", 10)+"needle")), Hex, 80)
	if line, ok := hex.Find(ctx, "needle", 0, true); line != 6 || !ok {
		t.Errorf("hex: line %d %v", line, ok)
	}
	if line, ok := hex.Find(ctx, "0123", 6, false); line != 5 || !ok {
		t.Errorf("hex backwards: line %d %v", line, ok)
	}
	stopped, cancel := context.WithCancel(ctx)
	cancel()
	if _, ok := raw.Find(stopped, "needle", 0, true); ok {
		t.Error("a cancelled search found something")
	}
	if _, err := Open(NewBody([]byte("[1,2]")), Pretty, 20).Count(stopped); err == nil {
		t.Error("a cancelled count has a result")
	}
}

// Windows in any order show what a walk from the start does, with few marks too.
func TestWindowsAgree(t *testing.T) {
	var doc bytes.Buffer
	doc.WriteString("[")
	for i := range 20_000 {
		fmt.Fprintf(&doc, `{"i":%d,"s":"東京 \u0041 x"},`, i)
	}
	doc.WriteString("0]")
	for _, mode := range []Mode{Pretty, Raw, Text, Hex} {
		want := all(t, Open(NewBody(doc.Bytes()), mode, 70))
		v := Open(split(doc.Bytes(), 4099), mode, 70)
		r := rand.New(rand.NewPCG(1, 2))
		for range 300 {
			from, n := r.IntN(len(want)+5), r.IntN(50)
			got := v.Window(from, n)
			if lo, hi := min(from, len(want)), min(from+n, len(want)); strings.Join(got, "\n") != strings.Join(want[lo:hi], "\n") {
				t.Fatalf("%v: Window(%d, %d) = %q, want %q", mode, from, n, got, want[lo:hi])
			}
		}
		if n, exact := v.Lines(); !exact && (n < len(want)/2 || n > len(want)*2) {
			t.Errorf("%v: estimated %d lines of %d", mode, n, len(want))
		}
	}
}

func TestMarksStayFew(t *testing.T) {
	m := newMarks(at(0))
	const lines = 3 * firstGap * maxMarks
	for i := 1; i <= lines; i++ {
		m.add(i, at(i*10))
	}
	if len(m.places) > maxMarks || m.gap != 4*firstGap {
		t.Errorf("%d marks, one each %d lines", len(m.places), m.gap)
	}
	for _, line := range []int{0, 1, m.gap - 1, m.gap, lines / 2, lines} {
		if i, p := m.before(line); i > line || line-i > m.gap || int(p) != i*10 {
			t.Errorf("before(%d) = %d, %d", line, i, p)
		}
		if i, p := m.at(int64(line*10 + 5)); i > line || line-i > m.gap || int(p) != i*10 {
			t.Errorf("at(%d) = %d, %d", line*10+5, i, p)
		}
	}
}

func TestLongValueCutsCleanly(t *testing.T) {
	for in, want := range map[string]string{
		"abc": "abc", "ab東": "ab東", "ab\xe6\x9d": "ab", `ab\`: "ab", `ab\\`: `ab\\`, `ab\\\`: `ab\\`, `ab\u00`: "ab", `ab\u0041`: `ab\u0041`, `ab\n`: `ab\n`, "\x80\x80\x80\x80\x80": "\x80\x80\x80\x80\x80",
	} {
		if got := string(whole([]byte(in))); got != want {
			t.Errorf("whole(%q) = %q, want %q", in, got, want)
		}
	}
}

// drawable fails the test unless a line may be sent to a terminal.
// placed fails unless the bytes of the lines join to the body, and each line is found by them.
func placed(t *testing.T, v View, data []byte) {
	t.Helper()
	n, _ := v.Count(context.Background())
	spans := v.Spans(0, n+3)
	if len(spans) != n {
		t.Fatalf("%v: %d spans of %d lines", v.Mode(), len(spans), n)
	}
	at := int64(0)
	for i, s := range spans {
		if s.Off != at || s.N < 0 {
			t.Fatalf("%v: line %d begins at %d, the one before ends at %d", v.Mode(), i, s.Off, at)
		}
		at += s.N
		if s.N > 0 && v.At(context.Background(), s.Off) != i {
			t.Fatalf("%v: byte %d of line %d is found in line %d", v.Mode(), s.Off, i, v.At(context.Background(), s.Off))
		}
	}
	if at != int64(len(data)) && !(v.Mode() == Pretty && len(bytes.TrimSpace(data[at:])) == 0) {
		t.Fatalf("%v: the lines end at %d of %d", v.Mode(), at, len(data))
	}
}

func drawable(t *testing.T, s string) {
	t.Helper()
	if !utf8.ValidString(s) {
		t.Fatalf("not UTF-8: %q", s)
	}
	for _, r := range s {
		if unicode.Is(unicode.Cc, r) || unicode.Is(unicode.Bidi_Control, r) {
			t.Fatalf("%U in %q", r, s)
		}
	}
}

var fuzzSeeds = []string{
	"", "{}", "[ ]", "null", " 1e5 ", `{"a":[1,-0.5e+3,true],"a":{"b":""}}`, `["\u00e9\ud83d\ude00\\\"/"]`, "[\"\x97\u2028東\"]", `{"a":1} x`,
	`[1,2`, `{"a`, `[[[[[[]]]]]]`, "text\r\nmore\x1b[0m\n", "\xef\xbb\xbf{}", `[01]`, `{"a":1,}`, "e\u0301\u0301 \U0001F468\u200d\U0001F469",
}

func FuzzPretty(f *testing.F) {
	for i, s := range fuzzSeeds {
		f.Add([]byte(s), i+1)
	}
	f.Fuzz(func(t *testing.T, data []byte, size int) {
		v := Open(split(data, size&63+1), Pretty, 20)
		lines := all(t, v)
		placed(t, v, data)
		for i, l := range lines {
			drawable(t, l)
			v.Pointer(i)
			if off, n, ok := v.Value(i); ok && (off < 0 || n <= 0 || off+n > int64(len(data))) {
				t.Fatalf("line %d: value %d+%d of %d", i, off, n, len(data))
			} else if ok && json.Valid(data) && !json.Valid(data[off:off+n]) {
				t.Fatalf("line %d: value %q", i, data[off:off+n])
			}
		}
		var want bytes.Buffer
		if err := json.Indent(&want, bytes.TrimLeft(data, " \t\r\n"), "", indent); err != nil {
			for _, l := range lines {
				if v.Mode() == Pretty && strings.HasPrefix(l, "/* ends too early, at byte") {
					return
				}
			}
			if v.Mode() == Pretty {
				t.Fatalf("%q is no JSON (%v) and shown as %q", data, err, lines)
			}
			return
		}
		if v.Mode() != Pretty {
			t.Fatalf("%q is JSON and shown as %v", data, v.Mode())
		}
		if bytes.Count(want.Bytes(), []byte("\n")) > maxDepth || len(data) > valueLimit {
			return
		}
		wantLines := strings.Split(strings.TrimRight(want.String(), " \t\r\n"), "\n")
		for i, l := range wantLines {
			wantLines[i] = text.Clean(l)
			if shown, ok := v.(*pretty).value(i); ok {
				wantLines[i] += v.(*pretty).remark(shown)
			}
		}
		if got, want := strings.Join(lines, "\n"), strings.Join(wantLines, "\n"); got != want {
			t.Fatalf("%q:\n%s\nwant\n%s", data, got, want)
		}
	})
}

func FuzzWrapped(f *testing.F) {
	for i, s := range fuzzSeeds {
		f.Add([]byte(s), i+1, i*5)
	}
	f.Fuzz(func(t *testing.T, data []byte, size, width int) {
		width = width&127 + minWidth
		for _, mode := range []Mode{Raw, Text, Hex} {
			whole := all(t, Open(NewBody(data), mode, width))
			v := Open(split(data, size&63+1), mode, width)
			lines := all(t, v)
			if strings.Join(lines, "\n") != strings.Join(whole, "\n") {
				t.Fatalf("%v depends on segments: %q and %q", mode, lines, whole)
			}
			placed(t, v, data)
			for _, l := range lines {
				drawable(t, l)
				if text.Width(l) > width && mode != Hex {
					t.Fatalf("%v: %q is wider than %d", mode, l, width)
				}
			}
			if mode == Raw {
				if got, want := strings.Join(lines, ""), text.Escape(string(data)); got != want {
					t.Fatalf("raw %q, want %q", got, want)
				}
			}
		}
	})
}

// big is a result of 50 MB in one line, as some tools return it.
func big() []byte {
	var b bytes.Buffer
	b.WriteString(`{"jsonrpc":"2.0","id":1,"result":{"content":[`)
	for b.Len() < 50<<20 {
		b.WriteString(`{"type":"text","text":"a line of some length with a number","n":12345.5,"tags":["x","y"]},`)
	}
	b.WriteString(`null]}}`)
	return b.Bytes()
}

func BenchmarkFirstWindow50MB(b *testing.B) {
	for _, mode := range []Mode{Pretty, Raw, Hex} {
		b.Run(mode.String(), func(b *testing.B) {
			body := split(big(), 4<<20)
			b.ReportAllocs()
			for b.Loop() {
				Open(body, mode, 100).Window(0, 40)
			}
		})
	}
	b.Run("pretty-one-string", func(b *testing.B) {
		body := split([]byte(`{"text":"`+strings.Repeat("y", 50<<20)+`"}`), 4<<20)
		for b.Loop() {
			Open(body, Pretty, 100).Window(0, 40)
		}
	})
}

func BenchmarkCount50MB(b *testing.B) {
	for _, mode := range []Mode{Pretty, Raw} {
		b.Run(mode.String(), func(b *testing.B) {
			body := split(big(), 4<<20)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Open(body, mode, 100).Count(context.Background()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("raw-cjk", func(b *testing.B) {
		body := split(bytes.Repeat([]byte("東京ツール"), 50<<20/15), 4<<20)
		for b.Loop() {
			if _, err := Open(body, Raw, 100).Count(context.Background()); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkScroll50MB(b *testing.B) {
	v := Open(split(big(), 4<<20), Pretty, 100)
	n, _ := v.Count(context.Background())
	b.Run("down", func(b *testing.B) {
		i := n / 2
		for b.Loop() {
			i++
			v.Window(i, 40)
		}
	})
	b.Run("jump", func(b *testing.B) {
		r := rand.New(rand.NewPCG(1, 2))
		for b.Loop() {
			v.Window(r.IntN(n-40), 40)
		}
	})
}

func BenchmarkFind50MB(b *testing.B) {
	v := Open(split(big(), 4<<20), Pretty, 100)
	n, _ := v.Count(context.Background())
	for b.Loop() {
		if line, ok := v.Find(context.Background(), "null]", 0, true); !ok || line != n-4 {
			b.Fatal(line, ok, n)
		}
	}
}
