package text

import (
	"bytes"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

const family = "\U0001F468\u200d\U0001F469\u200d\U0001F467"

func TestClean(t *testing.T) {
	for _, c := range []struct {
		name, in, want string
		cells          int
	}{
		{"empty", "", "", 0},
		{"ascii", "plain text", "plain text", 10},
		{"title sequence", "list\x1b]0;owned\a things", `list\u001b]0;owned\u0007 things`, 31},
		{"line breaks", "a\nb\r\nc", `a\nb\r\nc`, 9},
		{"delete and NUL", "\x7f\x00", `\u007f\u0000`, 12},
		{"C1 as UTF-8", "\u009b31m", `\u009b31m`, 9},
		{"C1 as a byte", "\x9b31m", `\x9b31m`, 7},
		{"windows-1252", "it\x92s", `it\x92s`, 7},
		{"half a character", "\xe6\x9d", `\xe6\x9d`, 8},
		{"the start of a character at the end", "\"\xf70\"", `"\xf70"`, 7},
		{"a letter that joins an escape", "\xe0\u0e33", `\xe0\u0e33`, 10},
		{"a mark, then the start of a character", "e\u0301\xf7\"", "e\u0301\\xf7\"", 6},
		{"surrogate in UTF-8", "\xed\xa0\x80", `\xed\xa0\x80`, 12},
		{"replacement character sent", "\ufffd", "\ufffd", 1},
		{"tab stops", "a\tbc\td", "a   bc  d", 9},
		{"tab after wide", "東\tx", "東  x", 5},
		{"direction", "a\u202eb\u2066c\u200ed\u061c", `a\u202eb\u2066c\u200ed\u061c`, 28},
		{"separators", "a\u2028b\u2029", `a\u2028b\u2029`, 14},
		{"invisible", "a\u200bb\u2060\ufeff\u00ad", `a\u200bb\u2060\ufeff\u00ad`, 26},
		{"joiner between letters", "a\u200db", `a\u200db`, 8},
		{"tag characters", "x\U000E0041", `x\u{e0041}`, 10},
		{"hangul filler", "\u3164", `\u3164`, 6},
		{"unassigned", "\u0378", `\u0378`, 6},
		{"private use", "\ue0b0", "\ue0b0", 1},
		{"CJK", "東京ツール", "東京ツール", 10},
		{"combining", "e\u0301\u0323a\u0308", "e\u0301\u0323a\u0308", 2},
		{"mark without a base", "\u0301a", `\u0301a`, 7},
		{"mark after an escape", "\x1b\u0301", `\u001b\u0301`, 12},
		{"stacked marks", "z" + strings.Repeat("\u0300", maxMarks+2), "z" + strings.Repeat("\u0300", maxMarks) + `\u0300\u0300`, 13},
		{"mark behind a grapheme joiner", "e\u034f\u0301", `e\u034f\u0301`, 13},
		{"family", family, family, 2},
		{"five joined", family + "\u200d\U0001F466\u200d\U0001F466", "\U0001F468" + `\u200d` + "\U0001F469" + `\u200d` + "\U0001F467" + `\u200d` + "\U0001F466" + `\u200d` + "\U0001F466", 34},
		{"flag", "\U0001F1E9\U0001F1EA", "\U0001F1E9\U0001F1EA", 2},
		{"half a flag", "\U0001F1E9", `\u{1f1e9}`, 9},
		{"flag of Scotland", "\U0001F3F4\U000E0067\U000E0062\U000E0073\U000E0063\U000E0074\U000E007F", "\U0001F3F4\U000E0067\U000E0062\U000E0073\U000E0063\U000E0074\U000E007F", 2},
		{"tags without an end", "\U0001F3F4\U000E0067\U000E0062\U000E0073", "\U0001F3F4" + `\u{e0067}\u{e0062}\u{e0073}`, 29},
		{"emoji style dropped", "\u2764\ufe0f", "\u2764", 1},
		{"keycap", "1\ufe0f\u20e3", "1\u20e3", 1},
		{"selector on a letter", "a\ufe0f", `a\ufe0f`, 7},
		{"two selectors", "\u2764\ufe0f\ufe0f", "\u2764" + `\ufe0f`, 7},
		{"hidden selectors", "\u2764\ufe01\U000E0101", "\u2764" + `\ufe01\u{e0101}`, 16},
		{"rainbow flag", "\U0001F3F3\ufe0f\u200d\U0001F308", "\U0001F3F3\ufe0f\u200d\U0001F308", 2},
		{"skin tone", "\U0001F44D\U0001F3FD", "\U0001F44D\U0001F3FD", 2},
		{"skin tone alone", "\U0001F3FD", `\u{1f3fd}`, 9},
		{"skin tone on a letter", "a\U0001F3FD", `a\u{1f3fd}`, 10},
		{"jamo syllable", "\u1112\u1161\u11ab", "\u1112\u1161\u11ab", 2},
		{"jamo vowel alone", "\u1161", `\u1161`, 6},
		{"persian", "سلام", "سلام", 4},
		{"hindi", "नमस्ते", "नमस्ते", Width("नमस्ते")},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := Clean(c.in)
			if got != c.want {
				t.Errorf("Clean(%q) = %q, want %q", c.in, got, c.want)
			}
			if w := Width(got); w != c.cells {
				t.Errorf("Width(%q) = %d, want %d", got, w, c.cells)
			}
			if b := CleanBytes([]byte("x"), []byte(c.in)); string(b) != "x"+c.want {
				t.Errorf("CleanBytes(%q) = %q", c.in, b)
			}
		})
	}
}

func TestCleanReturnsCleanTextAsItIs(t *testing.T) {
	for _, s := range []string{"a plain line of a log", "東京ツール e\u0301 " + family} {
		if n := testing.AllocsPerRun(50, func() { Clean(s) }); n != 0 {
			t.Errorf("Clean(%q) allocates %v times", s, n)
		}
	}
}

func TestCleanLines(t *testing.T) {
	got := CleanLines("first\nsecond\r\nth\rird\x1b\n")
	want := []string{"first", "second", `th\rird\u001b`}
	if strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestEscape(t *testing.T) {
	for in, want := range map[string]string{
		"plain":                      "plain",
		"\x1b[33m[WARN]\t\x97":       `\u001b[33m[WARN]\t\x97`,
		"e\u0301":                    `e\u0301`,
		family:                       "\U0001F468" + `\u200d` + "\U0001F469" + `\u200d` + "\U0001F467",
		"\u2764\ufe0f":               "\u2764" + `\ufe0f`,
		"\U0001F1E9\U0001F1EA 東":     `\u{1f1e9}\u{1f1ea} 東`,
		"\u1112\u1161":               `\u1112\u1161`,
		"before\u2028after":          `before\u2028after`,
		"\U0001F44D\U0001F3FD":       "\U0001F44D" + `\u{1f3fd}`,
		"\U0010ffff\U0010fffd\u0378": `\u{10ffff}` + "\U0010fffd" + `\u0378`,
	} {
		if got := Escape(in); got != want {
			t.Errorf("Escape(%q) = %q, want %q", in, got, want)
		}
	}
	if got, want := ASCII("東\x1b\x97a"), `\u6771\u001b\x97a`; got != want {
		t.Errorf("ASCII = %q, want %q", got, want)
	}
}

func TestWideIsWide(t *testing.T) {
	for r := rune(0x80); r <= unicode.MaxRune; r++ {
		if wide(r) && (Width(string(r)) != 2 || !unicode.IsLetter(r) && r != 0x303f) {
			t.Fatalf("%U is not wide", r)
		}
	}
}

// What a raw view shows as it is keeps its cells beside anything else.
func TestAloneIsAlone(t *testing.T) {
	for r := rune(0x80); r <= unicode.MaxRune; r++ {
		if !alone(r) || ansi.StringWidth(string(r)) == 0 {
			continue
		}
		own := ansi.StringWidth(string(r))
		for _, beside := range []string{"0", "東", "\u0915", "\uac00", string(r)} {
			w := ansi.StringWidth(beside)
			if before, behind := ansi.StringWidth(beside+string(r)), ansi.StringWidth(string(r)+beside); before != w+own || behind != w+own {
				t.Errorf("%U is %d cells, behind %+q %d, before it %d", r, own, beside, before-w, behind-w)
			}
		}
	}
}

// drawable fails the test unless s may be sent to a terminal.
func drawable(t *testing.T, s string) {
	t.Helper()
	if !utf8.ValidString(s) {
		t.Fatalf("not UTF-8: %q", s)
	}
	for i, r := range s {
		switch {
		case unicode.Is(unicode.Cc, r), r == 0x2028, r == 0x2029:
			t.Fatalf("control %U in %q", r, s)
		case unicode.Is(unicode.Bidi_Control, r), r == 0x200b, r == 0x200c, r == 0x2060, r == 0xfeff:
			t.Fatalf("format character %U in %q", r, s)
		case r == joiner && (i == 0 || i+3 == len(s)):
			t.Fatalf("joiner at the edge of %q", s)
		}
	}
}

var fuzzSeeds = []string{
	"", "plain", "\x1b[2J\x1b]52;c;ZXZpbA==\x07", family + "\u200d", "e\u0301\u0323", "\u2764\ufe0f\u200d\U0001F525",
	"\U0001F1E9\U0001F1EA\U0001F1E9", "\U0001F3F4\U000E0067\U000E0062\U000E007F", "東京\tツール\r\n", "\xff\xfe\x80\xe6\x9d",
	"\u1112\u1161\u11ab\u1100\u1100", "क्षत्रिय ക്ഷ ൎക", "\u0600123", "\u115f\u1160\u3164", "a\u034f\u0301\u0489", "1\ufe0f\u20e3#\ufe0f",
	strings.Repeat("word ", 40), strings.Repeat("y", 300),
}

func FuzzClean(f *testing.F) {
	for _, s := range fuzzSeeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		c := Clean(s)
		drawable(t, c)
		if again := Clean(c); again != c {
			t.Fatalf("Clean(%q) = %q, cleaned again %q", s, c, again)
		}
		if b := CleanBytes(nil, []byte(s)); !bytes.Equal(b, []byte(c)) {
			t.Fatalf("CleanBytes %q, Clean %q", b, c)
		}
		// The start of a character before text leaves the text as it is.
		if (s == "" || s[0] < utf8.RuneSelf) && !strings.Contains(s, "\t") {
			for lead, shown := range map[string]string{"\xc3": `\xc3`, "\xe6": `\xe6`, "\xf7": `\xf7`} {
				if got := Clean(lead + s); got != shown+c {
					t.Fatalf("Clean(%q) = %q, want %q", lead+s, got, shown+c)
				}
			}
		}
		e := Escape(s)
		drawable(t, e)
		if strings.ContainsRune(e, joiner) {
			t.Fatalf("joiner in Escape(%q) = %q", s, e)
		}
		// The parts of a raw view must be as wide together as they are alone.
		cells := 0
		for rest := s; len(rest) > 0; {
			_, n, w := AppendRaw(nil, rest)
			rest, cells = rest[n:], cells+w
		}
		if w := Width(e); w != cells {
			t.Fatalf("Escape(%q) = %q is %d cells, its parts %d", s, e, w, cells)
		}
		for _, r := range ASCII(s) {
			if r < ' ' || r > '~' {
				t.Fatalf("%U in ASCII(%q)", r, s)
			}
		}
	})
}

func BenchmarkClean(b *testing.B) {
	for name, s := range map[string]string{
		"ascii":   strings.Repeat("a plain line ", 10),
		"cjk":     strings.Repeat("東京ツール検索 ", 10),
		"escapes": strings.Repeat("\x1b[33mwarn\x1b[0m ", 10),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(s)))
			b.ReportAllocs()
			for b.Loop() {
				Clean(s)
			}
		})
	}
}

// TestTyped: what a field of one line draws keeps its styling and characters, and nothing that orders or
// hides others.
func TestTyped(t *testing.T) {
	for drawn, want := range map[string]string{
		"a\x1b[7mb\x1b[0m":        "a\x1b[7mb\x1b[0m",
		"x\u202ey\u2066z\u200bé東": "x\ufffdy\ufffdz\ufffdé東",
		"👩\u200d👩":                "👩\u200d👩",
		"\u00ad\ufeff":            "\ufffd\ufffd",
	} {
		if got := Typed(drawn); got != want {
			t.Errorf("%q: %q, want %q", drawn, got, want)
		}
	}
}
