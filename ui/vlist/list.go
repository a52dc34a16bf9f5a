// Package vlist is a list that draws only what is visible. It holds no rows: it
// asks for one when it draws it, so that its cost does not depend on how many
// there are. Every row is one line high. Methods are plain; keys and messages are
// the caller's business. A List belongs to one goroutine.
package vlist

import (
	"sort"
	"strings"

	"example.com/mcpinspect/ui/text"
)

// List is a cursor and a window over Len rows.
//
// Rows are addressed by index from 0. An index means another row after rows were
// inserted, filtered away or sorted; then SetLen keeps the cursor on the row with
// the same key.
type List struct {
	// Row draws row i, clean, in our own colours if any; it is clipped and padded
	// to width. Only View calls it.
	Row func(i, width int, selected bool) string

	// Key returns what stays the same about row i, as a sequence number does. Nil
	// means that rows keep their index.
	Key func(i int) int64

	// Index finds a key after the rows changed: its row, or where it would be, and
	// whether it is there. Nil means that keys ascend, and a binary search is made.
	Index func(key int64) (int, bool)

	// Tail says that the list grows at its end: going to the end follows it.
	Tail bool

	n, top, cursor int
	height         int // of the last View; what a page is
	follow         bool
	key            int64 // of the cursor, as it was when the cursor came to its row
	keyed          bool  // there is such a key; it outlives an empty list
}

// Len returns the number of rows.
func (l *List) Len() int { return l.n }

// SetLen says that there are n rows now, and that any of them may have changed its
// place. While following the cursor goes to the last row; otherwise it stays on
// its row and its line of the screen, or goes to the next row when its own is gone.
func (l *List) SetLen(n int) {
	l.n = max(n, 0)
	if l.follow {
		l.move(l.n - 1)
		return
	}
	at := l.cursor
	if l.n > 0 && l.keyed {
		at, _ = l.find(l.key)
	}
	l.top += at - l.cursor
	l.move(at)
}

// find returns the row of a key, or where it would be.
func (l *List) find(key int64) (int, bool) {
	if l.Index != nil {
		return l.Index(key)
	}
	// Most often nothing moved.
	if l.cursor < l.n && l.Key(l.cursor) == key {
		return l.cursor, true
	}
	i := sort.Search(l.n, func(i int) bool { return l.Key(i) >= key })
	return i, i < l.n && l.Key(i) == key
}

// Cursor returns the selected row, or -1 in an empty list.
func (l *List) Cursor() int {
	if l.n == 0 {
		return -1
	}
	return l.cursor
}

// Visible returns the rows of the last View, as a half-open interval.
func (l *List) Visible() (from, to int) { return l.top, min(l.top+l.height, l.n) }

// Go puts the cursor on row i, or the nearest there is. Leaving the last row ends
// following.
func (l *List) Go(i int) {
	l.move(i)
	if l.cursor < l.n-1 {
		l.follow = false
	}
}

// GoKey puts the cursor on the row with the key and says whether there is one.
func (l *List) GoKey(key int64) bool {
	if l.Key == nil {
		return false
	}
	i, ok := l.find(key)
	if ok {
		l.Go(i)
	}
	return ok
}

func (l *List) Up()       { l.Go(l.cursor - 1) }
func (l *List) Down()     { l.Go(l.cursor + 1) }
func (l *List) PageUp()   { l.page(-max(l.height-1, 1)) } // one row stays, to read on from
func (l *List) PageDown() { l.page(max(l.height-1, 1)) }
func (l *List) HalfUp()   { l.page(-max(l.height/2, 1)) }
func (l *List) HalfDown() { l.page(max(l.height/2, 1)) }
func (l *List) Home()     { l.Go(0) }

// End goes to the last row; where rows arrive at the end, it follows them.
func (l *List) End() {
	l.Go(l.n - 1)
	l.follow = l.Tail
}

// page moves window and cursor by the same number of rows.
func (l *List) page(by int) {
	l.top += by
	l.Go(l.cursor + by)
}

// Scroll moves the window by some rows, as a wheel does. The cursor stays on its
// row while that is visible.
func (l *List) Scroll(by int) {
	l.top = clamp(l.top+by, 0, l.n-l.height)
	l.Go(clamp(l.cursor, l.top, l.top+l.height-1))
}

// Following says whether the cursor stays on the last row as rows arrive.
func (l *List) Following() bool { return l.follow }

// Follow switches following on, which goes to the end, or off.
func (l *List) Follow(on bool) {
	l.follow = on
	if on {
		l.move(l.n - 1)
	}
}

// NearEnd says that the window or the cursor is within k rows of the end: time to
// load the next page.
func (l *List) NearEnd(k int) bool {
	return max(l.top+l.height-1, l.cursor) >= l.n-1-k
}

// View draws h lines of w cells each; lines without a row are blank.
func (l *List) View(w, h int) []string {
	w, h = max(w, 0), max(h, 0)
	l.height = h
	l.move(l.cursor)
	lines := make([]string, h)
	blank := strings.Repeat(" ", w)
	for y := range lines {
		i := l.top + y
		if i >= l.n || l.Row == nil {
			lines[y] = blank
			continue
		}
		lines[y] = text.Fit(l.Row(i, w, i == l.cursor), w)
	}
	return lines
}

// move puts the cursor on row i and the window around it.
func (l *List) move(i int) {
	l.cursor = clamp(i, 0, l.n-1)
	l.top = clamp(l.top, l.cursor-l.height+1, l.cursor)
	l.top = clamp(l.top, 0, l.n-l.height)
	if l.n > 0 && l.Key != nil {
		l.key, l.keyed = l.Key(l.cursor), true
	}
}

// clamp brings i into low..high; an empty interval gives low.
func clamp(i, low, high int) int { return max(min(i, high), low) }
