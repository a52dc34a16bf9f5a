//go:build !windows

package ui_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/mcpinspect/testdata/programs"
)

// TestQuestionsOnScreen: a call that asks is answered, declined and cancelled by keys, in the stateless
// era and in one with requests of the server.
func TestQuestionsOnScreen(t *testing.T) {
	for _, revision := range []string{"2026-07-28", "2025-11-25"} {
		t.Run(revision, func(t *testing.T) {
			s := start(t, 120, 36, "--tool", "ask", "--protocol", revision, "--demo")
			s.Wait("3 Call ask")
			s.Keys("s")
			s.Wait("7 Question", "What may we brew", "[ Accept ]", "5 Wire", "ASKS 1", "waits for your answer")
			s.Keys("\r") // the drink
			s.Wait("EDITING")
			s.Keys("coff")
			s.Wait("finds coff")
			s.Keys("\r")
			s.Wait("required 1 of 2")
			s.Keys("\t") // not how many cups
			s.Wait("to call out when it is ready")
			s.Keys("Ada")
			s.Wait("Ada")
			s.Keys("\x13") // sent from a field, as a form is
			s.Wait("1 × coffee for Ada", "3 Call ask", "answered: question 1")
			s.Keys("s")
			s.Wait("7 Question", "required 0 of 2")
			s.Keys("jD")
			s.Wait("Nothing then. You declined.", "3 Call ask")
			s.Keys("s")
			s.Wait("7 Question", "required 0 of 2")
			s.Keys("jX")
			s.Wait("Nothing yet. You closed the form.", "3 Call ask")
			s.Keys("s")
			s.Wait("7 Question", "required 0 of 2")
			s.Keys("jx") // the call itself
			s.Wait("went away", "3 Call ask")
			s.Keys("q")
			if code := s.Exit(); code != 0 {
				t.Errorf("exit %d", code)
			}
		})
	}
}

// TestQuestionsOfTheSDK: several at once of a server that nobody here wrote, one of which is left and
// found again, and a server that is started again.
func TestQuestionsOfTheSDK(t *testing.T) {
	s := start(t, 160, 45, "--tool", "all", "--root", t.TempDir(), "--", programs.Build(t, "testdata/servers/gosdk"))
	s.Wait("3 Call all")
	s.Keys("s")
	s.Wait("7 Question 1 of 2", "ASKS 2")
	s.Keys("P")
	s.Wait("7 Question 2 of 2", "And of Norway?", "[ Answer ]")
	s.Keys("\x1b")
	s.Wait("3 Call all", "2 questions wait on; 7 comes back")
	s.Keys("7\r")
	s.Wait("EDITING, enter is a line break")
	s.Keys("Oslo.\x13")
	s.Wait("7 Question", "When do you arrive?", "Nights    integer   2")
	s.Keys("\r")
	s.Wait("EDITING")
	s.Keys("2026-12-24\r")
	s.Wait("required 1 of 2", "EDITING")
	s.Keys("\x1b")
	s.Wait(" ROW ")
	s.Keys("jjl")
	s.Wait("Single")
	s.Keys("s")
	s.Wait("Result of #", `"text":"Oslo."`, `"day":"2026-12-24"`, "file:///", "3 Call all")
	s.Keys("s")
	s.Wait("7 Question 1 of 2")
	s.Keys("R")
	s.Until("the question gone with its server", func(screen string) bool {
		return strings.Contains(screen, "run 2") && strings.Contains(screen, "3 Call all") && !strings.Contains(screen, "ASKS")
	})
}

// TestRoundsOnScreen: the answer goes back as the scenario wants it, and a request without an end is
// asked about.
func TestRoundsOnScreen(t *testing.T) {
	t.Run("elicitation", func(t *testing.T) {
		report := filepath.Join(t.TempDir(), "report")
		s := start(t, 80, 24, "--tool", "echo", "--args", `{"text":"a"}`, "--",
			programs.Build(t, "testdata/player"), "-strict", "-report", report, programs.Scenario(t, "mrtr-elicitation"))
		s.Wait("3 Call echo")
		s.Keys("s")
		s.Wait("7 Question", "Which city?", "5 Wire")
		s.Keys("\r")
		s.Wait("EDITING")
		s.Keys("Oslo\x13")
		s.Wait("Oslo it is", "3 Call echo")
		s.Keys("q")
		s.Exit()
		if b, err := os.ReadFile(report); err != nil || strings.Contains(string(b), `"ok":false`) || !strings.Contains(string(b), `"ok":true`) {
			t.Errorf("%v\n%s", err, b)
		}
	})
	t.Run("endless", func(t *testing.T) {
		s := start(t, 80, 24, "--tool", "echo", "--args", `{"text":"a"}`, "--", programs.Build(t, "testdata/player"), programs.Scenario(t, "mrtr-endless"))
		s.Wait("3 Call echo")
		s.Keys("s")
		s.Wait("asked for input in 3 rounds", "[ Go on ]")
		s.Keys("js")
		s.Wait("asked for input in 7 rounds")
		s.Keys("jD")
		s.Wait("3 Call echo", "declined: question 2")
	})
}
