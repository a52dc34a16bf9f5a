// Command big answers each tools/call with one line of a given size.
//
//	big [-bytes 52428800]
package main

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"os"

	"example.com/mcpinspect/client/demo/rpc"
	"example.com/mcpinspect/testdata/servers/internal/dual"
)

const tools = `[{"name":"big","description":"Answers with one long line","inputSchema":{"type":"object","properties":{"bytes":{"type":"integer","minimum":0,"description":"length of the line with its newline"}}}}]`

func main() {
	size := flag.Int("bytes", 50<<20, "length of the line of each answer with its newline; no less than the message needs")
	flag.Parse()
	words := bytes.Repeat([]byte("all work and no play makes a long line. "), 1000)
	s := dual.Server{Name: "big", Tools: tools, Call: func(out *bufio.Writer, c dual.Call) *rpc.Error {
		if c.Name != "big" {
			return &rpc.Error{Code: rpc.InvalidParams, Message: "Unknown tool: " + c.Name}
		}
		size, fault := c.Number("bytes", *size)
		if fault != nil {
			return fault
		}
		out.WriteString(c.Before) // an error stays in out, and comes with the flush
		for left := size - len(c.Before) - len(c.After); left > 0; left -= len(words) {
			out.Write(words[:min(left, len(words))])
		}
		out.WriteString(c.After)
		return nil
	}}
	if err := s.Serve(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "big:", err)
		os.Exit(1)
	}
}
