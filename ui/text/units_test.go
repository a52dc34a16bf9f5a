package text

import (
	"math"
	"testing"
	"time"
)

func TestSize(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0 B", 15: "15 B", 999: "999 B", 1000: "1.0 KB", 1234: "1.2 KB", 999_949: "999.9 KB", 999_950: "1.0 MB", 3_000_000: "3.0 MB",
		50 << 20: "52.4 MB", 2_500_000_000: "2.5 GB", math.MaxInt64: "9223372.0 TB", -5: "-5 B", -1500: "-1.5 KB",
	} {
		if got := Size(n); got != want {
			t.Errorf("Size(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestDuration(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0 ms", 420 * time.Microsecond: "0.42 ms", 999 * time.Microsecond: "1.0 ms", 7100 * time.Microsecond: "7.1 ms",
		512 * time.Millisecond: "512 ms", 99_960 * time.Microsecond: "100 ms", 999_700 * time.Microsecond: "1.0 s", 3200 * time.Millisecond: "3.2 s",
		59_960 * time.Millisecond: "1m00s", 125 * time.Second: "2m05s", 3599*time.Second + 600*time.Millisecond: "1h00m",
		187 * time.Minute: "3h07m", -7100 * time.Microsecond: "-7.1 ms", math.MinInt64: "-2562047h47m",
	} {
		if got := Duration(d); got != want {
			t.Errorf("Duration(%d) = %q, want %q", d, got, want)
		}
	}
}

func TestPlural(t *testing.T) {
	for _, c := range []struct {
		n          int
		noun, want string
	}{
		{1, "row", "1 row"}, {0, "row", "0 rows"}, {2, "reply", "2 replies"}, {2, "key", "2 keys"}, {3, "match", "3 matches"}, {1234567, "row", "1,234,567 rows"}, {-1000, "row", "-1,000 rows"}, {999, "row", "999 rows"}, {2, "pass", "2 passes"}, {2, "", "2 s"},
	} {
		if got := Plural(c.n, c.noun); got != c.want {
			t.Errorf("Plural(%d, %q) = %q, want %q", c.n, c.noun, got, c.want)
		}
	}
}

func TestGlyphsAreOneCell(t *testing.T) {
	for _, g := range []*Glyphs{Unicode, Plain} {
		for _, s := range []string{g.Horizontal, g.Vertical, g.TopLeft, g.TopRight, g.BottomLeft, g.BottomRight,
			g.TeeLeft, g.TeeRight, g.TeeTop, g.TeeBottom, g.Cross, g.Ellipsis, g.Dot} {
			if Width(s) != 1 || g == Plain && ASCII(s) != s {
				t.Errorf("glyph %q", s)
			}
		}
	}
	if Pick(true) != Plain {
		t.Error("ASCII was asked for")
	}
}
