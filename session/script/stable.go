package script

import (
	"slices"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/client/schema"
)

// fleeting are the keys of _meta that differ from one connection to the next.
var fleeting = []string{client.MetaProgressToken, client.MetaClientInfo, client.MetaClientCapabilities, "traceparent", "tracestate", "baggage"}

// Stable is what of params tells one message of a method from another: without progress token,
// trace and what the client says of itself, without empty arguments. No params, and params with
// nothing left in them, are null; what is no JSON is its text.
func Stable(method string, params []byte) schema.Value {
	if len(params) == 0 {
		return schema.Value{}
	}
	v, err := schema.Parse(params)
	if err != nil {
		return schema.Text(string(params))
	}
	if v.Kind != schema.Object {
		return v
	}
	var kept []schema.Member
	for _, m := range v.Members {
		switch {
		case m.Name == "_meta" && m.Value.Kind == schema.Object:
			m.Value.Members = without(m.Value.Members, fleeting)
			if len(m.Value.Members) == 0 {
				continue
			}
		case m.Name == "arguments" && m.Value.Kind == schema.Object && len(m.Value.Members) == 0:
			continue
		case method == client.MethodInitialize && (m.Name == "clientInfo" || m.Name == "capabilities"):
			continue
		case method == client.MethodCancelled && (m.Name == "requestId" || m.Name == "reason"):
			continue
		}
		kept = append(kept, m)
	}
	if len(kept) == 0 {
		return schema.Value{}
	}
	return schema.Value{Kind: schema.Object, Members: kept}
}

func without(members []schema.Member, names []string) (kept []schema.Member) {
	for _, m := range members {
		if !slices.Contains(names, m.Name) {
			kept = append(kept, m)
		}
	}
	return kept
}
