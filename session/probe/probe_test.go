package probe

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/session/check"
	"example.com/mcpinspect/testdata/programs"
)

// play runs the probes against a scripted server and returns the verdicts as "name rule", the probes
// that were well without a rule, and the rules of the findings.
func play(t *testing.T, script string) (verdicts, rules []string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "server.jsonl")
	if err := os.WriteFile(path, []byte(script), 0o600); err != nil {
		t.Fatal(err)
	}
	s := session.New(session.Target{Command: client.Command{Args: []string{programs.Build(t, "testdata/player"), path}}},
		session.Options{Observers: []session.Observer{check.New()}, Identity: client.Identity{Name: "test", Version: "1"}})
	defer s.Close()
	ctx, stop := context.WithTimeout(t.Context(), 20*time.Second)
	defer stop()
	if err := s.Connect(ctx); err != nil {
		t.Fatal(err)
	}
	err := Run(ctx, s, func(v Verdict) { verdicts = append(verdicts, strings.TrimSpace(v.Probe+" "+v.Rule)) })
	if err != nil {
		verdicts = append(verdicts, "ended")
	}
	for _, f := range check.Findings(s.Log(), nil) {
		rules = append(rules, f.Rule)
	}
	return verdicts, rules
}

const head = `{"case":"x","title":"","source":[],"saw":"","expect":[],"era":"%s","kind":"era","transport":"stdio","drive":["list"]}` + "\n"

func TestProbes(t *testing.T) {
	modernHead := fmt.Sprintf(head, "2026-07-28")
	for _, c := range []struct{ name, script, wrong string }{
		{"all well", modernHead + `{"defaults":{"name":"x","tools":[{"name":"a","inputSchema":{"type":"object"}}]}}
`, ""},
		{"whatever is asked is served", modernHead + `{"defaults":{"name":"x","lenient":true,"tools":[{"name":"a","inputSchema":{"type":"object"}}],"results":{"*":{"content":[]}}}}
{"on":"mcpinspect/no-such-method","steps":[{"reply":{}}]}
{"on":"ping","steps":[{"reply":{}}]}
{"on":"tools/list","where":{"params.cursor":"mcpinspect-no-such-name"},"steps":[{"reply":{"tools":[{"name":"a","inputSchema":{"type":"object"}}]}}]}
`, "unknown-method-answer removed-method-served unknown-revision-answer missing-meta-answer unknown-tool-answer unknown-cursor-answer"},
		{"another code", modernHead + `{"defaults":{"name":"x"}}
{"on":"mcpinspect/no-such-method","steps":[{"error":{"code":-32603,"message":"KeyError"}}]}
`, "unknown-method-answer"},
		{"a notification is answered", modernHead + `{"defaults":{"name":"x"}}
{"on":"notifications/mcpinspect_no_such_notification","steps":[{"raw":"{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32601,\"message\":\"no\"}}\n"}]}
`, "notification-answered"},
		{"a subscription is refused", modernHead + `{"defaults":{"name":"x","capabilities":{"tools":{"listChanged":true}},"tools":[]}}
{"on":"subscriptions/listen","steps":[{"error":{"code":-32603,"message":"no"}}]}
`, "subscription-unanswered"},
		{"ping of the handshake", fmt.Sprintf(head, "2025-06-18") + `{"defaults":{"name":"x"}}
{"on":"ping","steps":[{"error":{"code":-32601,"message":"no"}}]}
`, "ping-refused"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			verdicts, rules := play(t, c.script)
			var wrong []string
			for _, v := range verdicts {
				if _, rule, found := strings.Cut(v, " "); found {
					wrong = append(wrong, rule)
				}
			}
			if got := strings.Join(wrong, " "); got != c.wrong {
				t.Errorf("wrong are %q, not %q; verdicts: %q", got, c.wrong, verdicts)
			}
			for _, r := range wrong {
				if !slices.Contains(rules, r) {
					t.Errorf("%s is no finding: %q", r, rules)
				}
			}
			if len(verdicts) < 5 {
				t.Errorf("only %q", verdicts)
			}
		})
	}
}

// TestHTTPProbes: a server that looks at headers and verbs, and one that looks at nothing.
func TestHTTPProbes(t *testing.T) {
	for _, strict := range []bool{true, false} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			method := client.GetText(body, "method")
			refuse := func(status, code int) {
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(status)
				fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":"no"}}`, client.Get(body, "id"), code)
			}
			switch {
			case r.Method != http.MethodPost && strict:
				w.WriteHeader(http.StatusMethodNotAllowed)
			case r.Method != http.MethodPost:
				w.Header().Set("Content-Type", "text/event-stream")
				w.(http.Flusher).Flush()
				<-r.Context().Done()
			case client.Get(body, "id") == nil:
				w.WriteHeader(http.StatusAccepted)
			case strict && r.Header.Get("Origin") != "":
				w.WriteHeader(http.StatusForbidden)
			case strict && r.Header.Get(client.HeaderMethod) != method:
				refuse(http.StatusBadRequest, client.CodeHeaderMismatch)
			case method != client.MethodDiscover:
				refuse(http.StatusNotFound, client.CodeMethodNotFound)
			case client.GetText(body, "params", "_meta", client.MetaProtocolVersion) != string(client.Rev2026_07_28):
				refuse(http.StatusBadRequest, client.CodeUnsupportedVersion)
			case client.Get(body, "params", "_meta", client.MetaClientCapabilities) == nil:
				refuse(http.StatusBadRequest, client.CodeInvalidParams)
			default:
				w.Header().Set("Content-Type", "application/json")
				fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{},"ttlMs":0,"cacheScope":"private","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"x","version":"1"}}}}`, client.Get(body, "id"))
			}
		}))
		s := session.New(session.Target{Address: client.Address{URL: server.URL}}, session.Options{Observers: []session.Observer{check.New()}, Identity: client.Identity{Name: "test", Version: "1"}})
		if err := s.Connect(t.Context()); err != nil {
			t.Fatal(err)
		}
		var got []string
		if err := Run(t.Context(), s, func(v Verdict) {
			if !v.OK {
				got = append(got, v.Rule)
			}
		}); err != nil {
			t.Fatal(err)
		}
		want := ""
		if !strict {
			want = "get-answer foreign-origin-accepted header-mismatch-accepted header-missing-accepted"
		}
		if strings.Join(got, " ") != want {
			t.Errorf("strict %t: %q, not %q", strict, got, want)
		}
		s.Log().Each(0, func(e session.Event) bool {
			for _, m := range e.Marks {
				if m.Rule == "http-origin-accepted" { // the same fault a second time
					t.Errorf("strict %t: #%d, what the probe sent is judged as if a page had: %s", strict, e.Seq, m.Text)
				}
			}
			return true
		})
		if open := s.Snapshot().Calls; len(open) > 0 {
			t.Errorf("strict %t: open are %+v", strict, open)
		}
		s.Close()
		server.Close()
	}
}

// TestServerEnds: a server that ends on a probe ends the probes, and that is told.
func TestServerEnds(t *testing.T) {
	verdicts, rules := play(t, fmt.Sprintf(head, "2026-07-28")+`{"defaults":{"name":"x"}}
{"on":"mcpinspect/no-such-method","steps":[{"exit":3}]}
`)
	if strings.Join(verdicts, "; ") != "unknown-method; ended" || !slices.Contains(rules, "server-died") {
		t.Errorf("%q, %q", verdicts, rules)
	}
}

// TestRulesExist: whatever a probe can find is a rule.
func TestRulesExist(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range append(probes(), httpProbes()...) {
		if seen[p.name] || p.about == "" {
			t.Errorf("%s is there twice, or says nothing", p.name)
		}
		seen[p.name] = true
	}
	for _, rule := range []string{"unknown-method-answer", "removed-method-served", "ping-refused", "unknown-revision-answer", "missing-meta-answer", "unknown-tool-answer", "unknown-prompt-answer",
		"unknown-resource-answer", "unknown-cursor-answer", "notification-answered", "subscription-unanswered", "get-answer", "foreign-origin-accepted", "header-mismatch-accepted", "header-missing-accepted", "version-header-accepted"} {
		if _, ok := check.Find(rule); !ok {
			t.Errorf("there is no rule %s", rule)
		}
	}
}
