package demo

import (
	"encoding/json"
	"fmt"

	"example.com/mcpinspect/client/demo/rpc"
)

// prompt is one entry of the list; render makes its messages of arguments that are complete.
type prompt struct {
	name, title, about string
	arguments          []promptArgument
	render             func(a map[string]string) []rpc.Object
}

type promptArgument struct {
	name, about string
	required    bool
}

func prompts() []prompt {
	message := func(role string, content rpc.Object) rpc.Object { return rpc.Obj("role", role, "content", content) }
	return []prompt{
		{
			name: "greet", title: "Greeting", about: "Without arguments.",
			render: func(map[string]string) []rpc.Object {
				return []rpc.Object{message("user", textBlock("Greet me in a language of your choice."))}
			},
		},
		{
			name: "summarize", title: "Summarize a text", about: "One required and two optional arguments; tone can be completed.",
			arguments: []promptArgument{{"text", "what to summarize", true}, {"tone", "neutral if not given", false}, {"words", "at most that many", false}},
			render: func(a map[string]string) []rpc.Object {
				tone, limit := a["tone"], ""
				if tone == "" {
					tone = "neutral"
				}
				if a["words"] != "" {
					limit = " in at most " + a["words"] + " words"
				}
				return []rpc.Object{message("user", textBlock(fmt.Sprintf("Summarize this%s, in a %s tone:\n\n%s", limit, tone, a["text"])))}
			},
		},
		{
			name: "trip", title: "Plan a trip", about: "Completion of city depends on country.",
			arguments: []promptArgument{{"country", "where to", true}, {"city", "which city", true}},
			render: func(a map[string]string) []rpc.Object {
				return []rpc.Object{
					message("user", textBlock(fmt.Sprintf("Plan a day in %s, %s.", a["city"], a["country"]))),
					message("assistant", textBlock("Gladly. Do you like museums?")),
					message("user", textBlock("In the morning, yes.")),
				}
			},
		},
		{
			name: "describe", title: "Describe the picture", about: "Messages with a picture and with a resource in them.",
			render: func(map[string]string) []rpc.Object {
				return []rpc.Object{
					message("user", imageBlock(32, 32)),
					message("user", rpc.Obj("type", "resource", "resource", rpc.Obj("uri", readmeURI, "mimeType", "text/markdown", "text", readmeText))),
					message("user", textBlock("What do these two have in common?")),
				}
			},
		},
	}
}

// prompts lists them in the words of c's revision.
func (c *call) prompts() []rpc.Object {
	var list []rpc.Object
	for _, p := range prompts() {
		o := rpc.Obj("name", p.name)
		if c.since(rev2506) {
			o = o.With("title", p.title)
		}
		o = o.With("description", p.about)
		var arguments []rpc.Object
		for _, a := range p.arguments {
			arguments = append(arguments, rpc.Obj("name", a.name, "description", a.about, "required", a.required))
		}
		if arguments != nil {
			o = o.With("arguments", arguments)
		}
		list = append(list, o)
	}
	return list
}

func (c *call) getPrompt() (rpc.Object, *rpc.Error) {
	name, _ := rpc.Text(c.params["name"])
	given := map[string]string{}
	if raw, has := c.params["arguments"]; has && json.Unmarshal(raw, &given) != nil {
		return nil, invalid("arguments must be an object of strings")
	}
	for _, p := range prompts() {
		if p.name != name {
			continue
		}
		for _, a := range p.arguments {
			if _, has := given[a.name]; a.required && !has {
				return nil, invalid("Missing required argument: " + a.name)
			}
		}
		return rpc.Obj("description", p.about, "messages", p.render(given)), nil
	}
	return nil, invalid("Unknown prompt: " + name)
}
