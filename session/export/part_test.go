package export

import (
	"bytes"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"example.com/mcpinspect/recordings"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/session/check"
	"example.com/mcpinspect/session/filter"
	"example.com/mcpinspect/session/script"
)

// readAll reads a recording that is in memory, with what is masked in it.
func readAll(t *testing.T, file []byte) (*session.Session, recordings.Head, script.Masks) {
	t.Helper()
	r, err := recordings.NewReader(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	s, err := session.Read(r, check.New())
	if err != nil || len(r.Notices()) > 0 {
		t.Fatal(err, r.Notices())
	}
	again, _ := recordings.NewReader(bytes.NewReader(file))
	masks, err := script.ReadMasks(again)
	if err != nil {
		t.Fatal(err)
	}
	return s, r.Head(), masks
}

// partOf saves the rows of a recording that pass.
func partOf(t *testing.T, file []byte, expr string, secrets *recordings.Secrets) ([]byte, int) {
	t.Helper()
	s, head, masks := readAll(t, file)
	x, err := filter.Parse(expr)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	w := recordings.NewWriter(&out)
	n, err := Part(w, s, Options{Head: head, Filter: expr, Keep: func(e *session.Event) bool { return x.Match(e, s.Log()) }}, masks, secrets)
	if cerr := w.Close(); err != nil || cerr != nil {
		t.Fatal(err, cerr)
	}
	return out.Bytes(), n
}

// rowsSaid is what the rows of a session say, but for how they were read and where they stood.
func rowsSaid(s *session.Session, keep func(*session.Event) bool) (out []string) {
	s.Log().Each(0, func(e session.Event) bool {
		if !keep(&e) {
			return true
		}
		line := fmt.Sprintf("%v run %d %s %s %s id %s %v lines %d %q", e.T, e.Run, e.Stream, e.Kind, e.Method, e.ID, e.Marked, e.Lines, e.Noted)
		if e.Note != nil {
			line += " " + e.Note.What + " " + e.Note.Text
		} else {
			line += " " + string(s.Log().Line(e.Seq))
		}
		if e.Event != nil {
			line += fmt.Sprintf(" event %+v", *e.Event)
		}
		out = append(out, line)
		return true
	})
	return out
}

func everything(*session.Event) bool { return true }

// overHTTP is a session over HTTP: a JSON answer, and an event stream with two messages.
const overHTTP = `{"k":"head","v":1,"start":"2026-01-02T03:04:05Z","target":{"transport":"http","url":"http://x/mcp"}}
{"k":"spawn","t":0,"run":1,"pid":0,"path":"http://x/mcp"}
{"k":"hq","t":1,"x":1,"line":"POST /mcp","url":"http://x/mcp","headers":[["Content-Type","application/json"]]}
{"k":"hb","t":1,"x":1,"ch":"in","d":"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}"}
{"k":"hb","t":1,"x":1,"ch":"in","d":"","end":true}
{"k":"hs","t":2,"x":1,"status":200,"text":"200 OK","headers":[["Content-Type","application/json"]]}
{"k":"hb","t":3,"x":1,"ch":"out","d":"{\"jsonrpc\":\"2.0\",\"id\":1,"}
{"k":"hb","t":4,"x":1,"ch":"out","d":"\"result\":{}}"}
{"k":"hb","t":4,"x":1,"ch":"out","d":"","end":true}
{"k":"he","t":4,"x":1}
{"k":"hq","t":5,"x":2,"line":"POST /mcp","url":"http://x/mcp","headers":[["Content-Type","application/json"]]}
{"k":"hb","t":5,"x":2,"ch":"in","d":"{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/list\"}"}
{"k":"hb","t":5,"x":2,"ch":"in","d":"","end":true}
{"k":"hs","t":6,"x":2,"status":200,"text":"200 OK","headers":[["Content-Type","text/event-stream"]]}
{"k":"hb","t":7,"x":2,"ch":"out","d":"id: 7\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\ndata: \"params\":{}}\n\nevent: odd\ndata: x\n\n"}
{"k":"hb","t":8,"x":2,"ch":"out","d":": keep alive\n\ndata: {\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"tools\":[]}}\n\n"}
{"k":"hb","t":8,"x":2,"ch":"out","d":"","end":true}
{"k":"he","t":9,"x":2,"err":"broken off"}
{"k":"ctl","t":9,"what":"mark","text":"","data":{"row":4,"run":1,"x":1,"ch":"out","off":0,"at":3,"on":true}}
`

// halfLines is a server whose streams end in the middle of a line, some time before it does.
const halfLines = `{"k":"head","v":1,"tool":"test","start":"2026-01-02T03:04:05Z","target":{"transport":"stdio","command":["x"]},"options":{"max_line":1048576}}
{"k":"spawn","t":1,"run":1,"pid":7,"path":"/x"}
{"k":"b","t":2,"ch":"err","d":"half of it"}
{"k":"b","t":3,"ch":"out","d":"half of that"}
{"k":"end","t":4,"ch":"err"}
{"k":"end","t":5,"ch":"out"}
{"k":"exit","t":9,"code":0,"asked":"no"}
`

// TestPart: the rows that are saved are the rows that were there, whatever was left out around them,
// and what was masked is masked.
func TestPart(t *testing.T) {
	files := map[string][]byte{"http": []byte(overHTTP), "half lines": []byte(halfLines)}
	names, _ := fs.Glob(recordings.Samples(), "*.jsonl")
	for _, name := range names {
		file, err := fs.ReadFile(recordings.Samples(), name)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = file
	}
	// Every third row has a mark and a note.
	for name, file := range files {
		s, _, _ := readAll(t, file)
		s.Log().Each(0, func(e session.Event) bool {
			if e.Marked, e.Noted = e.Seq%3 == 0, "note"; e.Marked {
				for _, n := range session.Puts(&e, e.Offset) {
					file = fmt.Appendf(file, `{"k":"ctl","t":%d,"what":%q,"text":%q,"data":%s}`+"\n", n.At, n.What, n.Text, n.Data)
				}
			}
			return true
		})
		files[name] = file
	}
	for name, file := range files {
		for _, expr := range []string{"", "is:request", "is:response", "stream:err or stream:life", "is:stray", "@marked", "-dir:in", "is:finding"} {
			s, _, _ := readAll(t, file)
			x, err := filter.Parse(expr)
			if err != nil {
				t.Fatal(err)
			}
			part, n := partOf(t, file, expr, nil)
			again, head, _ := readAll(t, part)
			if (head.Filtered == "") || expr != "" && head.Filtered != expr {
				t.Errorf("%s %q: filtered is %q", name, expr, head.Filtered)
			}
			want := rowsSaid(s, func(e *session.Event) bool { return x.Match(e, s.Log()) })
			if len(want) != n {
				t.Errorf("%s %q: %d rows, want %d", name, expr, n, len(want))
			}
			got := rowsSaid(again, everything)
			for _, line := range want {
				// Runs that begin with a kept row, methods that follow from what was left out: only the rows themselves count.
				if !slices.ContainsFunc(got, func(g string) bool { return g == line || alike(g, line) }) {
					t.Errorf("%s %q: this row is missing:\n%s\namong\n%s", name, expr, line, strings.Join(got, "\n"))
				}
			}
			if expr == "" && !slices.Equal(got, want) {
				t.Errorf("%s: the whole is\n%s\nwant\n%s", name, strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
			if x, y := partOf(t, part, "", nil); !bytes.Equal(bytes.SplitN(x, []byte("\n"), 2)[1], bytes.SplitN(part, []byte("\n"), 2)[1]) {
				t.Errorf("%s %q: saved once more, %d rows, it is\n%s\nand was\n%s", name, expr, y, x, part)
			}
		}
	}
}

// alike compares rows without the method that an answer has from its request.
func alike(a, b string) bool {
	cut := func(s string) string {
		fields := strings.SplitN(s, " ", 6)
		if len(fields) < 6 {
			return s
		}
		_, rest, _ := strings.Cut(fields[5], "id ")
		return strings.Join(fields[:5], " ") + rest
	}
	return cut(a) == cut(b)
}

// TestPartStaysMasked: the spans of the recording are in the part, and secrets that it did not know.
func TestPartStaysMasked(t *testing.T) {
	file, err := fs.ReadFile(recordings.Samples(), "restart-token.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	more := &recordings.Secrets{}
	more.Add("WORD", "supportedVersions")
	part, _ := partOf(t, file, "is:response or stream:err", more)
	for _, want := range []string{`"red":[[6,23,"BENCH_TOKEN"]]`, `,"WORD"]`, `"BENCH_TOKEN"]`} {
		if !bytes.Contains(part, []byte(want)) {
			t.Errorf("no %s in\n%s", want, part)
		}
	}
	if bytes.Contains(part, []byte("supportedVersions")) {
		t.Error("a secret is in the part")
	}
}
