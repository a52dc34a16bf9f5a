package recordings

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// TestSampleNames: what is built in is opened and copied by its name, with its ending or without, and
// has a title; a file of that name comes first.
func TestSampleNames(t *testing.T) {
	t.Chdir(t.TempDir())
	names := SampleNames()
	if len(names) != len(madeSamples())+len(sampleScripts()) {
		t.Errorf("%q", names)
	}
	for _, name := range names {
		if SampleTitle(name) == "" || !IsSample(name) {
			t.Errorf("%s: %q", name, SampleTitle(name))
		}
		for _, open := range []func(string) (*Reader, error){Open, OpenSample, func(name string) (*Reader, error) { return OpenSample(name + SampleExt) }} {
			r, err := open(name)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			r.Close()
		}
		want, err := fs.ReadFile(Samples(), name+SampleExt)
		if err != nil {
			t.Fatal(err)
		}
		to := filepath.Join(t.TempDir(), "copy")
		if n, err := Copy(to, name); err != nil || n != int64(len(want)) {
			t.Errorf("%s: %d of %d bytes, %v", name, n, len(want), err)
		}
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(name); IsSample(name) || err == nil {
			t.Errorf("the file %s is taken for the sample: %v", name, err)
		}
	}
	if _, err := OpenSample("none"); !errors.Is(err, fs.ErrNotExist) || IsSample("none") {
		t.Error(err)
	}
}
