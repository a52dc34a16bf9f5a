package recordings

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestCopy(t *testing.T) {
	dir := t.TempDir()
	long := strings.Repeat("x", 3*readBuffer)
	for i, c := range []struct{ file, want string }{
		{"a\nb\n", "a\nb\n"},
		{"a\n" + long, "a\n"},
		{long, ""},
		{"", ""},
	} {
		from, to := filepath.Join(dir, "from"), filepath.Join(dir, "to"+string(rune('0'+i)))
		if err := os.WriteFile(from, []byte(c.file), 0o600); err != nil {
			t.Fatal(err)
		}
		n, err := Copy(to, from)
		got, rerr := os.ReadFile(to)
		if err != nil || rerr != nil || string(got) != c.want || n != int64(len(c.want)) {
			t.Errorf("%d: %d bytes, %v", i, n, err)
		}
		if _, err := Copy(to, from); !errors.Is(err, fs.ErrExist) {
			t.Errorf("over an existing file: %v", err)
		}
	}
	if _, err := Copy(filepath.Join(dir, "x"), filepath.Join(dir, "none")); err == nil {
		t.Error("what is not there was copied")
	}
}
