package recordings

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestNamesSecret(t *testing.T) {
	for name, want := range map[string]bool{"GITHUB_TOKEN": true, "api_key": true, "ApiKey": true, "DB_PASSWORD": true, "client-secret": true,
		"HOME": false, "PATH": false, "PASS": false, "": false, "LANG": false} {
		if got := NamesSecret(name); got != want {
			t.Errorf("NamesSecret(%q) = %v", name, got)
		}
	}
}

func TestSecretsAdd(t *testing.T) {
	s := &Secrets{}
	if s.Add("SHORT", "1234567") || s.Add("SPACE", "   1234567   ") {
		t.Error("a value under 8 bytes was taken")
	}
	if !s.Add("A", " 12345678\n") || !s.Add("B", "12345678") || !s.Add("odd\"\n⟦", "abcdefghij") {
		t.Error("a value of 8 bytes was not taken")
	}
	s.AddEnviron([]string{"X_TOKEN=from-environment", "HOME=/home/somebody", "broken"})
	if got := s.Names(); !slices.Equal(got, []string{"A", "odd___", "X_TOKEN"}) {
		t.Errorf("names %q", got)
	}
	if got := s.MaskString("<12345678>"); got != "<********>" {
		t.Errorf("masked %q", got)
	}
	h := &Secrets{}
	h.AddHeader("Authorization", "Bearer abcdefgh1234")
	if got := h.MaskString(`{"token":"abcdefgh1234"} Bearer abcdefgh1234`); got != `{"token":"************"} *******************` {
		t.Errorf("masked %q", got)
	}
	h.AddHeader("cookie", "sid=one-secret; b=c; t = two-secret")
	h.AddURL("https://h/p?api_key=three%2Fsecret&q=not-secret-at-all&Token=short")
	if got := h.MaskString("one-secret two-secret three/secret three%2Fsecret not-secret-at-all"); got != "********** ********** ************ ************** not-secret-at-all" {
		t.Errorf("masked %q", got)
	}
	var none *Secrets
	if p, spans := none.Mask([]byte("12345678")); string(p) != "12345678" || spans != nil || none.Replace("x") != "x" || none.Names() != nil {
		t.Error("nil does not mask nothing")
	}
}

func TestSecretsReplace(t *testing.T) {
	s := &Secrets{}
	s.Add("A", "abcdefgh")
	s.Add("B", "efghijkl")
	for in, want := range map[string]string{
		"":                     "",
		"nothing":              "nothing",
		"x=abcdefgh":           "x=⟦A⟧",
		"abcdefgh,abcdefgh":    "⟦A⟧,⟦A⟧",
		"https://abcdefgh@h/x": "https://⟦A⟧@h/x",
		"abcdefghijkl.":        "⟦A⟧⟦B⟧.",
	} {
		if got := s.Replace(in); got != want {
			t.Errorf("%q becomes %q, want %q", in, got, want)
		}
	}
}

// spelled are ways in which encoders write a secret.
func spelled(value string) map[string]string {
	text := func(v any) string {
		b, _ := json.Marshal(v)
		return string(b)
	}
	inner := text(map[string]string{"v": value})
	var relaxed bytes.Buffer
	enc := json.NewEncoder(&relaxed)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(value)
	all := map[string]string{
		"plain":             value,
		"encoding/json":     text(value),
		"without HTML":      relaxed.String(),
		"nested":            text(inner),
		"slashes":           strings.ReplaceAll(relaxed.String(), "/", `\/`),
		"capital ampersand": strings.NewReplacer("&", `\u0026`, "+", `\u002B`, "'", `\u0027`, "<", `\u003C`, ">", `\u003E`, `\"`, `\u0022`, "`", `\u0060`, "é", `\u00E9`).Replace(strings.TrimSpace(relaxed.String())),
		"ASCII":             strings.NewReplacer("é", `\u00e9`).Replace(relaxed.String()),
	}
	for _, before := range []string{"", "u", "us", "user:"} {
		for _, after := range []string{"", "x", "xy"} {
			name := fmt.Sprintf(" of %q", before+"…"+after)
			all["base64"+name] = base64.StdEncoding.EncodeToString([]byte(before + value + after))
			all["base64url"+name] = base64.RawURLEncoding.EncodeToString([]byte(before + value + after))
		}
	}
	return all
}

func TestSpellingsAreMasked(t *testing.T) {
	for _, value := range []string{"s3cr3t-Value-123", `qu"ote\d/&+<'é>`, "8bytes!!", "a/b+c/d+e/f", "line\none\ttwo"} {
		s := &Secrets{}
		s.Add("NAME", value)
		for how, text := range spelled(value) {
			in := `{"v":"` + text + `"}`
			out, spans := s.Mask([]byte(in))
			if len(out) != len(in) || len(spans) == 0 || spans[0].Name != "NAME" {
				t.Errorf("%q, %s: %q is not masked: %q %v", value, how, in, out, spans)
				continue
			}
			// At most a base64 character on either side remains of it, and its quotes.
			rest := string(out)
			rest = rest[:spans[0].Off] + rest[spans[0].Off+spans[0].Len:]
			if spans[0].Len < len(value) || strings.Contains(rest, value[2:6]) {
				t.Errorf("%q, %s: %q becomes %q", value, how, in, out)
			}
		}
	}
}

func TestOpenFindsEveryBeginning(t *testing.T) {
	s := &Secrets{}
	s.Add("A", `qu"ote\d/&+<'é>`)
	m := s.compiled()
	for _, p := range m.patterns {
		for n := 1; n < len(p.text); n++ {
			text := append([]byte(". "), p.text[:n]...)
			if at, name := m.open(text); at != 2 || name != "A" {
				t.Fatalf("%d bytes of %q: open at %d", n, p.text, at)
			}
		}
		if at, _ := m.open(append(bytes.Clone(p.text), '.')); at != len(p.text)+1 {
			t.Fatalf("%q and a dot: open at %d", p.text, at)
		}
	}
}

func TestMaskLeavesTheRest(t *testing.T) {
	s := &Secrets{}
	s.Add("A", "abcdefgh")
	s.Add("B", "cdefghijkl")
	s.Add("C", "abcdefghij")
	in := []byte("abcdefg abcdefgh abcdefghij abcdefghijkl zabcdefghabcdefgh")
	p, spans := s.Mask(in)
	want := "abcdefg ******** ********** ************ z****************"
	if string(p) != want || string(in[:15]) != "abcdefg abcdefg" {
		t.Errorf("masked %q", p)
	}
	if fmt.Sprint(spans) != "[{8 8 A} {17 10 C} {28 10 C} {38 2 B} {42 8 A} {50 8 A}]" {
		t.Errorf("spans %v", spans)
	}
}

// record writes pieces of out, a nanosecond apart, and gives the b lines that come of it.
func record(t testing.TB, s *Secrets, pieces ...[]byte) []Record {
	t.Helper()
	var b bytes.Buffer
	w := NewWriter(&b)
	w.Mask(s)
	w.Head(Head{Start: time.Unix(0, 0)})
	for i, p := range pieces {
		w.Bytes(time.Duration(i+1), Out, p)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	all, r := load(t, &b)
	if len(r.Notices()) > 0 {
		t.Fatal(r.Notices())
	}
	return all[1:]
}

func TestMaskAcrossEverySplit(t *testing.T) {
	s := &Secrets{}
	s.Add("KEY", `pa"ss/word&1`)
	s.Add("PREFIX", `pa"ss/wo`)
	s.Add("TAIL", `word&1tail`)
	text := []byte(`x pa"ss/word&1tail, pa\"ss\/word\u00261 ` + base64.StdEncoding.EncodeToString([]byte(`me:pa"ss/word&1`)) + ` pa"ss/word&1`)
	want, wantSpans := s.Mask(text)
	stars := covered(len(text), wantSpans)
	check := func(cuts ...int) {
		t.Helper()
		var pieces [][]byte
		last := 0
		for _, c := range append(cuts, len(text)) {
			pieces = append(pieces, text[last:c])
			last = c
		}
		all := record(t, s, pieces...)
		if got := joined(all, Out); !bytes.Equal(got, want) {
			t.Fatalf("cut at %v:\n%s\nwant\n%s", cuts, got, want)
		}
		// Every byte has the time of its own piece, and every star its span.
		at, sizes := 0, make([]int, len(pieces)+1)
		for _, rec := range all {
			sizes[rec.T] += len(rec.Data)
			c := covered(len(rec.Data), rec.Spans)
			if !slices.Equal(c, stars[at:at+len(c)]) {
				t.Fatalf("cut at %v: spans %v do not fit", cuts, rec.Spans)
			}
			at += len(rec.Data)
		}
		for i, p := range pieces {
			if sizes[i+1] != len(p) {
				t.Fatalf("cut at %v: %d bytes at time %d, want %d", cuts, sizes[i+1], i+1, len(p))
			}
		}
	}
	for a := range len(text) {
		check(a)
		for b := a; b < len(text); b++ {
			check(a, b)
		}
	}
	var every []int
	for i := range len(text) {
		every = append(every, i)
	}
	check(every...)
}

// covered tells for each of n bytes whether a span has it.
func covered(n int, spans []Span) []bool {
	c := make([]bool, n)
	for _, s := range spans {
		for i := range s.Len {
			c[s.Off+i] = true
		}
	}
	return c
}

func TestHeldBytes(t *testing.T) {
	s := &Secrets{}
	s.Add("A", "abcdefghijkl")
	var b bytes.Buffer
	w := NewWriter(&b)
	w.Mask(s)
	lines := func() string { defer b.Reset(); return b.String() }
	w.Bytes(1, Out, []byte("xabc"))
	if got := lines(); got != `{"k":"b","t":1,"ch":"out","d":"x"}`+"\n" {
		t.Errorf("with a possible secret at the end: %s", got)
	}
	w.Bytes(2, Err, []byte("abc"))
	w.Ctl(3, "info", Text("text", "between"))
	if got := lines(); got != `{"k":"ctl","t":3,"what":"info","text":"between"}`+"\n" {
		t.Errorf("a ctl between: %s", got)
	}
	w.Bytes(4, Out, []byte("d!\n"))
	if got := lines(); got != `{"k":"b","t":1,"ch":"out","d":"abc"}`+"\n"+`{"k":"b","t":4,"ch":"out","d":"d!\n"}`+"\n" {
		t.Errorf("no secret after all: %s", got)
	}
	w.Bytes(5, Out, []byte("abcdefgh"))
	w.Bytes(6, Err, []byte("defg"))
	code := 3
	w.Exit(7, &code, "", "no", "")
	want := `{"k":"b","t":5,"ch":"out","d":"********","red":[[0,8,"A"]]}` + "\n" +
		`{"k":"b","t":2,"ch":"err","d":"abc"}` + "\n" + `{"k":"b","t":6,"ch":"err","d":"defg"}` + "\n" + `{"k":"exit","t":7,"code":3,"asked":"no"}` + "\n"
	// The eight bytes that began a secret on out are masked; the seven on err are not.
	if got := lines(); got != want {
		t.Errorf("at the exit: %s\nwant %s", got, want)
	}
	w.Bytes(8, Out, []byte("ab"))
	w.Mask(nil)
	w.Bytes(9, Out, []byte("c"))
	if got := lines(); got != `{"k":"b","t":8,"ch":"out","d":"ab"}`+"\n"+`{"k":"b","t":9,"ch":"out","d":"c"}`+"\n" {
		t.Errorf("after masking was switched off: %s", got)
	}
	s.Add("NEW", "brand-new-secret")
	w.Mask(s)
	w.Bytes(10, Out, []byte("brand-new"))
	w.Flush()
	if got := lines(); got != `{"k":"b","t":10,"ch":"out","d":"*********","red":[[0,9,"NEW"]]}`+"\n" {
		t.Errorf("a secret that came later: %s", got)
	}
}

func FuzzMask(f *testing.F) {
	f.Add([]byte("token s3cr3t-Value-123 and c2VjcmV0"), "s3cr3t-Value-123", "s3cr3t-V", uint16(9))
	f.Add([]byte("aaaaaaaaaaaaaaaaaaaaaaab"), "aaaaaaaaaaab", "aaaaaaaaaa", uint16(1))
	f.Add([]byte(`{"p":"pa\"ss\/word\u00261"}`), `pa"ss/word&1`, "", uint16(3))
	f.Fuzz(func(t *testing.T, text []byte, a, b string, chop uint16) {
		if strings.ContainsAny(a+b, "*") || len(a)+len(b) > 1000 || len(text) > 10_000 {
			return // a star in a secret is indistinguishable from a mask
		}
		s := &Secrets{}
		s.Add("A", a)
		s.Add("B", b)
		text = slices.Concat(text, []byte(a), text, []byte(b), []byte(a[len(a)/2:]))
		want, wantSpans := s.Mask(text)
		// A search that cannot be wrong: every spelling at every place.
		stars := make([]bool, len(text))
		for _, v := range s.values {
			for _, sp := range spellings(v.value) {
				for at := range text {
					if bytes.HasPrefix(text[at:], []byte(sp)) {
						for i := range len(sp) {
							stars[at+i] = true
						}
					}
				}
			}
		}
		if got := covered(len(text), wantSpans); !slices.Equal(got, stars) {
			t.Fatalf("masked %q", want)
		}
		size := int(chop)%len(text[:max(1, min(len(text), 64))]) + 1
		var pieces [][]byte
		for p := range slices.Chunk(text, size) {
			pieces = append(pieces, p)
		}
		got := joined(record(t, s, append(pieces, []byte("."))...), Out)
		if len(got) != len(text)+1 {
			t.Fatalf("%d bytes became %d", len(text)+1, len(got))
		}
		for i, c := range got[:len(text)] {
			// The end may be masked as the beginning of a secret.
			if stars[i] && c != '*' || !stars[i] && c != text[i] && len(text)-i > 2*(len(a)+len(b))*6 {
				t.Fatalf("in pieces of %d: %q, want %q", size, got, want)
			}
		}
		for _, v := range s.values {
			if bytes.Contains(got, []byte(v.value)) {
				t.Fatalf("%q is in %q", v.value, got)
			}
		}
	})
}

// TestMaskCut: what is left of a secret at the end of a cut text is hidden, from MinSecret bytes on.
func TestMaskCut(t *testing.T) {
	s := &Secrets{}
	s.Add("A", "abcdefghijklmnop")
	for text, want := range map[string]string{
		"x abcdefghijklmnop y":      "x **************** y",
		"x abcdefghijkl":            "x ************",
		"x abcdefgh":                "x ********",
		"x abcdefg":                 "x abcdefg",
		"abcdefghijklmnopabcdefghi": "*************************",
		"nothing":                   "nothing",
		"":                          "",
	} {
		if got, _ := s.MaskCut([]byte(text)); string(got) != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if got, spans := (*Secrets)(nil).MaskCut([]byte("abcdefgh")); string(got) != "abcdefgh" || spans != nil {
		t.Errorf("without secrets: %q", got)
	}
}
