package check

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/recordings"
	"example.com/mcpinspect/session"
)

// tooLarge are the rules whose example is told and not shown; cases has one for each.
var tooLarge = map[*Rule]bool{longLine: true, lineCut: true, messageNotJoined: true, overfullLine: true, deepNesting: true}

// TestExamples plays the dialogues of every rule: the bad one has the fault, and the good one has
// neither it nor any other.
func TestExamples(t *testing.T) {
	for _, family := range families {
		for _, r := range family {
			if asked(r.Name) { // TestFound
				continue
			}
			t.Run(r.Name, func(t *testing.T) {
				if r.Bad == "" || r.Good == "" {
					t.Fatal("an example is missing")
				}
				if !tooLarge[r] {
					found := Findings(dialogue(t, r, r.Bad).Log(), nil)
					if f := pick(found, r.Name); f == nil {
						t.Errorf("the bad example has %s", told(found))
					} else if r.Who == Client && f.Subject != OfClient {
						t.Errorf("it is said to be of %s", f.Subject)
					}
				}
				found := Findings(dialogue(t, r, r.Good).Log(), nil)
				for _, f := range found {
					if f.Rule == r.Name || session.Severity(f.Severity) > session.Info {
						t.Errorf("the good example has %s: %s", f.Rule, f.Message)
					}
				}
			})
		}
	}
}

func pick(found []Finding, rule string) *Finding {
	for i := range found {
		if found[i].Rule == rule {
			return &found[i]
		}
	}
	return nil
}

func told(found []Finding) string {
	var out []string
	for _, f := range found {
		out = append(out, f.Rule+": "+f.Message)
	}
	return strings.Join(out, "\n\t")
}

// theatre writes a recording of a dialogue.
type theatre struct {
	t       *testing.T
	w       *recordings.Writer
	at      time.Duration
	rev     client.Revision
	shaken  bool              // a handshake was begun
	methods map[string]string // by id
	x       int               // the exchange
	events  bool              // its reply is an event stream
	head    string            // of the next event
}

// dialogue plays one for a rule: in the newest revision that it holds in, unless it names one.
func dialogue(t *testing.T, r *Rule, text string) *session.Session {
	var file bytes.Buffer
	d := &theatre{t: t, w: recordings.NewWriter(&file), methods: map[string]string{}, rev: r.Revisions.List()[0]}
	d.w.Head(recordings.Head{Tool: "test", Start: time.Unix(0, 0)})
	d.w.Spawn(0, 1, 7, "/bin/server")
	script := steps(text)
	if script[0].dir == '@' {
		d.rev = client.Revision(script[0].text)
		script = script[1:]
	}
	if d.rev != "" {
		era(d.rev)(d.w, 0)
	}
	for i := range script {
		d.at += time.Millisecond
		d.step(&script[i])
	}
	if err := d.w.Close(); err != nil {
		t.Fatal(err)
	}
	reader, err := recordings.NewReader(&file)
	if err != nil {
		t.Fatal(err)
	}
	s, err := session.Read(reader, New())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

var hexEscape = regexp.MustCompile(`\\x([0-9a-f]{2})`)

func unescape(s string) string {
	s = hexEscape.ReplaceAllStringFunc(s, func(m string) string {
		n, _ := strconv.ParseUint(m[2:], 16, 8)
		return string([]byte{byte(n)})
	})
	if cut, ok := strings.CutSuffix(s, `\r`); ok {
		s = cut + "\r"
	}
	return s
}

func (d *theatre) step(s *step) {
	if s.dir == '*' {
		d.happen(s.text)
		return
	}
	if s.method == client.MethodInitialize {
		d.shaken = true
	}
	if s.method != "" && s.id != "" && s.dir == '>' {
		d.methods[s.id] = s.method
	}
	d.fill(s)
	line := unescape(s.line())
	switch {
	case s.dir == '>' && d.x > 0:
		d.w.Body(d.at, d.x, recordings.In, []byte(line), true)
	case s.dir == '>':
		d.w.Bytes(d.at, recordings.In, []byte(line+"\n"))
	case d.x > 0 && d.events:
		d.w.Body(d.at, d.x, recordings.Out, []byte(d.head+"data: "+line+"\n\n"), false)
		d.head = ""
	case d.x > 0:
		d.w.Body(d.at, d.x, recordings.Out, []byte(line), false)
	default:
		d.w.Bytes(d.at, recordings.Out, []byte(line+"\n"))
	}
}

const (
	fullMeta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"roots":{},"sampling":{"tools":{},"context":{}},"elicitation":{"form":{},"url":{}}},"io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"},"progressToken":%s}`
	fullInfo = `"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}}`
)

// fill adds what every message of the stateless era has.
func (d *theatre) fill(s *step) {
	if s.exact || s.id == "" || d.rev != "" && !d.rev.Modern() || d.rev == "" && d.shaken || s.method == client.MethodInitialize || d.methods[s.id] == client.MethodInitialize {
		return
	}
	add := func(member string) {
		inside := strings.TrimPrefix(s.value, "{")
		if inside != "}" {
			member += ","
		}
		s.value = "{" + member + inside
	}
	switch {
	case s.member == "params" && s.dir == '>' && !strings.Contains(s.value, `"_meta"`):
		if s.value == "" {
			s.value = "{}"
		}
		add(fmt.Sprintf(fullMeta, s.id))
	case s.member == "result" && s.dir == '<':
		if !strings.Contains(s.value, `"_meta"`) || strings.Contains(s.value, `"name":"`) && !strings.Contains(s.value, "serverInfo") {
			add(fullInfo)
		}
		if !strings.Contains(s.value, `"resultType"`) {
			add(`"resultType":"complete"`)
		}
		if cacheable(d.methods[s.id]) && !strings.Contains(s.value, `"ttlMs"`) && !strings.Contains(s.value, "input_required") {
			add(`"ttlMs":0,"cacheScope":"private"`)
		}
	}
}

// happen plays what is no message.
func (d *theatre) happen(text string) {
	word, rest, _ := strings.Cut(text, " ")
	play := func(a act) { a(d.w, d.at) }
	id, more, _ := strings.Cut(rest, " ")
	switch word {
	case "tap":
		play(note(client.NoteTap, "", "another client", ""))
	case "wait":
		pause, err := time.ParseDuration(rest)
		if err != nil {
			d.t.Fatal(err)
		}
		d.at += pause
	case "stderr":
		play(errs(unescape(rest)))
	case "out":
		play(chunk(recordings.Out, rest))
	case "exit":
		if code, err := strconv.Atoi(id); err == nil {
			play(exit(code, "", client.Asked(more)))
		} else {
			play(exit(-1, id, client.Asked(more)))
		}
	case "era":
		play(era(client.Revision(rest)))
	case "timeout":
		play(note(client.NoteTimeout, id, more, ""))
	case "cancel":
		play(note(client.NoteCancel, id, "cancelled", ""))
	case "late":
		play(note(client.NoteLate, id, more, ""))
	case "shutdown":
		play(shutdown(rest))
	case "left":
		play(note(client.NoteShutdown, "", rest, ""))
	case "pages":
		play(note(client.NotePages, "", "the walk stopped", rest))
	case "POST", "GET":
		url, head, _ := strings.Cut(rest, " ")
		if strings.HasPrefix(url, "/") {
			url = "http://127.0.0.1" + url
		}
		d.x, d.events, d.head = d.x+1, false, ""
		d.w.Request(d.at, recordings.Exchange{Number: d.x, Line: word + " " + url, URL: url, Header: headers(head)})
	case "event":
		d.head = rest + "\n"
	case "done":
		d.w.Body(d.at, d.x, recordings.Out, nil, true)
		d.w.Over(d.at, d.x, "")
	case "and":
		n, _ := strconv.Atoi(id)
		for i := range n {
			d.at += time.Millisecond
			play(out(fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":%d}}`, i+2)))
		}
	default:
		status, err := strconv.Atoi(word)
		if err != nil {
			return
		}
		d.events = strings.Contains(rest, "event-stream")
		d.w.Reply(d.at, recordings.Exchange{Number: d.x, Line: "HTTP/1.1 " + word, Status: status, Header: headers(rest)})
	}
}

func headers(text string) (out [][2]string) {
	for part := range strings.SplitSeq(text, "; ") {
		if name, value, ok := strings.Cut(part, ": "); ok {
			out = append(out, [2]string{name, value})
		}
	}
	return out
}
