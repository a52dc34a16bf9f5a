package watch

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"example.com/mcpinspect/client"
)

// scripts are the endings of files that a program runs rather than reads.
var scripts = []string{".py", ".js", ".mjs", ".cjs", ".ts", ".mts", ".rb", ".php", ".pl", ".lua", ".sh", ".jar", ".dll", ".ps1"}

// Program is the files whose change makes another server of a command: its program, and the script
// that it is given. Other files among its arguments are not: a server may write to them.
func Program(c client.Command) (files []string) {
	if len(c.Args) == 0 {
		return nil
	}
	program := c.Args[0]
	if found, err := exec.LookPath(program); err == nil {
		program = found
	}
	if !filepath.IsAbs(program) && c.Dir != "" && !isFile(program) {
		program = filepath.Join(c.Dir, program)
	}
	files = append(files, program)
	for _, arg := range c.Args[1:] {
		if !slices.Contains(scripts, strings.ToLower(filepath.Ext(arg))) {
			continue
		}
		if c.Dir != "" && !filepath.IsAbs(arg) {
			arg = filepath.Join(c.Dir, arg)
		}
		if isFile(arg) {
			return append(files, arg)
		}
	}
	return files
}

// sources are the scripts that people write and no build does: what is compiled to JavaScript, Java or
// .NET bears the other endings.
var sources = []string{".py", ".ts", ".mts", ".rb", ".php", ".pl", ".lua", ".sh", ".ps1"}

// Made is the files of Program that a build may write, which would look like another change of the
// sources to a pattern that matches them. A script that a person edits is none.
func Made(c client.Command) []string {
	return slices.DeleteFunc(Program(c), func(file string) bool {
		return slices.Contains(sources, strings.ToLower(filepath.Ext(file)))
	})
}

func isFile(path string) bool {
	st, err := os.Stat(path)
	return err == nil && st.Mode().IsRegular()
}
