package recordings

import (
	"embed"
	"io/fs"
)

//go:embed samples/*.jsonl
var sampleFiles embed.FS

// Samples are small recordings that come with the program, for trying things out and for tests.
func Samples() fs.FS {
	dir, err := fs.Sub(sampleFiles, "samples")
	if err != nil {
		return sampleFiles // cannot happen: the path is valid
	}
	return dir
}
