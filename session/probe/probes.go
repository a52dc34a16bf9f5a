package probe

import (
	"context"
	"fmt"

	"example.com/mcpinspect/client"
)

// probes are all of them, in the order in which they are sent. Each has a name that never changes.
func probes() []probe {
	return []probe{
		{"unknown-method", "a method that does not exist; an error -32601 is due", always, func(ctx context.Context, p *prober) (string, string, error) {
			a, err := p.call(ctx, "mcpinspect/no-such-method", "")
			return judged("unknown-method-answer", a, err, client.CodeMethodNotFound)
		}},
		{"removed-method", "ping, which this revision has no longer; an error -32601 is due", modern, func(ctx context.Context, p *prober) (string, string, error) {
			a, err := p.call(ctx, client.MethodPing, "")
			return judged("removed-method-served", a, err, client.CodeMethodNotFound)
		}},
		{"ping", "ping; an empty result is due", func(p *prober) bool { return !modern(p) }, func(ctx context.Context, p *prober) (string, string, error) {
			a, err := p.call(ctx, client.MethodPing, "")
			switch {
			case err != nil:
				return "", "", err
			case a.IsError():
				return "ping-refused", "ping was refused: " + client.NewRPCError(a.Raw(a.Error)).Error(), nil
			}
			return "", "answered", nil
		}},
		{"unknown-revision", "server/discover in a revision of the year 2999; an error -32022 is due", modern, func(ctx context.Context, p *prober) (string, string, error) {
			a, err := p.call(ctx, client.MethodDiscover, "", client.MetaKey{Key: client.MetaProtocolVersion, Value: []byte(`"2999-12-31"`)})
			return judged("unknown-revision-answer", a, err, client.CodeUnsupportedVersion)
		}},
		{"missing-meta", "server/discover without clientCapabilities in _meta; an error -32602 is due", modern, func(ctx context.Context, p *prober) (string, string, error) {
			a, err := p.call(ctx, client.MethodDiscover, "", client.MetaKey{Key: client.MetaClientCapabilities})
			return judged("missing-meta-answer", a, err, client.CodeInvalidParams)
		}},
		{"unknown-tool", "a call of a tool that does not exist; an error -32602 is due", offering("tools"), func(ctx context.Context, p *prober) (string, string, error) {
			a, err := p.call(ctx, client.MethodToolsCall, `{"name":"`+noName+`","arguments":{}}`)
			return judged("unknown-tool-answer", a, err, client.CodeInvalidParams)
		}},
		{"unknown-prompt", "a prompt that does not exist; an error -32602 is due", offering("prompts"), func(ctx context.Context, p *prober) (string, string, error) {
			a, err := p.call(ctx, client.MethodPromptsGet, `{"name":"`+noName+`"}`)
			return judged("unknown-prompt-answer", a, err, client.CodeInvalidParams)
		}},
		{"unknown-resource", "a resource that does not exist; an error is due", offering("resources"), func(ctx context.Context, p *prober) (string, string, error) {
			a, err := p.call(ctx, client.MethodResourcesRead, `{"uri":"urn:mcpinspect:none"}`)
			codes := []int{client.CodeInvalidParams}
			if !p.rev.Modern() { // -32002 was withdrawn with 2026-07-28
				codes = append(codes, codeResourceNotFound)
			}
			return judged("unknown-resource-answer", a, err, codes...)
		}},
		cursor(client.Tools), cursor(client.Resources), cursor(client.Prompts),
		{"unknown-notification", "a notification that does not exist; it is ignored", always, func(ctx context.Context, p *prober) (string, string, error) {
			return kept(p.silent(ctx, "notifications/mcpinspect_no_such_notification", "{}"))
		}},
		{"unknown-cancel", "notifications/cancelled of a request that was never sent; it is ignored", func(p *prober) bool { return !(p.http && modern(p)) }, func(ctx context.Context, p *prober) (string, string, error) {
			return kept(p.silent(ctx, client.MethodCancelled, `{"requestId":"`+noName+`","reason":"a probe"}`))
		}},
		{"subscription", "subscriptions/listen for what the server offers to tell of, given up again; an acknowledgement is due", func(p *prober) bool { return modern(p) && !p.tells().Empty() }, func(ctx context.Context, p *prober) (string, string, error) {
			return p.listens(ctx)
		}},
	}
}

// codeResourceNotFound is the error of the handshake revisions for a resource that is not there.
const codeResourceNotFound = -32002

// cursor is the probe of a list with a cursor that the server never gave.
func cursor(kind client.ListKind) probe {
	about := fmt.Sprintf("%s with a cursor that was never given; an error -32602 is due", kind.Method)
	return probe{kind.Name + "-cursor", about, offering(kind.Cap), func(ctx context.Context, p *prober) (string, string, error) {
		a, err := p.call(ctx, kind.Method, `{"cursor":"`+noName+`"}`)
		return judged("unknown-cursor-answer", a, err, client.CodeInvalidParams)
	}}
}

func judged(rule string, a client.Answer, err error, codes ...int) (string, string, error) {
	text, ok, failed := refused(a, err, codes...)
	if ok {
		rule = ""
	}
	return rule, text, failed
}

func kept(text string, ok bool, err error) (string, string, error) {
	rule := "notification-answered"
	if ok {
		rule = ""
	}
	return rule, text, err
}
