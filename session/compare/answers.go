package compare

import (
	"strings"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/client/diff"
	"example.com/mcpinspect/session"
)

// exchange is a request of ours with its answer.
type exchange struct {
	subject string
	seq     int    // row of the answer
	answer  []byte // the result or the error, raw
}

// unasked are the methods whose answers are compared as the interface, or say nothing.
var unasked = []string{client.MethodDiscover, client.MethodInitialize}

// exchanges are the answered requests of a log by what was asked, in order.
func exchanges(l *session.Log) (all map[string][]exchange, keys []string) {
	all = map[string][]exchange{}
	l.Each(0, func(e session.Event) bool {
		if e.Note != nil || e.Kind != client.KindRequest || e.Stream != client.In || e.Pair == session.NoPair || skipped(e.Method) {
			return true
		}
		params := client.Get(l.Line(e.Seq), "params")
		asked := e.Method + " " + diff.Canonical(without(params, "_meta"))
		subject := e.Method
		if about := l.About(&e); about != "" {
			subject += " " + about
		}
		body := l.Line(e.Pair)
		answer := client.Get(body, "result")
		if answer == nil {
			answer = client.Get(body, "error")
		}
		if all[asked] == nil {
			keys = append(keys, asked)
		}
		all[asked] = append(all[asked], exchange{subject, e.Pair, answer})
		return true
	})
	return all, keys
}

func skipped(method string) bool {
	for _, k := range client.ListKinds {
		if k.Method == method {
			return true
		}
	}
	for _, m := range unasked {
		if m == method {
			return true
		}
	}
	return false
}

// without is an object without one of its members.
func without(obj []byte, name string) []byte {
	var kept []string
	found := false
	for n, v := range client.Members(obj) {
		if text, _ := client.Text(n); text == name {
			found = true
			continue
		}
		kept = append(kept, string(n)+":"+string(v))
	}
	switch {
	case !found:
		return obj
	case kept == nil:
		return nil // as if it had not been there
	}
	return []byte("{" + strings.Join(kept, ",") + "}")
}

// answers compares the n-th answer to a request with the n-th answer to the same request. What ends
// on _meta is not compared: identities, times and tokens stand there.
func (r *Result) answers(was, now *session.Log) {
	old, keys := exchanges(was)
	fresh, more := exchanges(now)
	meta, _ := diff.Ignoring("/_meta") // a pointer that is valid
	for _, k := range keys {
		a, b := old[k], fresh[k]
		for i := range a {
			if i >= len(b) {
				r.Missing = append(r.Missing, a[i].subject)
				continue
			}
			r.Compared++
			places, complete := diff.Compare(a[i].answer, b[i].answer, meta)
			r.Cut = r.Cut || !complete
			if len(places) == 0 {
				r.Same++
			}
			for _, p := range places {
				r.Answers = append(r.Answers, Answer{Subject: a[i].subject, Path: p.Path, Was: p.Was, Now: p.Now, Rows: [2]int{a[i].seq, b[i].seq}})
			}
		}
	}
	for _, k := range more {
		for i := len(old[k]); i < len(fresh[k]); i++ {
			r.Unmatched = append(r.Unmatched, fresh[k][i].subject)
		}
	}
}
