// Command linked is package bare with the libraries of mcpinspect linked in, whose package
// initialisation every verb pays for.
package main

import (
	"fmt"
	"os"

	_ "example.com/mcpinspect/ui/quiet"

	_ "github.com/alecthomas/chroma/v2"
	_ "github.com/charmbracelet/bubbles/textarea"
	_ "github.com/charmbracelet/bubbles/textinput"
	_ "github.com/charmbracelet/bubbletea"
	_ "github.com/dlclark/regexp2/v2"
	_ "github.com/santhosh-tekuri/jsonschema/v6"
	_ "github.com/spf13/cobra"

	"example.com/mcpinspect/testdata/bare"
)

func main() {
	if err := bare.List(os.Args[1:], os.Getenv("BARE_CALL")); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
