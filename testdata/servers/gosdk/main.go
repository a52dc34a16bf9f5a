// Command gosdk is a server on the official Go SDK, in both eras: nobody here wrote its wire.
//
//	gosdk               over stdio
//	gosdk -http ADDR    Streamable HTTP; the address is printed on stderr (port 0 works)
//	      -stateful     with sessions: then the SDK speaks the handshake revisions only
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	// pageSize makes three pages of the tools.
	pageSize = 10
	// fillers are tools that are there to fill the pages.
	fillers = 14
)

func main() {
	addr := flag.String("http", "", "serve Streamable HTTP on this address instead of stdio")
	stateful := flag.Bool("stateful", false, "keep sessions over HTTP")
	flag.Parse()
	if err := serve(*addr, *stateful); err != nil {
		fmt.Fprintln(os.Stderr, "gosdk:", err)
		os.Exit(1)
	}
}

func serve(addr string, stateful bool) error {
	server := newServer()
	if addr == "" {
		return server.Run(context.Background(), &mcp.StdioTransport{})
	}
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "gosdk: http://%s/\n", listener.Addr())
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{Stateless: !stateful})
	return http.Serve(listener, handler)
}

func newServer() *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "gosdk", Title: "Go SDK test server", Version: "1.8.0"}, &mcp.ServerOptions{
		Instructions: "Greets, adds, and takes its time.",
		PageSize:     pageSize,

		CompletionHandler: complete,
	})
	mcp.AddTool(server, &mcp.Tool{Name: "greet", Description: "Says hello"}, greet)
	mcp.AddTool(server, &mcp.Tool{Name: "add", Description: "Adds two numbers", Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}}, add)
	mcp.AddTool(server, &mcp.Tool{Name: "slow", Description: "Reports progress after each step"}, slow)
	mcp.AddTool(server, &mcp.Tool{Name: "fail", Description: "Always fails"}, fail)
	addAsking(server)
	for i := range fillers {
		mcp.AddTool(server, &mcp.Tool{Name: fmt.Sprintf("tool_%02d", i+1), Description: fmt.Sprintf("Number %d of the tools that fill the pages", i+1)}, greet)
	}
	server.AddResource(&mcp.Resource{URI: "file:///readme.txt", Name: "readme", MIMEType: "text/plain"}, read)
	server.AddPrompt(&mcp.Prompt{Name: "greeting", Description: "Asks for a greeting",
		Arguments: []*mcp.PromptArgument{{Name: "name", Description: "whom to greet", Required: true}}}, prompt)
	offer(server)
	return server
}

type greetInput struct {
	Name string `json:"name" jsonschema:"whom to greet"`
}

func greet(_ context.Context, _ *mcp.CallToolRequest, in greetInput) (*mcp.CallToolResult, any, error) {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "Hello, " + in.Name}}}, nil, nil
}

type addInput struct {
	A float64 `json:"a" jsonschema:"first number"`
	B float64 `json:"b" jsonschema:"second number"`
}

type addOutput struct {
	Sum float64 `json:"sum"`
}

// add has an output schema, which the SDK makes of addOutput.
func add(_ context.Context, _ *mcp.CallToolRequest, in addInput) (*mcp.CallToolResult, addOutput, error) {
	return nil, addOutput{in.A + in.B}, nil
}

type slowInput struct {
	Steps int `json:"steps,omitempty" jsonschema:"how many steps, 3 if not given"`
	Delay int `json:"delay_ms,omitempty" jsonschema:"milliseconds a step, 100 if not given"`
}

func slow(ctx context.Context, req *mcp.CallToolRequest, in slowInput) (*mcp.CallToolResult, any, error) {
	if in.Steps == 0 {
		in.Steps = 3
	}
	if in.Delay == 0 {
		in.Delay = 100
	}
	for i := range in.Steps {
		select {
		case <-ctx.Done():
			return nil, nil, ctx.Err()
		case <-time.After(time.Duration(in.Delay) * time.Millisecond):
		}
		token := req.Params.GetProgressToken()
		if token == nil {
			continue
		}
		if err := req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: token,
			Progress: float64(i + 1), Total: float64(in.Steps), Message: fmt.Sprintf("step %d", i+1)}); err != nil {
			return nil, nil, err
		}
	}
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "done"}}}, nil, nil
}

func fail(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
	return nil, nil, errors.New("it failed, as it always does")
}

func read(_ context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: req.Params.URI, MIMEType: "text/plain", Text: "nothing to read here\n"}}}, nil
}

func prompt(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
	return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{
		{Role: "user", Content: &mcp.TextContent{Text: "Greet " + req.Params.Arguments["name"]}},
	}}, nil
}
