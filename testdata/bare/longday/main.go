// Command longday writes a recording such as a long session leaves: calls of some tools whose
// answers are mostly short and sometimes very large, progress, log messages, stderr, a stray line
// and a failing call here and there, in reads as a pipe gives them. The same size and seed make the
// same file.
//
//	go run ./testdata/bare/longday [-size 1024] [-seed 1] FILE     size in MiB
package main

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"time"

	"example.com/mcpinspect/recordings"
)

func main() {
	size := flag.Int64("size", 1024, "of the file, in `MiB`")
	seed := flag.Uint64("seed", 1, "of what is random in it")
	flag.Parse()
	if flag.NArg() != 1 {
		flag.Usage()
		os.Exit(1)
	}
	if err := write(flag.Arg(0), *size<<20, *seed); err != nil {
		fmt.Fprintln(os.Stderr, "longday:", err)
		os.Exit(1)
	}
}

// pipe is how much one read brings at most.
const pipe = 64 << 10

func write(path string, size int64, seed uint64) error {
	w, err := recordings.Create(path, true)
	if err != nil {
		return err
	}
	d := day{w: w, dice: rand.New(rand.NewPCG(seed, seed))}
	w.Head(recordings.Head{Tool: "longday", Start: time.Date(2026, 7, 28, 8, 0, 0, 0, time.UTC), OS: "linux/amd64",
		Target: recordings.Target{Transport: "stdio", Command: []string{"longday"}}})
	w.Spawn(0, 1, 4711, "/usr/local/bin/longday")
	d.talk(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"longday","version":"1"}}}`,
		`{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"logging":{}},"serverInfo":{"name":"longday","version":"1"}}}`)
	d.talk(`{"jsonrpc":"2.0","method":"notifications/initialized"}`, "")
	for id := 2; d.written < size; id++ {
		d.call(id)
	}
	d.now += time.Millisecond
	code := 0
	w.End(d.now, recordings.Out)
	w.End(d.now, recordings.Err)
	w.Exit(d.now, &code, "", "stdin-closed", "")
	if err := w.Err(); err != nil {
		return err
	}
	return w.Close()
}

type day struct {
	w       *recordings.Writer
	dice    *rand.Rand
	now     time.Duration
	written int64 // about, of the file
}

func (d *day) put(ch recordings.Channel, text string) {
	d.written += int64(len(text) + len(text)/12) // quotes and line ends are escaped
	for len(text) > 0 {
		n := min(len(text), pipe)
		d.now += time.Duration(50+d.dice.IntN(200)) * time.Microsecond
		d.w.Bytes(d.now, ch, []byte(text[:n]))
		text = text[n:]
		d.written += 40
	}
}

func (d *day) talk(request, answer string) {
	d.put(recordings.In, request+"\n")
	if answer != "" {
		d.put(recordings.Out, answer+"\n")
	}
}

var tools = [...]string{"search", "read_file", "list_issues", "query", "render"}

// call is one request and what it brings.
func (d *day) call(id int) {
	tool := tools[d.dice.IntN(len(tools))]
	d.put(recordings.In, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":{"path":"/srv/data/item-%06d","limit":%d,"filter":{"state":"open","labels":["bug","ui"]}},"_meta":{"progressToken":"p%d"}}}`+"\n",
		id, tool, d.dice.IntN(1e6), d.dice.IntN(100), id))
	switch d.dice.IntN(40) {
	case 0, 1, 2, 3:
		d.put(recordings.Err, fmt.Sprintf("2026-07-28T08:00:00Z INFO %s: request %d took the cold path, cache has %d entries\n", tool, id, d.dice.IntN(1e5)))
	case 4, 5:
		d.put(recordings.Out, fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"p%d","progress":%d,"total":100,"message":"reading"}}`+"\n", id, d.dice.IntN(100)))
	case 6:
		d.put(recordings.Out, fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","logger":"worker","data":{"message":"fetched page","items":%d}}}`+"\n", d.dice.IntN(1000)))
	}
	if d.dice.IntN(5000) == 0 {
		d.put(recordings.Out, "Server ready, listening...\n")
	}
	if d.dice.IntN(200) == 0 {
		d.put(recordings.Out, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"error":{"code":-32602,"message":"no such item"}}`+"\n", id))
		return
	}
	d.put(recordings.Out, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{"content":[{"type":"text","text":%q}],"isError":%t}}`+"\n", id, d.text(), d.dice.IntN(300) == 0))
}

// text is what a tool has to say: short for the most part, a page now and then, a file rarely.
func (d *day) text() string {
	n := 100 + d.dice.IntN(400)
	switch roll := d.dice.IntN(1000); {
	case roll == 0:
		n = 200<<10 + d.dice.IntN(800<<10)
	case roll < 40:
		n = 4<<10 + d.dice.IntN(28<<10)
	case roll < 250:
		n = 1<<10 + d.dice.IntN(3<<10)
	}
	var b strings.Builder
	for b.Len() < n {
		fmt.Fprintf(&b, "%5d  the \"quick\" value of row %x is %d\n", b.Len(), d.dice.Uint32(), d.dice.IntN(1e9))
	}
	return b.String()[:n]
}
