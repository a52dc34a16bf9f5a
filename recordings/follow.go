package recordings

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync/atomic"
	"time"
)

// FollowInterval is how often a file that another process writes is looked at: quick for a person
// who watches, and nothing for the machine.
const FollowInterval = 200 * time.Millisecond

// ErrReplaced is a followed file that became shorter: whatever stands in it now is another recording.
var ErrReplaced = errors.New("the recording was replaced while it was followed: open it again")

// Follow opens a recording that may still be written: at the end of the file Next waits for more,
// looking every interval, until ctx ends. It waits for the first line, too.
func Follow(ctx context.Context, path string, interval time.Duration) (*Reader, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("the recording cannot be opened: %w", err)
	}
	return read(path, &growing{ctx: ctx, File: f, interval: interval})
}

// growing is a file whose end is only the end so far.
type growing struct {
	*os.File
	ctx      context.Context
	interval time.Duration
	at       int64
	waiting  atomic.Bool
	onWait   func() // nil for nothing
}

func (g *growing) Read(p []byte) (int, error) {
	for {
		n, err := g.File.Read(p)
		g.at += int64(n)
		if n > 0 {
			g.waiting.Store(false)
		}
		if n > 0 || err != nil && !errors.Is(err, io.EOF) || g.ctx.Err() != nil {
			return n, err
		}
		if info, err := g.Stat(); err == nil && info.Mode()&fs.ModeType == 0 && info.Size() < g.at {
			return 0, ErrReplaced
		}
		if !g.waiting.Swap(true) && g.onWait != nil {
			g.onWait()
		}
		wait := time.NewTimer(g.interval)
		select {
		case <-wait.C:
		case <-g.ctx.Done():
			wait.Stop()
			return 0, io.EOF
		}
	}
}

// Follows reports whether Next waits at the end of the file for more.
func (r *Reader) Follows() bool {
	_, ok := r.file.(*growing)
	return ok
}

// OnWait has f called, on the goroutine of Next, each time Next begins to wait for more of a followed
// file: everything that has arrived was read.
func (r *Reader) OnWait(f func()) {
	if g, ok := r.file.(*growing); ok {
		g.onWait = f
	}
}

// Waiting reports whether everything that a followed file has so far was read. It may be called
// from any goroutine.
func (r *Reader) Waiting() bool {
	g, ok := r.file.(*growing)
	return ok && g.waiting.Load()
}
