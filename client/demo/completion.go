package demo

import (
	"encoding/json"
	"strings"

	"example.com/mcpinspect/client/demo/rpc"
)

// mostValues is how many values one completion may hold (server/utilities/completion).
const mostValues = 100

// completion proposes values for an argument of a prompt or of the template.
func (c *call) completion() (rpc.Object, *rpc.Error) {
	var p struct {
		Ref      struct{ Type, Name, URI string }
		Argument struct {
			Name, Value *string
		}
		Context struct{ Arguments map[string]string }
	}
	raw, err := rpc.Encode(c.params)
	if err != nil || json.Unmarshal(raw, &p) != nil {
		return nil, invalid("completion wants ref, argument and perhaps context")
	}
	if p.Argument.Name == nil || p.Argument.Value == nil {
		return nil, invalid("argument needs a name and a value")
	}
	var all []string
	switch p.Ref.Type {
	case "ref/prompt":
		if !isPrompt(p.Ref.Name) {
			return nil, invalid("Unknown prompt: " + p.Ref.Name)
		}
		all = promptValues(p.Ref.Name, *p.Argument.Name, p.Context.Arguments)
	case "ref/resource":
		if p.Ref.URI != cityPrefix+"{name}" {
			return nil, invalid("Unknown resource template: " + p.Ref.URI)
		}
		if *p.Argument.Name == "name" {
			all = cityNames("")
		}
	default:
		return nil, invalid("ref.type must be ref/prompt or ref/resource")
	}
	values := []string{}
	prefix := strings.ToLower(*p.Argument.Value)
	for _, v := range all {
		if strings.HasPrefix(strings.ToLower(v), prefix) {
			values = append(values, v)
		}
	}
	total := len(values)
	values = values[:min(total, mostValues)]
	return rpc.Obj("completion", rpc.Obj("values", values, "total", total, "hasMore", total > len(values))), nil
}

func isPrompt(name string) bool {
	for _, p := range prompts() {
		if p.name == name {
			return true
		}
	}
	return false
}

func promptValues(prompt, argument string, others map[string]string) []string {
	switch prompt + "." + argument {
	case "summarize.tone":
		return []string{"cheerful", "dry", "formal", "friendly", "neutral", "poetic"}
	case "trip.country":
		var countries []string
		seen := map[string]bool{}
		for _, town := range cities() {
			if !seen[town.country] {
				seen[town.country] = true
				countries = append(countries, town.country)
			}
		}
		return countries
	case "trip.city":
		return cityNames(others["country"])
	}
	return nil
}

// cityNames are those of a country; of all when it is "".
func cityNames(country string) []string {
	var names []string
	for _, town := range cities() {
		if country == "" || strings.EqualFold(country, town.country) {
			names = append(names, town.name)
		}
	}
	return names
}
