// Package bare is what a program costs that does nothing but start a server, write the lines that
// `list tools` writes, read the answers and end: the measure for the whole process.
package bare

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
)

const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"bare","version":"0"}}`

// List starts the server of the arguments, asks who it is, walks its tools by writing the cursor
// of each page, and prints the answers. call, when not empty, is a tools/call params object
// without its braces that is sent last.
func List(argv []string, call string) error {
	cmd := exec.Command(argv[0], argv[1:]...)
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		return err
	}
	answers := bufio.NewReaderSize(out, 1<<20)
	id := 0
	ask := func(method, params string) ([]byte, error) {
		id++
		if params != "" {
			params += ","
		}
		if _, err := fmt.Fprintf(in, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":{%s%s}}`+"\n", id, method, params, meta); err != nil {
			return nil, err
		}
		return answers.ReadBytes('\n')
	}
	if _, err := ask("server/discover", ""); err != nil {
		return err
	}
	params := ""
	for {
		line, err := ask("tools/list", params)
		if err != nil {
			return err
		}
		os.Stdout.Write(line)
		cursor := next(line)
		if cursor == "" {
			break
		}
		params = `"cursor":"` + cursor + `"`
	}
	if call != "" {
		line, err := ask("tools/call", call)
		for answer := fmt.Appendf(nil, `"id":%d`, id); err == nil && !bytes.Contains(line[:min(len(line), 100)], answer); { // what is told before it
			line, err = answers.ReadBytes('\n')
		}
		if err != nil {
			return err
		}
		os.Stdout.Write(line)
	}
	in.Close()
	return cmd.Wait()
}

// next finds the cursor the cheap way: a measure need not be right about odd servers.
func next(line []byte) string {
	const key = `"nextCursor":"`
	for i := 0; i+len(key) < len(line); i++ {
		if string(line[i:i+len(key)]) == key {
			rest := line[i+len(key):]
			for j, c := range rest {
				if c == '"' {
					return string(rest[:j])
				}
			}
		}
	}
	return ""
}
