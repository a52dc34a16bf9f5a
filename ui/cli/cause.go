package cli

import (
	"errors"
	"fmt"
	"strings"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/session/check"
)

// silenced is the finding that the silence of a server comes of: what it wrote in place of its answers, or
// how. False when nothing tells.
func (r *run) silenced() (check.Finding, bool) {
	found := check.Findings(r.sess.Log(), nil)
	check.Sort(found)
	for _, f := range found {
		switch f.Rule {
		case "unanswered-request", "late-answer", "probe-unanswered":
		default:
			continue
		}
		for _, root := range found {
			if root.Rule == f.Because && root.Because == "" {
				return root, true
			}
		}
	}
	return check.Finding{}, false
}

// explainSilence says of a server that did not answer in time what it wrote instead, and what to do.
func (r *run) explainSilence(out *failure, err error, snap *session.Snapshot) {
	if !errors.Is(err, client.ErrConnectTimeout) || out.hint != "" { // a flood is what it is
		return
	}
	if f, ok := r.silenced(); ok {
		out.text += ": " + f.Message
		out.hint = f.Fix
	}
	if snap.Counts.In > 0 || snap.Box == nil {
		return
	}
	for _, lines := range [...][]string{snap.Box.Said, snap.Box.Stderr} {
		for _, l := range lines {
			if url := addressIn(l); url != "" {
				out.hint = fmt.Sprintf("a guess: it serves HTTP, not stdio: inspect %s, or start it with its flag for stdio", url)
				return
			}
		}
	}
}

// judgedRow is the rule that says of the answer to the latest request of ours what its failure says, too:
// that it is broken or no valid answer. "" when the answer is well as such.
func (r *run) judgedRow(err error) string {
	var rpc *client.RPCError
	if errors.As(err, &rpc) && rpc.CodeRaw != "" {
		return "" // it says no, as it may
	}
	log := r.sess.Log()
	const near = 64 // rows behind an answer: what else came meanwhile
	for seq := log.Len() - 1; seq >= max(0, log.Len()-near); seq-- {
		e, ok := log.Event(seq)
		if !ok || e.Stream != client.Out || e.Method != client.MethodToolsCall || e.Pair == session.NoPair {
			continue
		}
		for _, m := range e.Marks {
			for _, about := range [...]string{"content-invalid", "structured-", "error-", "result-not", "broken-message", "line-cut", "message-not-put", "stray-stdout"} {
				if m.Severity == session.Error && m.Because == "" && strings.HasPrefix(m.Rule, about) {
					return m.Rule
				}
			}
		}
		if e.Kind.IsAnswer() {
			break // that was it
		}
	}
	return ""
}

// addressIn finds the address of HTTP on this machine that a line names; "" for none.
func addressIn(line string) string {
	for _, scheme := range [...]string{"http://", "https://"} {
		_, rest, ok := strings.Cut(line, scheme)
		if !ok {
			continue
		}
		end := strings.IndexFunc(rest, func(r rune) bool {
			return r <= ' ' || r >= 0x7f || strings.ContainsRune(`"'<>()[]`, r) && r != '[' && r != ']'
		})
		if end >= 0 {
			rest = rest[:end]
		}
		rest = strings.TrimRight(rest, ".,;!")
		host, _, _ := strings.Cut(rest, "/")
		for _, here := range [...]string{"localhost", "127.", "0.0.0.0", "[::"} {
			if strings.HasPrefix(host, here) {
				return scheme + rest
			}
		}
	}
	return ""
}
