package cli

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// TestCodesAreTold: each exit code stands in the help and in the README with its kind.
func TestCodesAreTold(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	help := strings.Join(strings.Fields(about[strings.Index(about, "Exit codes: "):]), " ")
	for _, o := range precedence {
		if !strings.Contains(help, fmt.Sprintf(" %d ", o.code)) {
			t.Errorf("the help does not tell exit code %d", o.code)
		}
		if row := fmt.Sprintf("| %d | %s |", o.code, o.kind); !strings.Contains(string(readme), row) {
			t.Errorf("the README has no row %q", row)
		}
	}
}
