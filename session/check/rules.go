package check

import (
	"strings"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/session"
)

// Rule is one thing that is looked for. Its name never changes.
type Rule struct {
	Name      string
	Severity  session.Severity // the usual one; an occurrence may be milder or graver
	Who       Who              // whose fault it is
	Revisions Revisions        // in which it is a fault
	Spec      Page             // of the specification
	Title     string           // one plain sentence
	Why       string           // why it matters, for check --explain
	Fix       string           // what to do about it
	Bad, Good string           // a short dialogue with the fault, and one without; see Example
	OfStream  bool             // it is about how a stream is written, not about one method
}

// Who is the side whose fault it is.
type Who uint8

const (
	Server Who = iota
	Client     // one that is not ours: of tap and mock
	Both
)

func (w Who) String() string { return [...]string{"server", "client", "server and client"}[w] }

// Revisions is a set of revisions, one bit each, oldest first. The empty set is all of them, and
// then the rule holds while no revision is agreed on, too.
type Revisions uint8

const (
	in2411 Revisions = 1 << iota
	in2503
	in2506
	in2511
	in2607

	legacy   = in2411 | in2503 | in2506 | in2511
	modern   = in2607
	from2503 = in2503 | from2506
	from2506 = in2506 | from2511
	from2511 = in2511 | in2607
)

// Has reports whether a revision is one of the set. One that is newer than all that are known here
// counts as the newest.
func (s Revisions) Has(rev client.Revision) bool { return s == 0 || s&setOf(rev) != 0 }

func setOf(rev client.Revision) Revisions {
	switch {
	case rev.Modern():
		return in2607
	case rev == client.Rev2025_11_25:
		return in2511
	case rev == client.Rev2025_06_18:
		return in2506
	case rev == client.Rev2025_03_26:
		return in2503
	case rev == client.Rev2024_11_05:
		return in2411
	}
	return 0
}

// List is the revisions of the set, newest first.
func (s Revisions) List() (out []client.Revision) {
	for _, r := range client.Revisions {
		if s.Has(r) {
			out = append(out, r)
		}
	}
	return out
}

// String is "all", "2025-06-18 and later", or a list.
func (s Revisions) String() string {
	list := s.List()
	if len(list) == len(client.Revisions) {
		return "all"
	}
	if last := list[len(list)-1]; len(list) > 1 && s == s.upFrom(last) {
		return string(last) + " and later"
	}
	var names []string
	for _, r := range list {
		names = append(names, string(r))
	}
	return strings.Join(names, ", ")
}

func (s Revisions) upFrom(r client.Revision) Revisions {
	bit := setOf(r)
	return (legacy | modern) &^ (bit - 1)
}

// Rules are all of them, in the order of the layers: bytes, envelope, pairing, life, messages.
func Rules() []Rule {
	var out []Rule
	for _, family := range families {
		for _, r := range family {
			out = append(out, *r)
		}
	}
	return out
}

var families = [...][]*Rule{framingRules, envelopeRules, correlationRules, lifecycleRules, capabilitiesRules, metaRules, cachingRules,
	paginationRules, definitionsRules, detailsRules, contentRules, readsRules, progressRules, listenRules, inputRules, elicitationRules,
	tasksRules, errorsRules, httpRules, streamsRules, accessRules, exitRules, interfaceRules, askedRules, repeatRules}

// OfResult reports whether a rule is about a structured result and its schema, of which whoever made
// the call hears otherwise.
func OfResult(rule string) bool {
	return rule == structuredMissing.Name || rule == structuredMismatch.Name
}

// Find returns the rule of that name.
func Find(name string) (Rule, bool) {
	for _, family := range families {
		for _, r := range family {
			if r.Name == name {
				return *r, true
			}
		}
	}
	return Rule{}, false
}

const (
	toStderr  = "print everything that is no message to stderr: print(..., file=sys.stderr), console.error, a logger whose stream is stderr"
	plainUTF8 = "write UTF-8 whatever the locale says: PYTHONUTF8=1 or PYTHONIOENCODING=utf-8, an explicit encoding of the stream elsewhere"
	echoID    = "copy the id of the request into the answer as it came, with its JSON type"
)
