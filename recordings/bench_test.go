package recordings

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// jsonLine is a notification of about 300 bytes, with its line end.
var jsonLine = []byte(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","logger":"bench.worker","data":{"message":"fetched page 17 of 240 from the upstream catalogue","elapsed_ms":12.75,"items":250,"cursor":"b2Zmc2V0OjQyNTA","host":"node-3.example.net","retry":false,"trace":"4bf92f3577b34da6a3ce929d0e0e4736"}}}` + "\n")

// chunk64k is one full read of such lines.
func chunk64k() []byte { return bytes.Repeat(jsonLine, 64<<10/len(jsonLine)+1)[:64<<10] }

func benchSecrets(n int) *Secrets {
	s := &Secrets{}
	for i := range n {
		s.Add(fmt.Sprintf("TOKEN_%d", i), fmt.Sprintf("ghp_%d/%x+secret&value", i, i*7919+104729))
	}
	return s
}

func BenchmarkBytes(b *testing.B) {
	for _, c := range []struct {
		name    string
		p       []byte
		secrets int
	}{
		{"64KiB", chunk64k(), 0},
		{"64KiB/10secrets", chunk64k(), 10},
		{"64KiB/accents", []byte(strings.Repeat("{\"text\":\"Grüße aus Zürich – déjà vu\"}\n", 1600)), 0},
		{"64KiB/binary", bytes.Repeat([]byte{0xff, 0, 1, 2}, 16<<10), 0},
		{"300B", jsonLine, 0},
		{"300B/10secrets", jsonLine, 10},
	} {
		b.Run(c.name, func(b *testing.B) {
			w := NewWriter(discard{})
			if c.secrets > 0 {
				w.Mask(benchSecrets(c.secrets))
			}
			b.SetBytes(int64(len(c.p)))
			b.ReportAllocs()
			for b.Loop() {
				w.Bytes(time.Second, Out, c.p)
			}
		})
	}
}

// BenchmarkBytesToFile has the system call too.
func BenchmarkBytesToFile(b *testing.B) {
	for name, p := range map[string][]byte{"300B": jsonLine, "64KiB": chunk64k()} {
		b.Run(name, func(b *testing.B) {
			w, err := Create(filepath.Join(b.TempDir(), "a.jsonl"), false)
			if err != nil {
				b.Fatal(err)
			}
			f := w.out.(*os.File)
			b.SetBytes(int64(len(p)))
			b.ReportAllocs()
			n := 0
			for b.Loop() {
				if n += len(p); n > 256<<20 { // the disk is not what is measured
					if err := f.Truncate(0); err != nil {
						b.Fatal(err)
					}
					n = 0
				}
				w.Bytes(time.Second, Out, p)
			}
			if err := errors.Join(w.Err(), w.Close()); err != nil {
				b.Fatal(err)
			}
		})
	}
}

func BenchmarkReader(b *testing.B) {
	for name, p := range map[string][]byte{"300B": jsonLine, "64KiB": chunk64k()} {
		b.Run(name, func(b *testing.B) {
			var file bytes.Buffer
			w := NewWriter(&file)
			w.Head(Head{})
			for n := 0; n < 4<<20; n += len(p) {
				w.Bytes(time.Second, Out, p)
			}
			b.SetBytes(int64(file.Len()))
			b.ReportAllocs()
			for b.Loop() {
				r, err := NewReader(bytes.NewReader(file.Bytes()))
				if err != nil {
					b.Fatal(err)
				}
				for err == nil {
					_, err = r.Next()
				}
				if err != io.EOF {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkMask(b *testing.B) {
	s, p := benchSecrets(10), chunk64k()
	b.SetBytes(int64(len(p)))
	b.ReportAllocs()
	for b.Loop() {
		s.Mask(p)
	}
}
