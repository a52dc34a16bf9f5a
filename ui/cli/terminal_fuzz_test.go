//go:build !windows

package cli

import (
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/term"
	"github.com/creack/pty"

	"example.com/mcpinspect/client"
)

// foulJSON is a text as it may stand in JSON between quotes: bytes that are no UTF-8 stay what they are.
func foulJSON(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == '"' || r == '\\' && !strings.HasPrefix(s[i:], `\u`):
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

// foulResults are what a server that has one text everywhere answers, by method.
var foulResults = map[string]string{
	client.MethodDiscover:       `{"supportedVersions":["2026-07-28","FOUL"],"capabilities":{"tools":{"listChanged":true},"resources":{},"prompts":{},"completions":{},"FOUL":{}},"instructions":"FOUL","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"FOUL","title":"FOUL","version":"FOUL"}}}`,
	"tools/list":                `{"tools":[{"name":"t","title":"FOUL","description":"FOUL","inputSchema":{"type":"object","properties":{"FOUL":{"type":"string","title":"FOUL","description":"FOUL","enum":["FOUL"],"default":"FOUL"},"n":{"type":"integer"}}},"annotations":{"title":"FOUL"}},{"name":"FOUL","inputSchema":{"type":"FOUL","FOUL":7}},{"name":"t"},7]}`,
	"resources/list":            `{"resources":[{"uri":"FOUL","name":"FOUL","mimeType":"FOUL"},{"uri":"x:1","name":"FOUL"}]}`,
	"resources/templates/list":  `{"resourceTemplates":[{"uriTemplate":"x:{FOUL}","name":"FOUL","description":"FOUL"}]}`,
	"prompts/list":              `{"prompts":[{"name":"p","title":"FOUL","description":"FOUL","arguments":[{"name":"FOUL","description":"FOUL"}]}]}`,
	client.MethodToolsCall:      `{"content":[{"type":"text","text":"FOUL"},{"type":"FOUL","FOUL":"FOUL"},{"type":"image","mimeType":"FOUL","data":"FOUL"},{"type":"resource_link","uri":"FOUL","name":"FOUL"},{"type":"resource","resource":{"uri":"FOUL","text":"FOUL"}}],"structuredContent":{"FOUL":"FOUL"},"FOUL":1}`,
	client.MethodResourcesRead:  `{"contents":[{"uri":"FOUL","mimeType":"FOUL","text":"FOUL"},{"uri":"FOUL","blob":"FOUL"}]}`,
	client.MethodPromptsGet:     `{"description":"FOUL","messages":[{"role":"FOUL","content":{"type":"text","text":"FOUL"}},{"role":"user","content":{"type":"FOUL"}}]}`,
	"completion/complete":       `{"completion":{"values":["FOUL","FOUL"],"total":7,"hasMore":true}}`,
	client.MethodListen:         `{"FOUL":"FOUL"}`,
	client.Tools.Method + "bad": `{"code":-32000,"message":"FOUL","data":{"FOUL":"FOUL"}}`,
}

// foulVerbs are the verbs that are run on such a server.
var foulVerbs = [][]string{
	{"list"}, {"list", "--full"}, {"list", "tools", "--json"}, {"list", "templates"}, {"describe", "t"}, {"describe", "t", "--json"}, {"discover"}, {"discover", "--json"},
	{"call", "t"}, {"call", "t", "--json"}, {"call", "t", "n=x"}, {"call", "nosuch"}, {"read", "x:1"}, {"read", "x:1", "--json"}, {"prompt", "p"}, {"complete", "prompt", "p", "a=b"},
	{"check"}, {"check", "--json"}, {"check", "--call", "t"}, {"send", "x/bad"}, {"send", "x/bad", "--json"}, {"listen", "x:1", "--for", "10ms"}, {"call", "t", "--repeat", "2"},
}

// foulFiles are the verbs that are run on a recording of such a server.
var foulFiles = [][]string{{"log"}, {"log", "--stats"}, {"log", "--story", "2"}, {"log", "--json"}, {"export", "--as", "md"}, {"diff"}, {"log", "--filter", "dir:in", "--sort", "size"}, {"replay", "--dry-run"}}

// FuzzOutput puts a text into every place where a server has one: whatever a verb prints of it is
// UTF-8 and acts on no terminal.
func FuzzOutput(f *testing.F) {
	f.Setenv("XDG_STATE_HOME", f.TempDir())
	f.Setenv("NO_COLOR", "1")
	bad := "\x1b[31m\x1b]52;c;eA==\a\u202e\u2066東京👩‍👩‍👧e\u0301\x00\r\n\t\u0085\u009b2J\ufeff\xff\xc3\u200d\u2028"
	for i := range len(foulVerbs) + len(foulFiles) {
		f.Add(bad, uint8(i))
	}
	f.Add(`\ud800\u001b]0;x`, uint8(0))
	f.Fuzz(func(t *testing.T, foul string, verb uint8) {
		if len(foul) > 512 {
			return
		}
		text := foulJSON(foul)
		n := int(verb) % (len(foulVerbs) + len(foulFiles))
		var args []string
		if n < len(foulVerbs) {
			web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { foulAnswer(w, r, text) }))
			defer web.Close()
			args = append(append(args, foulVerbs[n]...), web.URL)
		} else {
			file := foulRecording(t, text, foul)
			verb := foulFiles[n-len(foulVerbs)]
			args = append([]string{verb[0], file}, verb[1:]...)
			switch verb[0] {
			case "diff":
				args = append(args, foulRecording(t, "other", "other"))
			case "replay":
				args = append(args, "--", "nothing")
			}
		}
		out, errs := printed(t, args)
		for name, b := range map[string][]byte{"stdout": out, "stderr": errs} {
			if !utf8.Valid(b) {
				t.Fatalf("%v: %s is no UTF-8: %q", args, name, b)
			}
			for _, r := range string(b) {
				tag := r >= 0xe0020 && r <= 0xe007f // of a flag
				if r != '\n' && unicode.IsControl(r) || r != 0x200d && !tag && unicode.Is(unicode.Cf, r) {
					t.Fatalf("%v: %s holds %U: %q", args, name, r, b)
				}
			}
		}
	})
}

// printed runs a command line with a terminal for its output, and returns what that was given.
func printed(t *testing.T, args []string) (out, errs []byte) {
	t.Helper()
	var texts [2]chan []byte
	var ends [2]*os.File
	for i := range ends {
		master, tty, err := pty.Open()
		if err != nil {
			t.Fatal(err)
		}
		defer master.Close()
		if _, err := term.MakeRaw(tty.Fd()); err != nil { // no byte is translated
			t.Fatal(err)
		}
		text := make(chan []byte, 1)
		go func() {
			b, _ := io.ReadAll(master) // ends with the terminal
			text <- b
		}()
		texts[i], ends[i] = text, tty
	}
	in, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	Main(t.Context(), args, IO{In: in, Out: ends[0], Err: ends[1]}, nil)
	ends[0].Close()
	ends[1].Close()
	return <-texts[0], <-texts[1]
}

func foulAnswer(w http.ResponseWriter, r *http.Request, text string) {
	body, _ := io.ReadAll(r.Body)
	id, method := client.Get(body, "id"), client.GetText(body, "method")
	w.Header().Set("Content-Type", "application/json")
	if id == nil {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	kind, result := "result", foulResults[method]
	if result == "" {
		kind, result = "error", foulResults[client.Tools.Method+"bad"]
	}
	fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"%s":%s}`, id, kind, strings.ReplaceAll(result, "FOUL", text))
}

// foulRecording is a foreign recording with the text in its answers, and the bytes beside them.
func foulRecording(t *testing.T, text, bytes string) string {
	var b strings.Builder
	b.WriteString(`{"k":"head","v":1,"tool":"` + text + `","start":"2026-09-01T09:30:00Z","os":"` + text + `","target":{"transport":"stdio","command":["./s","` + text + `"]}}` + "\n")
	b.WriteString(`{"k":"spawn","t":1,"run":1,"pid":4711,"path":"` + text + `"}` + "\n")
	at := 1
	add := func(ch, line string) {
		at++
		fmt.Fprintf(&b, `{"k":"b","t":%d,"ch":"%s","d64":"%s"}`+"\n", at, ch, base64Of(line))
	}
	id := 0
	for _, method := range []string{client.MethodDiscover, "tools/list", client.MethodToolsCall, client.MethodResourcesRead, client.MethodPromptsGet} {
		id++
		add("in", fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"%s","params":{"name":"t","uri":"%s"}}`+"\n", id, method, text))
		add("out", fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":%s}`+"\n", id, strings.ReplaceAll(foulResults[method], "FOUL", text)))
	}
	add("err", bytes+"\n")
	add("out", bytes+"\n")
	fmt.Fprintf(&b, `{"k":"ctl","t":%d,"what":"note","text":"%s","seq":2}`+"\n", at+1, text)
	fmt.Fprintf(&b, `{"k":"ctl","t":%d,"what":"%s","text":"%s"}`+"\n", at+1, text, text)
	fmt.Fprintf(&b, `{"k":"exit","t":%d,"signal":"%s","asked":"%s"}`+"\n", at+2, text, text)
	path := filepath.Join(t.TempDir(), "made.jsonl")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func base64Of(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }
