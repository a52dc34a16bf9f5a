package client

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

// scanPieces scans a text in pieces and says whether it is one complete value.
func scanPieces(s *scanner, pieces ...[]byte) bool {
	s.reset()
	for _, p := range pieces {
		if s.feed(p) < len(p) {
			return false
		}
	}
	return s.finish()
}

func scanText(text string) (*scanner, bool) {
	s := &scanner{}
	ok := scanPieces(s, []byte(text))
	return s, ok
}

func TestScanGrammar(t *testing.T) {
	for _, text := range []string{
		`{}`, `[]`, ` {"a" : [ 1 , -0 , 0.5e+10, 1E2, "\u00e9\n\/" , true, false, null, {} ] } `, `"x"`, `0`, `-1`, `null`, "\t1\r\n",
		`{"a":{"b":{"c":[[[]]]}}}`, "\"\x7f\"", "\"\xff\"", `{"":""}`, `1e5`, `0e0`,
	} {
		if _, ok := scanText(text); !ok || !json.Valid([]byte(text)) {
			t.Errorf("%q is JSON", text)
		}
	}
	for _, text := range []string{
		``, ` `, `{`, `}`, `[1,]`, `{"a":1,}`, `{"a"}`, `{a:1}`, `{"a":}`, `{"a" 1}`, `[1 2]`, `01`, `+1`, `.5`, `1.`, `1e`, `1e+`, `-`, `--1`, `1.e1`,
		`tru`, `truE`, `nulll`, `"\x"`, `"\u12g4"`, "\"a\nb\"", "\"a\tb\"", `"a`, `{"a":1]`, `[1}`, `1 2`, `{} {}`, `[1]]`, "\xef\xbb\xbf{}", `NaN`, `{"a":1,,}`,
	} {
		if _, ok := scanText(text); ok || json.Valid([]byte(text)) {
			t.Errorf("%q is no JSON", text)
		}
	}
}

func TestScanDepth(t *testing.T) {
	const deep = 100_000
	for _, unit := range [][2]string{{"[", "]"}, {`{"a":`, "}"}, {`[{"a":`, "}]"}} {
		text := strings.Repeat(unit[0], deep) + "1" + strings.Repeat(unit[1], deep)
		s, ok := scanText(text)
		if !ok || s.maxDepth < deep || s.depth != 0 {
			t.Errorf("%s: complete %t, depth %d", unit[0], ok, s.maxDepth)
		}
		if _, ok := scanText(text[:len(text)-1]); ok {
			t.Errorf("%s: complete without its last bracket", unit[0])
		}
		if room := cap(s.names) + cap(s.marks); room > 8*maxNested {
			t.Errorf("%s: room for %d names", unit[0], room)
		}
	}
}

func TestScanNames(t *testing.T) {
	many := func(n int, more string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `"k%d":%d,`, i, i)
		}
		return "{" + b.String() + more + "}"
	}
	for _, c := range []struct {
		text   string
		dup    string
		folded bool
		extra  bool
	}{
		{`{"id":1,"id":2}`, `"id"`, false, false},
		{`{"id":1,"\u0069d":2}`, `"\u0069d"`, false, false},
		{`{"\u0069\u0064":1}`, ``, false, false},
		{`{"ID":1}`, ``, true, false},
		{`{"Result":1,"mEthod":2}`, ``, true, false},
		{`{"\u0049D":1}`, ``, true, false},
		{`{"ids":1}`, ``, false, true},
		{`{"jsonrpcx":1}`, ``, false, true},
		{`{"jsonrpc2":1,"i":2}`, ``, false, true},
		{`{"":1}`, ``, false, true},
		{`{"result":{"a":1,"b":{"c":1,"c":2}}}`, `"c"`, false, false},
		{`{"result":[{"a":1},{"a":1}],"error":{"a":1}}`, ``, false, false},
		{`{"result":{"a":{"a":{"a":1}}}}`, ``, false, false},
		{`{"params":{"😀":1,"\ud83d\ude00":2}}`, `"\ud83d\ude00"`, false, false},
		{`{"params":{"\ud83d":1,"\ud83dx":2,"\ude00":3,"\ud83dx\ude00":4}}`, ``, false, false},
		{`{"params":{"\ud83d":1,"\uD83D":2}}`, `"\uD83D"`, false, false},
		{`{"params":{"/":1,"\/":2}}`, `"\/"`, false, false},
		{`{"params":{"` + "\xff" + `":1,"` + "\xfe" + `":2}}`, ``, false, false},
		{many(5, `"k3":1`), `"k3"`, false, true},
		{many(500, `"k499":1`), `"k499"`, false, true},
		{many(500, `"k500":1`), ``, false, true},
		{`{"params":` + many(100, `"q":`+many(100, `"k7":1`)) + `}`, `"k7"`, false, false},
		{`[{"a":1,"b":1},{"a":1}]`, ``, false, true},
	} {
		s, ok := scanText(c.text)
		if !ok || len(s.found) == 0 {
			t.Errorf("%.60s: not scanned", c.text)
			continue
		}
		e := s.found[0]
		dup := ""
		if e.dup.Present() {
			dup = c.text[e.dup.Start:e.dup.End]
		}
		if dup != c.dup || e.folded != c.folded || e.extra != c.extra {
			t.Errorf("%.60s: repeated %s, folded %t, extra %t; want %s, %t, %t", c.text, dup, e.folded, e.extra, c.dup, c.folded, c.extra)
		}
	}
}

// checkSpans compares the members that were found with those of encoding/json.
func checkSpans(t *testing.T, data []byte, s *scanner) {
	t.Helper()
	objects := []json.RawMessage{data}
	if s.root == '[' {
		var elements []json.RawMessage
		if err := json.Unmarshal(data, &elements); err != nil {
			t.Fatal(err)
		}
		objects = nil
		for _, e := range elements {
			if e[0] == '{' {
				objects = append(objects, e)
			}
		}
	} else if s.root != '{' {
		objects = nil
	}
	if len(objects) != len(s.found) {
		t.Fatalf("%d objects at message level in %q, want %d", len(s.found), data, len(objects))
	}
	for i, o := range objects {
		e := s.found[i]
		if got := data[e.span.Start:e.span.End]; !bytes.Equal(got, bytes.TrimSpace(o)) {
			t.Fatalf("object %d of %q is %q", i, data, got)
		}
		var want map[string]json.RawMessage
		if err := json.Unmarshal(o, &want); err != nil {
			t.Fatal(err)
		}
		for m := mJSONRPC; m < memberCount; m++ {
			span := e.members[m]
			if value, ok := want[memberNames[m]]; ok != span.Present() || !bytes.Equal(value, data[span.Start:span.End]) {
				t.Fatalf("%s of %q is %q, want %q", memberNames[m], data, data[span.Start:span.End], value)
			} else if ok && e.first[m] != value[0] {
				t.Fatalf("%s of %q begins with %q", memberNames[m], data, e.first[m])
			}
		}
	}
}

// repeats reports whether any object below raw has a name twice, by way of encoding/json.
func repeats(raw json.RawMessage) bool {
	d := json.NewDecoder(bytes.NewReader(raw))
	var names []map[string]bool // nil for an array
	name := false
	for {
		tok, err := d.Token()
		if err != nil {
			return false
		}
		top := len(names) - 1
		switch v := tok.(type) {
		case json.Delim:
			switch v {
			case '{':
				names = append(names, map[string]bool{})
			case '[':
				names = append(names, nil)
			default:
				names = names[:top]
			}
			name = len(names) > 0 && names[len(names)-1] != nil
			continue
		case string:
			if name {
				if names[top][v] {
					return true
				}
				names[top][v] = true
				name = false
				continue
			}
		}
		name = top >= 0 && names[top] != nil
	}
}

// FuzzScan compares with encoding/json, which stops at depth 10,000, and one piece with many.
func FuzzScan(f *testing.F) {
	for _, seed := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"a":[1,2.5e3,{"b":null}]}}`,
		`[{"jsonrpc":"2.0","id":"x","result":{}},1,[{"id":2}],{"\u0069d":3,"id":4}]`,
		` { "error" : { "code" : -32601 , "message" : "\ud83d\ude00 \\ \" é" } , "id" : null } `,
		`{"a":tru}`, `[[[[1]]]]`, `-0.0e-0`, `{"id":1`, `"\u00zz"`,
	} {
		f.Add([]byte(seed), uint64(1))
	}
	f.Fuzz(func(t *testing.T, data []byte, seed uint64) {
		whole := &scanner{}
		ok := scanPieces(whole, data)
		if whole.maxDepth < 9_000 && ok != json.Valid(data) {
			t.Fatalf("%q: scanned as JSON: %t", data, ok)
		}
		if ok != ValidJSON(data) {
			t.Fatalf("ValidJSON(%q) is %t", data, !ok)
		}
		for _, pieces := range [][][]byte{oneByOne(data), cuts(data, seed)} {
			s := &scanner{}
			if got := scanPieces(s, pieces...); got != ok || s.pos != whole.pos || s.reason != whole.reason || s.state != whole.state {
				t.Fatalf("%q in pieces: %t at %d %s, in one %t at %d %s", data, got, s.pos, s.reason, ok, whole.pos, whole.reason)
			}
			if fmt.Sprint(s.found) != fmt.Sprint(whole.found) || s.maxDepth != whole.maxDepth || s.nonASCII != whole.nonASCII {
				t.Fatalf("%q in pieces: found %v, in one %v", data, s.found, whole.found)
			}
		}
		if !ok || whole.maxDepth > 9_000 {
			return
		}
		checkSpans(t, data, whole)
		if beyond := bytes.ContainsFunc(data, func(r rune) bool { return r >= 0x80 }); beyond != whole.nonASCII {
			t.Fatalf("%q: beyond ASCII is %t", data, whole.nonASCII)
		}
		if !utf8.Valid(data) || bytes.Contains(data, []byte(`\u`)) || len(whole.found) != 1 || whole.root != '{' {
			return // encoding/json makes such names equal that are not
		}
		if want := repeats(data); want != whole.found[0].dup.Present() {
			t.Fatalf("%q: a repeated name: %t", data, !want)
		}
	})
}

// TestScanReuse: what a scanner saw before must not show.
func TestScanReuse(t *testing.T) {
	texts := []string{`{"a":{"b":[1,{"c":2`, `[{"id":1,"id":2}]`, `{"id":"é","result":{}}`, `"open`, `[[[`, `{"ID":1}`, `{"x":1,"ud`}
	s := &scanner{}
	r := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		text := texts[r.IntN(len(texts))]
		fresh, ok := scanText(text)
		if got := scanPieces(s, []byte(text)); got != ok {
			t.Fatalf("%q: %t after others, %t alone", text, got, ok)
		}
		if len(s.found) != len(fresh.found) || len(s.found) > 0 && !reflect.DeepEqual(s.found, fresh.found) || s.nonASCII != fresh.nonASCII {
			t.Fatalf("%q: found %v after others, %v alone", text, s.found, fresh.found)
		}
	}
}

// benchMessages are the messages that the floors were measured with: a notification, a request
// with its id first, a result with its id last.
func benchMessages() map[string][]byte {
	item := `{"type":"text","text":"The quick brown fox jumps over the lazy dog, again and again and again.","n":12345},`
	note := `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","logger":"bench","data":"` + strings.Repeat("x", 95) + `"}}`
	request := `{"jsonrpc":"2.0","id":17,"method":"tools/call","params":{"name":"add","arguments":{"list":[` + strings.TrimSuffix(strings.Repeat(item, 17), ",") + `]}}}`
	result := `{"result":{"content":[` + strings.TrimSuffix(strings.Repeat(item, 1770), ",") + `]},"jsonrpc":"2.0","id":17}`
	return map[string][]byte{"200B": []byte(note), "2KB": []byte(request), "200KB": []byte(result)}
}

func BenchmarkScan(b *testing.B) {
	for _, name := range []string{"200B", "2KB", "200KB"} {
		data := benchMessages()[name]
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			s := &scanner{}
			for b.Loop() {
				if !scanPieces(s, data) {
					b.Fatal("no JSON")
				}
			}
		})
		b.Run(name+"/encoding-json", func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				if !json.Valid(data) {
					b.Fatal("no JSON")
				}
			}
		})
	}
}
