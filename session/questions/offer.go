package questions

import (
	"fmt"
	"slices"
	"strings"
)

// Capability is one of the things that a client can offer to serve, or a part of one (client/elicitation,
// sampling, roots).
type Capability string

const (
	Elicitation Capability = "elicitation"
	Sampling    Capability = "sampling"
	Roots       Capability = "roots"

	ElicitForm    Capability = "elicitation.form"
	ElicitURL     Capability = "elicitation.url"
	SamplingTools Capability = "sampling.tools"
	RootsChanged  Capability = "roots.listChanged"
)

// Capabilities are all of them, parts behind what they are part of.
var Capabilities = []Capability{Elicitation, ElicitForm, ElicitURL, Sampling, SamplingTools, Roots, RootsChanged}

// of is the capability that a part belongs to, itself for a whole one.
func (c Capability) of() Capability {
	whole, _, _ := strings.Cut(string(c), ".")
	return Capability(whole)
}

// ParseCapabilities reads names with commas between them, as --without has them.
func ParseCapabilities(words string) (list []Capability, err error) {
	for word := range strings.SplitSeq(words, ",") {
		c := Capability(strings.TrimSpace(word))
		if !slices.Contains(Capabilities, c) {
			names := make([]string, len(Capabilities))
			for i, c := range Capabilities {
				names[i] = string(c)
			}
			return nil, fmt.Errorf("%q is no capability that can be left out: there are %s", word, strings.Join(names, ", "))
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

// Has reports whether a capability is offered. A part is with the whole, elicitation with one of its modes.
func (o *Offer) Has(c Capability) bool {
	if slices.Contains(o.Without, c) || slices.Contains(o.Without, c.of()) {
		return false
	}
	switch c.of() {
	case Roots:
		return len(o.Roots) > 0
	case Elicitation:
		return c != Elicitation || o.Has(ElicitForm) || o.Has(ElicitURL)
	}
	return true
}

// Switch takes a capability out of what is offered, or back in. A part that comes back brings the whole
// with it, without its other parts; a whole one that comes back brings its parts.
func (o *Offer) Switch(c Capability, on bool) {
	gone := slices.Contains(o.Without, c.of())
	o.Without = slices.DeleteFunc(slices.Clone(o.Without), func(x Capability) bool {
		return x == c || on && (x == c.of() || x.of() == c)
	})
	if !on {
		o.Without = append(o.Without, c)
		return
	}
	for _, x := range Capabilities {
		if gone && c != c.of() && x.of() == c.of() && x != c && x != c.of() && !slices.Contains(o.Without, x) {
			o.Without = append(o.Without, x)
		}
	}
}

// Encode writes the offer as a client's capabilities: for handshake revisions and for 2026-07-28,
// which has no notification of changed roots.
func (o *Offer) Encode() (handshake, stateless []byte) {
	var parts []string
	if o.Has(Elicitation) {
		parts = append(parts, `"elicitation":`+o.parts(ElicitForm, ElicitURL))
	}
	if o.Has(Sampling) {
		parts = append(parts, `"sampling":`+o.parts(SamplingTools))
	}
	before := append([]string(nil), parts...)
	if o.Has(Roots) {
		changes := `"roots":{}`
		if o.Has(RootsChanged) {
			changes = `"roots":{"listChanged":true}`
		}
		parts, before = append(parts, `"roots":{}`), append(before, changes)
	}
	return []byte("{" + strings.Join(before, ",") + "}"), []byte("{" + strings.Join(parts, ",") + "}")
}

// parts writes which parts of a capability are offered.
func (o *Offer) parts(of ...Capability) string {
	var parts []string
	for _, c := range of {
		if o.Has(c) {
			parts = append(parts, `"`+strings.TrimPrefix(string(c), string(c.of())+".")+`":{}`)
		}
	}
	return "{" + strings.Join(parts, ",") + "}"
}
