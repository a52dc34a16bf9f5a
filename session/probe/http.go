package probe

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"example.com/mcpinspect/client"
)

// foreign is an origin that no server can take for its own: the name never resolves (RFC 6761).
const foreign = "https://mcpinspect.invalid"

// httpProbes are about headers and verbs: they differ in those from what a client sends, and in
// nothing else.
func httpProbes() []probe {
	return []probe{
		{"http-get", "GET; 405 is due from a server that speaks no handshake revision", func(p *prober) bool { return p.http && modern(p) && p.modernOnly() }, func(ctx context.Context, p *prober) (string, string, error) {
			got, err := p.odd(ctx, client.Odd{Verb: http.MethodGet})
			if err != nil || got.Status == http.StatusMethodNotAllowed {
				return "", "405", err
			}
			return "get-answer", fmt.Sprintf("GET was answered with status %d; 405 is due", got.Status), nil
		}},
		{"foreign-origin", "a request from a page of another origin; 403 is due", func(p *prober) bool { return p.http && p.loopback() }, func(ctx context.Context, p *prober) (string, string, error) {
			return p.accepted(ctx, "foreign-origin-accepted", "with Origin: "+foreign, http.StatusForbidden, [2]string{"Origin", foreign})
		}},
		{"header-mismatch", "a request whose Mcp-Method is that of another; an error -32020 and status 400 are due", func(p *prober) bool { return p.http && modern(p) }, func(ctx context.Context, p *prober) (string, string, error) {
			return p.accepted(ctx, "header-mismatch-accepted", "with the Mcp-Method of another method", http.StatusBadRequest, [2]string{client.HeaderMethod, "mcpinspect/other"})
		}},
		{"header-missing", "a request without Mcp-Method; an error -32020 and status 400 are due", func(p *prober) bool { return p.http && modern(p) }, func(ctx context.Context, p *prober) (string, string, error) {
			return p.accepted(ctx, "header-missing-accepted", "without Mcp-Method", http.StatusBadRequest, [2]string{client.HeaderMethod, ""})
		}},
		{"version-header", "a request whose MCP-Protocol-Version does not exist; status 400 is due", func(p *prober) bool {
			return p.http && !modern(p) && p.rev >= client.Rev2025_06_18
		}, func(ctx context.Context, p *prober) (string, string, error) {
			return p.accepted(ctx, "version-header-accepted", "with MCP-Protocol-Version: 2999-12-31", http.StatusBadRequest, [2]string{client.HeaderProtocolVersion, "2999-12-31"})
		}},
	}
}

// accepted sends a harmless request with other headers, and finds fault when it is served. Another
// refusal than the one that is due is no success of the server, and no danger.
func (p *prober) accepted(ctx context.Context, rule, how string, due int, header ...[2]string) (string, string, error) {
	method := client.MethodDiscover
	if !modern(p) {
		method = client.MethodPing
	}
	got, err := p.odd(ctx, client.Odd{Verb: http.MethodPost, Request: client.Request{Method: method}, Header: header})
	switch {
	case err != nil:
		return "", "", err
	case got.Status/100 == 2 && client.Get(got.Body, "error") == nil:
		return rule, fmt.Sprintf("%s %s was served with status %d; %d is due", method, how, got.Status, due), nil
	}
	text := "status " + strconv.Itoa(got.Status)
	if code := client.Get(got.Body, "error", "code"); code != nil {
		text += " and error " + client.Excerpt(code)
	}
	if got.Status != due {
		text += fmt.Sprintf("; %d is due", due)
	}
	return "", text, nil
}

func (p *prober) odd(ctx context.Context, o client.Odd) (client.OddReply, error) {
	ctx, stop := context.WithTimeout(ctx, limit)
	defer stop()
	return p.sess.Odd(ctx, o)
}

// modernOnly reports whether the server names no handshake revision among those it speaks.
func (p *prober) modernOnly() bool {
	v := p.sess.Snapshot().Server
	if v == nil || len(v.Supported) == 0 {
		return false
	}
	for _, s := range v.Supported {
		if !client.Revision(s).Modern() {
			return false
		}
	}
	return true
}

// loopback reports whether the server is on this machine, where pages of a browser reach it.
func (p *prober) loopback() bool {
	u, err := url.Parse(p.sess.Target().Address.URL)
	if err != nil {
		return false
	}
	host := u.Hostname()
	ip := net.ParseIP(host)
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}
