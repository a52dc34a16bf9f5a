package recordings

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestLimit: beyond its limit a file keeps no bytes and everything else, says at once that it does
// so, and what it has and what it tells of is together all there was.
func TestLimit(t *testing.T) {
	const limit = 20_000
	for name, secrets := range map[string]*Secrets{"plain": nil, "masked": benchSecrets(2)} {
		t.Run(name, func(t *testing.T) {
			var file bytes.Buffer
			w := NewWriter(&file)
			w.Mask(secrets)
			w.Limit(limit)
			w.Head(Head{Tool: "t", Start: time.Unix(0, 0)})
			sent := map[Channel]int64{}
			told := 0
			for i := range 1000 {
				ch := Channel(1 + i%3)
				p := []byte(strings.Repeat("x", 100) + "\n")
				sent[ch] += int64(len(p))
				w.Bytes(time.Duration(i), ch, p)
				if err := w.Err(); err != nil {
					told++
					if !strings.Contains(file.String(), `"k":"drop"`) || !strings.Contains(err.Error(), "largest size") {
						t.Errorf("row %d: %v, and no drop line", i, err)
					}
				}
				if i%100 == 0 {
					w.Ctl(time.Duration(i), "info", Text("text", fmt.Sprint(i)))
				}
			}
			if n, losing := w.Lost(); n == 0 || !losing || told != 1 {
				t.Errorf("lost %d, losing %v, told %d times", n, losing, told)
			}
			code := 3
			w.Exit(1000, &code, "", "no", "")
			if err := w.Close(); err != nil {
				t.Error(err)
			}
			if file.Len() > limit+5000 {
				t.Errorf("%d bytes", file.Len())
			}
			r, err := NewReader(bytes.NewReader(file.Bytes()))
			if err != nil {
				t.Fatal(err)
			}
			there, ctls, exits := map[Channel]int64{}, 0, 0
			for {
				rec, err := r.Next()
				if err != nil {
					break
				}
				switch rec.K {
				case KindBytes:
					there[rec.Ch] += int64(len(rec.Data))
				case KindDrop:
					there[rec.Ch] += rec.N
				case KindCtl:
					ctls++
				case KindExit:
					exits++
				}
			}
			if fmt.Sprint(there) != fmt.Sprint(sent) || ctls != 10 || exits != 1 {
				t.Errorf("bytes %v of %v, %d remarks, %d exits", there, sent, ctls, exits)
			}
		})
	}
}
