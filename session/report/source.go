package report

import (
	"os"
	"path/filepath"
	"strings"
)

// buildFiles name what a project is built from, by language. The first that a directory has counts.
func buildFiles() []string {
	return []string{"go.mod", "package.json", "deno.json", "pyproject.toml", "setup.py", "requirements.txt", "Cargo.toml", "pom.xml", "build.gradle.kts", "build.gradle",
		"*.csproj", "*.fsproj", "Gemfile", "composer.json", "Package.swift", "mix.exs", "build.sbt", "CMakeLists.txt", "Makefile", "Dockerfile"}
}

// Source finds the file that results point at: the build file that is nearest above dir. It is a path
// from the top of the working copy, where code scanning looks for it, and without a working copy the
// name alone. It is empty when there is no build file.
func Source(dir string) string {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return ""
	}
	for at := dir; ; at = filepath.Dir(at) {
		for _, name := range buildFiles() {
			if found, err := filepath.Glob(filepath.Join(escaped(at), name)); err == nil && len(found) > 0 {
				return Relative(found[0], at)
			}
		}
		if isTop(at) || at == filepath.Dir(at) {
			return ""
		}
	}
}

// Relative is a file as a path with slashes from the top of its working copy, or from dir when it is
// in none.
func Relative(file, dir string) string {
	abs, err := filepath.Abs(file)
	if err != nil {
		return filepath.ToSlash(file)
	}
	base := dir
	for at := filepath.Dir(abs); at != filepath.Dir(at); at = filepath.Dir(at) {
		if isTop(at) {
			base = at
			break
		}
	}
	if base, err = filepath.Abs(base); err != nil {
		return filepath.ToSlash(file)
	}
	rel, err := filepath.Rel(base, abs)
	if err != nil {
		return filepath.ToSlash(file)
	}
	return filepath.ToSlash(rel)
}

// isTop reports whether a directory is the top of a working copy.
func isTop(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, ".git"))
	return err == nil
}

// escaped is a path in which nothing is a pattern.
func escaped(path string) string {
	if filepath.Separator == '\\' { // Glob of Windows knows no escapes
		return path
	}
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(path)
}
