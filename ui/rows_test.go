package ui

import (
	"fmt"
	"strings"
	"testing"
)

// TestGlimpse: the rows that are drawn and the one above them, and none beside.
func TestGlimpse(t *testing.T) {
	log := made(t, "out:"+strings.Repeat("x\n", 20)).Log()
	for _, c := range []struct {
		rows        rows
		top, height int
		want        string
	}{
		{rows{n: 20}, 0, 3, "0 1 2"},
		{rows{n: 20}, 5, 3, "4 5 6 7"},
		{rows{n: 20}, 18, 5, "17 18 19"},
		{rows{n: 20, first: 4}, 0, 2, "4 5"},
		{rows{n: 20, picked: []int32{3, 9, 11, 19}}, 1, 2, "3 9 11"},
		{rows{n: 20, picked: []int32{}}, 0, 2, ""},
	} {
		g := glimpse{log: log, rows: c.rows, height: c.height}
		g.row(c.top)
		var got []string
		for i := -1; i <= c.rows.len(); i++ {
			if e := g.row(i); e != nil {
				if e.Seq != c.rows.seq(i) {
					t.Errorf("row %d of %+v is #%d", i, c.rows, e.Seq)
				}
				got = append(got, fmt.Sprint(e.Seq))
			}
		}
		if got := strings.Join(got, " "); got != c.want {
			t.Errorf("%d rows from %d on of %+v: %q, want %q", c.height, c.top, c.rows, got, c.want)
		}
	}
}
