package recordings

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"
)

func TestLines(t *testing.T) {
	code := 7
	for _, c := range []struct {
		name string
		do   func(w *Writer)
		want string
	}{
		{"spawn", func(w *Writer) { w.Spawn(5, 1, 42, `C:\x`) }, `{"k":"spawn","t":5,"run":1,"pid":42,"path":"C:\\x"}`},
		{"text", func(w *Writer) { w.Bytes(6, In, []byte("a\"\n")) }, `{"k":"b","t":6,"ch":"in","d":"a\"\n"}`},
		{"base64", func(w *Writer) { w.Bytes(6, Err, []byte("a\xff")) }, `{"k":"b","t":6,"ch":"err","d64":"Yf8="}`},
		{"half a character", func(w *Writer) { w.Bytes(6, Out, []byte("aaaaaaaaaaaaaaaa\xc3")) }, `{"k":"b","t":6,"ch":"out","d64":"YWFhYWFhYWFhYWFhYWFhYcM="}`},
		{"empty", func(w *Writer) {
			w.Bytes(6, Out, nil)
			w.Bytes(6, None, []byte("x"))
			w.Bytes(6, channels, []byte("x"))
		}, ""},
		{"ctl", func(w *Writer) {
			w.Ctl(7, "era", Text("text", "a\xff"), Int("run", -2), JSON("data", []byte("{\n \"a\": [1, 2]}")), JSON("bad", []byte("{")), Text("k", "no"), Text("t", "no"), Text("what", "no"))
		}, `{"k":"ctl","t":7,"what":"era","text":"a` + "\uFFFD" + `","run":-2,"data":{"a":[1,2]},"bad":"{"}`},
		{"exit", func(w *Writer) { w.Exit(8, &code, "", "no", "") }, `{"k":"exit","t":8,"code":7,"asked":"no"}`},
		{"signal", func(w *Writer) { w.Exit(8, nil, "SIGKILL", "kill", "it was killed") }, `{"k":"exit","t":8,"signal":"SIGKILL","asked":"kill","text":"it was killed"}`},
		{"end", func(w *Writer) { w.End(9, Out); w.End(9, None) }, `{"k":"end","t":9,"ch":"out"}`},
		{"drop", func(w *Writer) { w.Drop(9, Out, 12, "because"); w.Drop(9, channels, 1, "") }, `{"k":"drop","t":9,"ch":"out","n":12,"why":"because"}`},
		{"head", func(w *Writer) {
			w.Head(Head{Tool: "t", Start: time.Unix(0, 5), Target: Target{Transport: "http", URL: "http://h/?a=1&b=2"}, Filtered: "is:error"})
		}, `{"k":"head","v":1,"tool":"t","start":"1970-01-01T00:00:00.000000005Z","target":{"transport":"http","url":"http://h/?a=1\u0026b=2"},"filtered":"is:error"}`},
	} {
		var b bytes.Buffer
		w := NewWriter(&b)
		c.do(w)
		if got := strings.TrimSuffix(b.String(), "\n"); got != c.want {
			t.Errorf("%s: %s\nwant %s", c.name, got, c.want)
		}
		if err := errors.Join(w.Err(), w.Close(), w.Close()); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestSecretsInLinesThatAreNoStream(t *testing.T) {
	s := &Secrets{}
	s.Add("PIN", "12345678")
	var b bytes.Buffer
	w := NewWriter(&b)
	w.Mask(s)
	w.Head(Head{Start: time.Unix(0, 0), Target: Target{Command: []string{"x", "--pin=12345678"}, Cwd: "/12345678", URL: "http://u:12345678@h"}})
	w.Spawn(1, 1, 1, "/12345678/x")
	w.Ctl(2, "note", Text("text", "pin 12345678"), JSON("data", []byte(`{"pin":12345678}`)), JSON("args", []byte(`["12345678"]`)))
	if strings.Contains(b.String(), "12345678") || strings.Count(b.String(), "⟦PIN⟧") != 7 {
		t.Errorf("written is %s", b.String())
	}
	all, r := load(t, &b)
	if len(all) != 3 || len(r.Notices()) > 0 || all[2].Text("data") != `{"pin":⟦PIN⟧}` || string(all[2].Fields["args"]) != `["⟦PIN⟧"]` {
		t.Errorf("read is %+v, %v", all, r.Notices())
	}
}

// countingWriter counts calls.
type countingWriter struct {
	bytes.Buffer
	calls int
}

func (c *countingWriter) Write(p []byte) (int, error) {
	c.calls++
	return c.Buffer.Write(p)
}

func TestOneWriteForEachCall(t *testing.T) {
	var out countingWriter
	w := NewWriter(&out)
	s := &Secrets{}
	s.Add("A", "abcdefghijkl")
	w.Mask(s)
	steps := []func(){
		func() { w.Head(Head{}) },
		func() { w.Bytes(1, Out, []byte("xyz abcdef")) },
		func() { w.Bytes(2, Out, []byte("ghijkl, ab")) },
		func() { w.Bytes(3, Err, []byte("and\nmore\nabcd")) },
		func() { w.Exit(4, nil, "SIGTERM", "term", "") },
	}
	for i, step := range steps {
		if step(); out.calls != i+1 {
			t.Fatalf("after step %d there were %d writes", i, out.calls)
		}
	}
}

func TestSlowReader(t *testing.T) {
	out, in := io.Pipe()
	w := NewWriter(in)
	go func() {
		w.Head(Head{})
		for i := range 100 {
			w.Bytes(time.Duration(i), Out, []byte("line\n"))
		}
		w.Close()
	}()
	all, r := load(t, iotest.OneByteReader(out))
	if len(all) != 101 || len(r.Notices()) > 0 || len(joined(all, Out)) != 500 {
		t.Errorf("%d lines, notices %v", len(all), r.Notices())
	}
	if lost, failing := w.Lost(); lost > 0 || failing || w.Err() != nil {
		t.Errorf("lost %d", lost)
	}
}

func TestConcurrentCalls(t *testing.T) {
	var b bytes.Buffer
	w := NewWriter(&b)
	s := &Secrets{}
	s.Add("A", "abcdefghijkl")
	w.Mask(s)
	w.Head(Head{})
	const each = 200
	var all sync.WaitGroup
	for ch := In; ch < channels; ch++ {
		all.Go(func() {
			for i := range each {
				w.Bytes(time.Duration(i), ch, []byte("<abcdefghijkl>"))
				w.Ctl(time.Duration(i), "note", Text("text", ch.String()))
				s.Add("B", fmt.Sprintf("another-secret-%d", i%3))
				w.Err()
			}
		})
	}
	all.Wait()
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	records, r := load(t, &b)
	if len(r.Notices()) > 0 {
		t.Fatal(r.Notices())
	}
	for ch := In; ch < channels; ch++ {
		if got := joined(records, ch); string(got) != strings.Repeat("<************>", each) {
			t.Errorf("%v has %d bytes", ch, len(got))
		}
	}
}

func TestSplittingChangesNothing(t *testing.T) {
	text := []byte("boot\n{\"jsonrpc\":\"2.0\",\"id\":1}\r\n\xff\xfe é ☀ \U0001f600 \x00\x1b[0m\n")
	random := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		var pieces [][]byte
		for rest := text; len(rest) > 0; {
			n := 1 + random.IntN(min(len(rest), 12))
			pieces, rest = append(pieces, rest[:n]), rest[n:]
		}
		all := record(t, nil, pieces...)
		if got := joined(all, Out); !bytes.Equal(got, text) || len(all) != len(pieces) {
			t.Fatalf("%q became %q in %d lines", pieces, got, len(all))
		}
	}
}

func TestCreate(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.jsonl")
	w, err := Create(path, false)
	if err != nil {
		t.Fatal(err)
	}
	w.Head(Head{Tool: "first"})
	if w.Path() != path {
		t.Errorf("path %q", w.Path())
	}
	if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	_, err = Create(path, true)
	if busy := (*BusyError)(nil); runtime.GOOS != "windows" && !errors.As(err, &busy) {
		t.Errorf("a file that is being recorded into: %v", err)
	}
	if all, _ := load(t, mustOpen(t, path)); len(all) != 1 || all[0].Head.Tool != "first" {
		t.Errorf("the refused overwriting left %+v", all)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	_, err = Create(path, false)
	exists := (*ExistsError)(nil)
	if !errors.As(err, &exists) || !errors.Is(err, fs.ErrExist) || !strings.Contains(err.Error(), "--overwrite") {
		t.Errorf("an existing file: %v", err)
	}
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	w, err = Create(path, true)
	if err != nil {
		t.Fatal(err)
	}
	if info, _ := os.Stat(path); info.Size() != 0 || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("overwritten it has %d bytes and mode %v", info.Size(), info.Mode())
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := Create(filepath.Join(t.TempDir(), "missing", "a.jsonl"), false); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("in a missing directory: %v", err)
	}
	if _, err := Create(t.TempDir(), true); err == nil {
		t.Error("a directory was overwritten")
	}
}

func mustOpen(t *testing.T, path string) *os.File {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func TestBytesAllocatesNothing(t *testing.T) {
	s := &Secrets{}
	s.Add("A", "abcdefghijkl")
	for _, c := range []struct {
		name    string
		secrets *Secrets
		p       string
	}{
		{"text", nil, strings.Repeat("{\"a\":\"é\"}\n", 30)},
		{"base64", nil, strings.Repeat("\xff", 300)},
		{"masked", s, strings.Repeat("{\"a\":\"abcdefghijkl\"}\n", 30) + "abcd"},
	} {
		w := NewWriter(discard{})
		w.Mask(c.secrets)
		p := []byte(c.p)
		if n := testing.AllocsPerRun(100, func() { w.Bytes(1, Out, p) }); n > 0 {
			t.Errorf("%s: %v allocations", c.name, n)
		}
	}
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }

// TestCreateTakesFilesOnly: nothing else is opened, so that nobody waits for the other end of a pipe.
func TestCreateTakesFilesOnly(t *testing.T) {
	dir := t.TempDir()
	for path, what := range map[string]string{dir: "a directory", os.DevNull: "a device"} {
		for _, overwrite := range []bool{false, true} {
			w, err := Create(path, overwrite)
			if not := (*NotFileError)(nil); w != nil || !errors.As(err, &not) || not.What != what {
				t.Errorf("%s: %v", path, err)
			}
		}
	}
}
