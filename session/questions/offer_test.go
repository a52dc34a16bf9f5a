package questions

import (
	"strings"
	"testing"
)

// TestOfferInParts: what is left out of the offer is not in the capabilities, and comes back alone.
func TestOfferInParts(t *testing.T) {
	root := []Root{{Dir: "/w", URI: "file:///w"}}
	for _, c := range []struct {
		words                string // of :without, or of :with behind a +
		handshake, stateless string
	}{
		{"", `{"elicitation":{"form":{},"url":{}},"sampling":{"tools":{}},"roots":{"listChanged":true}}`, `{"elicitation":{"form":{},"url":{}},"sampling":{"tools":{}},"roots":{}}`},
		{"elicitation.url", `{"elicitation":{"form":{}},"sampling":{"tools":{}},"roots":{"listChanged":true}}`, `{"elicitation":{"form":{}},"sampling":{"tools":{}},"roots":{}}`},
		{"elicitation.form,sampling.tools,roots", `{"elicitation":{"url":{}},"sampling":{}}`, `{"elicitation":{"url":{}},"sampling":{}}`},
		{"elicitation.form,elicitation.url,sampling,roots.listChanged", `{"roots":{}}`, `{"roots":{}}`},
		{"elicitation,sampling,roots +elicitation.url", `{"elicitation":{"url":{}}}`, `{"elicitation":{"url":{}}}`},
		{"elicitation.url,sampling.tools,roots +elicitation,sampling", `{"elicitation":{"form":{},"url":{}},"sampling":{"tools":{}}}`, `{"elicitation":{"form":{},"url":{}},"sampling":{"tools":{}}}`},
		{"elicitation.url,roots,sampling +elicitation.url", `{"elicitation":{"form":{},"url":{}}}`, `{"elicitation":{"form":{},"url":{}}}`},
	} {
		o := Offer{Roots: root}
		without, with, _ := strings.Cut(c.words, " +")
		if without != "" {
			turn(t, &o, without, false)
		}
		if with != "" {
			turn(t, &o, with, true)
		}
		if h, s := o.Encode(); string(h) != c.handshake || string(s) != c.stateless {
			t.Errorf("%q: %s and %s", c.words, h, s)
		}
	}
	if _, err := ParseCapabilities("elicitation.voice"); err == nil {
		t.Error("a part that nobody knows was taken")
	}
	if h, _ := (&Offer{}).Encode(); string(h) != `{"elicitation":{"form":{},"url":{}},"sampling":{"tools":{}}}` {
		t.Errorf("roots are offered without one: %s", h)
	}
}

func turn(t *testing.T, o *Offer, words string, on bool) {
	t.Helper()
	list, err := ParseCapabilities(words)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range list {
		o.Switch(c, on)
	}
}
