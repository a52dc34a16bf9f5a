package words

import (
	"fmt"
	"strconv"
	"strings"
)

// MaxSize is the largest number of bytes that ParseSize reads: rows count their bytes in 32 bits.
const MaxSize = 2 << 30

// ParseSize reads a number of bytes as a person writes it: 1048576, 64MiB, 10MB, 1k. The letters alone and
// those with an i are powers of 1024.
func ParseSize(word string) (int, error) {
	digits := strings.TrimRight(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
	var unit int64
	switch strings.ToLower(word[len(digits):]) {
	case "", "b":
		unit = 1
	case "k", "kib":
		unit = 1 << 10
	case "kb":
		unit = 1e3
	case "m", "mib":
		unit = 1 << 20
	case "mb":
		unit = 1e6
	case "g", "gib":
		unit = 1 << 30
	case "gb":
		unit = 1e9
	}
	n, err := strconv.ParseInt(strings.TrimSpace(digits), 10, 64)
	if err != nil || unit == 0 || n <= 0 || n > MaxSize/unit {
		return 0, fmt.Errorf("%q is no size such as 64MiB, up to 2GiB", word)
	}
	return int(n * unit), nil
}

// Size writes a number of bytes as ParseSize reads it, in MiB where it is a whole number of them.
func Size(n int) string {
	const mib = 1 << 20
	if n > 0 && n%mib == 0 {
		return strconv.Itoa(n/mib) + "MiB"
	}
	return strconv.Itoa(n)
}
