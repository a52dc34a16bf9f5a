package check

import (
	"strings"
	"testing"

	"example.com/mcpinspect/client"
)

// TestDeathSaysWhy: the finding says of an end what the black box says of it.
func TestDeathSaysWhy(t *testing.T) {
	for _, c := range []struct {
		name, stderr, stdout string
		message, fix         string // parts of
	}{
		{"node", "Error: Cannot find module 'x'\nRequire stack:\n- a.js\n    at f (a.js:1:1)\n\nNode.js v20", "", "its stderr says: Error: Cannot find module 'x'", "a guess: Node.js does not find a module"},
		{"last line", "starting\nno database", "", "its last line on stderr: no database", "look at the last lines of stderr"},
		{"an empty last line", "no database\n", "", "its last line on stderr: no database", "look at the last lines of stderr"},
		{"usage on stdout", "", "Usage: srv DIR", "", "a guess: it says how it is used"},
		{"silent", "", "", "exit status 1", "it said nothing on stderr"},
		{"an error on stdout", "", "Error: no config\nbye", "its stdout says: Error: no config", "look at its last lines on stdout"},
	} {
		acts := []act{era(client.Rev2025_11_25), in(ask)}
		if c.stderr != "" {
			acts = append(acts, errs(c.stderr))
		}
		if c.stdout != "" {
			acts = append(acts, out(c.stdout))
		}
		log := play(t, append(acts, exit(1, "", client.AskedNo))...).Log()
		box := 0
		for _, f := range Findings(log, nil) {
			if f.Rule != serverDied.Name {
				continue
			}
			if box++; !strings.Contains(f.Message, c.message) || !strings.HasPrefix(f.Fix, c.fix) {
				t.Errorf("%s: %s; fix: %s", c.name, f.Message, f.Fix)
			}
		}
		if box != 1 {
			t.Errorf("%s: told %d times", c.name, box)
		}
	}
}
