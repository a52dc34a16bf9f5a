package demo

import (
	"fmt"
	"strings"

	"example.com/mcpinspect/client/demo/rpc"
)

// oddTools do what servers should not do, or do seldom, so that it can be seen here first.
func oddTools() []tool {
	return []tool{
		{
			name: "stray", title: "Prints on stdout", hints: hintReads,
			about: "Prints a line on stdout in the middle of the call, where only messages belong, and then answers as if nothing were.",
			input: `{"type":"object","properties":{"line":{"type":"string","default":"Loading model... done"}}}`,
			run: func(c *call, a arguments) (rpc.Object, *rpc.Error) {
				line := strings.ReplaceAll(a.text("line", "Loading model... done"), "\n", " ")
				c.server.out.Raw([]byte(line + "\n"))
				return said("There is a stray line in the log above this answer."), nil
			},
		},
		{
			name: "log", title: "Writes logs", hints: hintReads,
			about: "Writes lines on stderr, and sends log messages of four levels to a client that wants them.",
			input: `{"type":"object","properties":{"lines":{"type":"integer","minimum":0,"maximum":10000,"default":3}}}`,
			run: func(c *call, a arguments) (rpc.Object, *rpc.Error) {
				lines := a.number("lines", 3)
				for i := range lines {
					c.server.note("log line %d of %d", i+1, lines)
				}
				for i, level := range [...]string{"debug", "info", "warning", "error"} {
					c.log(level, rpc.Obj("text", "a message of level "+level, "n", i+1))
				}
				return said(fmt.Sprintf("%d lines on stderr", lines)), nil
			},
		},
		{
			name: "big", title: "A long text", hints: hintReads,
			about: "Returns as many kilobytes of text as you like.",
			input: `{"type":"object","properties":{"kilobytes":{"type":"integer","minimum":1,"maximum":65536,"default":100}}}`,
			run: func(_ *call, a arguments) (rpc.Object, *rpc.Error) {
				return said(lorem(a.number("kilobytes", 100) << 10)), nil
			},
		},
		{
			name: "unicode", title: "Characters of all kinds", hints: hintReads,
			about: "Returns text that is hard on a terminal: wide, combining, right to left, invisible, and escape sequences.",
			input: noArguments,
			run: func(*call, arguments) (rpc.Object, *rpc.Error) {
				return said(strings.Join([]string{
					"wide:      東京都 한국어 ＡＢＣ",
					"emoji:     🙂 👩‍👩‍👧‍👦 🇨🇭 👍🏽",
					"combining: e\u0301 a\u0308 Z\u0351\u036b\u0343",
					"rtl:       שלום مرحبا",
					"override:  abc\u202edef\u202c",
					"invisible: zero\u200bwidth, bom\ufeff, tag\U000e0041",
					"escapes:   \x1b[31mred\x1b[0m \x1b]0;a new title\x07 bell\x07 null\x00 c1\u009b1m",
					"lines:     one\r\ntwo\rthree\u2028four\tfive",
				}, "\n")), nil
			},
		},
		{
			name: "crash", title: "Ends the server", hints: hintAdds,
			about: "Ends the server in the middle of the call. Restart it afterwards.",
			input: `{"type":"object","properties":{"status":{"type":"integer","minimum":0,"maximum":125,"default":3},` +
				`"half_line":{"type":"boolean","description":"leave half a message behind","default":false}}}`,
			run: func(c *call, a arguments) (rpc.Object, *rpc.Error) {
				c.server.note("out of coffee, giving up")
				if a.flag("half_line") {
					c.server.out.Raw(fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"te`, c.id))
				}
				c.server.stop(&Exit{Status: a.number("status", 3)})
				<-c.ctx.Done()
				return nil, nil
			},
		},
		{
			name: "wipe", title: "Wipe everything", hints: hintDestroys,
			about: "Says that it is destructive, so that you see what a warning looks like. It wipes nothing.",
			input: `{"type":"object","properties":{"target":{"type":"string","enum":["cache","notes","everything"],"default":"cache"}}}`,
			run: func(_ *call, a arguments) (rpc.Object, *rpc.Error) {
				return said("Not one byte of " + a.text("target", "cache") + " was wiped."), nil
			},
		},
	}
}

// lorem is n bytes of text in numbered lines.
func lorem(n int) string {
	var b strings.Builder
	for i := 1; b.Len() < n; i++ {
		fmt.Fprintf(&b, "%06d  The quick brown fox jumps over the lazy dog and thinks nothing of it.\n", i)
	}
	return b.String()[:n]
}
