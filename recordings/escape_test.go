package recordings

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestEscapedComesBackThroughEncodingJSON(t *testing.T) {
	texts := []string{"", "a", `"`, `\`, "<>&'", "\u2028\u2029", "\x7f", "\u0080\u009f\u00a0", "\ufeff", "\U0001f600", "\u202e\u2066", "é", "\uffff\ufffd"}
	for c := range rune(0x100) {
		texts = append(texts, string(c))
	}
	for _, text := range texts {
		// At every place of a word, and behind and before others.
		for pad := range 18 {
			in := strings.Repeat("x", pad) + text + strings.Repeat("y", 17-pad)
			out, ok := appendEscaped([]byte(`"`), []byte(in))
			if !ok {
				t.Fatalf("%q is not taken for UTF-8", in)
			}
			out = append(out, '"')
			var back string
			if err := json.Unmarshal(out, &back); err != nil || back != in {
				t.Fatalf("%q is written %s, which is %q, %v", in, out, back, err)
			}
			if fast, ok := appendUnescaped(nil, out[1:len(out)-1]); !ok || string(fast) != in {
				t.Fatalf("%q is written %s and read %q, %v", in, out, fast, ok)
			}
			if i := bytes.IndexFunc(out, func(r rune) bool { return unicode.IsControl(r) || r == 0x2028 || r == 0x2029 || r == 0x202e }); i >= 0 {
				t.Fatalf("%q is written %q, with a character that acts", in, out)
			}
		}
	}
}

func TestEscapeRefusesWhatIsNotUTF8(t *testing.T) {
	for _, text := range []string{"\xff", "\xc3", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xc0\x80"} {
		for pad := range 18 {
			in := strings.Repeat("x", pad) + text + strings.Repeat("y", 17-pad)
			out, ok := appendEscaped([]byte("before"), []byte(in))
			if ok || string(out) != "before" {
				t.Fatalf("%q gives %q, %v", in, out, ok)
			}
		}
	}
}

func FuzzEscape(f *testing.F) {
	f.Add([]byte("plain"))
	f.Add([]byte("{\"jsonrpc\":\"2.0\",\"id\":1}\n\x00\x1f\x7f\u0085\u2028"))
	f.Add([]byte("\xff\xfe half \xe2\x80"))
	f.Fuzz(func(t *testing.T, p []byte) {
		out, ok := appendEscaped(nil, p)
		if ok != utf8.Valid(p) {
			t.Fatalf("UTF-8 %v, want %v", ok, utf8.Valid(p))
		}
		if ok {
			var back string
			if err := json.Unmarshal([]byte(`"`+string(out)+`"`), &back); err != nil || back != string(p) {
				t.Fatalf("%q comes back as %q, %v", p, back, err)
			}
		}
		// The fast way back either declines or agrees with encoding/json.
		if fast, ok := appendUnescaped(nil, p); ok {
			var back string
			if err := json.Unmarshal([]byte(`"`+string(p)+`"`), &back); err != nil || back != string(fast) {
				t.Fatalf("%q is read %q, encoding/json says %q, %v", p, fast, back, err)
			}
		}
	})
}
