package ui

import (
	"strings"

	"example.com/mcpinspect/client"
)

// capabilityDepth is how deep capabilities are told in words: extensions hold objects of any kind.
const capabilityDepth = 3

// capabilities tells capabilities in words: "elicitation (form, url)". What is there as an empty object, or
// as true, is its name alone.
func capabilities(raw []byte, between string) string {
	return strings.Join(capabilityParts(raw, 1), between)
}

func capabilityParts(raw []byte, depth int) (parts []string) {
	for name, value := range client.Members(raw) {
		word, _ := client.Text(name)
		switch {
		case string(value) == "true", string(value) == "{}":
		case value[0] == '{' && depth < capabilityDepth:
			word += " (" + strings.Join(capabilityParts(value, depth+1), ", ") + ")"
		default:
			word += " " + client.Excerpt(value)
		}
		parts = append(parts, word)
	}
	return parts
}
