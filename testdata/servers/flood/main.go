// Command flood sends very many log messages before each answer to tools/call, as fast as it can:
// for what an inspector does when a server does not wait for it.
//
//	flood [-n 200000] [-buffer]
//
// It writes message by message, as servers do that log with the standard library; -buffer collects
// them into large writes.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"

	"example.com/mcpinspect/client/demo/rpc"
	"example.com/mcpinspect/testdata/servers/internal/dual"
)

const (
	// lineSize is about the length of one log message.
	lineSize = 200
	tools    = `[{"name":"flood","description":"Sends log messages, then answers","inputSchema":{"type":"object","properties":{"n":{"type":"integer","minimum":0,"description":"how many"}}}}]`
)

func main() {
	n := flag.Int("n", 200_000, "log messages before each answer")
	buffer := flag.Bool("buffer", false, "collect messages into large writes")
	flag.Parse()
	s := dual.Server{Name: "flood", Tools: tools, Call: func(out *bufio.Writer, c dual.Call) *rpc.Error {
		if c.Name != "flood" {
			return &rpc.Error{Code: rpc.InvalidParams, Message: "Unknown tool: " + c.Name}
		}
		n, fault := c.Number("n", *n)
		if fault != nil {
			return fault
		}
		before := `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","logger":"flood","data":"message `
		after := ` ` + strings.Repeat("x", lineSize-len(before)-len(` 000000"}}`+"\n")) + "\"}}\n"
		line := make([]byte, 0, 2*lineSize)
		for i := range n {
			line = append(line[:0], before...)
			line = strconv.AppendInt(line, int64(i), 10)
			line = append(line, after...)
			out.Write(line) // its error stays, and comes with the flush
			if !*buffer {
				out.Flush()
			}
		}
		fmt.Fprintf(out, "%s%d messages%s", c.Before, n, c.After)
		return nil
	}}
	if err := s.Serve(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "flood:", err)
		os.Exit(1)
	}
}
