package ui

import (
	"context"
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"

	"example.com/mcpinspect/recordings"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/session/check"
)

// tours lead through every pane and view. A word that begins with : is typed at the prompt, one with
// / is searched for, ASK is a question of the server.
var tours = []string{
	"1 j j G 1 g",
	"2 j j v j enter esc v j enter j v",
	"2 g enter . j j enter a tab tab esc v v 3 + j enter x esc",
	"2 G k enter j enter ctrl+n ctrl+n esc s",
	"4 g j j - l l G H j enter",
	"5 G k k k 6 v j v j v G",
	"5 g j v j v j v o o o",
	"5 t j G k enter esc",
	"5 G k t :stats j esc",
	"5 g m j j j D j esc",
	"! j j j enter",
	":stats j G esc ? j pgdown esc",
	"ASK 7 t esc j enter b tab esc v v",
	"ASK ASK 7 P p D",
	"5 j :note\\ x m 6 o = esc",
	"5 f /stray",
	"5 /a n n N z",
	"4 w T T 5 T",
	":history j esc :save-block esc :nosuch",
	"2 v v enter enter a ctrl+n esc",
}

// tourSizes are those of the terminals that are toured.
var tourSizes = [][2]int{{160, 45}, {120, 36}, {80, 24}, {72, 20}, {60, 20}, {30, 8}, {29, 7}, {7, 30}, {2, 2}, {1, 1}, {200, 9}, {300, 5}}

// inJSON is a text as it may stand in JSON between quotes: bytes that are no UTF-8 stay what they are.
func inJSON(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == '"' || r == '\\' && !strings.HasPrefix(s[i:], `\u`): // an escape may stay one
			b.WriteString(`\` + string(r))
		case r < ' ':
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteString(s[i : i+n])
		}
		i += n
	}
	return b.String()
}

// rawSession is a session of bytes as they are.
func rawSession(t testing.TB, chunks []string) *session.Session {
	var out strings.Builder
	out.WriteString(recorded(t))
	for i, c := range chunks {
		ch, text, _ := strings.Cut(c, ":")
		fmt.Fprintf(&out, `{"k":"b","t":%d,"ch":%q,"d64":%q}`+"\n", (i+2)*1_000_000, ch, base64.StdEncoding.EncodeToString([]byte(text)))
	}
	r, err := recordings.NewReader(strings.NewReader(out.String()))
	if err != nil {
		t.Fatal(err)
	}
	s, err := session.Read(r, check.New())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// FuzzScreen puts a text into every place where a server has one, and bytes as they are on its
// streams, and looks at every pane: each frame is exactly as large as the terminal, and no byte of
// a server acts on it.
func FuzzScreen(f *testing.F) {
	bad := "\x1b[31m\x1b]52;c;eA==\a\u202e\u2066東京👩‍👩‍👧e\u0301\x00\r\n\t\u0085\u009b2J\ufeff\xff\xc3🏴\U000E0067\U000E007F🇩🇪\u200d\u2028"
	for i := range tours {
		f.Add([]byte("out:\x1b[2J\u202estray \x00\xff\r\n{\"half"), bad, uint64(i), uint8(i))
	}
	f.Add([]byte(`{"jsonrpc":"2.0","id":1,"result":{}}`), `\ud800\u001b]0;x`, uint64(3), uint8(1))
	f.Fuzz(func(t *testing.T, raw []byte, foul string, tour uint64, size uint8) {
		if len(raw) > 4096 || len(foul) > 1024 {
			return
		}
		inside := inJSON(foul)
		chunks := append(hostileTexts(inside), "out:"+string(raw), "err:"+string(raw))
		s := rawSession(t, chunks)
		wh := tourSizes[int(size)%len(tourSizes)]
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		a := appOn(t, s, []string{"ansi", "none"}[size%2], wh[0], wh[1])
		m := &monkey{rand.New(rand.NewPCG(tour, 7)), a, make(chan tea.Msg, 4096)}
		asked := 0
		for _, k := range strings.Fields(tours[int(tour%uint64(len(tours)))]) {
			k = strings.ReplaceAll(k, `\`, " ")
			switch {
			case k == "ASK":
				all := foulQuestions(inside)
				askUntil(ctx, a, all[(asked+int(size))%5])
				asked++
			case len(k) > 1 && (k[0] == ':' || k[0] == '/'):
				m.take(keyMsg(k[:1]))
				m.take(keyMsg(k[1:]))
				m.take(keyMsg("enter"))
			default:
				m.take(keyMsg(k))
			}
			if cause := context.Cause(a.ctx); cause != nil {
				t.Fatalf("%s: %v", k, cause)
			}
			exact(t, a, wh[0], wh[1])
			plain(t, a)
		}
	})
}
