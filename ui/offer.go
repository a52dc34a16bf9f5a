package ui

import (
	"strings"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/session"
)

// offer names one thing that the server offers: the list it stands in, and what it is asked for by.
type offer struct {
	kind string // the name of its list: that of client.Tools, Resources, Templates or Prompts
	name string // of the tool or prompt; the URI of the resource, the URI template
}

func toolOffer(name string) offer    { return offer{client.Tools.Name, name} }
func promptOffer(name string) offer  { return offer{client.Prompts.Name, name} }
func resourceOffer(uri string) offer { return offer{client.Resources.Name, uri} }

// offerOf is what an item of a list is asked for by.
func offerOf(kind client.ListKind, it *session.Item) offer {
	if kind == client.Resources || kind == client.Templates {
		return offer{kind.Name, it.URI}
	}
	return offer{kind.Name, it.Name}
}

// noun is what one of a list is called in a sentence.
func (o offer) noun() string {
	switch o.kind {
	case client.Resources.Name:
		return "resource"
	case client.Templates.Name:
		return "template"
	case client.Prompts.Name:
		return "prompt"
	}
	return "tool"
}

// done is what was done with one that was asked for.
func (o offer) done() string {
	switch o.kind {
	case client.Resources.Name, client.Templates.Name:
		return "read"
	case client.Prompts.Name:
		return "got"
	}
	return "called"
}

// act is the title of its form.
func (o offer) act() string {
	switch o.kind {
	case client.Resources.Name:
		return "Read"
	case client.Templates.Name:
		return "Template"
	case client.Prompts.Name:
		return "Prompt"
	}
	return "Call"
}

// unasked is said where the result of one would stand that was not asked for.
func (o offer) unasked() string {
	switch o.kind {
	case "": // nothing is there to ask for
		return "nothing was called"
	case client.Resources.Name:
		return "this resource was not read yet: s reads it"
	case client.Templates.Name:
		return "nothing of this template was read yet: fill the form and send it"
	case client.Prompts.Name:
		return "this prompt was not got yet: fill the form and send it"
	}
	return "no call of this tool yet: fill the form and send it"
}

// isTool reports whether it is a tool, of which there are arguments that were kept, hints and an
// output schema.
func (o offer) isTool() bool { return o.kind == client.Tools.Name }

// find looks an offer up in the lists.
func (o offer) find(s *session.Snapshot) (session.Item, bool) {
	l := s.List(o.kind)
	if o.kind == client.Tools.Name || o.kind == client.Prompts.Name {
		return l.Find(o.name)
	}
	for _, it := range l.Items {
		if it.URI == o.name && it.URI != "" {
			return it, true
		}
	}
	return session.Item{}, false
}

// subject is what a request for it is about, as the log knows it. That of a template is the
// resource of it that was read last.
func (a *app) subjectOf(o offer) session.Subject {
	switch o.kind {
	case client.Prompts.Name:
		return session.PromptSubject(o.name)
	case client.Resources.Name:
		return session.ResourceSubject(o.name)
	case client.Templates.Name:
		return session.ResourceSubject(a.latestOf(o.name))
	}
	return session.ToolSubject(o.name)
}

// subject is that of the call pane.
func (a *app) subject() session.Subject { return a.subjectOf(a.call.of) }

// schemaOf is the schema of what can be given with a request for it: sent by the server for a tool,
// made of its definition for the others.
func (o offer) schemaOf(raw []byte) []byte {
	switch o.kind {
	case client.Prompts.Name:
		return promptSchema(raw)
	case client.Resources.Name:
		return []byte(nothingToGive)
	case client.Templates.Name:
		return templateSchema(o.name)
	}
	return client.Get(raw, "inputSchema")
}

// promptSchema is the schema of the arguments of a prompt (server/prompts): all of them are texts.
func promptSchema(raw []byte) []byte {
	out, required := []byte(`{"type":"object","properties":{`), []byte(nil)
	seen := map[string]bool{}
	for arg := range client.Elements(client.Get(raw, "arguments")) {
		name, ok := client.Text(client.Get(arg, "name"))
		if !ok || seen[name] {
			continue
		}
		if len(seen) > 0 {
			out = append(out, ',')
		}
		seen[name] = true
		out = append(client.AppendQuote(out, name), `:{"type":"string"`...)
		for _, member := range []string{"title", "description"} {
			if s, ok := client.Text(client.Get(arg, member)); ok {
				out = client.AppendQuote(append(client.AppendQuote(append(out, ','), member), ':'), s)
			}
		}
		out = append(out, '}')
		if string(client.Get(arg, "required")) == "true" {
			if required != nil {
				required = append(required, ',')
			}
			required = client.AppendQuote(required, name)
		}
	}
	out = append(append(append(out, `},"required":[`...), required...), ']')
	return append(out, `,"additionalProperties":false}`...)
}

// offerIn is what a request asks for; the zero offer for a request of another kind.
func offerIn(r client.Request) offer {
	switch r.Method {
	case client.MethodToolsCall:
		return toolOffer(client.GetText(r.Params, "name"))
	case client.MethodPromptsGet:
		return promptOffer(client.GetText(r.Params, "name"))
	case client.MethodResourcesRead:
		return resourceOffer(client.GetText(r.Params, "uri"))
	}
	return offer{}
}

// request is the request for it with what the form says.
func (o offer) request(args []byte) (client.Request, error) {
	switch o.kind {
	case client.Prompts.Name:
		return getPrompt(o.name, args), nil
	case client.Resources.Name:
		return readResource(o.name), nil
	case client.Templates.Name:
		return readTemplate(o.name, args)
	}
	return client.CallTool(o.name, args), nil
}

func readResource(uri string) client.Request {
	return client.Request{Method: client.MethodResourcesRead, Params: append(client.AppendQuote([]byte(`{"uri":`), uri), '}')}
}

// getPrompt leaves an empty object of arguments out: they are optional.
func getPrompt(name string, args []byte) client.Request {
	params := client.AppendQuote([]byte(`{"name":`), name)
	if len(args) > 0 && string(args) != "{}" {
		params = append(append(params, `,"arguments":`...), args...)
	}
	return client.Request{Method: client.MethodPromptsGet, Params: append(params, '}')}
}

// offerWords are the words of the verb that sends what the form says.
func (a *app) offerWords() (out []string) {
	args, problems, _ := a.call.value()
	of := a.call.of
	meta := metaOverrides(a.meta)
	if of.isTool() {
		if out = requestWords(client.MethodToolsCall, client.CallTool(of.name, args).Params); out[0] != "call" {
			return append(out, meta...)
		}
		out = []string{"call", of.name, string(args)}
	} else if of.kind == client.Prompts.Name {
		list, ok := textWords(args)
		if !ok || !wordOK(of.name) {
			return append(requestWords(client.MethodPromptsGet, getPrompt(of.name, args).Params), meta...)
		}
		out = append([]string{"prompt", of.name}, list...)
	} else {
		if of.kind == client.Templates.Name && string(args) == "{}" {
			out = []string{"read", of.name}
			for _, f := range variablesOf(of.name) {
				out = append(out, f.Name+"=")
			}
			return out
		}
		r, _ := of.request(args)
		return append(requestWords(client.MethodResourcesRead, r.Params), meta...)
	}
	if len(problems) > 0 {
		out = append(out, "--unchecked")
	}
	return append(out, meta...)
}

// metaOverrides are the overrides of _meta as flags.
func metaOverrides(keys []client.MetaKey) (out []string) {
	for _, k := range keys {
		if len(k.Value) == 0 {
			out = append(out, "--meta", k.Key+"-")
		} else {
			out = append(out, "--meta", k.Key+"="+string(k.Value))
		}
	}
	return out
}

// textWords are the members of an object as the words NAME=TEXT of the prompt verb; false when they
// cannot be written so.
func textWords(object []byte) (out []string, ok bool) {
	if len(object) > 0 && object[0] != '{' {
		return nil, false
	}
	seen := map[string]bool{}
	for name, value := range client.Members(object) {
		key, _ := client.Text(name)
		s, text := client.Text(value)
		if !text || seen[key] || !wordOK(key) || strings.ContainsAny(key, "=:") || !wordText(s) {
			return nil, false
		}
		seen[key] = true
		if strings.HasPrefix(s, "@") {
			s = "@" + s // else it would be a file
		}
		out = append(out, key+"="+s)
	}
	return out, true
}
