package ui

import (
	"fmt"
	"net/url"
	"strings"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/ui/theme"
)

// lay makes the lines of what the server says, for a width; who is the server, as it calls itself.
func (q *question) lay(l look, who string, width int) {
	if q.width == width {
		return
	}
	q.width = width
	b := &lineBuilder{look: l, width: max(width-1, 1)}
	get := func(name string) string { return client.GetText(q.Params, name) }
	switch q.kind {
	case askGoOn:
		b.wrap(theme.Odd, "", fmt.Sprintf("%s asked for input in %d rounds and asks again. Accepting answers on, for as many rounds; declining leaves the call as it is.", q.Method, q.Rounds))
	case askSample:
		b.wrap(theme.Mark, "", who+" asks for a message of a model. No model is asked: what you write is the answer.")
		q.conversation(b)
	case askURL:
		what := " asks you to open an address; y copies it"
		if q.Refused {
			what = " serves the call once you have been at an address; y copies it"
		}
		b.wrap(theme.Mark, "", who+what)
		address(b, get("url"))
		b.wrap(theme.Plain, "", get("message"))
		b.wrap(theme.Faint, "", "Nothing is opened from here. Accepting says that you agreed to open it, not that you did.")
		if id := get("elicitationId"); id != "" {
			b.wrap(theme.Faint, "id ", id)
		}
	default:
		b.wrap(theme.Mark, "", who+" asks:")
		b.wrap(theme.Plain, "", get("message"))
		if client.Get(q.Params, "requestedSchema") == nil {
			b.wrap(theme.Odd, "", "it came without a requestedSchema: there is nothing to fill in")
		}
	}
	if from := q.origin(); from != "" {
		b.wrap(theme.Faint, "", from)
	}
	q.said = b.out
	q.text.set(b.out)
}

// origin is where a question came from.
func (q *question) origin() string {
	switch {
	case q.kind == askGoOn:
		return ""
	case q.Refused:
		return fmt.Sprintf("error %d, which answered the request with id %s", client.CodeURLRequired, q.ID)
	case q.Key != "":
		return fmt.Sprintf("%s %q, wanted before the request with id %s is answered", q.Method, q.Key, q.ID)
	}
	return fmt.Sprintf("%s, the server's request with id %s", q.Method, q.ID)
}

// address shows where the person is to go, with what may be wrong with it.
func address(b *lineBuilder, raw string) {
	b.wrap(theme.Name, "url ", raw)
	u, err := url.Parse(raw)
	if err != nil || u.Scheme == "" || u.Host == "" {
		b.wrap(theme.Bad, "", "that is no absolute address")
		return
	}
	b.wrap(theme.Name, "host ", u.Host)
	for _, odd := range oddAddress(u) {
		b.wrap(theme.Odd, "", odd)
	}
}

// addresses shows where the person has to go before the call is served, for an error that says so.
func (b *lineBuilder) addresses(in client.Incoming) {
	wanted, asks := client.Addresses(client.Answer{Incoming: in})
	switch {
	case !asks:
		return
	case len(wanted) == 0:
		b.wrap(theme.Odd, "", "the call is to be served once an address is opened, and none is named")
		return
	}
	b.wrap(theme.Mark, "", "the call is served once you have been there; nothing is opened from here, r sends it again")
	for _, q := range wanted {
		from := len(b.out)
		address(b, client.GetText(q.Params, "url"))
		for i := range b.out[from:] {
			b.out[from+i].copy = client.GetText(q.Params, "url")
		}
		b.wrap(theme.Plain, "    ", client.GetText(q.Params, "message"))
	}
}

// oddAddress is what a person should know of an address before going there (client/elicitation,
// safe URL handling).
func oddAddress(u *url.URL) (odd []string) {
	host := u.Hostname()
	if u.User != nil {
		odd = append(odd, fmt.Sprintf("%q before the @ is a user name: the host is what follows it", u.User.String()))
	}
	for label := range strings.SplitSeq(host, ".") {
		if strings.HasPrefix(strings.ToLower(label), "xn--") {
			odd = append(odd, "the host is spelled in Punycode ("+label+"): where it is shown in letters it may look like another")
		}
	}
	for _, r := range host {
		if r > '~' {
			odd = append(odd, fmt.Sprintf("the host holds %U %q, which is beyond ASCII: it may look like another", r, r))
			break
		}
	}
	if u.Scheme != "https" {
		odd = append(odd, "it is no https address")
	}
	return odd
}

// conversation shows a sampling request: what the model is told, and by which it is to be answered.
func (q *question) conversation(b *lineBuilder) {
	if s := client.GetText(q.Params, "systemPrompt"); s != "" {
		b.wrap(theme.Plain, "system: ", s)
	}
	n := 0
	for message := range client.Elements(client.Get(q.Params, "messages")) {
		n++
		role := client.GetText(message, "role")
		if role == "" {
			role = "nobody"
		}
		spoken(b, b.look.glyphs.Clean(role)+": ", client.Get(message, "content"))
	}
	if n == 0 {
		b.wrap(theme.Odd, "", "it came without messages")
	}
	for name, value := range client.Members(q.Params) {
		switch key, _ := client.Text(name); key {
		case "systemPrompt", "messages", "_meta":
		case "tools":
			for tool := range client.Elements(value) {
				b.wrap(theme.Name, "tool ", client.GetText(tool, "name")+" "+client.GetText(tool, "description"))
				if s := client.Get(tool, "inputSchema"); s != nil {
					b.jsonPrefixed("     ", s)
				}
			}
		default:
			b.wrap(theme.Faint, "", key+" "+string(value)) // masked before it is cut
		}
	}
}

// spoken shows the content of a message: one block, or several.
func spoken(b *lineBuilder, prefix string, content []byte) {
	blocks := [][]byte{content}
	if len(content) > 0 && content[0] == '[' {
		blocks = nil
		for block := range client.Elements(content) {
			blocks = append(blocks, block)
		}
	}
	for i, block := range blocks {
		switch kind := client.GetText(block, "type"); kind {
		case "text":
			b.wrap(theme.Plain, prefix, client.GetText(block, "text"))
		case "tool_use", "tool_result":
			b.wrap(theme.Plain, prefix, kind)
			b.jsonPrefixed("  ", block)
		default:
			b.wrap(theme.Plain, prefix, "")
			b.block(i, block)
		}
	}
}
