package recordings

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestFollow: what a writer adds is read when it is there, whole lines only, until the follower leaves.
func TestFollow(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.jsonl")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	type read struct {
		rec Record
		err error
	}
	lines := make(chan read)
	go func() { // ends with ctx
		r, err := Follow(ctx, path, time.Millisecond)
		if err != nil {
			lines <- read{err: err}
			return
		}
		defer r.Close()
		for {
			rec, err := r.Next()
			rec.Data = []byte(string(rec.Data))
			lines <- read{rec, err}
			if err != nil {
				lines <- read{Record{N: int64(len(r.Notices()))}, nil}
				return
			}
		}
	}()
	parts := []string{`{"k":"head","v":1,"start":"2026-01-02T03:04:05Z",`, `"target":{}}` + "\n" + `{"k":"b","t":1,"ch":"out","d":"a"}` + "\n" + `{"k":"b","t":2,"ch":"o`, `ut","d":"b"}` + "\n", `{"k":"exit"`}
	want := [][]string{nil, {"head", "b a"}, {"b b"}, nil}
	for i, part := range parts {
		if _, err := f.WriteString(part); err != nil {
			t.Fatal(err)
		}
		for _, w := range want[i] {
			got := <-lines
			text := got.rec.K
			if len(got.rec.Data) > 0 {
				text += " " + string(got.rec.Data)
			}
			if got.err != nil || text != w {
				t.Fatalf("%q, %v, not %q", text, got.err, w)
			}
		}
	}
	stop()
	if got := <-lines; !errors.Is(got.err, io.EOF) {
		t.Errorf("at the end: %+v", got)
	}
	if got := <-lines; got.rec.N > 1 {
		t.Errorf("%d notices", got.rec.N)
	}
}

func TestFollowReplaced(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.jsonl")
	if err := os.WriteFile(path, []byte(`{"k":"head","v":1,"start":"2026-01-02T03:04:05Z","target":{}}`+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := Follow(t.Context(), path, time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if _, err := r.Next(); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, 5); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Next(); !errors.Is(err, ErrReplaced) {
		t.Errorf("%v", err)
	}
}
