package recordings

import (
	"embed"
	"errors"
	"io/fs"
	"os"
	"strings"
)

//go:embed samples/*.jsonl
var sampleFiles embed.FS

// SampleExt is how the file of a sample ends; its name is what stands before.
const SampleExt = ".jsonl"

// Samples are small recordings that come with the program, for trying things out and for tests.
func Samples() fs.FS {
	dir, err := fs.Sub(sampleFiles, "samples")
	if err != nil {
		return sampleFiles // cannot happen: the path is valid
	}
	return dir
}

// SampleNames are the names of the samples in the order of the alphabet.
func SampleNames() (names []string) {
	files, _ := fs.Glob(Samples(), "*"+SampleExt) // the pattern is valid
	for _, f := range files {
		names = append(names, strings.TrimSuffix(f, SampleExt))
	}
	return names
}

// OpenSample opens a sample by its name, with its ending or without. The error of one that is not
// there is fs.ErrNotExist.
func OpenSample(name string) (*Reader, error) {
	f, err := Samples().Open(strings.TrimSuffix(name, SampleExt) + SampleExt)
	if err != nil {
		return nil, err
	}
	return NewReader(f)
}

// IsSample reports whether a word that stands for a file means a sample: one has that name, and no
// file has.
func IsSample(path string) bool {
	if SampleTitle(path) == "" {
		return false
	}
	_, err := os.Stat(path)
	return errors.Is(err, fs.ErrNotExist)
}

// SampleTitle says in a few words what a sample shows; it is empty for one that is not there.
func SampleTitle(name string) string {
	switch name {
	case "crash":
		return "a server that ends in the middle of a call, and of a line"
	case "elicitation":
		return "a tool that asks back, and the answer"
	case "flood":
		return "more than two thousand lines on stderr and of progress"
	case "handshake":
		return "a session of the revision 2025-06-18: tools, resources, prompts"
	case "legacy-crash":
		return "a server of the handshake with stray output that dies of a signal"
	case "modern-clean":
		return "two tools on two pages, progress, an answer in two reads; a result whose text is not its JSON"
	case "paging":
		return "every list, the tools on three pages"
	case "restart-token":
		return "a masked secret, bytes that were not kept, a restart"
	case "stateless":
		return "a clean session of the revision 2026-07-28: tools, resources, prompts"
	case "stray-stdout":
		return "prints on stdout in the middle of calls"
	}
	return ""
}
