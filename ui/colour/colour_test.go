package colour

import (
	"strings"
	"testing"

	"github.com/alecthomas/chroma/v2"
)

// marks is a palette that can be read: <k …>.
var marks = Palette{Key: "<k ", String: "<s ", Escape: "<e ", Number: "<n ", Literal: "<l ", Punct: "<p ", Remark: "<r ", Error: "<! ", Reset: ">"}

func TestJSONLine(t *testing.T) {
	for in, want := range map[string]string{
		"":                            "",
		`{`:                           `<p {>`,
		`  "a": 1,`:                   `  <k "a"><p : ><n 1><p ,>`,
		`  "a\nb": "c\u001bd"`:        `  <k "a><e \n><k b"><p : ><s "c><e \u001b><s d">`,
		`  "say \"hi\"": true`:        `  <k "say ><e \"><k hi><e \"><k "><p : ><l true>`,
		`    "text",`:                 `    <s "text"><p ,>`,
		`[-1.5e+3, null, false]`:      `<p [><n -1.5e+3><p , ><l null><p , ><l false><p ]>`,
		`  "a": "cut in a str…`:       `  <k "a"><p : ><s "cut in a str…>`,
		`  "a": "cut at an escape \…`: `  <k "a"><p : ><s "cut at an escape ><e \><s …>`,
		`  "a": "x\`:                  `  <k "a"><p : ><s "x><e \>`,
		`  "a": tr…`:                  `  <k "a"><p : ><l tr><r …>`,
		`  "a": nope`:                 `  <k "a"><p : ><! nope>`,
		`  "a": "yy…" /* 97.7 KB */,`: `  <k "a"><p : ><s "yy…" ><r /* 97.7 KB */><p ,>`,
		`\x97\u{e0041}`:               `<! \x97\u><p {><! e0041><p }>`,
		`"\x97\u{e0041}\q東京"`:         `<s "><e \x97\u{e0041}\><s q東京">`,
		`[[... /* 4.0 MB, deep */`:    `<p [[><r ... /* 4.0 MB, deep */>`,
		`"a" : 1`:                     `<k "a" ><p : ><n 1>`,
	} {
		if got := JSONLine(in, marks); got != want {
			t.Errorf("JSONLine(%s)\n got %s\nwant %s", in, got, want)
		}
	}
}

func TestPalette(t *testing.T) {
	const line = `"a\n": 1`
	if got := JSONLine(line, Palette{Reset: "x"}); got != line {
		t.Errorf("an empty palette gives %q", got)
	}
	if got, want := JSONLine(line, Palette{Key: "\x1b[36m", String: "\x1b[32m"}), "\x1b[36m\"a\x1b[0m\x1b[32m\\n\x1b[0m\x1b[36m\"\x1b[0m: 1"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestLexerIsAChromaLexer(t *testing.T) {
	tokens, err := chroma.Tokenise(lexer{}, nil, `"a": [1]`)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, token := range tokens {
		got = append(got, token.Type.String())
	}
	if s := strings.Join(got, " "); s != "NameTag Punctuation TextWhitespace Punctuation LiteralNumber Punctuation" {
		t.Error(s)
	}
}

func TestLongLine(t *testing.T) {
	line := `"` + strings.Repeat("y", 1<<20)
	if got := JSONLine(line, marks); len(got) != len(line)+len("<s >") {
		t.Errorf("%d bytes of %d", len(got), len(line))
	}
}

func FuzzJSONLine(f *testing.F) {
	for _, s := range []string{`  "a": 1,`, `"\u12`, `"\`, `\`, `/*`, `/*/`, `{"a`, "東…", "tru…", `"\u{`, "\xff\"", "-"} {
		f.Add(s)
	}
	p := Palette{Key: "\x01", String: "\x02", Escape: "\x03", Number: "\x04", Literal: "\x05", Punct: "\x06", Remark: "\x07", Error: "\x08", Reset: "\x0e"}
	strip := strings.NewReplacer("\x01", "", "\x02", "", "\x03", "", "\x04", "", "\x05", "", "\x06", "", "\x07", "", "\x08", "", "\x0e", "")
	f.Fuzz(func(t *testing.T, s string) {
		s = strip.Replace(s) // a clean line holds none of these
		got := JSONLine(s, p)
		if plain := strip.Replace(got); plain != s {
			t.Fatalf("JSONLine(%q) = %q", s, got)
		}
		if strings.ContainsAny(got, "\x01\x02\x03\x04\x05\x06\x07\x08") && !strings.HasSuffix(got, "\x0e") && len(s) < lineLimit {
			last := got[strings.LastIndexAny(got, "\x01\x02\x03\x04\x05\x06\x07\x08\x0e")]
			if last != '\x0e' {
				t.Fatalf("JSONLine(%q) = %q does not reset", s, got)
			}
		}
	})
}

func BenchmarkJSONLine(b *testing.B) {
	line := `    "description": "weather for a city, with an escape \n and a number",`
	p := Palette{Key: "\x1b[36m", String: "\x1b[32m", Escape: "\x1b[33m", Number: "\x1b[35m", Literal: "\x1b[34m"}
	b.SetBytes(int64(len(line)))
	b.ReportAllocs()
	for b.Loop() {
		JSONLine(line, p)
	}
}
