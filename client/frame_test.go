package client

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

// line is what a test compares of a frame.
type line struct {
	Text   string
	Term   Term
	Offset int64
	Cut    int64
}

func (l line) String() string { return fmt.Sprintf("%q%q@%d-%d", l.Text, l.Term, l.Offset, l.Cut) }

// frameAll feeds the pieces, the i-th at time i, and ends the stream.
func frameAll(f *Framer, pieces [][]byte) (lines []line, frames []Frame) {
	take := func(fr *Frame) {
		lines = append(lines, line{string(fr.Body.Bytes()), fr.Term, fr.Offset, fr.Cut})
		kept := *fr
		kept.Body = nil
		frames = append(frames, kept)
	}
	for i, p := range pieces {
		f.Feed(p, time.Duration(i), take)
	}
	f.Close(time.Duration(len(pieces)), take)
	return lines, frames
}

// cuts splits data at random places, often inside a line end.
func cuts(data []byte, seed uint64) (pieces [][]byte) {
	r := rand.New(rand.NewPCG(seed, 7))
	for len(data) > 0 {
		n := min(1+r.IntN(1<<r.IntN(10)), len(data))
		if i := bytes.IndexByte(data, '\n'); i > 0 && r.IntN(3) == 0 {
			n = i
		}
		pieces = append(pieces, data[:n])
		data = data[n:]
	}
	return pieces
}

func oneByOne(data []byte) (pieces [][]byte) {
	for i := range data {
		pieces = append(pieces, data[i:i+1])
	}
	return pieces
}

func TestFramer(t *testing.T) {
	for _, c := range []struct {
		name  string
		limit int
		split bool
		in    string
		want  []line
	}{
		{"empty", 0, false, "", nil},
		{"lines", 0, false, "ab\n\ncd\n", []line{{"ab", TermLF, 0, 0}, {"", TermLF, 3, 0}, {"cd", TermLF, 4, 0}}},
		{"crlf", 0, false, "ab\r\n\r\nc\rd\n", []line{{"ab", TermCRLF, 0, 0}, {"", TermCRLF, 4, 0}, {"c\rd", TermLF, 6, 0}}},
		{"no end", 0, false, "ab\ncd", []line{{"ab", TermLF, 0, 0}, {"cd", TermNone, 3, 0}}},
		{"cr without end", 0, false, "ab\r", []line{{"ab\r", TermNone, 0, 0}}},
		{"two crs", 0, false, "ab\r\r\n", []line{{"ab\r", TermCRLF, 0, 0}}},
		{"limit", 3, false, "abc\nabcd\nabcdef", []line{{"abc", TermLF, 0, 0}, {"abc", TermLF, 4, 1}, {"abc", TermNone, 9, 3}}},
		{"limit and crlf", 3, false, "abc\r\nabcd\r\nab\r\r\n", []line{{"abc", TermCRLF, 0, 0}, {"abc", TermCRLF, 5, 1}, {"ab\r", TermCRLF, 11, 0}}},
		{"split", 3, true, "abcdefgh\nab\n", []line{{"abc", TermNone, 0, 0}, {"def", TermNone, 3, 0}, {"gh", TermLF, 6, 0}, {"ab", TermLF, 9, 0}}},
		{"split at the end", 3, true, "abc\n\nabcdef\r\nx", []line{{"abc", TermNone, 0, 0}, {"", TermLF, 4, 0}, {"abc", TermNone, 5, 0}, {"def", TermNone, 8, 0}, {"x", TermNone, 13, 0}}},
	} {
		for _, pieces := range [][][]byte{{[]byte(c.in)}, oneByOne([]byte(c.in))} {
			got, _ := frameAll(&Framer{Limit: c.limit, Split: c.split}, pieces)
			if !slices.Equal(got, c.want) {
				t.Errorf("%s in %d reads:\n got %v\nwant %v", c.name, len(pieces), got, c.want)
			}
		}
	}
}

func TestFramerReads(t *testing.T) {
	type reads struct {
		Reads  int
		Shared bool
		First  time.Duration
		At     time.Duration
	}
	for _, c := range []struct {
		pieces string // separated by |
		want   []reads
	}{
		{"ab\n", []reads{{1, false, 0, 0}}},
		{"ab\ncd\n", []reads{{1, true, 0, 0}, {1, true, 0, 0}}},
		{"a|b|\n", []reads{{3, false, 0, 2}}},
		{"ab\nc|d\n", []reads{{1, true, 0, 0}, {2, true, 0, 1}}},
		{"a|b\nc|d\n|e\n", []reads{{2, true, 0, 1}, {2, true, 1, 2}, {1, false, 3, 3}}},
		{"a|b|c", []reads{{3, false, 0, 3}}},
		{"ab\r|\n|c\r\n", []reads{{2, false, 0, 1}, {1, false, 2, 2}}},
	} {
		var pieces [][]byte
		for p := range strings.SplitSeq(c.pieces, "|") {
			pieces = append(pieces, []byte(p))
		}
		_, frames := frameAll(&Framer{}, pieces)
		var got []reads
		for _, f := range frames {
			got = append(got, reads{f.Reads, f.Shared, f.First, f.At})
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%q: got %v, want %v", c.pieces, got, c.want)
		}
	}
}

// TestFramerCarriesInPieces is about memory: a long line must not be joined to be kept, and its
// pieces must not be so many that they cost as much as their bytes.
func TestFramerCarriesInPieces(t *testing.T) {
	const size = 50 << 20
	f, chunk := &Framer{}, bytes.Repeat([]byte("x"), ReadSize)
	for range size / ReadSize {
		f.Feed(chunk, 0, func(*Frame) { t.Fatal("a frame before the line has ended") })
	}
	if n, tail := f.Pending(); n != size || len(tail) != minPiece {
		t.Errorf("pending: %d bytes, tail of %d", n, len(tail))
	}
	f.Feed([]byte("\n"), 0, func(fr *Frame) {
		room := 0
		for _, p := range fr.Body {
			room += cap(p)
		}
		if fr.Body.Len() != size || room > size+maxPiece || len(fr.Body) > 40 {
			t.Errorf("%d bytes in %d pieces with room for %d", fr.Body.Len(), len(fr.Body), room)
		}
	})
}

func TestBody(t *testing.T) {
	b := Body{[]byte("ab"), []byte(""), []byte("cde"), []byte("f")}
	whole := "abcdef"
	for i := range len(whole) + 1 {
		for j := i; j <= len(whole); j++ {
			if got := string(b.Slice(i, j)); got != whole[i:j] {
				t.Errorf("Slice(%d, %d) = %q", i, j, got)
			}
		}
	}
	if string(b.Bytes()) != whole || string(b.Append([]byte("x"))) != "x"+whole || b.Len() != len(whole) {
		t.Errorf("body is %q", b.Bytes())
	}
}

// FuzzFramer: any split of the same bytes gives the same lines, and they account for every byte.
func FuzzFramer(f *testing.F) {
	f.Add([]byte("ab\r\ncd\n\nlong line that is cut\r\nx"), 5, false, uint64(1))
	f.Add([]byte("progress\rprogress\rprogress\r\n\r\nab"), 4, true, uint64(2))
	f.Add([]byte("\r\r\n\n\r"), 1, true, uint64(3))
	f.Fuzz(func(t *testing.T, data []byte, limit int, split bool, seed uint64) {
		limit = 1 + max(limit, -limit)%100
		want, frames := frameAll(&Framer{Limit: limit, Split: split}, [][]byte{data})
		for _, pieces := range [][][]byte{oneByOne(data), cuts(data, seed)} {
			got, _ := frameAll(&Framer{Limit: limit, Split: split}, pieces)
			if !slices.Equal(got, want) {
				t.Fatalf("%d reads: %v\n1 read: %v", len(pieces), got, want)
			}
		}
		at := int64(0)
		for i, l := range want {
			if split { // the end of a line that was cut exactly there is in no row
				for _, end := range []string{"\n", "\r\n"} {
					if l.Offset == at+int64(len(end)) && i > 0 && want[i-1].Term == TermNone && bytes.HasPrefix(data[at:], []byte(end)) {
						at = l.Offset
					}
				}
			}
			if l.Offset != at || len(l.Text) > limit || split && l.Cut > 0 {
				t.Fatalf("row %d of %v: %v, expected offset %d", i, want, l, at)
			}
			if !bytes.HasPrefix(data[at:], []byte(l.Text)) {
				t.Fatalf("row %d: %q is not at %d of %q", i, l.Text, at, data)
			}
			at += int64(len(l.Text)) + l.Cut
			if !bytes.HasPrefix(data[at:], []byte(l.Term.String())) {
				t.Fatalf("row %d: no %q at %d of %q", i, l.Term, at, data)
			}
			at += int64(len(l.Term.String()))
		}
		if rest := string(data[at:]); rest != "" && !(split && (rest == "\n" || rest == "\r\n")) {
			t.Fatalf("%q is in no row of %v", rest, want)
		}
		for i := range frames {
			if frames[i].Reads != 1 || frames[i].Shared != (len(data) > 0 && spansMore(data, want, i)) {
				t.Fatalf("row %d of %v: reads %d, shared %t", i, want, frames[i].Reads, frames[i].Shared)
			}
		}
	})
}

// spansMore reports whether data holds bytes beside those of row i.
func spansMore(data []byte, rows []line, i int) bool {
	r := rows[i]
	end := r.Offset + int64(len(r.Text)) + r.Cut + int64(len(r.Term.String()))
	return r.Offset > 0 || end < int64(len(data))
}

// BenchmarkFramer measures lines in memory: the goal is 2 GB/s at 300 bytes.
func BenchmarkFramer(b *testing.B) {
	for _, size := range []int{200, 300, 2000, 200_000} {
		data := bytes.Repeat(append(bytes.Repeat([]byte("x"), size-1), '\n'), max(1, 4<<20/size))
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			f := &Framer{}
			n := 0
			emit := func(*Frame) { n++ }
			for b.Loop() {
				for at := 0; at < len(data); at += ReadSize {
					f.Feed(data[at:min(at+ReadSize, len(data))], 0, emit)
				}
			}
		})
	}
}

// BenchmarkFramerByteByByte shows whether a slow line costs more a byte the longer it is.
func BenchmarkFramerByteByByte(b *testing.B) {
	for _, size := range []int{1 << 10, 32 << 10, 1 << 20} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			f, x := &Framer{}, []byte("x")
			b.SetBytes(int64(size))
			for b.Loop() {
				for range size {
					f.Feed(x, 0, func(*Frame) {})
				}
				f.Feed([]byte("\n"), 0, func(*Frame) {})
			}
		})
	}
}
