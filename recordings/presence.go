package recordings

import (
	"fmt"
	"io/fs"
	"os"
	"time"
)

// presence is whether a file is still where it was made. One that was removed or moved takes every
// byte, so that no write fails, and nobody finds them at its path.
type presence struct {
	made   fs.FileInfo // nil for what is no file
	looked time.Duration
	gone   bool
}

// lookEvery is how much session time passes between two looks: soon enough to tell while the session
// runs, and nothing beside the writes of a second.
const lookEvery = time.Second

// watch begins to look for the file at its path.
func (p *presence) watch(f *os.File) {
	if info, err := f.Stat(); err == nil {
		p.made = info
	}
}

// missed is an error when the file is not at its path any more.
func (p *presence) missed(path string) error {
	if p.made == nil {
		return nil
	}
	if info, err := os.Stat(path); err == nil && os.SameFile(info, p.made) {
		return nil
	}
	p.gone = true
	return fmt.Errorf("the recording is no longer at %s: its file was removed or moved while it is written", path)
}

// due reports whether it is time to look: what is gone is told of once, and again at the end.
func (p *presence) due(now time.Duration) bool {
	if p.made == nil || p.gone || now-p.looked < lookEvery {
		return false
	}
	p.looked = now
	return true
}
