package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The tools that ask their client something; a server that asks for what is deprecated is what an
// inspector meets. In 2026-07-28 they ask by their result; for the handshake
// revisions the SDK makes requests of the server out of that.
var asking = map[string]mcp.InputRequestMap{
	"book": {"booking": &mcp.ElicitParams{Mode: "form", Message: "When do you arrive?", RequestedSchema: json.RawMessage(bookingForm)}},
	"visit": {"consent": &mcp.ElicitParams{Mode: "url", Message: "Please log in there.", ElicitationID: visitID,
		URL: "https://login.xn--exmple-cua.test/start?session=41"}},
	"think": {"thought": thought},
	//lint:ignore SA1019 servers ask for it
	"where": {"dirs": &mcp.ListRootsParams{}},
	"all": {
		"booking": &mcp.ElicitParams{Mode: "form", Message: "When do you arrive?", RequestedSchema: json.RawMessage(bookingForm)},
		"thought": thought,
		//lint:ignore SA1019 servers ask for it
		"dirs": &mcp.ListRootsParams{},
	},
}

const visitID = "visit-1"

// bookingForm has every kind of field that an elicitation may have (client/elicitation).
const bookingForm = `{"type":"object","properties":{` +
	`"day":{"type":"string","title":"Day","format":"date"},` +
	`"nights":{"type":"integer","title":"Nights","minimum":1,"maximum":14,"default":2},` +
	`"email":{"type":"string","format":"email","description":"where the bill goes"},` +
	`"room":{"type":"string","oneOf":[{"const":"s","title":"Single"},{"const":"d","title":"Double"}]},` +
	`"extras":{"type":"array","items":{"anyOf":[{"const":"b","title":"Breakfast"},{"const":"g","title":"Garage"}]},"maxItems":2},` +
	`"quiet":{"type":"boolean","default":true}},"required":["day","room"]}`

//lint:ignore SA1019 servers ask for it
var thought = &mcp.CreateMessageParams{
	SystemPrompt: "You answer in one sentence.", MaxTokens: 200, Temperature: 0.2,
	//lint:ignore SA1019 servers ask for it
	Messages: []*mcp.SamplingMessage{
		{Role: "user", Content: &mcp.TextContent{Text: "What is the capital of France?"}},
		{Role: "assistant", Content: &mcp.TextContent{Text: "Paris."}},
		{Role: "user", Content: &mcp.TextContent{Text: "And of Norway?\nSay why."}},
	},
	//lint:ignore SA1019 servers ask for it
	ModelPreferences: &mcp.ModelPreferences{Hints: []*mcp.ModelHint{{Name: "small"}}, SpeedPriority: 0.8},
}

func addAsking(server *mcp.Server) {
	for _, name := range []string{"book", "visit", "think", "where", "all"} {
		mcp.AddTool(server, &mcp.Tool{Name: name, Description: "Asks its client before it answers"},
			func(ctx context.Context, req *mcp.CallToolRequest, _ struct{}) (*mcp.CallToolResult, any, error) {
				if len(req.Params.InputResponses) == 0 {
					return &mcp.CallToolResult{InputRequests: asking[name], RequestState: "state of " + name}, nil, nil
				}
				if name == "visit" {
					visited(ctx, req)
				}
				return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: told(req.Params.InputResponses)}}}, nil, nil
			})
	}
}

// visited says a little later that the person has been where it was sent to: 2025-11-25 has a
// notification for that.
func visited(ctx context.Context, req *mcp.CallToolRequest) {
	if p := req.Session.InitializeParams(); p == nil || p.ProtocolVersion != "2025-11-25" {
		return
	}
	time.Sleep(100 * time.Millisecond)
	_ = req.Session.NotifyElicitationComplete(ctx, &mcp.ElicitationCompleteParams{ElicitationID: visitID})
}

// told repeats the answers, in the order of their keys.
func told(answers mcp.InputResponseMap) string {
	var out []string
	for key, answer := range answers {
		b, _ := json.Marshal(answer)
		out = append(out, fmt.Sprintf("%s: %s", key, b))
	}
	slices.Sort(out)
	return strings.Join(out, "\n")
}
