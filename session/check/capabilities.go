package check

import (
	"bytes"
	"fmt"
	"strings"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/session"
)

// caps is what a side has declared, as bits.
type caps uint32

const (
	capTools caps = 1 << iota
	capToolsNew
	capResources
	capResourcesNew
	capSubscribe
	capPrompts
	capPromptsNew
	capLogging
	capCompletions
	capTasks
	capToolTasks

	capRoots
	capSampling
	capSamplingTools
	capSamplingContext
	capForms
	capURLs
	capTaskExtension

	capKnown // it was declared at all
)

// taskExtension is the extension that has tasks in the stateless era.
const taskExtension = "io.modelcontextprotocol/tasks"

func (c caps) has(bits caps) bool { return c&bits == bits }

// serverCaps reads the capabilities of a server.
func serverCaps(raw []byte) (c caps) {
	if raw == nil {
		return 0
	}
	c = capKnown
	for name, value := range client.Members(raw) {
		if isNull(value) || string(value) == "false" {
			continue
		}
		on := func(member string) bool { return string(client.Get(value, member)) == "true" }
		set := func(bit caps, member string, more caps) {
			if c |= bit; on(member) {
				c |= more
			}
		}
		switch {
		case is(name, "tools"):
			set(capTools, "listChanged", capToolsNew)
		case is(name, "resources"):
			set(capResources, "listChanged", capResourcesNew)
			set(capResources, "subscribe", capSubscribe)
		case is(name, "prompts"):
			set(capPrompts, "listChanged", capPromptsNew)
		case is(name, "logging"):
			c |= capLogging
		case is(name, "completions"):
			c |= capCompletions
		case is(name, "tasks"):
			if c |= capTasks; isObject(client.Get(value, "requests", "tools", "call")) {
				c |= capToolTasks
			}
		case is(name, "extensions"):
			if client.Get(value, taskExtension) != nil {
				c |= capTaskExtension
			}
		}
	}
	return c
}

// clientCaps reads the capabilities of a client, which every stateless request repeats.
func (v *verdicts) clientCaps(raw []byte) (c caps) {
	l := &v.r.life
	if raw == nil {
		return 0
	}
	if len(l.rawCaps) > 0 && bytes.Equal(raw, l.rawCaps) {
		return l.rawRead
	}
	c = capKnown
	for name, value := range client.Members(raw) {
		if isNull(value) || string(value) == "false" {
			continue
		}
		switch {
		case is(name, "roots"):
			c |= capRoots
		case is(name, "sampling"):
			c |= capSampling
			if client.Get(value, "tools") != nil {
				c |= capSamplingTools
			}
			if client.Get(value, "context") != nil {
				c |= capSamplingContext
			}
		case is(name, "elicitation"):
			form, url := client.Get(value, "form") != nil, client.Get(value, "url") != nil
			if url {
				c |= capURLs
			}
			if form || !url {
				c |= capForms
			}
		case is(name, "tasks"):
			c |= capTasks
		case is(name, "extensions"):
			if client.Get(value, taskExtension) != nil {
				c |= capTaskExtension
			}
		}
	}
	l.rawCaps, l.rawRead = keep(l.rawCaps, raw), c
	return c
}

const (
	knownServerCaps = " tools resources prompts logging completions tasks extensions experimental "
	knownClientCaps = " roots sampling elicitation tasks extensions experimental "
)

// capabilities judges the shape of what a side declares.
func (v *verdicts) capabilities(raw []byte, all string) {
	var odd, unknown, keys []string
	for name, value := range client.Members(raw) {
		switch {
		case !isObject(value):
			odd = append(odd, fmt.Sprintf("%s is %s", client.Excerpt(name), client.JSONType(value)))
		case !strings.Contains(all, " "+text(name)+" "):
			unknown = append(unknown, client.Excerpt(name))
		case is(name, "extensions"):
			for key := range client.Members(value) {
				if k := text(key); !strings.Contains(k, "/") || metaKeyFault(k) != "" {
					keys = append(keys, client.Excerpt(key))
				}
			}
		}
	}
	if odd != nil {
		v.add(capabilityType, "a capability is an object, if it is there: %s", strings.Join(few(odd), ", "))
	}
	if unknown != nil {
		v.add(capabilityUnknown, "capabilities that the specification does not know: %s", strings.Join(few(unknown), ", "))
	}
	if keys != nil {
		v.add(extensionKey, "an extension is named with a prefix, as in com.example/name: %s", strings.Join(few(keys), ", "))
	}
}

// few is the beginning of a long list.
func few(texts []string) []string {
	if len(texts) > fewTexts {
		return append(texts[:fewTexts:fewTexts], fmt.Sprintf("and %d more", len(texts)-fewTexts))
	}
	return texts
}

// offers judges that a server does what it declares, and no more, by the answer to a request.
func (v *verdicts) offers(q *request, failed bool, code int) {
	c := v.r.life.caps
	if !c.has(capKnown) {
		return
	}
	var bit caps
	name := ""
	switch q.method {
	case client.MethodToolsList:
		bit, name = capTools, "tools"
	case client.MethodResourcesList:
		bit, name = capResources, "resources"
	case client.MethodPromptsList:
		bit, name = capPrompts, "prompts"
	case client.MethodComplete:
		if v.rev < client.Rev2025_03_26 {
			return
		}
		bit, name = capCompletions, "completions"
	case methodSetLevel:
		bit, name = capLogging, "logging"
	default:
		return
	}
	switch {
	case failed && code == client.CodeMethodNotFound && c.has(bit):
		v.add(capabilityUnserved, "the capability %s is declared, and %s is answered with -32601", name, q.method)
	case !failed && !c.has(bit) && bit == capCompletions:
		v.add(completionUndeclared, "completion/complete is answered, and the capability completions is not declared")
	case !failed && !c.has(bit):
		v.add(capabilityUndeclared, "%s is answered, and the capability %s is not declared", q.method, name)
	}
}

// changes judges a notification that a capability has to announce, in a handshake revision.
func (v *verdicts) changes(method string) {
	c := v.r.life.caps
	if !c.has(capKnown) || v.rev.Modern() {
		return
	}
	grade := session.Error
	if v.rev < client.Rev2025_06_18 {
		grade = session.Warning
	}
	switch {
	case method == methodToolsNew && !c.has(capToolsNew):
		v.graded(changeUndeclared, grade, "%s came, and tools.listChanged is not declared", method)
	case method == methodPromptsNew && !c.has(capPromptsNew):
		v.graded(changeUndeclared, grade, "%s came, and prompts.listChanged is not declared", method)
	case method == methodResNew && !c.has(capResourcesNew):
		v.graded(changeUndeclared, grade, "%s came, and resources.listChanged is not declared", method)
	case method == methodUpdated && !c.has(capSubscribe):
		v.graded(updateUndeclared, grade, "%s came, and resources.subscribe is not declared", method)
	case method == client.MethodLog && !c.has(capLogging):
		v.graded(logUndeclared, grade, "%s came, and the capability logging is not declared", method)
	}
}
