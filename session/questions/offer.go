package questions

import (
	"fmt"
	"slices"
	"strings"

	"example.com/mcpinspect/client"
)

// Capability is one of the things that a client can offer to serve (client/elicitation, sampling, roots).
type Capability string

const (
	Elicitation Capability = "elicitation"
	Sampling    Capability = "sampling"
	Roots       Capability = "roots"
)

// Capabilities are all of them.
var Capabilities = []Capability{Elicitation, Sampling, Roots}

// ParseCapabilities reads names with commas between them, as --without has them.
func ParseCapabilities(words string) (list []Capability, err error) {
	for word := range strings.SplitSeq(words, ",") {
		c := Capability(strings.TrimSpace(word))
		if !slices.Contains(Capabilities, c) {
			return nil, fmt.Errorf("%q is no capability that can be left out: there are elicitation, sampling and roots", word)
		}
		list = append(list, c)
	}
	return list, nil
}

// Offer is what a screen serves. Roots are offered once there are some.
type Offer struct {
	Without []Capability // left out, to see what the server does
	Roots   []Root
}

// Has reports whether a capability is offered.
func (o *Offer) Has(c Capability) bool {
	return !slices.Contains(o.Without, c) && (c != Roots || len(o.Roots) > 0)
}

// Encode writes the offer as a client's capabilities: for handshake revisions and for 2026-07-28,
// which has no notification of changed roots.
func (o *Offer) Encode() (handshake, stateless []byte) {
	var parts []string
	if o.Has(Elicitation) {
		parts = append(parts, `"elicitation":{"form":{},"url":{}}`)
	}
	if o.Has(Sampling) {
		parts = append(parts, `"sampling":{"tools":{}}`)
	}
	before := append([]string(nil), parts...)
	if o.Has(Roots) {
		parts, before = append(parts, `"roots":{}`), append(before, `"roots":{"listChanged":true}`)
	}
	return []byte("{" + strings.Join(before, ",") + "}"), []byte("{" + strings.Join(parts, ",") + "}")
}

// unserved says why a question cannot be put to a person; empty when it can.
func unserved(q client.Question) string {
	if mode := client.GetText(q.Params, "mode"); q.Method == client.MethodElicit && client.Get(q.Params, "mode") != nil && mode != ModeForm && mode != ModeURL {
		return fmt.Sprintf("mode %s of elicitation was not offered", client.Excerpt(client.Get(q.Params, "mode")))
	}
	return ""
}

// The modes of elicitation (client/elicitation); none is the form.
const (
	ModeForm = "form"
	ModeURL  = "url"
)
