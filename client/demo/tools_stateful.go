package demo

import (
	"encoding/json"
	"fmt"
	"os"

	"example.com/mcpinspect/client/demo/rpc"
)

// statefulTools keep something for as long as the server runs: a restart is seen by what is gone.
func statefulTools() []tool {
	return []tool{
		{
			name: "remember", title: "Remember", hints: hintSets,
			about: "Keeps a note until the server ends.",
			input: `{"type":"object","properties":{"key":{"type":"string","minLength":1},"value":{"type":"string"}},"required":["key","value"]}`,
			run: func(c *call, a arguments) (rpc.Object, *rpc.Error) {
				c.server.mu.Lock()
				c.server.notes[a.text("key", "")] = a.text("value", "")
				n := len(c.server.notes)
				c.server.mu.Unlock()
				return said(fmt.Sprintf("remembered, %d in all", n)), nil
			},
		},
		{
			name: "recall", title: "Recall", hints: hintReads,
			about: "Gives a note back.",
			input: `{"type":"object","properties":{"key":{"type":"string","minLength":1}},"required":["key"]}`,
			run: func(c *call, a arguments) (rpc.Object, *rpc.Error) {
				c.server.mu.Lock()
				value, has := c.server.notes[a.text("key", "")]
				c.server.mu.Unlock()
				if !has {
					return failed(fmt.Sprintf("there is no note %q", a.text("key", ""))), nil
				}
				return said(value), nil
			},
		},
		{
			name: "touch", title: "Touch a resource", hints: hintAdds,
			about: "Changes the resource " + visitsURI + " and tells subscribers.",
			input: noArguments,
			run: func(c *call, _ arguments) (rpc.Object, *rpc.Error) {
				c.server.mu.Lock()
				c.server.visits++
				n := c.server.visits
				c.server.mu.Unlock()
				c.server.updated(visitsURI)
				return said(fmt.Sprintf("%d visits", n)), nil
			},
		},
		{
			name: "about", title: "About this process", hints: hintReads,
			about:  "Says which process this is, where it runs, and what it knows of the client.",
			input:  noArguments,
			output: `{"type":"object","properties":{"pid":{"type":"integer"},"directory":{"type":"string"},"environment":{"type":"integer"},"revision":{"type":"string"},"capabilities":{"type":"object"}},"required":["pid","directory","environment","revision","capabilities"]}`,
			run: func(c *call, _ arguments) (rpc.Object, *rpc.Error) {
				dir, err := os.Getwd()
				if err != nil {
					return failed(err.Error()), nil
				}
				declared := c.client
				if declared == nil {
					declared = map[string]json.RawMessage{}
				}
				return c.structured(rpc.Obj("pid", os.Getpid(), "directory", dir, "environment", len(os.Environ()),
					"revision", c.revision, "capabilities", declared)), nil
			},
		},
	}
}
