package main

import (
	"context"
	"errors"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// offer adds what is neither tool nor readme: pages of resources, a template, a prompt whose
// arguments the server completes.
func offer(server *mcp.Server) {
	for _, name := range []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"} {
		server.AddResource(&mcp.Resource{URI: "file:///notes/" + name + ".md", Name: name, MIMEType: "text/markdown", Size: 21}, read)
	}
	server.AddResourceTemplate(&mcp.ResourceTemplate{URITemplate: "towns://{town}", Name: "town", Description: "what there is to say of a town", MIMEType: "text/plain"}, read)
	server.AddPrompt(&mcp.Prompt{Name: "letter", Description: "Asks for a letter", Arguments: []*mcp.PromptArgument{
		{Name: "to", Description: "the town it goes to; completed", Required: true},
		{Name: "slow", Description: "its completion never answers"},
		{Name: "odd", Description: "its completion fails"},
	}}, prompt)
}

// complete proposes towns; it depends on the argument whether it fails or never answers.
func complete(ctx context.Context, req *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
	switch req.Params.Argument.Name {
	case "slow":
		<-ctx.Done()
		return nil, ctx.Err()
	case "odd":
		return nil, errors.New("nobody knows")
	}
	var values []string
	for _, town := range []string{"Aalen", "Aarau", "Århus", "Basel", "Bath"} {
		if strings.HasPrefix(strings.ToLower(town), strings.ToLower(req.Params.Argument.Value)) {
			values = append(values, town)
		}
	}
	return &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{Values: values, Total: len(values) + 10, HasMore: true}}, nil
}
