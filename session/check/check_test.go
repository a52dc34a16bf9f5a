package check

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/recordings"
	"example.com/mcpinspect/session"
)

// act is one thing that happens in a recorded session.
type act func(w *recordings.Writer, t time.Duration)

func in(line string) act { return chunk(recordings.In, line+"\n") }

// out is a line of the server.
func out(line string) act { return chunk(recordings.Out, line+"\n") }

func chunk(ch recordings.Channel, text string) act {
	return func(w *recordings.Writer, t time.Duration) { w.Bytes(t, ch, []byte(text)) }
}

func errs(line string) act { return chunk(recordings.Err, line+"\n") }

func note(what, id, text, data string) act {
	return func(w *recordings.Writer, t time.Duration) {
		fields := []recordings.Field{recordings.Text("text", text)}
		if id != "" {
			fields = append(fields, recordings.JSON("id", []byte(id)))
		}
		if data != "" {
			fields = append(fields, recordings.JSON("data", []byte(data)))
		}
		w.Ctl(t, what, fields...)
	}
}

func era(r client.Revision) act {
	return note(client.NoteEra, "", "why", `{"revision":"`+string(r)+`"}`)
}

func shutdown(asked string) act {
	return note(client.NoteShutdown, "", "a rung", `{"asked":"`+asked+`"}`)
}

func exit(code int, signal string, asked client.Asked) act {
	return func(w *recordings.Writer, t time.Duration) {
		c := &code
		if signal != "" {
			c = nil
		}
		w.Exit(t, c, signal, string(asked), "")
	}
}

// play reads a recording of the acts by the door of every session.
func play(t testing.TB, acts ...act) *session.Session {
	var file bytes.Buffer
	w := recordings.NewWriter(&file)
	w.Head(recordings.Head{Tool: "test", Start: time.Unix(0, 0)})
	w.Spawn(0, 1, 7, "/bin/server")
	for i, a := range acts {
		a(w, time.Duration(i+1)*time.Millisecond)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := recordings.NewReader(&file)
	if err != nil {
		t.Fatal(err)
	}
	s, err := session.Read(r, New())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

const (
	ask    = `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`
	answer = `{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}`
)

// good is a session without a finding: what is wrong in a case is wrong beside it.
func good(acts ...act) []act {
	return append([]act{era(client.Rev2025_11_25), in(ask), out(answer)}, acts...)
}

func handshake(r client.Revision, acts ...act) []act {
	return append([]act{era(r), in(ask), out(answer)}, acts...)
}

// page is a session whose list of tools is answered with a result.
func page(result string) []act {
	return []act{era(client.Rev2025_11_25), in(ask), out(`{"jsonrpc":"2.0","id":1,"result":` + result + `}`)}
}

func tools(entries ...string) string { return `{"tools":[` + strings.Join(entries, ",") + `]}` }

// greeted is a session that begins with an answer of the server about itself.
func greeted(method, result string) []act {
	return []act{in(`{"jsonrpc":"2.0","id":1,"method":"` + method + `"}`), out(`{"jsonrpc":"2.0","id":1,"result":` + result + `}`)}
}

// called is a session in which a tool returns a result.
func called(result string) []act {
	return good(in(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"a"}}`), out(`{"jsonrpc":"2.0","id":2,"result":`+result+`}`))
}

// deep is JSON nested as deeply as asked.
func deep(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }

// cases name for each session every rule that fires, with its severity and count, in order.
var cases = []struct {
	name string
	acts []act
	want string
}{
	{"clean", good(exit(0, "", client.AskedStdin)), ""},
	{"banner", good(out("Server starting..."), out("ready")), "error stray-stdout 2"},
	{"message that is no JSON", good(out(`{"jsonrpc":"2.0","id":2,"result":{"tools":[}}`)), "error broken-message 1"},
	{"JSON that is no message", good(out(`{"level":"info","message":"hello"}`), out(`"text"`), out(`17`)), "error stray-stdout 3"},
	{"UTF-8 broken in a message", good(out(`{"jsonrpc":"2.0","method":"notifications/x","params":{"data":"a` + "\x97" + `b"}}`)), "error invalid-utf8 1"},
	{"byte order mark", good(out("\xef\xbb\xbf" + `{"jsonrpc":"2.0","method":"notifications/x","params":{}}`)), "error byte-order-mark 1"},
	{"UTF-16", good(out("\xff\xfe{\x00")), "error byte-order-mark 1, error invalid-utf8 1, error stray-stdout 1"},
	{"CRLF, said once and counted", good(out(`{"jsonrpc":"2.0","method":"notifications/x"}`+"\r"), out(`{"jsonrpc":"2.0","method":"notifications/x"}`+"\r")), "info crlf-lines 2"},
	{"blank lines", good(out(""), out("  ")), "warning blank-line 2"},
	{"raw control byte in JSON", good(out("{\"jsonrpc\":\"2.0\",\"method\":\"a\x01\"}")), "error broken-message 1, error control-byte 1"},
	{"message over lines", good(out("{\n \"jsonrpc\":\"2.0\",\n \"method\":\"notifications/x\"\n}")), "error message-spans-lines 1"},
	{"message over too many lines", []act{era(client.Rev2025_11_25), in(ask), chunk(recordings.Out, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":[\n"), chunk(recordings.Out, strings.Repeat("\n", client.MaxHeldLines)), out("1]}"), exit(0, "", client.AskedStdin)},
		fmt.Sprintf("error message-not-put-together 1, warning blank-line %d, error stray-stdout 1", client.MaxHeldLines)},
	{"answer that is no JSON", []act{era(client.Rev2025_11_25), in(ask), out(`{"jsonrpc":"2.0","id":1,"result":{NaN}}`), exit(0, "", client.AskedStdin)}, "error broken-message 1"},
	{"text before a message", good(out(`loading... {"jsonrpc":"2.0","method":"notifications/x"}`)), "error message-glued-to-text 1"},
	{"two messages on a line", good(out(`{"jsonrpc":"2.0","method":"notifications/x"}{"jsonrpc":"2.0","method":"notifications/x"}`)), "error several-messages-on-a-line 1"},
	{"more messages on a line than are delivered", good(out(strings.Repeat(`{"jsonrpc":"2.0","method":"x"}`, client.MaxMessages+1))), "error several-messages-on-a-line 1, error overfull-line 1"},
	{"a batch of more messages than are delivered", good(out("[" + strings.Repeat(`{"jsonrpc":"2.0","method":"x"},`, client.MaxMessages) + `{"jsonrpc":"2.0","method":"x"}]`)), "error overfull-line 1, error batch 1"},
	{"thousands of answers to nothing on a line", handshake(client.Rev2025_03_26, out("["+strings.Repeat(`{"jsonrpc":"2.0","id":99,"result":{}},`, 4999)+`{"jsonrpc":"2.0","id":99,"result":{}}]`)), "error unknown-id 5000"},
	{"last message without newline", []act{era(client.Rev2025_11_25), in(ask), chunk(recordings.Out, answer), exit(0, "", client.AskedNo)}, "error no-newline-at-end 1, info server-ended 1"},
	{"ends within a line", good(chunk(recordings.Out, `{"jsonrpc":"2.0",`), exit(0, "", client.AskedStdin)), "error no-newline-at-end 1"},
	{"headers of another protocol", good(out("Content-Length: 120")), "error stray-stdout 1, error content-length-framing 1"},
	{"large message", good(out(`{"jsonrpc":"2.0","method":"notifications/x","params":{"data":"` + strings.Repeat("x", largeLine) + `"}}`)), "info long-line 1"},
	{"member twice", good(out(`{"jsonrpc":"2.0","method":"notifications/x","params":{"a":1,"a":2}}`)), "warning duplicate-member 1"},
	{"deep", good(out(`{"jsonrpc":"2.0","method":"notifications/x","params":{"a":` + deep(2000) + `}}`)), "warning deep-nesting 1"},
	{"large id", handshake(client.Rev2025_06_18, out(`{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}`)), "warning large-id 1"},
	{"colours on stdout", good(out("\x1b[33mwarn\x1b[0m")), "error stray-stdout 1, info ansi-escape 1"},
	{"stderr, said once and counted", good(errs("one"), errs("\x1b[31mtwo"), errs("three")), "info stderr-output 3, info ansi-escape 1"},
	{"no version", good(out(`{"method":"notifications/x"}`)), "error jsonrpc-version 1"},
	{"id of a wrong type", handshake(client.Rev2025_06_18, out(`{"jsonrpc":"2.0","id":true,"method":"ping"}`)), "error id-invalid 1"},
	{"id with a fraction", handshake(client.Rev2025_06_18, out(`{"jsonrpc":"2.0","id":1.0,"method":"ping"}`)), "info id-spelling 1"},
	{"method of a wrong type", good(out(`{"jsonrpc":"2.0","method":7}`)), "error method-invalid 1"},
	{"params of a wrong type", good(out(`{"jsonrpc":"2.0","method":"notifications/x","params":[1]}`)), "error params-invalid 1"},
	{"result and error", []act{era(client.Rev2025_11_25), in(ask), out(`{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":"x"}}`)}, "error result-and-error 1"},
	{"method and result", good(out(`{"jsonrpc":"2.0","method":"notifications/x","result":{}}`)), "error method-with-result 1"},
	{"neither result nor error", []act{era(client.Rev2025_11_25), in(ask), out(`{"jsonrpc":"2.0","id":1}`)}, "error neither-result-nor-error 1"},
	{"neither result nor error, nor id", good(out(`{"jsonrpc":"2.0","other":2}`)), "error neither-result-nor-error 1"},
	{"result of a wrong type", []act{era(client.Rev2025_11_25), in(ask), out(`{"jsonrpc":"2.0","id":1,"result":"ok"}`)}, "error result-not-an-object 1"},
	{"error of a wrong type", []act{era(client.Rev2025_11_25), in(ask), out(`{"jsonrpc":"2.0","id":1,"error":"bad"}`)}, "error error-not-an-object 1"},
	{"error without a message", []act{era(client.Rev2025_11_25), in(ask), out(`{"jsonrpc":"2.0","id":1,"error":{"code":-1}}`)}, "error error-incomplete 1"},
	{"error with a code of text", []act{era(client.Rev2025_11_25), in(ask), out(`{"jsonrpc":"2.0","id":1,"error":{"code":"E42","message":"x"}}`)}, "error error-member-types 1"},
	{"error with an empty message", []act{era(client.Rev2025_11_25), in(ask), out(`{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":""}}`)}, "warning error-text 1"},
	{"batch in the revision that has them", []act{era(client.Rev2025_03_26), in(ask), out("[" + answer + "]")}, ""},
	{"batch in another revision", []act{era(client.Rev2025_06_18), in(ask), out("[" + answer + "]")}, "error batch 1"},
	{"batch before batches were thought of", []act{era(client.Rev2024_11_05), in(ask), out("[" + answer + "]")}, "warning batch 1"},
	{"mixed batch", []act{era(client.Rev2025_03_26), in(ask), out("[" + answer + `,{"jsonrpc":"2.0","method":"notifications/x"}]`)}, "error batch-mixed 1"},
	{"unknown member", good(out(`{"jsonrpc":"2.0","method":"notifications/x","extra":1}`)), "warning unknown-member 1"},
	{"member in capitals", []act{era(client.Rev2025_06_18), out(`{"jsonrpc":"2.0","id":1,"method":"ping","Params":{}}`)}, "warning member-case 1"},
	{"request of a handshake server", handshake(client.Rev2025_06_18, out(`{"jsonrpc":"2.0","id":5,"method":"roots/list"}`)), ""},
	{"answer to nothing", good(out(`{"jsonrpc":"2.0","id":99,"result":{}}`)), "error unknown-id 1"},
	{"second answer", good(out(answer)), "error answered-twice 1"},
	{"id as text", []act{era(client.Rev2025_11_25), in(ask), out(`{"jsonrpc":"2.0","id":"1","result":{"tools":[]}}`), exit(0, "", client.AskedStdin)}, "error id-type 1"},
	{"error without id", []act{era(client.Rev2025_11_25), in(ask), out(`{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"boom"}}`), exit(0, "", client.AskedStdin)}, "warning error-without-id 1"},
	{"result without id", good(out(`{"jsonrpc":"2.0","result":{}}`)), "error answer-without-id 1"},
	{"request that timed out", []act{era(client.Rev2025_11_25), in(ask), note(client.NoteTimeout, "1", "no answer", ""), exit(0, "", client.AskedStdin)}, "warning unanswered-request 1"},
	{"request open at the end", []act{era(client.Rev2025_11_25), in(ask), exit(0, "", client.AskedStdin)}, "warning unanswered-request 1"},
	{"cancelled request", []act{era(client.Rev2025_11_25), in(ask), note(client.NoteCancel, "1", "cancelled", ""), exit(0, "", client.AskedStdin)}, ""},
	{"late answer", good(note(client.NoteLate, "1", "late", "")), "info late-answer 1"},
	{"silence to the probe", []act{in(`{"jsonrpc":"2.0","id":1,"method":"server/discover"}`), note(client.NoteTimeout, "1", "no answer to the probe", ""), era(client.Rev2025_06_18), exit(0, "", client.AskedStdin)}, "info probe-unanswered 1"},
	{"ended on the probe", []act{in(`{"jsonrpc":"2.0","id":1,"method":"server/discover"}`), exit(1, "", client.AskedNo)}, "info ended-on-probe 1"},
	{"died in a call", []act{era(client.Rev2025_11_25), in(ask), exit(0, "", client.AskedNo)}, "error server-died 1"},
	{"died by itself", good(exit(-1, "SIGSEGV", client.AskedNo)), "error server-died 1"},
	{"ended by itself", good(exit(0, "", client.AskedNo)), "info server-ended 1"},
	{"failed after its stdin was closed", good(shutdown("stdin-closed"), exit(1, "", client.AskedStdin)), "info exit-status 1"},
	{"failed after SIGTERM: no finding about the status", good(shutdown("term"), exit(1, "", client.AskedTerm)), "warning slow-shutdown 1"},
	{"killed", good(shutdown("kill"), exit(-1, "SIGKILL", client.AskedKill)), "warning slow-shutdown 1"},
	{"output after SIGTERM", good(shutdown("term"), out(`{"jsonrpc":"2.0","method":"notifications/x"}`)), "warning output-after-term 1"},
	{"left a process", good(note(client.NoteShutdown, "", "a process was ended", "")), "warning left-process 1"},
	{"page refused", good(note(client.NotePages, "", "page 2 failed", `{"list":"tools","stop":"error","error":{"code":-32602,"message":"x"}}`)), "error page-failed 1"},
	{"no templates beside resources", good(note(client.NotePages, "", "page 1 failed", `{"list":"templates","stop":"error","error":{"code":-32601,"message":"x"}}`)), "info page-failed 1"},
	{"page lost with the server", good(note(client.NotePages, "", "page 2 failed", `{"list":"tools","stop":"error"}`)), ""},
	{"cursor that is no text", good(note(client.NotePages, "", "it is 5", `{"list":"tools","cursor":5}`)), "error cursor-not-text 1"},
	{"cursor that comes back", good(note(client.NotePages, "", "a loop", `{"list":"tools","stop":"loop"}`)), "warning cursor-loop 1"},
	{"endless pages", good(note(client.NotePages, "", "too many", `{"list":"tools","stop":"ceiling"}`)), "warning endless-pages 1"},
	{"list that is not there", page(`{}`), "error list-invalid 1"},
	{"list that is an object", page(`{"tools":{"a":{}}}`), "error list-invalid 1"},
	{"cursor that is a number", page(`{"tools":[],"nextCursor":17}`), "error cursor-type 1"},
	{"cursor that is null", page(`{"tools":[],"nextCursor":null}`), "error cursor-type 1"},
	{"entries that are no objects, told together", page(`{"tools":[null,17,"x",[],true]}`), "error entry-invalid 1"},
	{"tool without a name", page(tools(`{"inputSchema":{"type":"object"}}`, `{"name":5,"inputSchema":{"type":"object"}}`)), "error name-invalid 1"},
	{"tool with an empty name", page(tools(`{"name":"","inputSchema":{"type":"object"}}`)), "warning name-invalid 1"},
	{"tools of one name", page(tools(`{"name":"a","inputSchema":{"type":"object"}}`, `{"name":"a","inputSchema":{"type":"object"}}`)), "warning name-twice 1"},
	{"a name that comes on two pages", good(in(`{"jsonrpc":"2.0","id":2,"method":"prompts/list","params":{}}`), out(`{"jsonrpc":"2.0","id":2,"result":{"prompts":[{"name":"a"}],"nextCursor":"2"}}`),
		in(`{"jsonrpc":"2.0","id":3,"method":"prompts/list","params":{"cursor":"2"}}`), out(`{"jsonrpc":"2.0","id":3,"result":{"prompts":[{"name":"a"}]}}`)), "warning name-twice 1"},
	{"resources without a uri", good(in(`{"jsonrpc":"2.0","id":2,"method":"resources/list"}`), out(`{"jsonrpc":"2.0","id":2,"result":{"resources":[{"name":"a"},{"name":"b","uri":7}]}}`),
		in(`{"jsonrpc":"2.0","id":3,"method":"resources/templates/list"}`), out(`{"jsonrpc":"2.0","id":3,"result":{"resourceTemplates":[{"name":"a","uri":"x:y"}]}}`)), "error uri-invalid 1, error uri-invalid 1"},
	{"tools without a schema", page(tools(`{"name":"a"}`, `{"name":"b","inputSchema":null}`, `{"name":"c","inputSchema":[]}`)), "error input-schema-invalid 1"},
	{"schemas of another type", page(tools(`{"name":"a","inputSchema":{}}`, `{"name":"b","inputSchema":{"type":"array"}}`, `{"name":"c","inputSchema":{"type":["object"]}}`)), "error input-schema-type 1"},
	{"output schemas of another type", []act{era(client.Rev2025_06_18), in(ask), out(`{"jsonrpc":"2.0","id":1,"result":` + tools(`{"name":"a","inputSchema":{"type":"object"},"outputSchema":{"type":"array"}}`, `{"name":"b","inputSchema":{"type":"object"},"outputSchema":null}`) + `}`)}, "error output-schema-invalid 1, info null-member 1"},
	{"output schema that is no object", page(tools(`{"name":"a","inputSchema":{"type":"object"},"outputSchema":true}`)), "error output-schema-invalid 1"},
	{"handshake without all that is required", greeted(client.MethodInitialize, `{"protocolVersion":"2025-06-18","serverInfo":{"name":"a"},"capabilities":{}}`), "error identity-invalid 1"},
	{"discovery without versions", greeted(client.MethodDiscover, `{"capabilities":{}}`), "error identity-invalid 1"},
	{"capabilities that are no objects", greeted(client.MethodInitialize, `{"protocolVersion":"2025-11-25","serverInfo":{"name":"a","version":"1"},"capabilities":{"tools":true,"prompts":null}}`), "warning capability-type 1"},
	{"result without content", called(`{}`), "error content-invalid 1"},
	{"content that is an object", called(`{"content":{"type":"text","text":"a"}}`), "error content-invalid 1"},
	{"blocks that are none", called(`{"content":[17,{"type":"text"},{}]}`), "error content-block-invalid 3"},
	{"block of an unknown type", called(`{"content":[{"type":"video"}]}`), "error content-block-unknown 1"},
	{"isError that is text", called(`{"content":[],"isError":"yes"}`), "warning is-error-type 1"},
	{"answers of a batch are judged one by one", []act{era(client.Rev2025_03_26), in(ask), in(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"a"}}`), out(`[{"jsonrpc":"2.0","id":2,"result":{}},{"jsonrpc":"2.0","id":1,"result":{}}]`)}, "error content-invalid 1, error list-invalid 1"},

	// What must not be flagged.
	{"a list with all that is required", page(`{"tools":[{"name":"a","inputSchema":{"type":"object"}},{"name":"b","inputSchema":{"type":"object","properties":{}}}],"nextCursor":"2"}`), ""},
	{"a handshake with all that is required", greeted(client.MethodInitialize, `{"protocolVersion":"2025-06-18","serverInfo":{"name":"a","version":"1"},"capabilities":{"tools":{}}}`), ""},
	{"the same list, walked again", good(in(`{"jsonrpc":"2.0","id":2,"method":"prompts/list","params":{}}`), out(`{"jsonrpc":"2.0","id":2,"result":{"prompts":[{"name":"a"}]}}`),
		in(`{"jsonrpc":"2.0","id":3,"method":"prompts/list","params":{}}`), out(`{"jsonrpc":"2.0","id":3,"result":{"prompts":[{"name":"a"}]}}`)), ""},
	{"resources of one name", good(in(`{"jsonrpc":"2.0","id":2,"method":"resources/list"}`), out(`{"jsonrpc":"2.0","id":2,"result":{"resources":[{"name":"a","uri":"x:1"},{"name":"a","uri":"x:2"}]}}`),
		in(`{"jsonrpc":"2.0","id":3,"method":"resources/templates/list"}`), out(`{"jsonrpc":"2.0","id":3,"result":{"resourceTemplates":[{"name":"a","uriTemplate":"x:{y}"}]}}`)), ""},
	{"a list that was refused", good(in(`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`), out(`{"jsonrpc":"2.0","id":2,"error":{"code":-32603,"message":"x"}}`)), ""},
	{"a result with all that is required", called(`{"content":[{"type":"text","text":"a"},{"type":"image","data":"AA==","mimeType":"image/png"}],"structuredContent":null}`), ""},
	{"content of nothing", called(`{"content":[]}`), ""},
	{"open objects, empty lists, null cursors", good(in(`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`), out(`{"jsonrpc":"2.0","id":2,"result":{"tools":[],"nextCursor":"","extra":{"more":null},"ttlMs":1}}`)), ""},
	{"method not found", good(in(`{"jsonrpc":"2.0","id":2,"method":"prompts/list"}`), out(`{"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"Method not found","data":{"a":1}}}`)), ""},
	{"progress with a fraction", good(in(`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"a","_meta":{"progressToken":3}}}`), out(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":3,"progress":0.5}}`)), ""},
}

func TestRules(t *testing.T) {
	fired := map[string]bool{}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, f := range Findings(play(t, c.acts...).Log(), nil) {
				if f.Rule == noDescription.Name {
					continue
				}
				got = append(got, fmt.Sprintf("%s %s %d", f.Severity, f.Rule, f.Count))
				fired[f.Rule] = true
				if f.Message == "" || f.Fix == "" || f.Spec == "" || f.Subject == "" {
					t.Errorf("something is missing: %+v", f)
				}
			}
			if s := strings.Join(got, ", "); s != c.want {
				t.Errorf("got  %s\nwant %s", s, c.want)
			}
		})
	}
	for r := range tooLarge {
		if !fired[r.Name] && r != lineCut { // TestLineCut
			t.Errorf("no case for %s", r.Name)
		}
	}
}

func TestRulesAreComplete(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range Rules() {
		if seen[r.Name] {
			t.Errorf("%s is there twice", r.Name)
		}
		seen[r.Name] = true
		if strings.ToLower(r.Name) != r.Name || strings.ContainsAny(r.Name, " _") {
			t.Errorf("%q is not kebab-case", r.Name)
		}
		if r.Title == "" || r.Why == "" || r.Fix == "" || strings.HasSuffix(r.Title, ".") {
			t.Errorf("%s: its texts are not complete: %+v", r.Name, r)
		}
		for _, rev := range client.Revisions {
			if page := r.Spec.In(rev); !strings.HasPrefix(page, string(rev)+"/") {
				t.Errorf("%s: page %q", r.Name, page)
			}
		}
	}
	if _, ok := Find("no-such-rule"); ok {
		t.Error("found a rule that there is none of")
	}
}

func TestFindings(t *testing.T) {
	s := play(t, handshake(client.Rev2025_06_18, out("Server starting..."), out(`{"jsonrpc":"2.0","id":99,"result":{}}`), out("more"), exit(0, "", client.AskedStdin))...)
	found := Findings(s.Log(), nil)
	if len(found) != 2 {
		t.Fatalf("%+v", found)
	}
	f := found[0]
	if f.Rule != strayStdout.Name || f.Count != 2 || f.Subject != "stdout" || f.First.Stream != "stdout" || f.First.Offset != int64(len(answer)+1) || f.First.T != "4ms" {
		t.Errorf("%+v", f)
	}
	if f.Spec != "2025-06-18/basic/transports" {
		t.Errorf("page %s", f.Spec)
	}
	if e, ok := s.Log().Event(f.First.Seq); !ok || string(e.Head) != "Server starting..." {
		t.Errorf("row %d is %q", f.First.Seq, e.Head)
	}
	b, err := json.Marshal(f)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"rule":"stray-stdout"`, `"severity":"error"`, `"count":2`, `"first":{"seq":4,"t":"4ms","stream":"stdout","offset":47}`} {
		if !strings.Contains(string(b), want) {
			t.Errorf("%s lacks %s", b, want)
		}
	}
	if s := Sum(found); s != (Summary{Error: 2}) {
		t.Errorf("%+v", s)
	}
	left := Findings(s.Log(), func(rule string) bool { return rule == strayStdout.Name })
	if len(left) != 1 || left[0].Rule != unknownID.Name {
		t.Errorf("%+v", left)
	}
}

func TestManyMarksStaySmall(t *testing.T) {
	acts := []act{era(client.Rev2025_11_25)}
	for i := range fullTexts + 10 {
		acts = append(acts, out(fmt.Sprintf("line %d", i)))
	}
	s := play(t, acts...)
	found := Findings(s.Log(), nil)
	if len(found) != 1 || found[0].Count != fullTexts+10 {
		t.Fatalf("%+v", found)
	}
	last, _ := s.Log().Event(s.Log().Len() - 1)
	rule, _ := Find(strayStdout.Name)
	if len(last.Marks) != 1 || last.Marks[0].Text != rule.Title {
		t.Errorf("%+v", last.Marks)
	}
}

func TestLineCut(t *testing.T) {
	w := client.NewWire(client.Out, 64)
	o := New()
	var marks []session.Mark
	w.Feed([]byte(`{"jsonrpc":"2.0","method":"notifications/x","params":{"data":"`+strings.Repeat("x", 100)+"\"}}\n"), 0, func(f *client.Frame) {
		marks = append(marks, o.Frame(&session.Event{Run: 1, Stream: client.Out, Kind: f.Kind, Flaws: f.Flaws, Size: f.Body.Len(), Pair: session.NoPair}, f)...)
	})
	if !slices.ContainsFunc(marks, func(m session.Mark) bool {
		return m.Rule == lineCut.Name && strings.Contains(m.Text, "beyond the limit")
	}) {
		t.Errorf("%+v", marks)
	}
}

// FuzzObserver: no bytes make the observer fail, and every mark has a rule and a text.
func FuzzObserver(f *testing.F) {
	for _, c := range cases {
		var b bytes.Buffer
		w := recordings.NewWriter(&b)
		for _, a := range c.acts {
			a(w, 0)
		}
		w.Close()
		f.Add(b.Bytes())
	}
	f.Add([]byte("{\"jsonrpc\":\"2.0\",\"id\":1e400,\"error\":{}}\n{\"jsonrpc\":\"2.0\",\"id\":\"\xff\",\"method\":\"notifications/\xfe\"}\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		s := play(t, good(chunk(recordings.Out, string(b)), chunk(recordings.Err, string(b)), exit(3, "", client.AskedNo))...)
		s.Log().Each(0, func(e session.Event) bool {
			for _, m := range e.Marks {
				if _, ok := Find(m.Rule); !ok || m.Text == "" {
					t.Errorf("mark %+v", m)
				}
			}
			return true
		})
		if _, err := json.Marshal(Findings(s.Log(), nil)); err != nil {
			t.Error(err)
		}
	})
}

// BenchmarkFrame is what judging costs on the way of an ordinary message.
func BenchmarkFrame(b *testing.B) {
	w := client.NewWire(client.Out, 0)
	o := New()
	line := []byte(`{"jsonrpc":"2.0","method":"notifications/x","params":{"level":"debug","data":"` + strings.Repeat("x", 200) + "\"}}\n")
	var frame client.Frame
	w.Feed(line, 0, func(f *client.Frame) { frame = *f })
	e := &session.Event{Run: 1, Stream: client.Out, Kind: frame.Kind, Size: len(line) - 1, Term: client.TermLF, Pair: session.NoPair}
	for b.Loop() {
		o.Frame(e, &frame)
	}
}

// TestSubjectsAreBounded: a server that invents a method for each message grows no list without end.
func TestSubjectsAreBounded(t *testing.T) {
	acts := []act{era(client.Rev2025_11_25)}
	for i := range 3000 {
		acts = append(acts, out(fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/x%d","extra":1}`, i)))
	}
	found := Findings(play(t, acts...).Log(), nil)
	total := 0
	for _, f := range found {
		total += f.Count
	}
	if len(found) != maxSubjects+1 || total != 3000 || found[maxSubjects].Subject != otherSubjects {
		t.Errorf("%d findings of %d marks, the last about %s", len(found), total, found[len(found)-1].Subject)
	}
}
