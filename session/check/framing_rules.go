package check

import "example.com/mcpinspect/session"

var (
	strayStdout = &Rule{Name: "stray-stdout", Severity: session.Error, OfStream: true, Spec: pageStdio,
		Title: "stdout carries something that is no MCP message",
		Why:   "On stdio the server's stdout belongs to the protocol alone: every line is one message. A banner, a log line or a print for debugging is read by clients as a broken message; some skip it, some end the session, and some wait for ever for the answer that was glued to it.",
		Fix:   toStderr,
		Bad: `< Server starting on stdio
> 1 tools/list {}
< 1 {"tools":[]}`,
		Good: `* stderr Server starting on stdio
> 1 tools/list {}
< 1 {"tools":[]}`}
	invalidUTF8 = &Rule{Name: "invalid-utf8", Severity: session.Error, OfStream: true, Spec: pageTransports,
		Title: "a line on stdout has bytes that are no UTF-8",
		Why:   "Messages are UTF-8. A program that writes in the encoding of its locale (cp1252 on Windows, latin-1 under LANG=C) works until the first dash or umlaut; clients then drop the message, replace the character or end the session.",
		Fix:   plainUTF8,
		Bad: `> 1 tools/list {}
< 1 {"tools":[],"note":"a\x97b"}`,
		Good: `> 1 tools/list {}
< 1 {"tools":[],"note":"a–b"}`}
	byteOrderMark = &Rule{Name: "byte-order-mark", Severity: session.Error, OfStream: true, Spec: pageTransports,
		Title: "a line on stdout begins with a byte order mark",
		Why:   "JSON that is transmitted has no byte order mark (RFC 8259 section 8.1). It is invisible in most views, and many decoders end the session on it.",
		Fix:   "open stdout without a mark: utf-8 instead of utf-8-sig, new UTF8Encoding(false) in .NET",
		Bad: `> 1 tools/list {}
<! \xef\xbb\xbf{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete"}}`,
		Good: `> 1 tools/list {}
< 1 {"tools":[]}`}
	crlfLines = &Rule{Name: "crlf-lines", Severity: session.Info, Spec: pageStdio,
		Title: "lines on stdout end with CRLF",
		Why:   "The carriage return is white space for JSON, so clients get along with it. It shows that stdout is open in text mode on Windows, where it may also translate what is inside messages.",
		Fix:   "open stdout in binary mode, if the line ends matter to you",
		Bad: `> 1 tools/list {}
< {"jsonrpc":"2.0","method":"notifications/x"}\r`,
		Good: `> 1 tools/list {}
< {"jsonrpc":"2.0","method":"notifications/x"}`}
	blankLine = &Rule{Name: "blank-line", Severity: session.Warning, Spec: pageStdio,
		Title: "a line on stdout has nothing but white space",
		Why:   "An empty line is no message. Most clients skip it; strict ones report a parse error.",
		Fix:   "write exactly one line end behind each message",
		Bad: `> 1 tools/list {}
< \x20
< 1 {"tools":[]}`,
		Good: `> 1 tools/list {}
< 1 {"tools":[]}`}
	controlByte = &Rule{Name: "control-byte", Severity: session.Error, Spec: pageTransports,
		Title: "a message has a raw control byte",
		Why:   "Inside a JSON string every byte below 0x20 must be escaped (RFC 8259 section 7). A message that is put together from text by hand breaks at the first tab or escape sequence in the data.",
		Fix:   "let a JSON encoder write the message",
		Bad: `> 1 tools/list {}
< {"jsonrpc":"2.0","id":1,"result":{"note":"a\x01b"}}`,
		Good: `> 1 tools/list {}
< 1 {"tools":[],"note":"a\u0001b"}`}
	messageSpansLines = &Rule{Name: "message-spans-lines", Severity: session.Error, OfStream: true, Spec: pageStdio,
		Title: "a message is spread over several lines",
		Why:   "Messages are separated by newlines and must not contain any. A pretty-printed message is many broken lines for a client, which waits for the answer until its timeout. It was put together here again; clients do not do that.",
		Fix:   "encode without indentation",
		Bad: `> 1 tools/call {"name":"a"}
< {
<   "jsonrpc": "2.0", "id": 1,
<   "result": {"content": []}
< }`,
		Good: `> 1 tools/call {"name":"a"}
< 1 {"content":[]}`}
	messageGlued = &Rule{Name: "message-glued-to-text", Severity: session.Error, OfStream: true, Spec: pageStdio,
		Title: "a message shares its line with other text",
		Why:   "A print without a line end in front of a message makes one line of the two, and clients lose the message: the call hangs. It was recovered here; clients do not do that.",
		Fix:   toStderr + "; a progress bar or print without newline is the likely cause",
		Bad: `> 1 tools/call {"name":"a"}
< Loading... {"jsonrpc":"2.0","id":1,"result":{"content":[]}}`,
		Good: `> 1 tools/call {"name":"a"}
< 1 {"content":[]}`}
	severalOnLine = &Rule{Name: "several-messages-on-a-line", Severity: session.Error, OfStream: true, Spec: pageStdio,
		Title: "several messages share a line",
		Why:   "Each message is a line of its own. Clients read the first, or none.",
		Fix:   "write a newline behind each message, in the same write and under one lock",
		Bad:   `< {"jsonrpc":"2.0","method":"notifications/x"}{"jsonrpc":"2.0","method":"notifications/y"}`,
		Good: `< {"jsonrpc":"2.0","method":"notifications/x"}
< {"jsonrpc":"2.0","method":"notifications/y"}`}
	brokenMessage = &Rule{Name: "broken-message", Severity: session.Error, Spec: pageStdio,
		Title: "a message is no valid JSON",
		Why:   "The line was meant as a message, but no client can read it: the request it answers waits for ever.",
		Fix:   "write messages with a JSON library, never by joining text",
		Bad: `> 1 tools/call {"name":"a"}
< {"jsonrpc":"2.0","id":1,"result":{"n":NaN}}`,
		Good: `> 1 tools/call {"name":"a"}
< 1 {"content":[],"n":null}`}
	noNewlineAtEnd = &Rule{Name: "no-newline-at-end", Severity: session.Error, OfStream: true, Spec: pageStdio,
		Title: "stdout ended in the middle of a line",
		Why:   "A message ends with a newline. Clients that read lines may never see the last one; when it is cut in the middle it is lost for all.",
		Fix:   "end every message with a newline and flush before the program ends",
		Bad: `> 1 tools/list {}
* out {"jsonrpc":"2.0","id":1,"res
* exit 0 stdin-closed`,
		Good: `> 1 tools/list {}
< 1 {"tools":[]}
* exit 0 stdin-closed`}
	contentLength = &Rule{Name: "content-length-framing", Severity: session.Warning, OfStream: true, Spec: pageStdio,
		Title: "stdout has Content-Length headers",
		Why:   "This is the framing of the Language Server Protocol. MCP over stdio has one message a line and no headers.",
		Fix:   "use newline-delimited JSON",
		Bad: `> 1 tools/list {}
< Content-Length: 47`,
		Good: `> 1 tools/list {}
< 1 {"tools":[]}`}
	deepNesting = &Rule{Name: "deep-nesting", Severity: session.Warning, Spec: pageBase,
		Title: "a message is nested very deeply",
		Why:   "Many decoders give up at a depth of about 1000.",
		Fix:   "flatten the structure, or send it as text",
		Bad: `> 1 tools/list {}
* an answer that is nested 2000 levels deep`,
		Good: `> 1 tools/list {}
< 1 {"tools":[],"a":[[[[]]]]}`}
	ansiEscape = &Rule{Name: "ansi-escape", Severity: session.Info, Spec: pageStdio,
		Title: "the output has terminal escape sequences",
		Why:   "Colour and cursor sequences are meant for a terminal. In a log or in a client's window they are noise, at worst they act on the terminal of whoever reads it.",
		Fix:   "switch colour off when the stream is no terminal; NO_COLOR=1 often does it",
		Bad: `> 1 tools/list {}
* stderr \x1b[33mwarning\x1b[0m`,
		Good: `> 1 tools/list {}
* stderr warning`}
	longLine = &Rule{Name: "long-line", Severity: session.Info, Spec: pageStdio,
		Title: "a message is very large",
		Why:   "SDK readers give up on lines beyond 10 to 16 MiB, and every client has to hold the whole line in memory, often several times. Models rarely get to see that much.",
		Fix:   "return less, in pages or as a resource link",
		Bad: `> 1 tools/call {"name":"a"}
* an answer of 12 MB`,
		Good: `> 1 tools/call {"name":"a"}
< 1 {"content":[]}`}
	lineCut = &Rule{Name: "line-cut", Severity: session.Warning, Spec: pageStdio,
		Title: "a line is longer than what is kept",
		Why:   "The line went beyond --max-line. Its beginning is shown; what lies beyond the limit was counted but not kept, so a message in it cannot be read.",
		Fix:   "raise --max-line, or return less",
		Bad: `> 1 tools/call {"name":"a"}
* an answer of 80 MB`,
		Good: `> 1 tools/call {"name":"a"}
< 1 {"content":[]}`}
	messageNotJoined = &Rule{Name: "message-not-put-together", Severity: session.Error, OfStream: true, Spec: pageStdio,
		Title: "a message is spread too far to be put together",
		Why:   "A pretty-printed message is put together here from 262144 lines at most, and from as many bytes as --max-line keeps. This one goes on, so it was not delivered; a request that it answers was ended with an error.",
		Fix:   "encode without indentation",
		Bad: `> 1 tools/call {"name":"a"}
* an answer that is spread over a million lines`,
		Good: `> 1 tools/call {"name":"a"}
< 1 {"content":[]}`}
	overfullLine = &Rule{Name: "overfull-line", Severity: session.Error, OfStream: true, Spec: pageStdio,
		Title: "a line holds more messages than can be delivered",
		Why:   "A line is one message. The first 32768 messages of this one were delivered; those behind them were not, so requests that they answer stay open.",
		Fix:   "write a newline behind each message",
		Bad:   `* a line of 40000 messages`,
		Good:  `< {"jsonrpc":"2.0","method":"notifications/x"}`}
	stderrOutput = &Rule{Name: "stderr-output", Severity: session.Info, Spec: pageStdio,
		Title: "the server writes to stderr",
		Why:   "This is allowed and the right place for logs. It is listed because some clients show it as errors.",
		Fix:   "nothing needs to change",
		Bad: `* stderr listening
> 1 tools/list {}`,
		Good: `> 1 tools/list {}
< 1 {"tools":[]}`}
	strayInput = &Rule{Name: "stray-stdin", Severity: session.Error, OfStream: true, Who: Client, Spec: pageStdio,
		Title: "the client writes something that is no MCP message to the server's stdin",
		Why:   "On stdio the server's stdin belongs to the protocol alone. Servers that read strictly end the session on the first line that is none.",
		Fix:   "write messages only; a shell or terminal between client and server may add text of its own",
		Bad: `* tap
> hello server
> 1 tools/list {}
< 1 {"tools":[]}`,
		Good: `* tap
> 1 tools/list {}
< 1 {"tools":[]}`}
	loneSurrogate = &Rule{Name: "lone-surrogate", Severity: session.Info, Spec: pageTransports,
		Title: "a string has half of a surrogate pair",
		Why:   "\\ud800 to \\udfff come in pairs that stand for one character. A half stands for none: decoders replace it, refuse the message, or keep it and fail later (RFC 8259 section 8.2).",
		Fix:   "cut text between characters, not between UTF-16 units",
		Bad: `> 1 tools/call {"name":"a"}
< 1 {"content":[{"type":"text","text":"cut \ud83d"}]}`,
		Good: `> 1 tools/call {"name":"a"}
< 1 {"content":[{"type":"text","text":"whole \ud83d\ude00"}]}`}
)

var framingRules = []*Rule{
	strayStdout, invalidUTF8, byteOrderMark, crlfLines, blankLine, controlByte, messageSpansLines, messageGlued,
	severalOnLine, brokenMessage, noNewlineAtEnd, contentLength, deepNesting, ansiEscape, longLine, lineCut,
	messageNotJoined, overfullLine, stderrOutput, strayInput, loneSurrogate,
}
