package text

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

func TestClip(t *testing.T) {
	for _, c := range []struct {
		s    string
		w    int
		want string
	}{
		{"abc", 3, "abc"}, {"abcd", 3, "ab…"}, {"abc", 1, "…"}, {"abc", 0, ""}, {"abc", -1, ""}, {"", 3, ""},
		{"東京ツール", 10, "東京ツール"}, {"東京ツール", 9, "東京ツー…"}, {"東京ツール", 8, "東京ツ…"}, {"東京", 2, "…"}, {"東", 1, "…"},
		{"a東", 2, "a…"}, {"ab東", 3, "ab…"},
		{"e\u0301e\u0301e\u0301", 2, "e\u0301…"}, {"xe\u0301", 2, "xe\u0301"},
		{family + family, 3, family + "…"}, {family, 1, "…"},
		{"\x1b[31mred text\x1b[0m", 4, "\x1b[31mred…\x1b[0m"}, {"\x1b[31mred\x1b[0m", 3, "\x1b[31mred\x1b[0m"},
	} {
		if got := Clip(c.s, c.w); got != c.want {
			t.Errorf("Clip(%q, %d) = %q, want %q", c.s, c.w, got, c.want)
		}
	}
	if got := Plain.Clip("abcdef", 4); got != "abc~" {
		t.Errorf("plain clip = %q", got)
	}
}

// TestWidthOfPaintedText: the short way over our own colours measures what the library measures.
func TestWidthOfPaintedText(t *testing.T) {
	parts := []string{"", "a", "abc def", "東京", "e\u0301", "xe\u0301y", family, "─│┌", "\x1b[0m", "\x1b[1;31m", "\x1b[38;5;203m", "\x1b[7m", "\x1b]0;t\a", "\x1b[2J", "\x1b", "é"}
	for _, a := range parts {
		for _, b := range parts {
			for _, c := range parts {
				s := a + b + c
				if got, want := Width(s), ansi.StringWidth(s); got != want {
					t.Fatalf("Width(%q) = %d, want %d", s, got, want)
				}
				for w := range 12 {
					if got := ansi.StringWidth(Fit(s, w)); got != w && !strings.Contains(s, "\x1b]") && !strings.Contains(s, "\x1b[2J") && !strings.HasSuffix(a, "\x1b") && !strings.HasSuffix(b, "\x1b") && !strings.HasSuffix(c, "\x1b") {
						t.Fatalf("Fit(%q, %d) fills %d cells", s, w, got)
					}
				}
			}
		}
	}
}

// TestPlainDrawsASCII: nothing else leaves, and no line changes its width on the way.
func TestPlainDrawsASCII(t *testing.T) {
	for s, want := range map[string]string{"東京 a": `\u6771\u4eac a`, "é": `\u00e9`, "plain": "plain", "a\tb": "a   b"} {
		if got := Plain.Clean(s); got != want {
			t.Errorf("Clean(%q) = %q, want %q", s, got, want)
		}
		if got := Unicode.Clean(s); got != Clean(s) {
			t.Errorf("Unicode.Clean(%q) = %q", s, got)
		}
	}
	if got := strings.Join(Plain.Wrap("東京 tower of 東京", 14, 9), "|"); got != `\u6771\u4eac|tower of|\u6771\u4eac` {
		t.Errorf("wrapped: %q", got)
	}
	if got := Plain.Short("東京東京", 8); got != `\u6771\~` {
		t.Errorf("short: %q", got)
	}
	for _, s := range []string{"", "abc", "\x1b[1m東京\x1b[0mab", "xe\u0301y", "─│ é " + family, "m東"} {
		got := Plain.Last([]string{s})[0]
		if ASCII(strings.ReplaceAll(got, "\x1b", "")) != strings.ReplaceAll(got, "\x1b", "") || Width(got) != Width(s) {
			t.Errorf("Last(%q) = %q", s, got)
		}
		if Unicode.Last([]string{s})[0] != s {
			t.Errorf("%q is changed where it can be drawn", s)
		}
	}
}

func TestWindow(t *testing.T) {
	for _, c := range []struct {
		s       string
		from, w int
		want    string
	}{
		{"abcdef", 0, 4, "abc…"}, {"abcdef", 2, 4, "cdef"}, {"abcdef", 1, 4, "bcd…"}, {"abcdef", 6, 4, ""}, {"abcdef", 99, 4, ""},
		{"東京ab", 1, 5, " 京ab"}, {"東京ab", 2, 4, "京ab"}, {"東京ab", 3, 4, " ab"}, {"東京", 1, 1, " "}, {"ab", 1, 0, ""},
		{"e\u0301e\u0301x", 1, 2, "e\u0301x"},
		{"\x1b[31mred\x1b[0m", 1, 9, "\x1b[31med\x1b[0m"},
	} {
		if got := Window(c.s, c.from, c.w); got != c.want {
			t.Errorf("Window(%q, %d, %d) = %q, want %q", c.s, c.from, c.w, got, c.want)
		}
	}
}

func TestLine(t *testing.T) {
	for in, want := range map[string]string{
		"a\x1bb": `a\u001bb  `, "": "          ", "東京ツール検索": "東京ツー… ",
		strings.Repeat("x", 10<<20): "xxxxxxxxx…",
	} {
		if got := Line(in, 10); got != want {
			t.Errorf("Line(%.20q) = %q, want %q", in, got, want)
		}
	}
	if got := Plain.Line("a\tb", 4); got != "a   " && got != "a  ~" {
		t.Errorf("plain line = %q", got)
	}
	if got := Pad("東", 4) + "|"; got != "東  |" {
		t.Errorf("Pad = %q", got)
	}
}

func TestCutKeepsCharactersWhole(t *testing.T) {
	s := strings.Repeat("東", 1000)
	for cells := range 8 {
		if got := Cut(s, cells); !utf8.ValidString(got) || Width(got) < cells {
			t.Errorf("Cut(%d) = %d bytes, %d cells", cells, len(got), Width(got))
		}
	}
	if bad := strings.Repeat("\x80", 1000); len(Cut(bad, 2)) != 2*CellBytes {
		t.Error("Cut searches for a character where none is")
	}
}

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		s    string
		w    int
		want string
	}{
		{"", 5, ""}, {"one two three", 7, "one two|three"}, {"one two three", 5, "one|two|three"}, {"a\n\nb\r\nc\n", 5, "a||b|c"},
		{"abcdefgh", 3, "abc|def|gh"}, {"go abcdefgh", 4, "go|abcd|efgh"}, {"  in dent", 6, "  in|dent"}, {"one  two", 4, "one|two"},
		{"東京 ツール", 5, "東京|ツー|ル"}, {"東", 1, "?"}, {"a\x1bb", 4, `a|\u00|1bb`}, {"x\x1b", 7, `x\u001b`}, {"one two ", 7, "one two"},
		{"aaa bbb ccc", 3, "aaa|bbb|ccc"}, {strings.Repeat(" ", 9) + "x", 4, "|x"},
	} {
		if got := strings.Join(Wrap(c.s, c.w), "|"); got != c.want {
			t.Errorf("Wrap(%q, %d) = %q, want %q", c.s, c.w, got, c.want)
		}
	}
	got := Unicode.Wrap(strings.Repeat("word ", 1_000_000), 20, 3)
	if len(got) != 3 || !strings.HasPrefix(got[2], "… 5.0 MB") {
		t.Errorf("limited wrap = %q", got)
	}
	for _, c := range []struct {
		w, limit int
		want     string
	}{
		{9, 1, "one two …"}, {7, 1, "one tw…"}, {5, 1, "one …"}, {5, 2, "one|… 8 …"},
	} {
		if got := strings.Join(Unicode.Wrap("one two three", c.w, c.limit), "|"); got != c.want {
			t.Errorf("wrapped to %d lines of %d: %q, want %q", c.limit, c.w, got, c.want)
		}
	}
	if got := Unicode.Wrap("a b c", 1, 3); strings.Join(got, "|") != "a|b|c" {
		t.Errorf("a wrap that just fits = %q", got)
	}
}

func FuzzFit(f *testing.F) {
	for i, s := range fuzzSeeds {
		f.Add(s, i*3, i)
	}
	f.Fuzz(func(t *testing.T, s string, w, from int) {
		w, from = w&0xff, from&0x3ff
		c := Clean(s)
		for _, g := range []*Glyphs{Unicode, Plain} {
			if got := g.Fit(c, w); Width(got) != w {
				t.Fatalf("Fit(%q, %d) = %q, %d cells", c, w, got, Width(got))
			}
			if got := g.Line(s, w); Width(got) != w {
				t.Fatalf("Line(%q, %d) = %q, %d cells", s, w, got, Width(got))
			} else if want := g.Fit(g.Drawn(c), w); got != want {
				t.Fatalf("Line(%q, %d) = %q, Fit = %q", s, w, got, want)
			}
			if got := g.Window(c, from, w); Width(got) > w {
				t.Fatalf("Window(%q, %d, %d) = %q, %d cells", c, from, w, got, Width(got))
			}
		}
		if got := Clip(c, w); Width(c) <= w && got != c {
			t.Fatalf("Clip(%q, %d) = %q though it fits", c, w, got)
		}
		styled := "\x1b[1m" + c + "\x1b[0m"
		if got := Fit(styled, w); Width(got) != w {
			t.Fatalf("Fit(%q, %d) = %q, %d cells", styled, w, got, Width(got))
		}
		lines := Unicode.Wrap(s, w, 50)
		if len(lines) > 50 {
			t.Fatalf("%d lines", len(lines))
		}
		for _, l := range lines {
			drawable(t, l)
			if Width(l) > w {
				t.Fatalf("Wrap(%q, %d) has the line %q, %d cells", s, w, l, Width(l))
			}
		}
	})
}

func BenchmarkClip(b *testing.B) {
	for name, s := range map[string]string{
		"10MB":     strings.Repeat("y", 10<<20),
		"10MB-cjk": strings.Repeat("東京", 10<<20/6),
		"fits":     strings.Repeat("y", 100),
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Clip(s, 120)
			}
		})
	}
}

func BenchmarkLine10MB(b *testing.B) {
	s := strings.Repeat("a log line with some text \x1b[0m", 10<<20/30)
	b.ReportAllocs()
	for b.Loop() {
		Line(s, 120)
	}
}

func BenchmarkWrapLongWord(b *testing.B) {
	s := strings.Repeat("y", 100_000)
	b.ReportAllocs()
	for b.Loop() {
		Wrap(s, 60)
	}
}
