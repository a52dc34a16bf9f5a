package check

import "example.com/mcpinspect/session"

var (
	strayStdout = &Rule{Name: "stray-stdout", Severity: session.Error, Spec: pageStdio,
		Title: "stdout carries something that is no MCP message",
		Why:   "On stdio the server's stdout belongs to the protocol alone: every line is one message. A banner, a log line or a print for debugging is read by clients as a broken message; some skip it, some end the session, and some wait for ever for the answer that was glued to it.",
		Fix:   toStderr}
	invalidUTF8 = &Rule{Name: "invalid-utf8", Severity: session.Error, Spec: pageTransports,
		Title: "a line on stdout has bytes that are no UTF-8",
		Why:   "Messages are UTF-8. A program that writes in the encoding of its locale (cp1252 on Windows, latin-1 under LANG=C) works until the first dash or umlaut; clients then drop the message, replace the character or end the session.",
		Fix:   plainUTF8}
	byteOrderMark = &Rule{Name: "byte-order-mark", Severity: session.Error, Spec: pageTransports,
		Title: "a line on stdout begins with a byte order mark",
		Why:   "JSON that is transmitted has no byte order mark (RFC 8259 section 8.1). It is invisible in most views, and many decoders end the session on it.",
		Fix:   "open stdout without a mark: utf-8 instead of utf-8-sig, new UTF8Encoding(false) in .NET"}
	crlfLines = &Rule{Name: "crlf-lines", Severity: session.Info, Spec: pageStdio,
		Title: "lines on stdout end with CRLF",
		Why:   "The carriage return is white space for JSON, so clients get along with it. It shows that stdout is open in text mode on Windows, where it may also translate what is inside messages.",
		Fix:   "open stdout in binary mode, if the line ends matter to you"}
	blankLine = &Rule{Name: "blank-line", Severity: session.Warning, Spec: pageStdio,
		Title: "a line on stdout has nothing but white space",
		Why:   "An empty line is no message. Most clients skip it; strict ones report a parse error.",
		Fix:   "write exactly one line end behind each message"}
	controlByte = &Rule{Name: "control-byte", Severity: session.Error, Spec: pageTransports,
		Title: "a message has a raw control byte",
		Why:   "Inside a JSON string every byte below 0x20 must be escaped (RFC 8259 section 7). A message that is put together from text by hand breaks at the first tab or escape sequence in the data.",
		Fix:   "let a JSON encoder write the message"}
	messageSpansLines = &Rule{Name: "message-spans-lines", Severity: session.Error, Spec: pageStdio,
		Title: "a message is spread over several lines",
		Why:   "Messages are separated by newlines and must not contain any. A pretty-printed message is many broken lines for a client, which waits for the answer until its timeout. It was put together here again; clients do not do that.",
		Fix:   "encode without indentation"}
	messageNotJoined = &Rule{Name: "message-not-put-together", Severity: session.Error, Spec: pageStdio,
		Title: "a message is spread too far to be put together",
		Why:   "A pretty-printed message is put together here from 262144 lines at most, and from as many bytes as --max-line keeps. This one goes on, so it was not delivered; a request that it answers was ended with an error.",
		Fix:   "encode without indentation"}
	messageGlued = &Rule{Name: "message-glued-to-text", Severity: session.Error, Spec: pageStdio,
		Title: "a message shares its line with other text",
		Why:   "A print without a line end in front of a message makes one line of the two, and clients lose the message: the call hangs. It was recovered here; clients do not do that.",
		Fix:   toStderr + "; a progress bar or print without newline is the likely cause"}
	severalOnLine = &Rule{Name: "several-messages-on-a-line", Severity: session.Error, Spec: pageStdio,
		Title: "several messages share a line",
		Why:   "Each message is a line of its own. Clients read the first, or none.",
		Fix:   "write a newline behind each message, in the same write and under one lock"}
	overfullLine = &Rule{Name: "overfull-line", Severity: session.Error, Spec: pageStdio,
		Title: "a line holds more messages than can be delivered",
		Why:   "A line is one message. The first 32768 messages of this one were delivered; those behind them were not, so requests that they answer stay open.",
		Fix:   "write a newline behind each message"}
	brokenMessage = &Rule{Name: "broken-message", Severity: session.Error, Spec: pageStdio,
		Title: "a message is no valid JSON",
		Why:   "The line was meant as a message, but no client can read it: the request it answers waits for ever.",
		Fix:   "write messages with a JSON library, never by joining text"}
	noNewlineAtEnd = &Rule{Name: "no-newline-at-end", Severity: session.Error, Spec: pageStdio,
		Title: "stdout ended in the middle of a line",
		Why:   "A message ends with a newline. Clients that read lines may never see the last one; when it is cut in the middle it is lost for all.",
		Fix:   "end every message with a newline and flush before the program ends"}
	contentLength = &Rule{Name: "content-length-framing", Severity: session.Warning, Spec: pageStdio,
		Title: "stdout has Content-Length headers",
		Why:   "This is the framing of the Language Server Protocol. MCP over stdio has one message a line and no headers.",
		Fix:   "use newline-delimited JSON"}
	longLine = &Rule{Name: "long-line", Severity: session.Info, Spec: pageStdio,
		Title: "a message is very large",
		Why:   "SDK readers give up on lines beyond 10 to 16 MiB, and every client has to hold the whole line in memory, often several times. Models rarely get to see that much.",
		Fix:   "return less, in pages or as a resource link"}
	lineCut = &Rule{Name: "line-cut", Severity: session.Warning, Spec: pageStdio,
		Title: "a line is longer than what is kept",
		Why:   "The line went beyond --max-line. Its beginning is shown; what lies beyond the limit was counted but not kept, so a message in it cannot be read.",
		Fix:   "raise --max-line, or return less"}
	deepNesting = &Rule{Name: "deep-nesting", Severity: session.Warning, Spec: pageBase,
		Title: "a message is nested very deeply",
		Why:   "Many decoders give up at a depth of about 1000.",
		Fix:   "flatten the structure, or send it as text"}
	ansiEscape = &Rule{Name: "ansi-escape", Severity: session.Info, Spec: pageStdio,
		Title: "the output has terminal escape sequences",
		Why:   "Colour and cursor sequences are meant for a terminal. In a log or in a client's window they are noise, at worst they act on the terminal of whoever reads it.",
		Fix:   "switch colour off when the stream is no terminal; NO_COLOR=1 often does it"}
	stderrOutput = &Rule{Name: "stderr-output", Severity: session.Info, Spec: pageStdio,
		Title: "the server writes to stderr",
		Why:   "This is allowed and the right place for logs. It is listed because some clients show it as errors.",
		Fix:   "nothing needs to change"}
)

var framingRules = []*Rule{strayStdout, invalidUTF8, byteOrderMark, crlfLines, blankLine, controlByte, messageSpansLines, messageNotJoined, messageGlued, severalOnLine, overfullLine, brokenMessage, noNewlineAtEnd, contentLength, longLine, lineCut, deepNesting, ansiEscape, stderrOutput}
