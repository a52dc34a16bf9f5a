// Command plain is package bare without any library: go run ./testdata/bare/plain SERVER ARG...
package main

import (
	"fmt"
	"os"

	"example.com/mcpinspect/testdata/bare"
)

func main() {
	if err := bare.List(os.Args[1:], os.Getenv("BARE_CALL")); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
