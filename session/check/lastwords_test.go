package check

import (
	"strings"
	"testing"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/recordings"
)

// TestLastWords: what a server says of its own end stands behind that; what is a fault of its own is told
// as one, with its own cure, whatever the server dies of.
func TestLastWords(t *testing.T) {
	const (
		trace = "Traceback (most recent call last):\n  File \"a.py\", line 3, in <module>\n    import foo\nModuleNotFoundError: No module named 'foo'\n"
		own   = "e stray-stdout, e server-died"
		words = "e server-died, e stray-stdout<server-died"
	)
	for _, c := range []struct {
		name, stdout, stderr, want, fix string // fix: a part of the cure of the first that is stray-stdout
	}{
		{"banner", "Notes server v1.4 ready on stdio\n", "KeyError: 'KEY'\n", own, "print everything"},
		{"banner alone", "Notes server v1.4 ready on stdio\n", "", own, "print everything"},
		{"record", `{"level":30,"time":1700000000000,"pid":1,"hostname":"h","msg":"up"}` + "\n", "", own, "pino.destination(2)"},
		{"log line", "2026-02-03 09:15:00,123 - app - ERROR - no database\n", "", own, "StreamHandler"},
		{"notice", "[dotenv@17.2.1] injecting env (3) from .env\n", "Error: x\n", own, "quiet"},
		{"JSON", `{"a":1}` + "\n", "", own, "print everything"},
		{"print, and stderr says why", "loading the model\n", "KeyError: 'KEY'\n", own, "print everything"},
		{"print, and nothing else", "loading the model\n", "", words, ""},
		{"error", "Error: no config\n", "", words, ""},
		{"error, and stderr says more", "Error: no config\n", "bye\n", words, ""},
		{"usage", "Usage: srv DIR\n", "", words, ""},
		{"trace", trace, "bye\n", words, ""},
		{"banner and trace", "Notes server v1.4 ready on stdio\n" + trace, "", own + ", e stray-stdout<server-died", "print everything"},
		{"art", "╔══════════════════╗\n║  NOTES           ║\n╚══════════════════╝\n", "", own, "no terminal"},
	} {
		acts := []act{era(client.Rev2025_11_25), in(ask), chunk(recordings.Out, c.stdout)}
		if c.stderr != "" {
			acts = append(acts, chunk(recordings.Err, c.stderr))
		}
		found := Findings(play(t, append(acts, exit(1, "", client.AskedNo))...).Log(), func(rule string) bool { return rule == stderrOutput.Name })
		if got := ordered(found); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		if f := found[0]; f.Rule == strayStdout.Name && !strings.Contains(f.Fix, c.fix) {
			t.Errorf("%s: cure %q", c.name, f.Fix)
		}
	}
	// a server that lives, and one that speaks behind a trace
	alive := []act{era(client.Rev2025_11_25), in(ask), chunk(recordings.Out, trace+"Notes server ready\nplain\n"), exit(0, "", client.AskedStdin)}
	if got := Findings(play(t, alive...).Log(), func(rule string) bool { return rule != strayStdout.Name }); len(got) != 1 || got[0].Count != 6 || got[0].Because != "" {
		t.Errorf("alive: %+v", got)
	}
}

// TestWideBesideBanner: an encoding and a print are two faults with two cures, and each effect stands behind
// the nearest of its causes.
func TestWideBesideBanner(t *testing.T) {
	found := Findings(play(t, era(client.Rev2025_11_25), chunk(recordings.Out, "Notes server v1.4 ready on stdio\n"), in(ask),
		chunk(recordings.Out, wide(`{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}`+"\n", false)),
		chunk(recordings.Out, wide("bye\n", false)), exit(0, "", client.AskedStdin)).Log(), nil)
	if got, want := ordered(found), "e stray-stdout, e stray-stdout, e no-newline-at-end<stray-stdout"; !strings.HasPrefix(got, want[:30]) {
		t.Errorf("%s, want %s", got, want)
	}
	if len(found) < 2 || !strings.Contains(found[1].Fix, "write UTF-8") || found[1].Count != 2 {
		t.Errorf("%+v", found)
	}
}
