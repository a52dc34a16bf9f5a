package session

import (
	"regexp"
	"strings"
	"testing"
	"testing/synctest"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/client/clienttest"
)

// TestLogLevel: a stateless server is told the level with every request, a handshake server once in each
// run; one that has no log messages is not asked, and that is noted.
func TestLogLevel(t *testing.T) {
	level := func(m clienttest.Message) string { return client.GetText(m.Params, "_meta", client.MetaLogLevel) }
	t.Run("stateless", func(t *testing.T) {
		scripted(t, Options{LogLevel: "info"}, []func(*clienttest.Server){func(s *clienttest.Server) {
			s.Result(s.Expect(client.MethodDiscover).ID, `{"supportedVersions":["2026-07-28"],"capabilities":{"logging":{}}}`)
			for _, want := range []string{"info", "error", ""} {
				m := s.Expect(client.MethodToolsCall)
				if level(m) != want {
					t.Errorf("level %q, want %q", level(m), want)
				}
				s.Result(m.ID, `{"content":[]}`)
			}
		}}, func(t *testing.T, s *Session) {
			for _, next := range []string{"error", "", ""} {
				if _, err := s.Call(t.Context(), client.CallTool("a", nil)); err != nil {
					t.Fatal(err)
				}
				if err := s.SetLogLevel(t.Context(), next); err != nil {
					t.Error(err)
				}
			}
			if err := s.SetLogLevel(t.Context(), "loud"); err == nil || s.LogLevel() != "" {
				t.Error("loud is a level")
			}
		})
	})
	t.Run("handshake", func(t *testing.T) {
		run := func(want string) func(s *clienttest.Server) {
			return func(s *clienttest.Server) {
				s.Result(s.Expect(client.MethodInitialize).ID, `{"protocolVersion":"2025-06-18","capabilities":{"logging":{}},"serverInfo":{"name":"n","version":"1"}}`)
				s.Expect(client.MethodInitialized)
				m := s.Expect(client.MethodSetLevel)
				if got := client.GetText(m.Params, "level"); got != want {
					t.Errorf("level %q, want %q", got, want)
				}
				s.Result(m.ID, `{}`)
				if want == "info" {
					s.Fail(s.Expect(client.MethodSetLevel).ID, -32602, "no", "")
					s.Result(s.Expect(client.MethodSetLevel).ID, `{}`)
				}
			}
		}
		scripted(t, Options{LogLevel: "info", Protocol: client.Rev2025_06_18}, []func(*clienttest.Server){run("info"), run("error")}, func(t *testing.T, s *Session) {
			if err := s.SetLogLevel(t.Context(), "alert"); err == nil || s.LogLevel() != "info" {
				t.Errorf("a refused level: %v, %q", err, s.LogLevel())
			}
			if err := s.SetLogLevel(t.Context(), "error"); err != nil {
				t.Error(err)
			}
			if err := s.SetLogLevel(t.Context(), ""); err == nil {
				t.Error("there is a way back")
			}
			if err := s.Restart(t.Context()); err != nil {
				t.Error(err)
			}
		})
	})
	t.Run("without", func(t *testing.T) {
		scripted(t, Options{LogLevel: "info", Protocol: client.Rev2025_06_18}, []func(*clienttest.Server){func(s *clienttest.Server) {
			s.Handshake(client.Rev2025_06_18)
			if m, ok := s.Next(); ok {
				t.Errorf("sent %s", m.Raw)
			}
		}}, func(t *testing.T, s *Session) {
			if got := notes(s, client.NoteWarning); len(got) != 1 || !strings.Contains(got[0], "no capability logging") {
				t.Errorf("%q", got)
			}
		})
	})
}

// TestTrace: every request has a span of one trace, and it is noted whether the server gives it back.
func TestTrace(t *testing.T) {
	shape := regexp.MustCompile(`^00-[0-9a-f]{32}-[0-9a-f]{16}-01$`)
	var seen []string
	scripted(t, Options{Trace: true}, []func(*clienttest.Server){func(s *clienttest.Server) {
		s.Discover(`"2026-07-28"`)
		for _, back := range []string{`{"tools":[]}`, `{"_meta":{"traceparent":"$"}}`, `{"_meta":{"traceparent":"other"}}`} {
			m, _ := s.Next()
			span := client.GetText(m.Params, "_meta", "traceparent")
			seen = append(seen, span)
			s.Result(m.ID, strings.ReplaceAll(back, "$", span))
		}
	}}, func(t *testing.T, s *Session) {
		if _, err := s.All(t.Context(), client.Tools); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if _, err := s.Call(t.Context(), client.CallTool("a", nil)); err != nil {
				t.Fatal(err)
			}
		}
		synctest.Wait()
		trace := func(span string) string { return span[:min(35, len(span))] }
		if len(seen) != 3 || !shape.MatchString(seen[0]) || !shape.MatchString(seen[1]) || seen[0] == seen[1] || trace(seen[0]) != trace(seen[1]) {
			t.Errorf("%q", seen)
		}
		got := notes(s, client.NoteInfo)
		for i, want := range []string{"did not come back", "came back", "came back as other"} {
			if len(got) != 3 || !strings.HasPrefix(got[i], "traceparent "+seen[i]) || !strings.Contains(got[i], want) {
				t.Fatalf("%q", got)
			}
		}
	})
}
