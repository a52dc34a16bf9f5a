package words

import (
	"strings"

	"example.com/mcpinspect/client"
)

// capabilityDepth is how deep capabilities are told in words: extensions hold objects of any kind.
const capabilityDepth = 3

// Capabilities tells capabilities in words: "elicitation (form, url)". What is there as an empty object, or
// as true, is its name alone.
func Capabilities(raw []byte, between string) string {
	return strings.Join(CapabilityParts(raw, 1), between)
}

// CapabilityParts are capabilities in words, one by one; depth is 1 for all of them.
func CapabilityParts(raw []byte, depth int) (parts []string) {
	for name, value := range client.Members(raw) {
		word, _ := client.Text(name)
		switch {
		case string(value) == "true", string(value) == "{}":
		case value[0] == '{' && depth < capabilityDepth:
			word += " (" + strings.Join(CapabilityParts(value, depth+1), ", ") + ")"
		default:
			word += " " + client.Excerpt(value)
		}
		parts = append(parts, word)
	}
	return parts
}
