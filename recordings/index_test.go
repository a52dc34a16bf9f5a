package recordings

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestIndex reads parts of a recording back: they are what was given, with secrets as stars, or
// there is a gap, and only where bytes were lost.
func TestIndex(t *testing.T) {
	const secret = "s3cret-s3cret"
	for _, c := range []struct {
		name       string
		fails, end int // the disk is full between these writes
	}{{"whole", -1, -1}, {"full at the beginning", 0, 90}, {"full midway", 100, 220}, {"full to the end", 200, 1 << 30}} {
		t.Run(c.name, func(t *testing.T) {
			rnd := rand.New(rand.NewPCG(1, 2))
			d := &disk{room: 1 << 30}
			w := NewWriter(d)
			hide := &Secrets{}
			hide.Add("NAME", secret)
			w.Mask(hide)
			w.Head(Head{Start: time.Unix(0, 0)})
			var given, seen [channels][]byte
			lost := map[Channel][][2]int{}
			for i := range 400 {
				if i == c.fails {
					d.room = 777 // a torn line first
				}
				if i == c.end {
					d.room = 1 << 30
				}
				ch := Channel(1 + rnd.IntN(2))
				if i%50 == 0 {
					ch = Err // seldom, between many others
				}
				text := strings.Repeat("0123456789", rnd.IntN(4000)) + secret[:rnd.IntN(len(secret)+1)]
				if i%3 == 0 {
					text = strings.Repeat("\xff\n\x00", rnd.IntN(9000)) + secret
				}
				given[ch] = append(given[ch], text...)
				before, _ := w.Lost()
				w.Bytes(time.Duration(i)*retryAfter, ch, []byte(text))
				if after, _ := w.Lost(); after > before {
					end := len(given[ch])
					lost[ch] = append(lost[ch], [2]int{end - len(text) - len(secret), end})
				}
			}
			w.Flush()
			for ch := range given {
				seen[ch], _ = hide.Mask(given[ch])
			}
			path := filepath.Join(t.TempDir(), "a.jsonl")
			if err := os.WriteFile(path, d.Bytes(), 0o600); err != nil {
				t.Fatal(err)
			}
			w.index.path = path
			gaps := 0
			for range 60 {
				ch := Channel(1 + rnd.IntN(3))
				off := rnd.IntN(len(given[ch]))
				n := rnd.IntN(min(len(given[ch])-off, 100_000)) + 1
				data, spans, err := w.Index().Read(0, ch, int64(off), n)
				if gap := (*GapError)(nil); errors.As(err, &gap) {
					gaps++
					reason := false
					for _, l := range lost[ch] {
						reason = reason || off < l[1] && off+n > l[0]
					}
					if !reason {
						t.Fatalf("%d bytes of %v at %d: %v", n, ch, off, err)
					}
					continue
				}
				if err != nil || !bytes.Equal(data, seen[ch][off:off+n]) {
					t.Fatalf("%d bytes of %v at %d: %d bytes, %v", n, ch, off, len(data), err)
				}
				stars := bytes.Count(data, []byte("*"))
				for _, s := range spans {
					stars -= s.Len
					if s.Name != "NAME" || strings.Trim(string(data[s.Off:s.Off+s.Len]), "*") != "" {
						t.Fatalf("span %v of %v at %d", s, ch, off)
					}
				}
				if stars != 0 {
					t.Fatalf("%d stars outside of spans", stars)
				}
			}
			if (gaps > 0) != (c.fails >= 0) {
				t.Errorf("%d gaps", gaps)
			}
			// What a Reader finds has no gaps: it counts the bytes that are there.
			r, err := Open(path)
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			var there [channels][]byte
			for {
				rec, err := r.Next()
				if err != nil {
					break
				}
				there[rec.Ch] = append(there[rec.Ch], rec.Data...)
			}
			for range 15 {
				ch := Channel(1 + rnd.IntN(3))
				off := rnd.IntN(len(there[ch]))
				n := rnd.IntN(min(len(there[ch])-off, 100_000)) + 1
				if data, _, err := r.Index().Read(0, ch, int64(off), n); err != nil || !bytes.Equal(data, there[ch][off:off+n]) {
					t.Fatalf("opened: %d bytes of %v at %d: %d bytes, %v", n, ch, off, len(data), err)
				}
			}
		})
	}
}

func TestIndexWithoutBytes(t *testing.T) {
	w := NewWriter(&disk{room: 1 << 20})
	w.Bytes(1, Out, []byte("x"))
	gap := (*GapError)(nil)
	if _, _, err := w.Index().Read(0, Out, 0, 1); !errors.As(err, &gap) {
		t.Errorf("without a file: %v", err)
	}
	path := filepath.Join(t.TempDir(), "a.jsonl")
	w, err := Create(path, false)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := w.Index().Read(0, Out, 0, 1); !errors.As(err, &gap) {
		t.Errorf("before there is anything: %v", err)
	}
	w.Bytes(1, Out, []byte("x"))
	if _, _, err := w.Index().Read(0, Out, 0, 2); !errors.As(err, &gap) {
		t.Errorf("behind the end: %v", err)
	}
	if err := errors.Join(w.Close(), os.Remove(path)); err != nil {
		t.Fatal(err)
	}
	if _, _, err := w.Index().Read(0, Out, 0, 1); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("of a file that is gone: %v", err)
	}
}
