// Command linked is package bare with the libraries of mcpinspect linked in, whose package
// initialisation every verb pays for.
package main

import (
	"fmt"
	"os"

	_ "example.com/mcpinspect/ui/quiet"

	_ "net/http"

	_ "github.com/alecthomas/chroma/v2"
	_ "github.com/charmbracelet/bubbles/textinput"
	_ "github.com/charmbracelet/bubbletea"
	_ "github.com/dlclark/regexp2/v2"
	_ "github.com/fsnotify/fsnotify"
	_ "github.com/santhosh-tekuri/jsonschema/v6"
	_ "github.com/spf13/cobra"
	_ "github.com/yosida95/uritemplate/v3"

	"example.com/mcpinspect/testdata/bare"
)

func main() {
	if err := bare.List(os.Args[1:], os.Getenv("BARE_CALL")); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
