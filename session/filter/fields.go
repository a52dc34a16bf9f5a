package filter

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/session/check"
)

// Fields are the words that may stand before a colon, for messages and for help.
const Fields = "method, tool, id, dir, stream, is, rule, level, re; and >500ms, size>1k"

// fieldNames are the words that a value follows behind a colon, but for re.
var fieldNames = [...]string{"method", "tool", "id", "is", "dir", "stream", "rule", "level"}

// kinds are what may stand behind is.
const kinds = "request, response, notification, error, stray, pending, finding, marked"

const (
	dirNames    = "in, out"
	streamNames = "in, out, err, life"
)

// term reads a word, quoted text, a field with its value, or a comparison.
func (p *parser) term() (node, error) {
	n, err := p.single()
	if err == nil && !n.own {
		n = either(n)
	}
	return n, err
}

// single is term for one row.
func (p *parser) single() (node, error) {
	begin := p.at
	if p.text[p.at] == '"' {
		text, err := p.quoted()
		if err != nil {
			return node{}, err
		}
		return word(text), nil
	}
	if p.text[p.at] == '@' {
		switch p.bare() {
		case "@marked":
			n, _ := isKind("marked")
			n.cost = cheap
			return n, nil
		case "@all":
			return node{cost: cheap, pass: all}, nil
		}
		p.at = begin // a word like any other
		return word(p.bare()), nil
	}
	name := p.name()
	switch {
	case strings.HasPrefix(p.rest(), ":") && name != "":
		p.at++
		return p.field(name, begin)
	case strings.HasPrefix(p.rest(), ">"), strings.HasPrefix(p.rest(), "<"):
		switch name {
		case "":
			n, err := p.comparison(latency, duration)
			n.changes = true
			return n, err
		case "size":
			return p.comparison(size, bytesOf)
		}
	}
	p.at = begin
	return word(p.bare()), nil
}

// name reads the letters that come next, in lower case.
func (p *parser) name() string {
	rest := p.rest()
	end := strings.IndexFunc(rest, func(r rune) bool { return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') })
	if end < 0 {
		end = len(rest)
	}
	p.at += end
	return lowerASCII(rest[:end])
}

// field reads the value behind a colon.
func (p *parser) field(name string, begin int) (node, error) {
	at := p.at
	if name == "re" {
		return p.expression()
	}
	switch {
	case name == "size":
		return node{}, p.fail(begin, "size is compared: size>1k, size<200")
	case !slices.Contains(fieldNames[:], name):
		return node{}, p.fail(begin, "there is no field %q; there are %s. Text with a colon is written in quotes", name, Fields)
	}
	value, exact := "", false
	if strings.HasPrefix(p.rest(), `"`) {
		var err error
		if value, err = p.quoted(); err != nil {
			return node{}, err
		}
		exact = true
	} else {
		value = p.bare()
	}
	if value == "" {
		return node{}, p.fail(at, "behind %s: its value is missing", name)
	}
	g := newGlob(value, exact)
	switch name {
	case "method":
		return node{cost: cheap, changes: true, pass: func(e *session.Event, _ Rows) bool { return e.Method != "" && !e.Stray() && g.match(e.Method) }}, nil
	case "id":
		return node{cost: cheap, pass: func(e *session.Event, _ Rows) bool { return matchID(&g, e.ID) }}, nil
	case "tool":
		return node{cost: dear, changes: true, pass: func(e *session.Event, rows Rows) bool { return matchTool(&g, e, rows) }}, nil
	case "rule":
		if _, ok := check.Find(lowerASCII(value)); !ok && (exact || !strings.Contains(value, "*")) {
			return node{}, p.fail(at, "there is no rule %q; mcpinspect check --rules lists them", value)
		}
		return node{cost: cheap, changes: true, pass: func(e *session.Event, _ Rows) bool {
			for i := range e.Marks {
				if g.match(e.Marks[i].Rule) {
					return true
				}
			}
			return false
		}}, nil
	case "level":
		return p.choice(at, name, value, strings.Join(session.LogLevels[:], ", "), level)
	case "dir":
		return p.choice(at, name, value, dirNames, directions)
	case "stream":
		return p.choice(at, name, value, streamNames, streams)
	}
	return p.choice(at, name, value, kinds, isKind)
}

// choice is a field with few values.
func (p *parser) choice(at int, name, value, choices string, of func(string) (node, bool)) (node, error) {
	n, ok := of(lowerASCII(value))
	if !ok {
		return node{}, p.fail(at, "%s: knows no %q; there are %s", name, value, choices)
	}
	n.cost = cheap
	return n, nil
}

// directions are those of the screen: what came in from the server, what went out to it.
func directions(value string) (node, bool) {
	switch value {
	case "in":
		return onStream(client.Out), true
	case "out":
		return onStream(client.In), true
	}
	return node{}, false
}

// streams are those of the server: what it reads, what it writes.
func streams(value string) (node, bool) {
	switch value {
	case "in", "stdin":
		return onStream(client.In), true
	case "out", "stdout":
		return onStream(client.Out), true
	case "err", "stderr":
		return onStream(client.Err), true
	case "life":
		return onStream(client.Life), true
	}
	return node{}, false
}

// level passes log messages of a level or a worse one.
func level(value string) (node, bool) {
	least := session.LogLevel(value)
	return node{pass: func(e *session.Event, rows Rows) bool {
		return e.Method == client.MethodLog && e.Kind == client.KindNotification && session.LogLevel(session.ReadLogMessage(e.Head).Level) >= least
	}}, least >= 0
}

func onStream(s client.Stream) node {
	return node{own: true, pass: func(e *session.Event, _ Rows) bool { return e.Stream == s }}
}

func isKind(value string) (node, bool) {
	of := func(k client.Kind) func(*session.Event, Rows) bool {
		return func(e *session.Event, _ Rows) bool { return e.Kind == k && e.Note == nil }
	}
	switch value {
	case "request":
		return node{pass: of(client.KindRequest)}, true
	case "notification":
		return node{pass: of(client.KindNotification)}, true
	case "response":
		return node{pass: func(e *session.Event, _ Rows) bool { return e.Kind.IsAnswer() }}, true
	case "error":
		return node{pass: func(e *session.Event, _ Rows) bool {
			return e.Kind == client.KindError || e.Failed && e.Kind == client.KindResponse
		}, changes: true}, true
	case "stray":
		return node{pass: func(e *session.Event, _ Rows) bool { return e.Stray() }}, true
	case "pending":
		return node{pass: func(e *session.Event, _ Rows) bool { return e.Open && !e.Cancelled }, changes: true}, true
	case "finding":
		return node{pass: func(e *session.Event, _ Rows) bool { return len(e.Marks) > 0 }, changes: true}, true
	case "marked":
		return node{pass: func(e *session.Event, _ Rows) bool { return e.Marked }, changes: true}, true
	}
	return node{}, false
}

// word matches method, id and text of a line.
func word(text string) node {
	t := NewText(text)
	return node{cost: dearest, changes: true, pass: func(e *session.Event, rows Rows) bool {
		if !e.Stray() && t.InString(e.Method) || t.InString(e.ID) {
			return true
		}
		if e.Note != nil {
			return t.InString(e.Note.What) || t.InString(e.Note.Text) || t.In(e.Note.Data)
		}
		return t.In(line(e, rows))
	}}
}

// line is the text of a row. What the event carries is most often all of it.
func line(e *session.Event, rows Rows) []byte {
	switch {
	case len(e.Head) == e.Size:
		return e.Head
	case e.Kept < e.Size:
		return rows.Line(e.Seq)
	}
	return rows.Body(e.Seq).Bytes()
}

// expression reads a regular expression between slashes and what may follow them.
func (p *parser) expression() (node, error) {
	begin := p.at
	if !strings.HasPrefix(p.rest(), "/") {
		return node{}, p.fail(begin, "re is written between slashes: re:/tim(e|ing)/, re:/…/i for both cases")
	}
	var source strings.Builder
	closed := false
	for p.at++; p.at < len(p.text) && !closed; p.at++ {
		switch rest := p.rest(); {
		case rest[0] == '/':
			closed = true
		case strings.HasPrefix(rest, `\/`):
			source.WriteByte('/')
			p.at++
		case rest[0] == '\\' && len(rest) > 1:
			source.WriteString(rest[:2])
			p.at++
		default:
			source.WriteByte(rest[0])
		}
	}
	if !closed {
		return node{}, p.fail(begin, "this / is not closed")
	}
	text := source.String()
	switch at, flags := p.at, p.bare(); flags {
	case "":
	case "i":
		text = "(?i)" + text
	default:
		return node{}, p.fail(at, "re knows no flag %q; there is i, for both cases", flags)
	}
	re, err := regexp.Compile(text)
	if err != nil {
		return node{}, p.fail(begin, "no regular expression: %s", strings.TrimPrefix(err.Error(), "error parsing regexp: "))
	}
	return node{cost: dearest << 4, pass: func(e *session.Event, rows Rows) bool {
		if e.Note != nil {
			return re.MatchString(e.Note.What+" "+e.Note.Text) || re.Match(e.Note.Data)
		}
		return re.Match(line(e, rows))
	}}, nil
}

// comparison reads an operator and its limit. What has no such measure passes neither way.
func (p *parser) comparison(measure func(*session.Event) (int64, bool), parse func(string) (int64, string)) (node, error) {
	op := p.rest()[:1]
	p.at++
	if strings.HasPrefix(p.rest(), "=") {
		op += "="
		p.at++
	}
	at := p.at
	limit, wrong := parse(lowerASCII(p.bare()))
	if wrong != "" {
		return node{}, p.fail(at, "%s", wrong)
	}
	return node{cost: cheap, pass: func(e *session.Event, _ Rows) bool {
		v, ok := measure(e)
		switch {
		case !ok:
			return false
		case op == ">":
			return v > limit
		case op == ">=":
			return v >= limit
		case op == "<":
			return v < limit
		}
		return v <= limit
	}}, nil
}

func latency(e *session.Event) (int64, bool) { return int64(e.Latency), e.Latency >= 0 }

func size(e *session.Event) (int64, bool) { return int64(e.Size), e.Note == nil }

func duration(s string) (int64, string) {
	d, err := time.ParseDuration(s)
	if err != nil || d < 0 {
		return 0, "a duration is a number with a unit, as in >500ms, >1.5s, <20us; sizes are size>1k"
	}
	return int64(d), ""
}

// units of sizes are powers of a thousand, as on the screen.
var units = [...]struct {
	name string
	n    float64
}{{"kb", 1e3}, {"k", 1e3}, {"mb", 1e6}, {"m", 1e6}, {"gb", 1e9}, {"g", 1e9}, {"b", 1}, {"", 1}}

func bytesOf(s string) (int64, string) {
	for _, u := range units {
		if number, ok := strings.CutSuffix(s, u.name); ok {
			n, err := strconv.ParseFloat(number, 64)
			if n *= u.n; err == nil && n >= 0 && n < 1<<62 {
				return int64(n), ""
			}
			break
		}
	}
	return 0, "a size is a number, with k, m or g for thousands of bytes, as in size>1k, size<2.5m"
}

// matchID compares an id token; the quotes of a string id need not be written.
func matchID(g *glob, token string) bool {
	if token == "" {
		return false
	}
	return g.match(token) || len(token) > 1 && token[0] == '"' && g.match(token[1:len(token)-1])
}

// matchTool compares the name of the tool that a call is of; an answer is of its call's tool.
func matchTool(g *glob, e *session.Event, rows Rows) bool {
	if e.Method != client.MethodToolsCall {
		return false
	}
	call := e
	if e.Kind.IsAnswer() {
		q, ok := rows.Event(e.Pair)
		if !ok {
			return false
		}
		call = &q
	}
	if call.Kind != client.KindRequest {
		return false
	}
	name := client.Get(line(call, rows), "params", "name")
	if len(name) > 1 && bytes.IndexByte(name, '\\') < 0 {
		return g.matchBytes(name[1 : len(name)-1])
	}
	text, ok := client.Text(name)
	return ok && g.match(text)
}
