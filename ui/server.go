package ui

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"time"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/client/schema"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/ui/text"
	"example.com/mcpinspect/ui/theme"
	"example.com/mcpinspect/ui/words"
)

// serverPane shows who the server says it is and how it lives: the whole discover or initialize
// result, why this era, and the black box once it has ended.
type serverPane struct {
	lines linesPane
	made  serverKey
}

// serverKey is what the lines depend on.
type serverKey struct {
	phase  session.Phase
	run    int
	server *session.Server
	box    *session.BlackBox
	subs   *session.Subscription // the first of them: they are copied when they change
	items  int
	width  int
	second int64 // while a time runs
}

// sync makes the lines anew when what they show has changed.
func (p *serverPane) sync(l look, s *session.Snapshot, t session.Target, now time.Duration, width int) {
	key := serverKey{phase: s.Phase, run: s.Run, server: s.Server, box: s.Box, width: width}
	for _, l := range s.Lists {
		key.items += len(l.Items) + 1
	}
	if len(s.Subscriptions) > 0 {
		key.subs = &s.Subscriptions[0]
	}
	if s.Phase == session.Connecting {
		key.second = int64(now / tickInterval)
	}
	if key == p.made {
		return
	}
	p.made = key
	p.lines.set(serverLines(l, s, t, now, width))
}

// serverLines is the content of the pane, most wanted first.
func serverLines(l look, s *session.Snapshot, t session.Target, now time.Duration, width int) []line {
	b := &lineBuilder{look: l, width: width}
	b.trouble(s, text.Duration(now-s.Started), !t.Recorded || t.File == "")
	if v := s.Server; v != nil && v.Seq >= 0 {
		b.server(s, v)
	}
	b.process(s, t)
	if v := s.Server; v != nil && v.Seq >= 0 {
		if v.Instructions != "" {
			b.head("instructions")
			b.wrap(theme.Plain, "", v.Instructions)
		}
		b.head(v.Method + " result, as sent")
		b.json(v.Result)
	}
	return b.out
}

// maxOffered is how long the settings of one capability may be in the list of all: the result below has them.
const maxOffered = 60

// lastWords is how many stderr lines of a server that ended are shown.
const lastWords = 8

// server says who the server is and what was agreed.
func (b *lineBuilder) server(s *session.Snapshot, v *session.Server) {
	if v.Title != "" && v.Title != v.Name {
		b.pair("title", v.Title)
	}
	if v.Revision != "" {
		b.pair("revision", string(v.Revision)+" "+v.Revision.Era())
	}
	took := text.Duration(v.Latency)
	if v.TTL != "" {
		took += ", ttl " + v.TTL
	}
	if v.Scope != "" {
		took += ", " + v.Scope
	}
	asked := "discover"
	if v.Method == client.MethodInitialize {
		asked = "handshake"
	}
	b.pair(asked, took)
	var offers []string
	for name, value := range client.Members(v.Capabilities) {
		n, _ := client.Text(name)
		capability := n
		if l := s.Lists[n]; l != nil {
			n += " " + counted(l)
		}
		if l := s.Lists[client.Templates.Name]; l != nil && capability == client.Templates.Cap {
			n += ", templates " + counted(l)
		}
		if inner := strings.Join(words.CapabilityParts(value, 1), ", "); inner != "" && len(inner) < maxOffered {
			n += " (" + inner + ")"
		}
		offers = append(offers, n)
	}
	if len(offers) == 0 {
		offers = []string{"nothing"}
	}
	b.pair("offers", strings.Join(offers, " "+b.dot()+" "))
	ours := words.Capabilities(v.Offered, " "+b.dot()+" ")
	if ours == "" {
		ours = "no capabilities"
	}
	b.pair("we offer", ours)
	if len(v.Supported) > 0 {
		b.pair("supports", strings.Join(v.Supported, ", "))
	}
	if v.Why != "" {
		b.pair("why", v.Why)
	}
	for _, sub := range s.Subscriptions {
		b.pair("listens", heard(sub))
	}
}

// counted is how many a list has so far, with + while there are more.
func counted(l *session.List) string {
	out := strconv.Itoa(len(l.Items))
	if !l.Complete {
		out += "+"
	}
	return out
}

// process says what was started and how.
func (b *lineBuilder) process(s *session.Snapshot, t session.Target) {
	if t.Remote() {
		b.pair("address", t.Address.URL)
		return
	}
	b.pair("command", words.Shell(t.Command.Args))
	if s.PID != 0 {
		b.pair("process", fmt.Sprintf("pid %d, run %d, %s", s.PID, s.Run, s.Path))
	}
	if t.Command.Dir != "" {
		b.pair("directory", t.Command.Dir)
	}
	if t.Recorded {
		return
	}
	env := fmt.Sprintf("%s passed", text.Plural(len(t.Command.Environ()), "variable"))
	if n := len(t.Command.Env); n > 0 {
		var names []string
		for _, kv := range t.Command.Env {
			name, _, _ := strings.Cut(kv, "=")
			names = append(names, name)
		}
		env += ", with " + strings.Join(names, " ")
	}
	b.pair("environment", env)
	for i, a := range t.Command.Args {
		if i > 0 && strings.HasPrefix(a, "~/") {
			b.wrap(theme.Odd, "", fmt.Sprintf("%q was passed as it is: the shell did not expand the tilde", a))
		}
	}
}

// lineBuilder collects the lines of a pane at one width.
type lineBuilder struct {
	look  look
	width int
	saves bool // s saves the block under the cursor
	rows  int  // how high a picture may be drawn; zero for not at all
	out   []line
}

// labelWidth is the column where values begin.
const labelWidth = 10

func (b *lineBuilder) dot() string { return b.look.glyphs.Dot }

// wrap adds a paragraph of untrusted text behind a prefix.
func (b *lineBuilder) wrap(role theme.Role, prefix, s string) {
	indent := strings.Repeat(" ", len(prefix))
	for i, l := range b.look.glyphs.Wrap(b.look.mask(s), max(b.width-len(prefix), 8), text.WrapLimit) {
		p := prefix
		if i > 0 {
			p = indent
		}
		b.out = append(b.out, line{text: p + l, role: role, copy: s, cut: i == text.WrapLimit-1})
	}
}

// pair adds a label and its untrusted value, wrapped beside the label.
func (b *lineBuilder) pair(label, value string) {
	for i, l := range b.look.glyphs.Wrap(b.look.mask(value), max(b.width-labelWidth, 8), text.WrapLimit) {
		head := ""
		if i == 0 {
			head = label
		}
		b.out = append(b.out, line{text: text.Pad(text.Clip(head, labelWidth-1), labelWidth) + l, copy: value})
	}
}

// head adds a heading.
func (b *lineBuilder) head(s string) {
	b.out = append(b.out, line{text: text.Clip(b.look.mask(s), b.width), role: theme.Title})
}

// maxPrettyLines bounds how many lines of a JSON value a pane prepares: the detail pane shows the
// whole of it without preparing anything.
const maxPrettyLines = 2000

// json adds a JSON value as indented lines.
func (b *lineBuilder) json(raw []byte) {
	b.jsonPrefixed("", raw)
}

func (b *lineBuilder) jsonPrefixed(prefix string, raw []byte) {
	if len(raw) > maxPrettyBytes {
		b.out = append(b.out, line{text: b.look.glyphs.Clean(prefix + text.Size(int64(len(raw))) + ", shown by the Detail pane"), role: theme.Faint, cut: true})
		return
	}
	v, err := schema.Parse(raw)
	if err != nil {
		b.wrap(theme.Odd, prefix, string(raw))
		return
	}
	lines := strings.Split(string(schema.AppendIndent(nil, v, "  ")), "\n")
	for i, l := range lines {
		if i == maxPrettyLines {
			b.out = append(b.out, line{text: fmt.Sprintf("%s more, shown by the Detail pane", text.Plural(len(lines)-i, "line")), role: theme.Faint, cut: true})
			return
		}
		b.out = append(b.out, line{text: prefix + b.look.glyphs.Short(b.look.mask(l), 4*b.width), json: true, copy: l, cut: ansi.StringWidth(prefix+l) > 4*b.width})
	}
}

// maxPrettyBytes is how large a value may be to be indented in a pane at once.
const maxPrettyBytes = 256 << 10
