package ui

import (
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"
	"unicode/utf8"
)

// TestPasteWithoutBrackets: what can only be a paste gets its brackets, what may be keys stays.
func TestPasteWithoutBrackets(t *testing.T) {
	const in, out = pasteBegin, pasteEnd
	full := strings.Repeat("ab\r", 100)[:256-len(in)-len(out)-longestKey]
	for _, c := range []struct {
		name  string
		reads []string
		want  string
	}{
		{"keys", []string{"jq", ":q\r", "/wip\r\r", "\r\r", "2\t3\x13"}, "jq:q\r/wip\r\r\r\r2\t3\x13"},
		{"arrows and enter", []string{"\x1b[B\x1b[B\rs"}, "\x1b[B\x1b[B\rs"},
		{"lines", []string{"a: 1\rr\r"}, in + "a: 1\rr\r" + out},
		{"lines of another system", []string{"a\nR"}, in + "a\nR" + out},
		{"several pieces", []string{full, full, "R\r", "q"}, in + full + out + in + full + out + in + "R\r" + out + "q"},
		{"an answer to a paste", []string{"a: 1\rr\r", ":q\r"}, in + "a: 1\rr\r" + out + ":q\r"},
		{"a key of control behind a paste", []string{"a\rr", "\x03"}, in + "a\rr" + out + "\x03"},
		{"brackets", []string{in + "a\rb\rc" + out, "\r"}, in + "a\rb\rc" + out + "\r"},
		{"brackets over reads", []string{in + "a\rb", "c\rd", "e\rf\x1b[20", "1~", "j"}, in + "a\rbc\rde\rf" + out + "j"},
		{"two in one read", []string{in + "a\rb" + out + "j" + in + "c", "d\re" + out, "q\r"}, in + "a\rb" + out + "j" + in + "cd\re" + out + "q\r"},
		{"an end that is none", []string{in + "a\x1b[201x\rb", "c\rd" + out, "j"}, in + "a\x1b[201x\rbc\rd" + out + "j"},
	} {
		var k keyboard
		var got strings.Builder
		now := time.Unix(9, 0)
		for _, r := range c.reads {
			p := make([]byte, 256)
			n := k.bracket(p, copy(p, r), len(r) == len(full), now)
			got.Write(p[:n])
			now = now.Add(pasteGap / 4)
		}
		if got.String() != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got.String(), c.want)
		}
	}
	// A key that follows a paste of exactly a read is no part of it.
	var k keyboard
	p := make([]byte, 256)
	now := time.Unix(9, 0)
	k.bracket(p, copy(p, full), true, now)
	if n := k.bracket(p, copy(p, "q"), false, now.Add(pasteGap)); n != 1 {
		t.Errorf("a key after a paste became %q", p[:n])
	}
}

// TestWordsAreAPasteWhereKeysAreNoText: a blank between texts is no key that comes with others, but in a field, a
// prompt, or behind the key that opens one.
func TestWordsAreAPasteWhereKeysAreNoText(t *testing.T) {
	for _, c := range []struct {
		read  string
		paste bool
	}{
		{"I am R s q", true}, {"Restart the server\r", true}, {"s q", true}, {"a b\n", true}, {"東 京", true},
		{"R", false}, {"jjj", false}, {" ", false}, {"   ", false}, {"j ", false}, {" j", false}, {"jq\r", false}, {"\x1b[B \x1b[B", false}, {"a \x03 b", false},
		{":call add a=2 b=3\r", false}, {"5g/two words\r", false}, {"", false}, {"of s: q/", true}, {"f is:error", false}, {"5fmethod:tools/* dir:in", false},
	} {
		for _, text := range []bool{false, true} {
			k := keyboard{text: &atomic.Bool{}}
			k.text.Store(text)
			p := make([]byte, 256)
			n := k.bracket(p, copy(p, c.read), false, time.Unix(9, 0))
			if got := strings.HasPrefix(string(p[:n]), pasteBegin); got != (c.paste && !text) {
				t.Errorf("%q, text %t: taken for a paste: %t", c.read, text, got)
			}
		}
	}
}

// TestALargePasteIsBracketedWhole, characters of several bytes at every place of a read included.
func TestALargePasteIsBracketedWhole(t *testing.T) {
	for lead := range 5 {
		paste := strings.Repeat("x", lead) + strings.Repeat("東é\r", 300)
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		w.WriteString(paste)
		w.Close()
		k := keyboard{File: r}
		var got strings.Builder
		for p := make([]byte, 256); ; {
			n, err := k.Read(p)
			if err != nil {
				break
			}
			piece := string(p[:n])
			if !strings.HasPrefix(piece, pasteBegin) || !strings.HasSuffix(piece, pasteEnd) || !utf8.ValidString(piece) {
				t.Fatalf("a piece came without brackets or cut: %q", piece)
			}
			got.WriteString(strings.TrimSuffix(strings.TrimPrefix(piece, pasteBegin), pasteEnd))
		}
		r.Close()
		if got.String() != paste {
			t.Errorf("%d of %d bytes came", got.Len(), len(paste))
		}
	}
}

// TestReadsEndBetweenKeys: no read ends inside of a sequence or a character, and none is lost.
func TestReadsEndBetweenKeys(t *testing.T) {
	for _, key := range []string{"\x1b[B", "\x1b[1;5C", "\x1bOP", "東", "\x1b[200~", "j"} {
		for lead := range 9 {
			want := strings.Repeat("x", lead) + strings.Repeat(key, 200)
			r, w, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			go func() {
				w.WriteString(want)
				w.Close()
			}()
			k := keyboard{File: r}
			var got strings.Builder
			for {
				p := make([]byte, 256)
				n, err := k.Read(p)
				if err != nil {
					break
				}
				got.Write(p[:n])
				if n < len(p) && got.Len() < len(want) && (got.Len()-lead)%len(key) != 0 && got.Len() > lead {
					t.Fatalf("a read of %d bytes ends inside of %q", n, key)
				}
			}
			r.Close()
			if got.String() != want {
				t.Errorf("%q behind %d: %d of %d bytes came", key, lead, got.Len(), len(want))
			}
		}
	}
}
