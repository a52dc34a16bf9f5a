package recordings

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
	"time"
)

const headText = `{"k":"head","v":1,"start":"2026-09-01T09:30:00Z","target":{"transport":"stdio"}}` + "\n"

func TestNoRecording(t *testing.T) {
	for text, want := range map[string]string{
		"":                                     "it is empty",
		"hello\n":                              "its first line is no JSON object",
		"null\n":                               "its first line is no JSON object",
		"[]\n":                                 "its first line is no JSON object",
		"{}\n":                                 "its first line has no kind",
		`{"k":1}`:                              "its first line has no kind",
		`{"k":"b","t":1,"ch":"in","d":"x"}`:    `its first line is no head: it has no "k":"head"`,
		`{"jsonrpc":"2.0","id":1}`:             "its first line has no kind",
		`{"k":"head"}`:                         "its first line is a head without a version",
		`{"k":"head","v":2}`:                   "its first line has version 2, and this program reads version 1: a newer one may read it",
		`{"k":"head","v":"1"}`:                 `its first line has version "1", and this program reads version 1: a newer one may read it`,
		`{"k":"head","v":1,"start":"now"}`:     "its first line is a head that cannot be read",
		`{"k":"head","v":1,"start":"2026`:      "its first line was cut off, and nothing follows",
		"\x7fELF\x00\x00":                      "its first line is no JSON object",
		strings.Repeat("x", maxHeadLine+1<<18): "its first line has no end",
	} {
		r, err := NewReader(strings.NewReader(text))
		if not := (*NotRecordingError)(nil); !errors.As(err, &not) || r != nil || !strings.HasPrefix(not.Reason, want) {
			t.Errorf("%.60q: %v, want %s", text, err, want)
		}
	}
	path := filepath.Join(t.TempDir(), "x")
	if _, err := Open(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
	if err := os.WriteFile(path, []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(path); err == nil || !strings.HasPrefix(err.Error(), path+" is no recording") {
		t.Errorf("another file: %v", err)
	}
	if _, err := NewReader(iotest.ErrReader(errFull)); !errors.Is(err, errFull) {
		t.Errorf("a file that cannot be read: %v", err)
	}
}

func TestReaderTakesWhatLaterVersionsWrite(t *testing.T) {
	text := "\ufeff" + `{"v":1, "new":[], "k":"head","start":"2026-09-01T09:30:00Z","target":{"transport":"stdio","more":1},"options":{"x":1}}` + "\r\n" +
		`{"k":"wq","x":1,"t":5,"method":"POST","code":"text","ch":"elsewhere"}` + "\n" +
		`{"k":"wb","x":1,"t":6,"ch":"out","d":"body"}` + "\n\n" +
		` { "d" : "caf\u00e9\ud83d\ude00" , "ch":"out" , "t" : 7 , "k":"b","later":true } ` + "\n" +
		`{"k":"spawn","t":8,"pid":3,"path":"x","run":4}` + "\n" +
		`{"k":"ctl","t":9,"what":"era","run":2,"data":{"a":1}}` + "\n" +
		`{"k":"exit","t":10,"code":0,"asked":"no"}`
	all, r := load(t, strings.NewReader(text))
	if len(r.Notices()) > 0 || len(all) != 7 {
		t.Fatalf("%d records, notices %v", len(all), r.Notices())
	}
	if h := r.Head(); h.Start.Year() != 2026 || h.Target.Transport != "stdio" || all[0].Head == nil {
		t.Errorf("head %+v", h)
	}
	if q := all[1]; q.K != "wq" || q.T != 5 || q.Text("method") != "POST" || q.Text("code") != "text" || string(q.Fields["x"]) != "1" || q.Line != 2 {
		t.Errorf("a kind of a later version: %+v", q)
	}
	if b := all[2]; b.Ch != Out || string(b.Data) != "body" {
		t.Errorf("a body: %+v", b)
	}
	if b := all[3]; string(b.Data) != "café\U0001f600" || b.Line != 5 || b.Run != 0 || string(b.Fields["later"]) != "true" {
		t.Errorf("a line with spaces: %+v", b)
	}
	if all[4].Run != 4 || all[5].Run != 2 || all[6].Run != 4 {
		t.Errorf("runs %d %d %d", all[4].Run, all[5].Run, all[6].Run)
	}
	if e := all[6]; e.Code == nil || *e.Code != 0 || e.Signal != "" || e.T != 10*time.Nanosecond {
		t.Errorf("exit %+v", e)
	}
}

func TestDamagedLinesAreToldAndSkipped(t *testing.T) {
	for line, want := range map[string]string{
		`{"k":"b","t":1,"ch":"out","d":"x"`:                   "is no JSON object",
		`{"k":"b","t":1,"ch":"out","d":"x"}}`:                 "is no JSON object",
		`{"k":"b","t":1,"ch":"out","d":"a"b"}`:                "is no JSON object",
		"{\"k\":\"b\",\"t\":1,\"ch\":\"out\",\"d\":\"\x01\"}": "is no JSON object",
		`{"k":"b","t":1,"ch":"out","d":"\x"}`:                 "is no JSON object",
		"{\"k\":\"b\",\"t\":1,\"ch\":\"out\",\"d\":\"\xff\"}": "is not UTF-8",
		`{"t":1}`:                                                                "has no kind",
		`{"k":"b","t":1,"ch":"up","d":"x"}`:                                      `names an unknown channel "up"`,
		`{"k":"b","t":1,"d":"x"}`:                                                "has no channel or no bytes",
		`{"k":"b","t":1,"ch":"in"}`:                                              "has no channel or no bytes",
		`{"k":"b","t":1,"ch":"in","d":"x","d64":"eA=="}`:                         "has both d and d64",
		`{"k":"b","t":1,"ch":"in","d64":"e"}`:                                    "has a d64 that is no base64",
		`{"k":"b","t":1.5,"ch":"in","d":"x"}`:                                    "has t of a wrong type",
		`{"k":"b","t":01,"ch":"in","d":"x"}`:                                     "is no JSON object",
		`{"k":"b","t":99999999999999999999,"ch":"in","d":"x"}`:                   "has t of a wrong type",
		`{"k":"b","t":1,"ch":"in","d":["x"]}`:                                    "has d of a wrong type",
		`{"k":"b","t":1,"ch":"in","d":"**","red":[[1,2,"A"]]}`:                   "has a red that does not fit its bytes",
		`{"k":"b","t":1,"ch":"in","d":"**","red":[[-1,2,"A"]]}`:                  "has a red that does not fit its bytes",
		`{"k":"b","t":1,"ch":"in","d":"**","red":[[0,9223372036854775807,"A"]]}`: "has a red that does not fit its bytes",
		`{"k":"b","t":1,"ch":"in","d":"**","red":[[0,1]]}`:                       "has a red that does not fit its bytes",
		`{"k":"b","t":1,"ch":"in","d":"**","red":{}}`:                            "has red of a wrong type",
		`{"k":"b","t":1,"ch":"in","d":"x","d":"y"}`:                              `has "d" twice`,
		`{"k":"b","t":1,"ch":"in","d":"x","\u0064":"y"}`:                         `has "d" twice`,
		`{"k":"hb","x":1,"t":1,"ch":"out","d64":"eA==","d64":"eQ=="}`:            `has "d64" twice`,
		`{"k":"b","t":1,"ch":"in","d":"a\ud800"}`:                                "has d with half of a character, which no bytes stand for",
		`{"k":"hb","x":1,"t":1,"ch":"out","d":"\udc00\ud800"}`:                   "has d with half of a character, which no bytes stand for",
		`{"k":"b","t":1,"ch":"in","d":"\ud800\u0041**","red":[[0,2,"A"]]}`:       "has d with half of a character, which no bytes stand for",
		`{"k":"b","t":1,"ch":"in","d":null}`:                                     "has d of a wrong type",
		`{"k":"exit","t":1,"code":"x"}`:                                          "has code of a wrong type",
		`{"k":"head","v":7}`:                                                     "has version 7, and this program reads version 1: a newer one may read it",
	} {
		text := headText + `{"k":"b","t":1,"ch":"out","d":"before"}` + "\n" + line + "\n" + `{"k":"b","t":2,"ch":"out","d":" after"}` + "\n"
		all, r := load(t, strings.NewReader(text))
		if got := joined(all, Out); string(got) != "before after" {
			t.Errorf("%s: %q is left", line, got)
		}
		n := r.Notices()
		if len(n) != 1 || n[0].Line != 3 || n[0].Torn || n[0].Text != "was skipped: it "+want {
			t.Errorf("%s: notices %v", line, n)
		}
		if r.Torn() {
			t.Errorf("%s: taken for torn", line)
		}
	}
}

// TestLinesAreFaithful: the bytes of every kind of line are those that stand there, and what is not read
// keeps its spelling.
func TestLinesAreFaithful(t *testing.T) {
	const odd = `{"n":100000000000000000001,"e":1E+2,"n":-0.0,"\u0061":"\ud83d\ude00\/"}`
	quoted := strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(odd)
	coded := base64.StdEncoding.EncodeToString([]byte(odd + "\xff"))
	for line, want := range map[string]string{
		`{"k":"b","t":1,"ch":"out","d":"` + quoted + `"}`:                           odd,
		`{"k":"b", "t":1,"ch":"out","d":"` + quoted + `" , "red":[[0,2,"A"]]}`:      odd,
		`{"k":"b","t":1,"ch":"out","d64":"` + coded + `"}`:                          odd + "\xff",
		`{"k":"hb","x":3,"t":1,"ch":"out","d":"` + quoted + `"}`:                    odd,
		`{"k":"hb","x":3,"t":1,"ch":"out","d64":"` + coded + `"}`:                   odd + "\xff",
		`{"k":"hb","x":3,"t":1,"ch":"out","d":"\ud83d\ude00\u00e9","end":true}`:     "\U0001f600é",
		`{"k":"b","t":1,"ch":"out","d":"` + strings.Repeat(`\/`, 9) + `","red":[]}`: strings.Repeat("/", 9),
	} {
		all, r := load(t, strings.NewReader(headText+line+"\n"))
		if len(all) != 2 || string(all[1].Data) != want || len(r.Notices()) > 0 {
			t.Errorf("%s: %q, %v", line, all[len(all)-1].Data, r.Notices())
		}
	}
	all, _ := load(t, strings.NewReader(headText+`{"k":"ctl","t":1,"what":"x","data": `+odd+` ,"id":1e400}`+"\n"+`{"k":"ctl","t":2,"what":"y"}`+"\n"))
	if got := all[1].Fields; string(got["data"]) != odd || string(got["id"]) != "1e400" {
		t.Errorf("%q", got)
	}
}

// FuzzMembers: an object falls apart as encoding/json has it, in its own spelling.
func FuzzMembers(f *testing.F) {
	f.Add([]byte(` { "a" : [1,{"b":"}"}] , "\u0062":"\\\"" ,"c":-1.5e+2,"":null,"d":{},"e":[] } `))
	f.Add([]byte(`{"a":1,"a":2}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		got, err := members(line)
		var want map[string]json.RawMessage
		if json.Unmarshal(line, &want) != nil || want == nil {
			if err == nil {
				t.Fatalf("%q is taken", line)
			}
			return
		}
		if err != nil {
			return
		}
		if len(got) != len(want) {
			t.Fatalf("%q: %q, want %q", line, got, want)
		}
		for name, raw := range want {
			is, ok := got[name]
			if !ok && !strings.Contains(name, "\ufffd") || ok && !bytes.Equal(is, raw) {
				t.Fatalf("%q: %q is %q, want %q", line, name, is, raw)
			}
		}
	})
}

func TestLongLines(t *testing.T) {
	for _, size := range []int{readBuffer - 60, readBuffer - 41, readBuffer, readBuffer * 3, 1 << 20} {
		p := bytes.Repeat([]byte("\x1b"), size) // six bytes each
		all := record(t, nil, []byte("a"), p, []byte("b"))
		if got := joined(all, Out); len(got) != size+2 || !bytes.Equal(got[1:size+1], p) || got[size+1] != 'b' {
			t.Errorf("%d bytes came back as %d", size+2, len(got))
		}
	}
	for _, c := range []struct{ size, want int }{{1 << 20, 1}, {1<<20 + 1, 0}} {
		open, end := `{"k":"b","t":1,"ch":"out","d":"`, `"}`
		line := open + strings.Repeat("x", c.size-len(open)-len(end)) + end
		for _, text := range []string{headText + line + "\n", headText + line} {
			r, err := NewReader(strings.NewReader(text))
			if err != nil {
				t.Fatal(err)
			}
			r.limit, r.head = 1<<20, nil
			_, err = r.Next()
			if got := len(r.Notices()); (err == nil) != (c.want == 1) || got != 1-c.want {
				t.Errorf("a line of %d bytes: %v, notices %v", c.size, err, r.Notices())
			}
		}
	}
	long := `{"k":"b","t":1,"ch":"out","d":"` + strings.Repeat("x", 3<<20) + `"}`
	for _, end := range []string{"\n", ""} {
		r, err := NewReader(strings.NewReader(headText + long + "\n" + `{"k":"ctl","t":1,"what":"x"}` + "\n" + long + end))
		if err != nil {
			t.Fatal(err)
		}
		r.limit = 1 << 20
		var kinds []string
		for {
			rec, err := r.Next()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			kinds = append(kinds, rec.K)
		}
		if got := fmt.Sprint(kinds, r.Notices()); got != "[head ctl] [line 2 is longer than 1 MiB and was skipped line 4 is longer than 1 MiB and was skipped]" {
			t.Error(got)
		}
	}
}

func TestManyDamagedLines(t *testing.T) {
	_, r := load(t, strings.NewReader(headText+strings.Repeat("x\n", maxNotices+5)+`{"k":`))
	n := r.Notices()
	if len(n) != maxNotices+2 || !n[maxNotices].Torn || n[maxNotices+1].Text != "is followed by 5 more that are damaged" {
		t.Errorf("%d notices, the last %v", len(n), n[len(n)-1])
	}
}

func TestReadingFails(t *testing.T) {
	r, err := NewReader(io.MultiReader(strings.NewReader(headText+`{"k":"b"`), iotest.ErrReader(errFull)))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Next(); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Next(); !errors.Is(err, errFull) || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("error %v", err)
	}
}

func FuzzReader(f *testing.F) {
	for _, s := range []string{headText, headText + `{"k":"b","t":1,"ch":"out","d":"x\u00e9\n"}`, headText + `{"k":"b","t":1,"ch":"err","d64":"/w==","red":[[0,1,"A"]]}` + "\nx\n{"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, in := range [][]byte{text, append([]byte(headText), text...)} {
			r, err := NewReader(bytes.NewReader(in))
			if not := (*NotRecordingError)(nil); err != nil {
				if !errors.As(err, &not) {
					t.Fatal(err)
				}
				continue
			}
			lines := 0
			for {
				rec, err := r.Next()
				if err == io.EOF {
					break
				}
				if err != nil {
					t.Fatal(err)
				}
				if lines++; rec.K == KindBytes {
					agrees(t, rec)
				}
			}
			if n := bytes.Count(in, []byte{'\n'}) + 1; lines+len(r.Notices()) > n {
				t.Fatalf("%d records and %d notices of %d lines", lines, len(r.Notices()), n)
			}
		}
	})
}

// agrees checks that a line means the same when it is read without the fast path.
func agrees(t *testing.T, rec Record) {
	t.Helper()
	spaced := append([]byte{' '}, rec.Raw...)
	r := Reader{line: rec.Line, run: rec.Run}
	if _, ok := r.fast(spaced); ok {
		t.Fatal("the fast path reads spaces")
	}
	slow, err := r.decode(spaced)
	if err != nil || slow.T != rec.T || slow.Ch != rec.Ch || !bytes.Equal(slow.Data, rec.Data) || fmt.Sprint(slow.Spans) != fmt.Sprint(rec.Spans) {
		t.Fatalf("%q is read %+v, and slowly %+v, %v", rec.Raw, rec, slow, err)
	}
}

func FuzzRoundTrip(f *testing.F) {
	f.Add([]byte("boot\n{\"id\":1}\r\n\xff"), uint16(3), int64(5))
	f.Fuzz(func(t *testing.T, p []byte, size uint16, at int64) {
		var b bytes.Buffer
		w := NewWriter(&b)
		w.Head(Head{})
		n := int(size)%max(1, len(p)) + 1
		count := 0
		for i := 0; i < len(p); i += n {
			w.Bytes(time.Duration(at), In, p[i:min(i+n, len(p))])
			count++
		}
		all, r := load(t, &b)
		if len(r.Notices()) > 0 || len(all) != count+1 || !bytes.Equal(joined(all, In), p) {
			t.Fatalf("%q came back as %q, %v", p, joined(all, In), r.Notices())
		}
		for _, rec := range all[1:] {
			if rec.T != time.Duration(at) {
				t.Fatalf("time %d", rec.T)
			}
			agrees(t, rec)
		}
	})
}
