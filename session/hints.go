package session

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"example.com/mcpinspect/client"
)

// maxHints is how many guesses a black box makes: the first is the one that names most.
const maxHints = 2

// Hints say what the end of a server usually means and what to try, by its exit status and by what it
// last wrote to stderr. They are guesses, and say so.
func (b *BlackBox) Hints() (hints []string) {
	said := slices.Concat(b.Crash, b.Stderr, b.Said)
	look := func(among []wording) {
		for _, w := range among {
			for _, line := range said {
				if strings.Contains(line, w.text) {
					hints = addHint(hints, w.hint)
				}
			}
		}
	}
	if look(lastWords[:]); len(hints) == 0 {
		look(crashWords[:])
	}
	if b.Exit.Asked == client.AskedNo {
		if len(hints) == 0 || b.Exit.Code != 126 && b.Exit.Code != 127 { // these say less than what was written
			hints = addHint(hints, statusHint(b.Exit))
		}
		if len(hints) == 0 && b.Out == 0 && b.Exit.At-b.Started < startTime {
			hints = addHint(hints, "it ended before its first byte: run the same command in a terminal to see what it says there")
		}
	}
	return hints
}

// startTime is within which a server that ends has failed to start.
const startTime = 5 * time.Second

func addHint(hints []string, hint string) []string {
	if hint == "" || len(hints) == maxHints {
		return hints
	}
	for _, h := range hints {
		if h == hint {
			return hints
		}
	}
	return append(hints, hint)
}

// statusHint is what an exit status usually means; empty for those that say nothing.
func statusHint(x client.Exit) string {
	switch x.Signal {
	case "SIGKILL":
		return "SIGKILL that nobody here sent is usually the system, out of memory"
	case "SIGSEGV", "SIGBUS":
		return "native code failed, in the interpreter or in an extension: try without extensions, or another version of them"
	case "SIGABRT":
		return "the program ended itself: a failed assertion, or no memory"
	case "SIGPIPE":
		return "it wrote to a pipe that nobody reads"
	}
	switch uint32(x.Code) {
	case 126:
		return "status 126 usually means that a shell found the command and may not run it: chmod +x, or the format of another system"
	case 127:
		return "status 127 usually means that a shell did not find a command: look at PATH, and give the full path"
	case 130:
		return "status 130 usually means that it was interrupted by Ctrl-C"
	case 134:
		return "status 134 usually means SIGABRT: a failed assertion, or no memory"
	case 137:
		return "status 137 usually means SIGKILL: out of memory, or a limit of the container"
	case 139:
		return "status 139 usually means SIGSEGV: native code failed"
	case 143:
		return "status 143 usually means SIGTERM: something told it to end"
	case 0xC0000005:
		return "0xC0000005 is an access violation: native code failed"
	case 0xC0000135:
		return "0xC0000135 says that a DLL was not found"
	case 0xC0000142:
		return "0xC0000142 says that a DLL could not be initialised"
	case 0xC000013A:
		return "0xC000013A says that it was interrupted by Ctrl-C"
	case 0xC00000FD:
		return "0xC00000FD is a stack overflow"
	case 0xC0000409:
		return "0xC0000409 is a stack buffer overrun, or an abort"
	case 0xE0434352:
		return "0xE0434352 is an exception of .NET that nobody caught"
	}
	return ""
}

// wording is a part of a line, and what it means and asks for.
type wording struct{ text, hint string }

// lastWords are what runtimes write when they end, and what to try, the ones that name most first.
var lastWords = [...]wording{
	{"ModuleNotFoundError: No module named", "Python does not find a module: install it for this interpreter, or start the one of the virtual environment (uv run, .venv/bin/python)"},
	{": No module named ", "Python does not find a module: install it for this interpreter, or start the one of the virtual environment (uv run, .venv/bin/python)"},
	{"ImportError: ", "Python cannot import something: its version may be another than the server wants"},
	{"Cannot find module", "Node.js does not find a module: npm install in the server's folder, and build first when it starts from dist"},
	{"ERR_MODULE_NOT_FOUND", "Node.js does not find a module: npm install in the server's folder, and build first when it starts from dist"},
	{"Cannot use import statement outside a module", `Node.js reads the file as CommonJS: "type": "module" in package.json, or .mjs`},
	{"ERR_REQUIRE_ESM", "a package is an ES module and is loaded with require: import it, or take an older version"},
	{"UnsupportedClassVersionError", "the server was compiled for a newer Java than this one: JAVA_HOME"},
	{"ClassNotFoundException", "Java does not find a class: look at the class path"},
	{"Could not find or load main class", "Java does not find the main class: look at the class path"},
	{"Unable to access jarfile", "Java does not find the jar: build it, and look at its path; a relative one is looked for in the working directory (--cwd)"},
	{"You must install or update .NET", "the .NET runtime that the server wants is not installed"},
	{"Could not load file or assembly", ".NET does not find an assembly: publish the server with its dependencies"},
	{"the specified command or file was not found", ".NET does not find the program: dotnet run --project FOLDER, or dotnet with the path of its dll"},
	{"could not find `Cargo.toml`", "cargo looks for the project in the working directory: --cwd, or cargo run --manifest-path"},
	{"go.mod file not found", "go looks for the module in the working directory: --cwd, or go -C FOLDER run ."},
	{"npm error 404", "npm does not find the package: look at its name, and at the registry that npm asks"},
	{"npm ERR! 404", "npm does not find the package: look at its name, and at the registry that npm asks"},
	{"could not determine executable to run", "the package has no program of its own name: npx -p PACKAGE COMMAND"},
	{"not found in the package registry", "uv does not find the package: look at its name, and at the index that uv asks"},
	{"does not provide any executables", "the package has no program of its own name: uvx --from PACKAGE COMMAND"},
	{"pull access denied", "Docker does not find the image: look at its name, build it, or log in"},
	{"error while loading shared libraries", "a shared library is missing: install it, or LD_LIBRARY_PATH"},
	{"can't open file", "Python does not find the file: a relative path is looked for in the working directory (--cwd)"},
	{"Cannot connect to the Docker daemon", "Docker does not run, or this user may not use it"},
	{"\\r'", "the script has the line ends of Windows, and its interpreter is looked for under a name that ends in CR: dos2unix"},
	{"\\r\u2019", "the script has the line ends of Windows, and its interpreter is looked for under a name that ends in CR: dos2unix"},
	{"EADDRINUSE", "its port is taken, perhaps by another instance of it: end that, or choose another port"},
	{"ddress already in use", "its port is taken, perhaps by another instance of it: end that, or choose another port"},
	{"heap out of memory", "Node.js ran out of memory: NODE_OPTIONS=--max-old-space-size=4096"},
	{"java.lang.OutOfMemoryError", "Java ran out of memory: -Xmx"},
	{"bad interpreter", "the first line of the script names an interpreter that is not there"},
	{"command not found", "a command is not in PATH: -e PATH=…, or give the full path"},
	{"is not recognized as an internal or external command", "a command is not in PATH: give the full path"},
	{"ermission denied", "it may not read or run a file: look at its owner and mode"},
	{"input device is not a TTY", "docker wants a terminal for -t: leave it out, docker run -i is what a server needs"},
	{"not a TTY", "it wants a terminal: look for a flag that makes it speak on stdio"},
	{"requires a TTY", "it wants a terminal: look for a flag that makes it speak on stdio"},
	{"requires a terminal", "it wants a terminal: look for a flag that makes it speak on stdio"},
	{"Raw mode is not supported", "it wants a terminal: look for a flag that makes it speak on stdio"},
	{"setRawMode", "it wants a terminal: look for a flag that makes it speak on stdio"},
	{"not a tty", "it wants a terminal: look for a flag that makes it speak on stdio"},
	{"not a terminal", "it wants a terminal: look for a flag that makes it speak on stdio"},
	{"nappropriate ioctl", "it wants a terminal: look for a flag that makes it speak on stdio"},
	{"os.environ[", "it may lack a variable of its environment: -e NAME=VALUE"},
	{"Err` value: NotPresent", "it may lack a variable of its environment: -e NAME=VALUE"},
	{"nvironment variable", "it may lack a variable of its environment: -e NAME=VALUE"},
}

// crashWords say how a server ended and not why: they are for one that says nothing that names more.
var crashWords = [...]wording{
	{"env: ", "the first line of the script names an interpreter that is not in PATH: start the interpreter with the script as its argument"},
	{"o such file or directory", "it does not find a file: a relative path is looked for in the working directory (--cwd)"},
	{"ENOENT", "it does not find a file: a relative path is looked for in the working directory (--cwd)"},
	{"SyntaxError: ", "its text cannot be read: it may be written for a newer Python or Node.js than this one"},
	{"sage: ", "it says how it is used: an argument is missing or wrong"},
	{"panic: ", "this is a panic of Go: the first lines name it, the frames below where it happened"},
	{"' panicked at ", "this is a panic of Rust: -e RUST_BACKTRACE=1 shows the frames"},
	{"Traceback (most recent call last)", "this is an exception of Python that nobody caught: its last line names it"},
	{"Unhandled exception. ", "this is an exception of .NET that nobody caught"},
	{"Exception in thread \"main\"", "this is an exception of Java that nobody caught"},
	{" is required", "something that it needs was not given: an argument behind --, or a variable of its environment: -e NAME=VALUE"},
	{" not set", "something that it needs was not given: an argument behind --, or a variable of its environment: -e NAME=VALUE"},
}

// Guessed is a hint as a sentence.
func Guessed(hint string) string { return fmt.Sprintf("a guess: %s", hint) }
