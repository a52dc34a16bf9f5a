// Package scripts has the commands that more than one set of test scripts uses.
package scripts

import (
	"fmt"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"example.com/mcpinspect/client/schema"
)

// JSON is the command "json FILE POINTER [VALUE]": FILE (or stdout, stderr) is exactly one JSON
// document, which has a value at the pointer, equal to VALUE when it is given.
func JSON(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) < 2 || len(args) > 3 {
		ts.Fatalf("usage: json FILE POINTER [VALUE]")
	}
	doc, err := schema.Parse([]byte(ts.ReadFile(args[0])))
	if err != nil {
		ts.Fatalf("%s is not one JSON document: %v", args[0], err)
	}
	got, ok := doc.At(args[1])
	same := ok
	if len(args) == 3 {
		want, err := schema.Parse([]byte(args[2]))
		ts.Check(err)
		same = ok && got.JSON() == want.JSON()
	}
	if same == neg {
		ts.Fatalf("%s has %s at %q (present: %v)", args[0], got.JSON(), args[1], ok)
	}
}

// Lines is the command "lines FILE N PATTERN": N lines of FILE contain the text PATTERN.
func Lines(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 3 || neg {
		ts.Fatalf("usage: lines FILE N TEXT")
	}
	n := 0
	for l := range strings.Lines(ts.ReadFile(args[0])) {
		if strings.Contains(l, args[2]) {
			n++
		}
	}
	if fmt.Sprint(n) != args[1] {
		ts.Fatalf("%d lines of %s contain %q, not %s", n, args[0], args[2], args[1])
	}
}
