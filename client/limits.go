package client

import "time"

// Every size and duration of the wire, each with its reason.
const (
	// ReadSize is the buffer of one read from a pipe: the capacity of a Linux pipe, so one read can empty it.
	ReadSize = 64 << 10

	// DefaultMaxLine is the longest line that is kept. SDK readers give up at 10 to 16 MiB;
	// an inspector has to show the line that broke them.
	DefaultMaxLine = 64 << 20

	// MaxStderrLine is where an unfinished stderr line is cut into rows: a progress bar that
	// never ends its line must not grow for ever.
	MaxStderrLine = 64 << 10

	// MaxHeldLines bounds how many lines a pretty-printed message may span while it is incomplete.
	MaxHeldLines = 1 << 18

	// MaxMessages is how many messages of one line are delivered: a line has one, and the largest
	// batches that were ever in use have some thousands. Each costs about half a kilobyte on its
	// way, and a row counts them in 16 bits.
	MaxMessages = 1 << 15

	// maxGlueTries bounds how many opening braces of a line are tried as the start of a glued
	// message: text before a message is a log line, not a program.
	maxGlueTries = 32

	// glueScans bounds the bytes that those tries may scan, in lengths of the line.
	glueScans = 4

	// maxAgain bounds how often a group of held lines is judged anew, so that the cost stays linear.
	maxAgain = 2

	// maxNames and maxNested bound how many member names, and how many levels of objects, are
	// watched for repeated names: beyond them a hostile line would cost many times its own size.
	maxNames  = 1 << 18
	maxNested = 1 << 16

	// flushGrace is how long what was sent last may take to be read before a server is closed.
	flushGrace = 500 * time.Millisecond

	// DefaultProbeTimeout is how long server/discover may stay unanswered before initialize
	// follows it: long enough for a server that starts in an interpreter, short enough to wait for.
	DefaultProbeTimeout = 3 * time.Second

	// DefaultConnectTimeout spans from spawn to negotiated. Package runners download a server first.
	DefaultConnectTimeout = 60 * time.Second

	// DefaultTimeout is how long a request may stay without an answer or progress.
	DefaultTimeout = 30 * time.Second

	// DefaultQuiet is after how long without an answer a person wonders what the server is at. Most
	// calls are answered by then.
	DefaultQuiet = 3 * time.Second

	// DefaultMaxTime ends a request whatever progress it reports.
	DefaultMaxTime = 10 * time.Minute

	// closeGrace is how long a server may take to end after its stdin was closed.
	// The SDKs wait 2 s (TypeScript) to 5 s (Go).
	closeGrace = 2 * time.Second

	// termGrace is how long a server may take to end after SIGTERM.
	termGrace = 1500 * time.Millisecond

	// drainGrace is how long pipes may stay open after the process has ended. A pipe that lasts
	// longer is held by a descendant.
	drainGrace = 250 * time.Millisecond

	// inPipes is more than a server can leave behind in its two pipes (roomy), with what is being read.
	inPipes = 4 << 20

	// busyWait is how long the start waits for a program that is still open for writing: a compiler
	// that writes it has milliseconds to go, a slow disk a second.
	busyWait = 2 * time.Second

	// maxPages stops a list whose every page has a new cursor.
	maxPages = 1000
)
