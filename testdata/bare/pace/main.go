// Command pace sends log messages at a steady rate until its stdin ends, whatever is said to it: a
// flood whose size does not depend on who reads it.
//
//	pace [-rate 100000]     messages a second
package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"time"
)

// beat is how often what is due is written: well below a frame of a screen.
const beat = 5 * time.Millisecond

func main() {
	rate := flag.Int("rate", 100_000, "messages a second")
	flag.Parse()
	line := []byte(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"` + strings.Repeat("x", 100) + `"}}` + "\n")
	go func() {
		io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	began, sent := time.Now(), 0
	for range time.Tick(beat) {
		due := int(time.Since(began).Seconds()*float64(*rate)) - sent
		if _, err := os.Stdout.Write(bytes.Repeat(line, due)); err != nil {
			fmt.Fprintln(os.Stderr, "pace:", err)
			os.Exit(1)
		}
		sent += due
	}
}
