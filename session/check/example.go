package check

import (
	"regexp"
	"strings"
)

// step is one line of the dialogues in Rule.Bad and Rule.Good, which are written for people:
//
//	> 1 tools/list {}      a request of the client; "< 1 …" is one of the server
//	< 1 {"tools":[]}       its result; "< 1 error {…}" is an error
//	> notifications/x {}   a notification
//	< any other text       a line as it is
//	* what                 anything else that happens
//
// ">!" and "<!" are messages that have no more than what is written; the others have what their
// revision requires besides, which would only hide what the example shows.
type step struct {
	dir    byte // '>', '<', '*' or '@'
	exact  bool
	id     string // raw
	method string // of a request or notification
	member string // params, result or error
	value  string // of the member
	text   string // of a line that is no such message
}

// steps reads a dialogue.
func steps(text string) (out []step) {
	grammar := regexp.MustCompile(`^(?:("[^" ]*"|-?[0-9.e]+) )?(?:(error|ping|initialize|[a-z]+/[a-zA-Z_/]+)(?: |$))?(\{.*\})?$`)
	for line := range strings.SplitSeq(strings.Trim(text, "\n"), "\n") {
		s := step{dir: line[0]}
		if s.dir == '@' { // the revision that was agreed on, none for "@" alone
			s.text = line[1:]
			out = append(out, s)
			continue
		}
		if strings.IndexByte("><*", s.dir) < 0 {
			out = append(out, step{dir: '*', text: line})
			continue
		}
		rest, exact := strings.CutPrefix(line[1:], "!")
		s.exact = exact
		rest = strings.TrimPrefix(rest, " ")
		m := grammar.FindStringSubmatch(rest)
		switch {
		case s.dir == '*' || m == nil || m[1] == "" && m[2] == "":
			s.text = rest
		case m[2] == "error":
			s.id, s.member, s.value = m[1], "error", m[3]
		case m[2] != "":
			s.id, s.method, s.member, s.value = m[1], m[2], "params", m[3]
		default:
			s.id, s.member, s.value = m[1], "result", m[3]
		}
		out = append(out, s)
	}
	return out
}

// line is the message as it stands on the wire.
func (s *step) line() string {
	if s.member == "" {
		return s.text
	}
	text := `{"jsonrpc":"2.0"`
	if s.id != "" {
		text += `,"id":` + s.id
	}
	if s.method != "" {
		text += `,"method":"` + s.method + `"`
	}
	if s.value != "" {
		text += `,"` + s.member + `":` + s.value
	}
	return text + "}"
}

// Example is the dialogue with the fault and the one without, for check --explain: "> " stands
// before a line of the client, "< " before one of the server, and "* " before what happens otherwise.
// What every message of the revision has besides is left out.
func (r *Rule) Example() string {
	if r.Bad == "" {
		return ""
	}
	var b strings.Builder
	for _, part := range []struct{ title, text string }{{"bad:", r.Bad}, {"good:", r.Good}} {
		if part.text == "" {
			continue
		}
		b.WriteString(part.title + "\n")
		for _, s := range steps(part.text) {
			if s.dir != '@' {
				b.WriteString("  " + string(s.dir) + " " + s.line() + "\n")
			} else if s.text != "" {
				b.WriteString("  * " + s.text + " was agreed on\n")
			}
		}
	}
	return b.String()
}
