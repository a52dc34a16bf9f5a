package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"
)

// serve is a server of a handshake revision that misbehaves on purpose.
func serve(in io.Reader, out, errs io.Writer) {
	var mu sync.Mutex
	say := func(format string, args ...any) {
		mu.Lock()
		defer mu.Unlock()
		fmt.Fprintf(out, format+"\n", args...)
	}
	go func() {
		for n := range time.Tick(500 * time.Millisecond) {
			say(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"it is %d"}}`, n.UnixMilli())
			fmt.Fprintln(errs, "a line on stderr")
		}
	}()
	asked := map[string]string{} // ids of our questions → the call that waits
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var m struct {
			ID     json.RawMessage
			Method string
			Params struct{ Name string }
		}
		if json.Unmarshal(lines.Bytes(), &m) != nil || m.ID == nil {
			continue
		}
		id := string(m.ID)
		answer := func(id, text string) {
			say(`{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":"%s"}]}}`, id, text)
		}
		switch m.Method {
		case "":
			answer(asked[strings.Trim(id, `"`)], "so it is")
			delete(asked, strings.Trim(id, `"`))
		case "initialize":
			say(`{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{},"logging":{}},"serverInfo":{"name":"soak","version":"1"}}}`, id)
		case "tools/list":
			var tools []string
			for _, name := range []string{"add", "stray", "flood", "big", "ask", "slow", "crash"} {
				tools = append(tools, `{"name":"`+name+`","description":"one of them","inputSchema":{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"integer"}}}}`)
			}
			say(`{"jsonrpc":"2.0","id":%s,"result":{"tools":[%s]}}`, id, strings.Join(tools, ","))
		case "tools/call":
			switch m.Params.Name {
			case "stray":
				say("Loading model... done \x1b[32m✓\x1b[0m")
				answer(id, "it printed")
			case "flood":
				for i := range 2000 {
					say(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"debug","data":"line %d of a flood"}}`, i)
				}
				answer(id, "it flooded")
			case "big":
				answer(id, strings.Repeat("x", 200<<10))
			case "ask":
				asked["q"+id] = id
				say(`{"jsonrpc":"2.0","id":"q%s","method":"elicitation/create","params":{"message":"well?","requestedSchema":{"type":"object","properties":{"a":{"type":"string"}}}}}`, id)
			case "slow": // until it is cancelled
			case "crash":
				fmt.Fprintln(errs, "panic: on purpose")
				os.Exit(3)
			default:
				answer(id, "5")
			}
		default:
			say(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no such method"}}`, id)
		}
	}
}
