package client

import (
	"bytes"
	"debug/elf"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// runners are programs that start servers and come with something else, and what to install for them.
var runners = [...][2]string{
	{"npx", "npx comes with Node.js: install that"},
	{"npm", "npm comes with Node.js: install that"},
	{"node", "Node.js is not installed, or not for this user: nvm and its like set PATH in shells only"},
	{"uvx", "uvx comes with uv: install that, for example with pipx install uv"},
	{"uv", "uv is not installed: pipx install uv, or its installer"},
	{"pipx", "pipx is not installed: python3 -m pip install --user pipx"},
	{"python", "there may be a python3"},
	{"docker", "Docker is not installed"},
	{"bunx", "bunx comes with Bun: install that"},
	{"deno", "Deno is not installed"},
}

// missingHint says what to try when there is no program of a name: dir is where a relative path was
// looked for, empty for the working directory.
func missingHint(name, dir string) string {
	for _, r := range runners {
		if name == r[0] {
			return r[1]
		}
	}
	ext := strings.ToLower(filepath.Ext(name))
	if runtime.GOOS != "windows" && (ext == ".cmd" || ext == ".bat" || ext == ".exe" || ext == ".ps1") {
		return fmt.Sprintf("%s files are for Windows: start what it starts", ext)
	}
	if !strings.ContainsAny(name, `/\`) {
		return "is it on PATH? a path like ./server works too"
	}
	if filepath.IsAbs(name) {
		return "is it built, and is the path right?"
	}
	here, _ := os.Getwd()
	if dir != "" && dir != here {
		return fmt.Sprintf("a relative path is looked for in %s, and in --cwd %s", here, dir)
	}
	return fmt.Sprintf("a relative path is looked for in %s; is it built?", here)
}

// interpreterError says what is wrong with the interpreter that a script names: it was not found.
func interpreterError(path string) (hint string, err error) {
	line, ok := firstLine(path)
	name, isScript := strings.CutPrefix(line, "#!")
	switch {
	case !ok || !isScript: // of a program it is the loader
		return "it may be built for another system: ldd and file show what it wants", errors.New("its interpreter does not exist")
	case strings.HasSuffix(name, "\r"):
		return fmt.Sprintf("dos2unix %s, or name its interpreter first", path), errors.New("its first line ends with CR LF, so that an interpreter is looked for whose name ends in CR")
	}
	words := strings.Fields(name)
	if len(words) == 0 {
		return "as in #!/bin/sh", errors.New("its first line names no interpreter")
	}
	return fmt.Sprintf("#!/usr/bin/env %s finds it on PATH; or name the interpreter first", filepath.Base(words[0])), fmt.Errorf("the interpreter %q, which its first line names, does not exist", words[0])
}

func firstLine(path string) (string, bool) {
	f, err := os.Open(path)
	if err != nil {
		return "", false
	}
	defer f.Close()
	const longest = 256 // what the kernel reads of it
	head := make([]byte, longest)
	n, _ := f.Read(head)
	line, _, _ := bytes.Cut(head[:n], []byte("\n"))
	return string(line), n > 0
}

// machines are the names that Go gives to machines, by those of ELF.
var machines = [...]struct {
	elf  elf.Machine
	name string
}{{elf.EM_X86_64, "amd64"}, {elf.EM_AARCH64, "arm64"}, {elf.EM_386, "386"}, {elf.EM_ARM, "arm"}, {elf.EM_RISCV, "riscv64"}}

// builtFor is the system that a program was built for, "linux/arm64"; empty when it is no program.
func builtFor(path string) string {
	const machineAt, enough = 18, 20 // of e_machine in the header of an ELF file
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	head := make([]byte, enough)
	n, _ := f.Read(head)
	head = head[:n]
	switch {
	case bytes.HasPrefix(head, []byte("MZ")):
		return "Windows"
	case bytes.HasPrefix(head, []byte{0xcf, 0xfa, 0xed, 0xfe}), bytes.HasPrefix(head, []byte{0xca, 0xfe, 0xba, 0xbe}):
		return "macOS"
	case bytes.HasPrefix(head, []byte("\x7fELF")) && n == enough:
		m := elf.Machine(uint16(head[machineAt]) | uint16(head[machineAt+1])<<8)
		for _, x := range machines {
			if x.elf == m {
				return "linux/" + x.name
			}
		}
		return "another machine"
	}
	return ""
}
