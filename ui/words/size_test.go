package words

import "testing"

func TestSize(t *testing.T) {
	for _, c := range []struct {
		word  string
		bytes int // 0 for no size
		again string
	}{
		{"1048576", 1 << 20, "1MiB"}, {"64MiB", 64 << 20, "64MiB"}, {"10MB", 10_000_000, "10000000"}, {"1k", 1024, "1024"}, {"3 kB", 3000, "3000"}, {"2GiB", 2 << 30, "2048MiB"}, {"1gb", 1e9, "1000000000"}, {"7b", 7, "7"},
		{"", 0, ""}, {"0", 0, ""}, {"-1", 0, ""}, {"1.5MiB", 0, ""}, {"64MX", 0, ""}, {"3GiB", 0, ""}, {"99999999999999999999", 0, ""}, {"MiB", 0, ""},
	} {
		n, err := ParseSize(c.word)
		if n != c.bytes || (err == nil) != (c.bytes > 0) {
			t.Errorf("%q is %d, %v", c.word, n, err)
		}
		if err == nil && Size(n) != c.again {
			t.Errorf("%q is written %q", c.word, Size(n))
		}
	}
}
