package recordings

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

var errFull = errors.New("disk full")

// disk takes room bytes and then fails; it may take a part of a write.
type disk struct {
	bytes.Buffer
	room  int
	calls int
	quiet bool // it does not say that it fell short
}

func (d *disk) Write(p []byte) (int, error) {
	d.calls++
	n := min(d.room, len(p))
	d.room -= n
	d.Buffer.Write(p[:n])
	if n < len(p) && !d.quiet {
		return n, errFull
	}
	return n, nil
}

// TestDiskFullAnywhere lets the disk be full after every byte of a session and then have room
// again: what is in the file and what its drop lines tell is together all there was.
func TestDiskFullAnywhere(t *testing.T) {
	session := func(d *disk, refill int) (w *Writer, sent map[Channel]int64) {
		w = NewWriter(d)
		sent = map[Channel]int64{}
		d.room += 100
		w.Head(Head{Tool: "t", Start: time.Unix(0, 0)})
		for i := range 12 {
			if i == refill {
				d.room = 1 << 20
			}
			ch := Channel(1 + i%3)
			p := []byte(fmt.Sprintf("line %d \"é\"\n", i))
			sent[ch] += int64(len(p))
			w.Bytes(time.Duration(i)*retryAfter, ch, p)
			w.Ctl(time.Duration(i)*retryAfter, "note")
		}
		return w, sent
	}
	whole := &disk{room: 1 << 20}
	session(whole, -1)
	lines := bytes.SplitAfter(whole.Bytes(), []byte{'\n'}) // the last one is empty
	before := whole.Len() - len(lines[len(lines)-2]) - len(lines[len(lines)-3])
	for _, quiet := range []bool{false, true} {
		for room := range whole.Len() - 100 {
			d := &disk{room: room, quiet: quiet}
			w, sent := session(d, 11)
			full := room+100 < before
			if err := w.Err(); full != (err != nil) || full && !quiet && !errors.Is(err, errFull) {
				t.Fatalf("room for %d: error %v", room, err)
			}
			if err := w.Err(); err != nil {
				t.Fatalf("told twice: %v", err)
			}
			if err := w.Close(); err != nil {
				t.Fatalf("room for %d: %v", room, err)
			}
			all, r := load(t, bytes.NewReader(d.Bytes()))
			if len(r.Notices()) > 1 || r.Torn() {
				t.Fatalf("room for %d: notices %v", room, r.Notices())
			}
			var dropped int64
			for _, rec := range all {
				switch rec.K {
				case KindBytes:
					sent[rec.Ch] -= int64(len(rec.Data))
				case KindDrop:
					sent[rec.Ch] -= rec.N
					dropped += rec.N
					if rec.Why != "disk full" && !quiet {
						t.Fatalf("why %q", rec.Why)
					}
				}
			}
			for _, ch := range []Channel{In, Out, Err} {
				if sent[ch] != 0 {
					t.Fatalf("room for %d: %d bytes of %v are neither in the file nor dropped\n%s", room, sent[ch], ch, d.Bytes())
				}
			}
			if lost, _ := w.Lost(); dropped != lost {
				t.Fatalf("room for %d: %d bytes dropped, Lost %d", room, dropped, lost)
			}
		}
	}
}

func TestFullDiskCostsFewAttempts(t *testing.T) {
	d := &disk{}
	w := NewWriter(d)
	for i := range 10_000 {
		w.Bytes(time.Duration(i)*time.Millisecond, Out, []byte("lost\n"))
	}
	if d.calls > 10_000/250+1 {
		t.Errorf("%d attempts in 10 s", d.calls)
	}
	err := w.Close()
	if err == nil || !errors.Is(err, errFull) || !strings.Contains(err.Error(), "50000 bytes") {
		t.Errorf("closing: %v", err)
	}
	if w.Close() != nil || d.Len() > 0 {
		t.Error("closing again did something")
	}
}

func TestSecretAcrossAFullDisk(t *testing.T) {
	s := &Secrets{}
	s.Add("A", "abcdefghijkl")
	d := &disk{}
	w := NewWriter(d)
	w.Mask(s)
	w.Bytes(1, Out, []byte("lost abcdef"))
	d.room = 1 << 20
	w.Bytes(1+retryAfter, Out, []byte("ghijkl kept\n"))
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	want := `{"k":"drop","t":250000001,"ch":"out","n":5,"why":"disk full"}` + "\n" +
		`{"k":"b","t":1,"ch":"out","d":"******","red":[[0,6,"A"]]}` + "\n" +
		`{"k":"b","t":250000001,"ch":"out","d":"****** kept\n","red":[[0,6,"A"]]}` + "\n"
	if d.String() != want {
		t.Errorf("written is\n%s", d.String())
	}
}
