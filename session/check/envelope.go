package check

import (
	"fmt"
	"strings"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/session"
)

// maxSafeInteger is the largest integer that JavaScript keeps.
const maxSafeInteger = "9007199254740991"

// envelope judges the envelope of one message.
func (v *verdicts) envelope(f *client.Frame, m *client.Message) {
	raw := func(s client.Span) string {
		if !s.Present() {
			return ""
		}
		if s.End-s.Start > excerpt {
			s.End = s.Start + excerpt
		}
		return string(f.Body.Slice(s.Start, s.End))
	}
	name := what(f, m)
	for _, c := range []struct {
		flaw client.Flaws
		rule *Rule
		text func() string
	}{
		{client.FlawNoVersion, jsonrpcVersion, func() string { return name + ` lacks "jsonrpc":"2.0"` }},
		{client.FlawIDType, idInvalid, func() string {
			return name + " has the id " + raw(m.ID) + " (" + client.IDType(raw(m.ID)) + ")"
		}},
		{client.FlawIDSpelling, idSpelling, func() string { return name + " spells its id " + raw(m.ID) }},
		{client.FlawMethodType, methodInvalid, func() string { return name + " has the method " + raw(m.Method) }},
		{client.FlawParamsType, paramsInvalid, func() string { return name + " has params that are no object: " + raw(m.Params) }},
		{client.FlawResultType, resultNoObject, func() string { return name + " has the result " + raw(m.Result) }},
		{client.FlawNeither, neitherResultError, func() string { return name + " has neither result nor error" }},
		{client.FlawErrorShape, errorNoObject, func() string { return name + " has the error " + raw(m.Error) }},
		{client.FlawDuplicate, duplicateMember, func() string { return "key " + raw(m.Dup) + " occurs twice in one object of " + name }},
		{client.FlawDeep, deepNesting, func() string { return name + " is nested deeper than 1000 levels" }},
		{client.FlawExtra, unknownMember, func() string { return name + " has a member beside those of JSON-RPC" }},
		{client.FlawFolded, memberCase, func() string { return name + " has a member whose name differs from JSON-RPC's in case only" }},
	} {
		if m.Flaws.Has(c.flaw) {
			v.add(c.rule, "%s", c.text())
		}
	}
	if m.Flaws.Has(client.FlawBoth) {
		if m.Method.Present() {
			v.add(methodWithResult, "%s has a method and an answer in one", name)
		} else {
			v.add(resultAndError, "%s has both result and error", name)
		}
	}
	switch m.Kind {
	case client.KindError:
		if !m.Flaws.Has(client.FlawErrorShape | client.FlawNeither) {
			v.errorMembers(name, f.Body.Slice(m.Error.Start, m.Error.End))
		}
	}
}

// errorMembers judges the members of an error object.
func (v *verdicts) errorMembers(name string, raw []byte) {
	code, message := client.Get(raw, "code"), client.Get(raw, "message")
	var lacks []string
	if code == nil {
		lacks = append(lacks, "code")
	}
	if message == nil {
		lacks = append(lacks, "message")
	}
	if lacks != nil {
		v.add(errorIncomplete, "%s has an error without %s", name, strings.Join(lacks, " and "))
	}
	if code != nil && strings.Trim(string(code), "-0123456789") != "" {
		v.add(errorTypes, "%s has the error code %s: it must be an integer", name, clip(code))
	}
	if message == nil {
		return
	}
	text, ok := client.Text(message)
	switch {
	case !ok:
		v.add(errorTypes, "%s has the error message %s: it must be text", name, clip(message))
	case text == "":
		v.add(errorText, "%s has an error with an empty message", name)
	case strings.Contains(text, "\n\n"):
		v.add(errorText, "%s has an error message of several paragraphs", name)
	}
}

func clip(b []byte) string {
	if len(b) > excerpt {
		return string(b[:excerpt]) + "…"
	}
	return string(b)
}

// batch judges an array of messages.
func (v *verdicts) batch(f *client.Frame) {
	r := v.r
	answers := 0
	for i := range f.Messages {
		if v.client && known(raw(f, f.Messages[i].Method)) == client.MethodInitialize {
			v.rev = client.Rev2025_03_26
			v.add(batchInitialize, "initialize is one of %d messages of a batch", len(f.Messages))
		}
		if f.Messages[i].Kind.IsAnswer() {
			answers++
		}
	}
	size := fmt.Sprint(len(f.Messages))
	if f.Flaws.Has(client.FlawOverfull) {
		size = "more than " + size
	}
	switch {
	case r.revision.Batches():
		if answers > 0 && answers < len(f.Messages) {
			v.add(batchMixed, "a batch of %s messages has %d answers among requests or notifications", size, answers)
		}
	case r.revision == "" || r.revision < client.Rev2025_03_26:
		v.graded(batchMessage, session.Warning, "a batch of %s messages", size)
	default:
		v.add(batchMessage, "a batch of %s messages: batches were removed after 2025-03-26, this is %s", size, r.revision)
	}
}

// what names a message for a sentence.
func what(f *client.Frame, m *client.Message) string {
	name := "the " + m.Kind.String()
	if m.Flaws.Has(client.FlawNeither) {
		name = "the answer"
	}
	switch {
	case m.Method.Present() && m.Method.End-m.Method.Start <= excerpt:
		if s, ok := client.Text(f.Body.Slice(m.Method.Start, m.Method.End)); ok {
			name += " " + s
		}
	case m.Kind.IsAnswer() && m.ID.Present():
		name += " to id " + clip(f.Body.Slice(m.ID.Start, m.ID.End))
	}
	return name
}
