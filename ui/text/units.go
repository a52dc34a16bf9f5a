package text

import (
	"strconv"
	"strings"
	"time"
)

// Size writes a number of bytes the way the whole program does, in powers of a
// thousand: "15 B", "1.2 KB", "3.0 MB".
func Size(n int64) string {
	if n > -1000 && n < 1000 {
		return strconv.FormatInt(n, 10) + " B"
	}
	f := float64(n)
	for _, unit := range [...]string{"KB", "MB", "GB", "TB"} {
		f /= 1000
		if s := strconv.FormatFloat(f, 'f', 1, 64); f > -999.95 && f < 999.95 || unit == "TB" {
			return s + " " + unit
		}
	}
	panic("unreachable")
}

// Duration writes a time span the way the whole program does: "0.42 ms", "7.1 ms",
// "512 ms", "3.2 s", "2m05s", "3h07m".
func Duration(d time.Duration) string {
	if d < 0 {
		if d = -d; d < 0 { // the one value without a negative
			d = 1<<63 - 1
		}
		return "-" + Duration(d)
	}
	ms := float64(d) / float64(time.Millisecond)
	switch {
	case d == 0:
		return "0 ms"
	case ms < 0.995:
		return strconv.FormatFloat(ms, 'f', 2, 64) + " ms"
	case ms < 99.95:
		return strconv.FormatFloat(ms, 'f', 1, 64) + " ms"
	case ms < 999.5:
		return strconv.FormatFloat(ms, 'f', 0, 64) + " ms"
	case ms < 59_950:
		return strconv.FormatFloat(ms/1000, 'f', 1, 64) + " s"
	}
	s := int64(d / time.Second)
	if d%time.Second >= time.Second/2 {
		s++
	}
	if s < 3600 {
		return pair(s, "m", "s")
	}
	return pair((s+30)/60, "h", "m")
}

// pair writes n as sixties and ones.
func pair(n int64, sixties, ones string) string {
	low := strconv.FormatInt(n%60, 10)
	if len(low) == 1 {
		low = "0" + low
	}
	return strconv.FormatInt(n/60, 10) + sixties + low + ones
}

// Count writes a number with its thousands apart: "12", "1,234,567".
func Count(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Plural writes a count with its English noun: "1 row", "0 rows", "2 replies",
// "3,000 matches".
func Plural(n int, noun string) string {
	s := Count(n) + " "
	if n == 1 {
		return s + noun
	}
	switch stem, last := noun[:max(len(noun)-1, 0)], noun[max(len(noun)-1, 0):]; {
	case last == "y" && stem != "" && !strings.ContainsAny(stem[len(stem)-1:], "aeiou"):
		return s + stem + "ies"
	case last == "s", last == "x", strings.HasSuffix(noun, "ch"), strings.HasSuffix(noun, "sh"):
		return s + noun + "es"
	}
	return s + noun + "s"
}
