package cases

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"example.com/mcpinspect/ui/screentest"
)

// told is one line of what the player reports.
type told struct {
	Kind, Method, Text, What, Problem, Verb string
	OK                                      bool
	Headers                                 map[string]string
	raw                                     []byte
}

func (c *aCase) told(ts *testscript.TestScript) (lines []told) {
	b, err := os.ReadFile(c.report)
	ts.Check(err)
	for l := range bytes.Lines(b) {
		if !bytes.HasSuffix(l, []byte("\n")) {
			break // still being written
		}
		r := told{raw: bytes.Clone(l)}
		ts.Check(json.Unmarshal(l, &r))
		if r.Kind == "in" && r.Method == "" {
			r.Method = "response"
		}
		lines = append(lines, r)
	}
	return lines
}

// judge fails on what the player holds against its client. A verb that ends early leaves the later
// steps of a scenario unplayed: that is no fault.
func (c *aCase) judge(ts *testscript.TestScript) {
	for _, r := range c.told(ts) {
		unplayed := strings.HasPrefix(r.Problem, "stdin closed before")
		if r.Kind == "lint" || r.Kind == "check" && !r.OK && !unplayed {
			ts.Fatalf("the player says: %s", r.raw)
		}
	}
}

// scriptSent is the command sent.
func scriptSent(ts *testscript.TestScript, neg bool, args []string) {
	c := caseOf(ts, neg)
	var got []string
	for _, r := range c.told(ts) {
		if r.Kind == "in" {
			got = append(got, r.Method)
		}
	}
	if n := len(args); n > 0 && args[n-1] == "*" {
		args, got = args[:n-1], got[:min(len(got), n-1)]
	}
	if !slices.Equal(got, args) {
		ts.Fatalf("the server got %v", got)
	}
}

// scriptGot is the command got.
func scriptGot(ts *testscript.TestScript, neg bool, args []string) {
	c := ts.Value(theCase).(*aCase)
	if len(args) < 1 || len(args) > 2 {
		ts.Fatalf("usage: got METHOD [N]")
	}
	nth := 1
	if len(args) == 2 {
		var err error
		nth, err = strconv.Atoi(args[1])
		ts.Check(err)
	}
	var headers map[string]string
	for _, r := range c.told(ts) {
		switch {
		case r.Kind == "http":
			headers = r.Headers
			if r.Verb == args[0] {
				r.Method = r.Verb
			}
		case r.Kind != "in":
			continue
		}
		if r.Method != args[0] {
			continue
		}
		if nth--; nth > 0 {
			continue
		}
		if neg {
			ts.Fatalf("the server got %s", r.raw)
		}
		list, err := json.Marshal(headers)
		ts.Check(err)
		ts.Check(os.WriteFile(ts.MkAbs("headers"), list, 0o600))
		ts.Check(os.WriteFile(ts.MkAbs("got"), []byte(r.Text), 0o600))
		return
	}
	if !neg {
		ts.Fatalf("the server did not get %v", args)
	}
}

// scriptReported is the command reported.
func scriptReported(ts *testscript.TestScript, neg bool, args []string) {
	c := ts.Value(theCase).(*aCase)
	nth := 1
	if len(args) == 2 {
		var err error
		nth, err = strconv.Atoi(args[1])
		ts.Check(err)
	}
	// The player, a process of its own, writes the report: there is nothing to wait on but the file.
	for end := time.Now().Add(screentest.Patience); ; time.Sleep(5 * time.Millisecond) {
		var found []told
		for _, r := range c.told(ts) {
			if r.Kind == args[0] {
				found = append(found, r)
			}
		}
		switch {
		case len(found) >= nth && neg:
			ts.Fatalf("the player reported %s", found[nth-1].raw)
		case len(found) >= nth:
			ts.Check(os.WriteFile(ts.MkAbs("got"), found[nth-1].raw, 0o600))
			return
		case neg:
			return
		case time.Now().After(end):
			ts.Fatalf("the player reported no %v", args)
		}
	}
}

// unquoted reads the escapes of a Go string.
func unquoted(ts *testscript.TestScript, s string) string {
	out, err := strconv.Unquote(`"` + strings.ReplaceAll(s, `"`, `\"`) + `"`)
	if err != nil {
		ts.Fatalf("%q: %v", s, err)
	}
	return out
}

// scriptScreen is the command screen.
func scriptScreen(ts *testscript.TestScript, neg bool, args []string) {
	c := caseOf(ts, neg)
	if !onUnix {
		c.t.Skip("needs a terminal")
	}
	var w, h int
	if len(args) < 1 {
		ts.Fatalf("usage: screen WxH [FLAG...]")
	}
	_, err := fmt.Sscanf(args[0], "%dx%d", &w, &h)
	ts.Check(err)
	argv := append([]string{ts.Getenv("MCPINSPECT")}, args[1:]...)
	if c.screen != nil {
		c.screen.End()
	}
	c.screen = screentest.Start(c.t, w, h, []string{"XDG_STATE_HOME=" + ts.MkAbs("state"), "NO_COLOR="}, append(argv, c.target(ts, nil)...)...)
}

// scriptKeys is the command keys.
func scriptKeys(ts *testscript.TestScript, neg bool, args []string) {
	c := caseOf(ts, neg)
	for _, k := range args {
		c.screen.Keys(unquoted(ts, k))
	}
}

// scriptSee is the command see.
func scriptSee(ts *testscript.TestScript, neg bool, args []string) {
	c := ts.Value(theCase).(*aCase)
	if !neg {
		ts.Logf("%s", c.screen.Wait(args...))
		return
	}
	for _, part := range args {
		if text := c.screen.Text(); strings.Contains(text, part) {
			ts.Fatalf("%q is on the screen\n%s", part, text)
		}
	}
}

// scriptResize is the command resize.
func scriptResize(ts *testscript.TestScript, neg bool, args []string) {
	c := caseOf(ts, neg)
	var w, h int
	_, err := fmt.Sscanf(strings.Join(args, " "), "%dx%d", &w, &h)
	ts.Check(err)
	c.screen.Resize(w, h)
}

// scriptBordered is the command bordered: a frame comes to be like that, since it is drawn row by row.
// The header, the status and the keys have no border.
func scriptBordered(ts *testscript.TestScript, neg bool, args []string) {
	screen := caseOf(ts, neg).screen
	screen.Until("a border in the last column of every row", func(string) bool {
		column := screen.LastColumn()
		return !slices.ContainsFunc(column[1:len(column)-2], func(cell string) bool {
			return cell == "" || !strings.Contains("│┐┤┘", cell)
		})
	})
}

// scriptDrawn is the command drawn.
func scriptDrawn(ts *testscript.TestScript, neg bool, args []string) {
	c := ts.Value(theCase).(*aCase)
	for _, part := range args {
		if strings.Contains(c.screen.Raw(), unquoted(ts, part)) == neg {
			ts.Fatalf("drawn %q: %v", part, neg)
		}
	}
}

// scriptQuit is the command quit. What the player reports is complete behind it.
func scriptQuit(ts *testscript.TestScript, neg bool, args []string) {
	c := caseOf(ts, neg)
	c.screen.Keys("q")
	if code := c.screen.Exit(); fmt.Sprint(code) != strings.Join(args, " ") {
		ts.Fatalf("exit status %d, not %v", code, args)
	}
	c.judge(ts)
}
