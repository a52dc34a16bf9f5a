package vlist

import (
	"fmt"
	"math/rand/v2"
	"sort"
	"strings"
	"testing"

	"example.com/mcpinspect/ui/text"
)

func numbered(n int) *List {
	l := &List{Row: func(i, width int, selected bool) string {
		if selected {
			return fmt.Sprintf(">%d", i)
		}
		return fmt.Sprintf(" %d", i)
	}}
	l.SetLen(n)
	return l
}

func screen(l *List, w, h int) string {
	lines := l.View(w, h)
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "|")
}

func TestMovement(t *testing.T) {
	l := numbered(20)
	for _, c := range []struct {
		name string
		do   func()
		want string
	}{
		{"start", func() {}, ">0| 1| 2| 3"},
		{"up at the top", l.Up, ">0| 1| 2| 3"},
		{"down", l.Down, " 0|>1| 2| 3"},
		{"page down", l.PageDown, " 3|>4| 5| 6"},
		{"half down", l.HalfDown, " 5|>6| 7| 8"},
		{"end", l.End, " 16| 17| 18|>19"},
		{"down at the end", l.Down, " 16| 17| 18|>19"},
		{"page down at the end", l.PageDown, " 16| 17| 18|>19"},
		{"page up", l.PageUp, " 13| 14| 15|>16"},
		{"half up", l.HalfUp, " 11| 12| 13|>14"},
		{"wheel down", func() { l.Scroll(2) }, " 13|>14| 15| 16"},
		{"wheel takes the cursor along", func() { l.Scroll(3) }, ">16| 17| 18| 19"},
		{"wheel up", func() { l.Scroll(-9) }, " 7| 8| 9|>10"},
		{"go", func() { l.Go(3) }, ">3| 4| 5| 6"},
		{"go too far", func() { l.Go(99) }, " 16| 17| 18|>19"},
		{"home", l.Home, ">0| 1| 2| 3"},
		{"page up at the top", l.PageUp, ">0| 1| 2| 3"},
		{"wheel up at the top", func() { l.Scroll(-1) }, ">0| 1| 2| 3"},
	} {
		c.do()
		if got := screen(l, 5, 4); got != c.want {
			t.Fatalf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestShortAndEmpty(t *testing.T) {
	l := numbered(0)
	if got := screen(l, 5, 2); got != "|" || l.Cursor() != -1 {
		t.Errorf("empty: %q, cursor %d", got, l.Cursor())
	}
	for _, do := range []func(){l.Up, l.Down, l.PageUp, l.PageDown, l.HalfUp, l.HalfDown, l.Home, l.End, func() { l.Scroll(1) }} {
		do()
	}
	l.SetLen(2)
	if got := screen(l, 5, 4); got != ">0| 1||" {
		t.Errorf("short: %q", got)
	}
	if from, to := l.Visible(); from != 0 || to != 2 {
		t.Errorf("visible %d..%d", from, to)
	}
	if got := l.View(5, 0); len(got) != 0 {
		t.Errorf("no height: %q", got)
	}
}

func TestFollow(t *testing.T) {
	l := numbered(3)
	l.Tail = true
	l.View(5, 2)
	l.Follow(true)
	l.SetLen(10)
	if got := screen(l, 5, 2); got != " 8|>9" {
		t.Errorf("following: %q", got)
	}
	l.Up()
	l.SetLen(12)
	if got := screen(l, 5, 2); got != ">8| 9" && got != " 7|>8" || l.Following() {
		t.Errorf("after up: %q, following %v", got, l.Following())
	}
	l.End()
	l.SetLen(13)
	if got := screen(l, 5, 2); got != " 11|>12" || !l.Following() {
		t.Errorf("after end: %q", got)
	}
	l.Down()
	if !l.Following() {
		t.Error("down on the last row ended following")
	}
	l.Scroll(-1)
	if got := screen(l, 5, 2); got != " 10|>11" || l.Following() {
		t.Errorf("after the wheel: %q, following %v", got, l.Following())
	}
	still := numbered(3)
	still.End()
	if still.Following() {
		t.Error("a list that does not grow follows")
	}
}

// keyed is a list over a slice of ascending sequence numbers.
func keyed(seqs *[]int64) *List {
	l := &List{
		Row: func(i, width int, selected bool) string { return fmt.Sprint((*seqs)[i]) },
		Key: func(i int) int64 { return (*seqs)[i] },
	}
	l.SetLen(len(*seqs))
	return l
}

func TestAnchor(t *testing.T) {
	var seqs []int64
	for i := range int64(20) {
		seqs = append(seqs, i*10)
	}
	l := keyed(&seqs)
	l.View(5, 5)
	l.Go(8)
	l.Up() // 70, second of the last five rows
	if got := screen(l, 5, 5); got != "40|50|60|70|80" {
		t.Fatal(got)
	}
	seqs = append([]int64{-3, -2, -1}, seqs...) // inserted above
	l.SetLen(len(seqs))
	if got := screen(l, 5, 5); got != "40|50|60|70|80" || l.Cursor() != 10 {
		t.Errorf("after an insertion: %q, cursor %d", got, l.Cursor())
	}
	seqs = []int64{10, 30, 50, 70, 90, 110, 130, 150} // filtered
	l.SetLen(len(seqs))
	if got := screen(l, 5, 5); got != "10|30|50|70|90" || l.Cursor() != 3 {
		t.Errorf("after a filter: %q, cursor %d", got, l.Cursor())
	}
	seqs = []int64{10, 90} // its row is gone
	l.SetLen(len(seqs))
	if l.Cursor() != 1 {
		t.Errorf("cursor %d, want the next row", l.Cursor())
	}
	if !l.GoKey(10) || l.Cursor() != 0 || l.GoKey(11) {
		t.Error("GoKey")
	}
	seqs = nil // a filter that matches nothing, and its end
	l.SetLen(0)
	seqs = []int64{1, 2, 10, 20}
	l.SetLen(4)
	if l.Cursor() != 2 {
		t.Errorf("cursor %d after an empty list, want its old row", l.Cursor())
	}
}

func TestAnchorInAnyOrder(t *testing.T) {
	seqs := []int64{5, 3, 9, 1}
	l := keyed(&seqs)
	l.Index = func(key int64) (int, bool) {
		for i, s := range seqs {
			if s == key {
				return i, true
			}
		}
		return 0, false
	}
	l.Go(2)
	seqs = []int64{9, 5, 3, 1}
	l.SetLen(4)
	if l.Cursor() != 0 {
		t.Errorf("cursor %d, want row 9 at 0", l.Cursor())
	}
}

func TestSearch(t *testing.T) {
	l := numbered(100)
	l.Go(50)
	tens := func(i int) bool { return i%10 == 3 }
	s := l.Search(true)
	if i, done := s.Next(2, tens); i != -1 || done {
		t.Errorf("first slice: %d %v", i, done)
	}
	if i, done := s.Next(2, tens); i != 53 || !done {
		t.Errorf("second slice: %d %v", i, done)
	}
	if i, _ := s.Next(99, tens); i != 63 {
		t.Errorf("next match: %d", i)
	}
	if i, _ := l.Search(false).Next(99, tens); i != 43 {
		t.Errorf("backwards: %d", i)
	}
	if i, _ := l.Search(true).Next(99, func(i int) bool { return i == 10 }); i != 10 {
		t.Errorf("around the end: %d", i)
	}
	if i, done := l.Search(false).Next(1000, func(i int) bool { return i == 50 }); i != 50 || !done {
		t.Errorf("own row: %d %v", i, done)
	}
	if i, done := l.Search(true).Next(1000, func(int) bool { return false }); i != -1 || !done {
		t.Errorf("nothing: %d %v", i, done)
	}
	if i, done := numbered(0).Search(true).Next(1, tens); i != -1 || !done {
		t.Errorf("empty: %d %v", i, done)
	}
}

func TestNearEnd(t *testing.T) {
	l := numbered(100)
	l.View(5, 10)
	if l.NearEnd(20) {
		t.Error("at the top")
	}
	l.Go(80)
	if !l.NearEnd(20) || l.NearEnd(10) {
		t.Error("at 80")
	}
	if !numbered(0).NearEnd(0) {
		t.Error("an empty list is at its end")
	}
}

// Whatever is done, the cursor is visible and the lines have their size.
func TestAnySequence(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 1))
		var seqs []int64
		l := keyed(&seqs)
		l.Tail = seed%2 == 0
		for range 100 {
			switch r.IntN(12) {
			case 0:
				l.Up()
			case 1:
				l.Down()
			case 2:
				l.PageUp()
			case 3:
				l.PageDown()
			case 4:
				l.Home()
			case 5:
				l.End()
			case 6:
				l.Scroll(r.IntN(9) - 4)
			case 7:
				l.Follow(r.IntN(2) == 0)
			case 8:
				l.Go(r.IntN(60) - 10)
			default:
				seqs = seqs[:0]
				for range r.IntN(40) {
					seqs = append(seqs, r.Int64N(1000))
				}
				sort.Slice(seqs, func(i, j int) bool { return seqs[i] < seqs[j] })
				l.SetLen(len(seqs))
			}
			w, h := r.IntN(8), r.IntN(12)
			lines := l.View(w, h)
			if len(lines) != h {
				t.Fatalf("seed %d: %d lines, want %d", seed, len(lines), h)
			}
			for _, line := range lines {
				if text.Width(line) != w {
					t.Fatalf("seed %d: %q is not %d cells", seed, line, w)
				}
			}
			from, to := l.Visible()
			if l.n > 0 && h > 0 && (l.cursor < from || l.cursor >= to) {
				t.Fatalf("seed %d: cursor %d outside %d..%d", seed, l.cursor, from, to)
			}
			if l.follow && l.n > 0 && l.cursor != l.n-1 {
				t.Fatalf("seed %d: following, cursor %d of %d", seed, l.cursor, l.n)
			}
		}
	}
}

func BenchmarkView(b *testing.B) {
	for _, n := range []int{100, 1_000_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			l := &List{
				Row: func(i, width int, selected bool) string { return "0.004 -> out server/discover, result of #1" },
				Key: func(i int) int64 { return int64(i) },
			}
			l.SetLen(n)
			b.ReportAllocs()
			for b.Loop() {
				l.Down()
				l.SetLen(n)
				l.View(120, 40)
			}
		})
	}
}
