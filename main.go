// Command mcpinspect is an inspector for MCP servers in a terminal.
package main

import (
	"os"

	"example.com/mcpinspect/ui/program"
)

func main() { os.Exit(program.Run()) }
