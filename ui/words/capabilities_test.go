package words

import "testing"

func TestCapabilities(t *testing.T) {
	for raw, want := range map[string]string{
		``:   "",
		`{}`: "",
		`{"elicitation":{"form":{},"url":{}},"sampling":{"tools":{}},"roots":{"listChanged":true}}`: "elicitation (form, url) · sampling (tools) · roots (listChanged)",
		`{"tools":{"listChanged":false},"logging":{}}`:                                              "tools (listChanged false) · logging",
		`{"extensions":{"io.modelcontextprotocol/tasks":{}},"experimental":{"x":{"y":{"z":1}}}}`:    `extensions (io.modelcontextprotocol/tasks) · experimental (x (y {"z":1}))`,
		`{"tools":true,"prompts":null,"odd":[1]}`:                                                   "tools · prompts null · odd [1]",
		`7`: "",
	} {
		if got := Capabilities([]byte(raw), " · "); got != want {
			t.Errorf("%s: %q, want %q", raw, got, want)
		}
	}
}
