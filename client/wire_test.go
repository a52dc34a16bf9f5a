package client

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// Messages that the tests below glue, spread and cut.
const (
	msg1 = `{"jsonrpc":"2.0","id":1,"result":{"a":"x"}}`
	msg2 = `{"jsonrpc":"2.0","id":2,"result":{}}`
	note = `{"jsonrpc":"2.0","method":"notifications/message"}`
)

// lsp is the header of msg1 in the Language Server Protocol.
var lsp = fmt.Sprintf("Content-Length: %d\r\n\r\n", len(msg1))

// pretty is msg1 over several lines.
const pretty = "{\n  \"jsonrpc\": \"2.0\",\n  \"id\": 1,\n  \"result\": {\n    \"a\": \"x\"\n  }\n}"

// show writes frames for comparison: kind, then the ids of the messages, then the flaws that
// recovery sets, then the lines when more than one.
func show(frames []Frame) (out []string) {
	names := []struct {
		flaw Flaws
		name string
	}{{FlawBOM, "bom"}, {FlawUTF8, "utf8"}, {FlawCut, "cut"}, {FlawTorn, "torn"}, {FlawGlued, "glued"}, {FlawSpread, "spread"}, {FlawMany, "many"}, {FlawControl, "control"}}
	for _, f := range frames {
		s := f.Kind.String()
		for _, m := range f.Messages {
			s += " #" + string(f.Body.Slice(m.ID.Start, m.ID.End))
		}
		for _, n := range names {
			if f.Flaws.Has(n.flaw) {
				s += " " + n.name
			}
		}
		if f.Lost != nil {
			s += " lost #" + f.Lost.ID
		}
		if f.Lines > 1 {
			s += fmt.Sprintf(" %d lines", f.Lines)
		}
		out = append(out, s)
	}
	return out
}

func TestWire(t *testing.T) {
	for _, c := range []struct {
		name, in string
		want     []string
	}{
		{"message", msg1 + "\n", []string{"response #1"}},
		{"crlf", msg1 + "\r\n" + msg2 + "\r\n", []string{"response #1", "response #2"}},
		{"blank lines", "\n \t \n" + msg1 + "\n\r\n", []string{"blank", "blank", "response #1", "blank"}},
		{"white space around", " \t" + msg1 + "  \n", []string{"response #1"}},
		{"bom", "\xef\xbb\xbf" + msg1 + "\n", []string{"response #1 bom"}},
		{"bom alone", "\xef\xbb\xbf\n" + msg1 + "\n", []string{"blank bom", "response #1"}},
		{"bom before pretty", "\xef\xbb\xbf" + pretty + "\n", []string{"response #1 bom spread 7 lines"}},

		{"banner", "Server starting...\n" + msg1 + "\n", []string{"not JSON", "response #1"}},
		{"bracketed notice", "[envload@17.2] injecting 3 vars from .env\n[INFO] hi\n[1/3] step\n" + msg1 + "\n", []string{"not JSON", "not JSON", "not JSON", "response #1"}},
		{"timestamp", "2026-02-03 09:15:00 loaded 12 schemes\n" + msg1 + "\n", []string{"not JSON", "response #1"}},
		{"a number", "2026\n", []string{"JSON but no message"}},
		{"colours", "\x1b[32mready\x1b[0m\n", []string{"not JSON control"}},
		{"tab", "a\tb\n", []string{"not JSON"}},
		{"structured log", `{"level":"info","msg":"x"}` + "\n", []string{"JSON but no message"}},

		{"glued behind text", "Loading index... " + msg1 + "\n", []string{"response #1 glued"}},
		{"glued before text", msg1 + " done\n", []string{"response #1 glued"}},
		{"glued behind a brace", "cfg {a {b " + msg1 + "\n", []string{"response #1 glued"}},
		{"glued behind a progress bar", "10%\r20%\r" + msg1 + "\n", []string{"response #1 glued"}},
		{"glued behind bytes", "caf\xe9 " + msg1 + "\n", []string{"response #1 utf8 glued"}},
		{"two", msg1 + msg2 + "\n", []string{"batch #1 #2 many"}},
		{"two with a space", msg1 + " " + msg2 + " \n", []string{"batch #1 #2 many"}},
		{"two and text", msg1 + ", " + msg2 + "\n", []string{"batch #1 #2 glued"}},
		{"many", strings.Repeat(msg1, 100) + "\n", []string{"batch" + strings.Repeat(" #1", 100) + " many"}},
		{"cut by another", `{"jsonrpc":"2.0","id":9,"res` + msg1 + "\n", []string{"response #1 glued"}},
		{"quoted in a record", `DEBUG {"sent":` + msg1 + "}\n", []string{"not JSON"}},
		{"quoted in a record of one line", `{"sent":` + msg1 + "}\n", []string{"JSON but no message"}},
		{"glued batch", "x[" + msg1 + "," + msg2 + "]\n", []string{"batch #1 #2 glued"}},

		{"pretty", pretty + "\n" + msg2 + "\n", []string{"response #1 spread 7 lines", "response #2"}},
		{"pretty with crlf", strings.ReplaceAll(pretty, "\n", "\r\n") + "\r\n", []string{"response #1 spread 7 lines"}},
		{"pretty with blank lines", strings.ReplaceAll(pretty, "\n", "\n\n") + "\n", []string{"response #1 spread 13 lines"}},
		{"two pretty", pretty + "\n" + pretty + "\n", []string{"response #1 spread 7 lines", "response #1 spread 7 lines"}},
		{"pretty without an end", pretty, []string{"response #1 torn spread 7 lines"}},
		{"pretty and torn", pretty[:40], []string{"not JSON", "not JSON", "not JSON", "not JSON torn"}},
		{"pretty object of another kind", "{\n  \"ok\": true,\n  \"took\": 12,\n  \"items\": [],\n  \"note\": \"done\"\n}\n" + msg1 + "\n", []string{"JSON but no message spread 6 lines", "response #1"}},
		{"pretty batch", "[\n" + msg1 + ",\n  " + msg2 + "\n]\n", []string{"batch #1 #2 spread 4 lines"}},
		{"pretty and text behind", pretty + " done\n" + msg2 + "\n", slices.Concat(slices.Repeat([]string{"not JSON"}, 7), []string{"response #2"})},

		{"stray [", "[\n" + msg1 + "\n" + msg2 + "\n", []string{"not JSON", "response #1", "response #2"}},
		{"stray {", "{\n" + msg1 + "\n", []string{"not JSON", "response #1"}},
		{"stray { and a note", "{\n" + note + "\n", []string{"not JSON", "notification #"}},
		{"stray [ and pretty", "[\n" + pretty + "\n" + msg2 + "\n", []string{"not JSON", "response #1 spread 7 lines", "response #2"}},
		{"stray [ and two pretty", "[\n" + pretty + "\n" + pretty + "\n", []string{"not JSON", "response #1 spread 7 lines", "response #1 spread 7 lines"}},
		{"stray { and pretty", "{\n" + pretty + "\n", []string{"not JSON", "response #1 spread 7 lines"}},
		{"stray [ at the end", msg1 + "\n[\n\n", []string{"response #1", "not JSON", "blank"}},
		{"object of a scripting language", "{\n  name: 'x',\n  list: [\n  ]\n}\n" + msg1 + "\n", []string{"not JSON", "not JSON", "not JSON", "not JSON", "not JSON", "response #1"}},
		{"truncated in text", `{"jsonrpc":"2.0","id":9,"result":{"a":"x` + "\n" + msg1 + "\n", []string{"not JSON lost #9", "response #1"}},
		{"truncated between tokens", `{"jsonrpc":"2.0","id":9,"result":{"a":` + "\n" + msg1 + "\n", []string{"not JSON", "response #1"}},
		{"torn", msg1 + "\n" + msg2[:20], []string{"response #1", "not JSON torn"}},
		{"torn and complete", msg1 + "\n" + msg2, []string{"response #1", "response #2 torn"}},
		{"torn text", "bye", []string{"not JSON torn"}},

		{"invalid utf8", "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"a\":\"\x97\"}}\n", []string{"response #1 utf8"}},
		{"line separators", "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"a\":\"\u2028\u2029\"}}\n", []string{"response #1"}},
		{"content-length", "Content-Length: 43\r\n\r\n" + msg1 + "\n", []string{"not JSON", "blank", "response #1", "blank"}},
		{"content-length without newlines", lsp + msg1 + lsp + msg1, []string{"not JSON", "blank", "response #1", "not JSON", "blank", "response #1"}},
		{"content-length and another header", strings.TrimSuffix(lsp, "\r\n") + "Content-Type: x\r\n\r\n" + msg1, []string{"not JSON", "not JSON", "blank", "response #1"}},
		{"content-length of a line with its newline", fmt.Sprintf("content-length:%d\n\n", len(msg1)+1) + msg1 + "\n" + msg2 + "\n", []string{"not JSON", "blank", "response #1", "response #2"}},
		{"content-length that is too short", "Content-Length: 20\r\n\r\n" + msg1 + "\n" + msg2 + "\n", []string{"not JSON", "blank", "response #1", "response #2"}},
		{"content-length that is too long", "Content-Length: 2000\r\n\r\n" + msg1 + "\n" + strings.Repeat(msg2+"\n", 2), []string{"not JSON", "blank", "response #1", "response #2", "response #2"}},
		{"content-length of two messages", fmt.Sprintf("Content-Length: %d\r\n\r\n", len(msg1+msg1)) + msg1 + msg1 + "\n", []string{"not JSON", "blank", "batch #1 #1 many"}},
		{"content-length of no message", "Content-Length: 2\r\n\r\n{}" + msg1 + "\n", []string{"not JSON", "blank", "response #1 glued"}},
		{"nul", "\x00\x00\n" + msg1 + "\n", []string{"not JSON control", "response #1"}},
		{"an answer in UTF-16", wide(msg1+"\n", false) + msg2 + "\n", []string{"not JSON control lost #1", "response #2 glued"}},
		{"text in UTF-16", wide("ready\n", true), []string{"not JSON control"}},
	} {
		for _, pieces := range [][][]byte{{[]byte(c.in)}, oneByOne([]byte(c.in))} {
			if got := show(frames(Out, 0, pieces...)); !slices.Equal(got, c.want) {
				t.Errorf("%s in %d reads:\n got %q\nwant %q", c.name, len(pieces), got, c.want)
			}
		}
	}
}

// TestWireSpans: the spans of recovered messages lie in the body of their frame.
func TestWireSpans(t *testing.T) {
	for _, in := range []string{"Loading " + msg1 + "\n", "\xef\xbb\xbf" + msg1 + "\n", msg2 + msg1 + "\n", pretty + "\n", "\xef\xbb\xbf" + strings.ReplaceAll(pretty, "\n", "\r\n") + "\n"} {
		f := frames(Out, 0, []byte(in))[0]
		m := f.Messages[len(f.Messages)-1]
		id, result := f.Body.Slice(m.ID.Start, m.ID.End), f.Body.Slice(m.Result.Start, m.Result.End)
		if string(id) != "1" || GetText(result, "a") != "x" || !ValidJSON(f.Body.Slice(m.Span.Start, m.Span.End)) {
			t.Errorf("%q: id %q, result %q", in, id, result)
		}
	}
}

func TestWireReads(t *testing.T) {
	// The message comes in three reads, the last of which brings another line.
	w := NewWire(Out, 0)
	var got []string
	emit := func(f *Frame) {
		got = append(got, fmt.Sprint(f.Reads, f.Shared, f.First, f.At, f.Offset, f.Lines, f.Body.Len()))
	}
	for i, p := range []string{pretty[:4], pretty[4:20], pretty[20:] + "\nx\n", pretty + "\n"} {
		w.Feed([]byte(p), time.Duration(i), emit)
	}
	want := []string{
		fmt.Sprint(3, true, time.Duration(0), time.Duration(2), 0, 7, len(pretty)), fmt.Sprint(1, true, time.Duration(2), time.Duration(2), len(pretty)+1, 1, 1),
		fmt.Sprint(1, false, time.Duration(3), time.Duration(3), len(pretty)+3, 7, len(pretty)),
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestWireReasons(t *testing.T) {
	for in, want := range map[string]string{
		"hello":                        "0 a value must follow",
		`{"a":1} x`:                    "8 text follows the value",
		`{"a":`:                        "5 it ends before the value does",
		`{"a` + "\x01" + `"}`:          "3 a raw control byte inside a string",
		`{"jsonrpc":"2.0","id":1,}`:    "24 a member name must follow",
		`[1 2]`:                        "3 a comma or the end of the list must follow",
		`{"result":"` + "broken\nrest": "17 it ends before the value does",
	} {
		f := frames(Out, 0, []byte(in+"\n"))[0]
		if got := fmt.Sprint(f.ReasonAt, " ", f.Reason); got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
}

// TestWireBadUTF8 puts the first bad byte everywhere around the places where pieces end.
func TestWireBadUTF8(t *testing.T) {
	for _, bad := range []string{"\x97", "\xe6\x9d", "\xf0\x9f\x97", "\xed\xa0\x80", "\xc0\x80", "é\xff"} {
		first := strings.IndexFunc(bad, func(r rune) bool { return r != 'é' })
		for at := minPiece - 8; at < minPiece+8; at++ {
			for _, fill := range []string{"x", "東"} {
				head := strings.Repeat(fill, at/len(fill)) + strings.Repeat("x", at%len(fill))
				in := []byte(head + bad + "x tail\n")
				for _, pieces := range [][][]byte{{in}, oneByOne(in)} {
					f := frames(Out, 0, pieces...)[0]
					if !f.Flaws.Has(FlawUTF8) || f.BadUTF8 != at+first {
						t.Fatalf("%q at %d in %d reads: flaws %b, at %d", bad, at, len(pieces), f.Flaws, f.BadUTF8)
					}
				}
			}
		}
	}
	in := []byte(strings.Repeat("naïve 東京 🗼 ", 2000) + "\n")
	if f := frames(Out, 0, oneByOne(in)...)[0]; f.Flaws != 0 {
		t.Errorf("good text has flaws %b at %d", f.Flaws, f.BadUTF8)
	}
}

func TestWireLimit(t *testing.T) {
	long := `{"jsonrpc":"2.0","id":1,"result":{"a":"` + strings.Repeat("x", 100) + `"}}`
	got := frames(Out, 50, []byte(long+"\n"+msg2+"\n"))
	if want := []string{"not JSON cut lost #1", "response #2"}; !slices.Equal(show(got), want) || got[0].Cut != int64(len(long)-50) || got[0].Body.Len() != 50 {
		t.Errorf("got %q, cut %d of %d", show(got), got[0].Cut, len(long))
	}
	// A message of many lines is not held beyond the limit either.
	got = frames(Out, 50, []byte(strings.Replace(pretty, "x", strings.Repeat("x", 40), 1)+"\n"+msg2+"\n"))
	if last := got[len(got)-1]; last.Kind != KindResponse || len(got) < 3 {
		t.Errorf("got %q", show(got))
	}
}

func TestWireOtherStreams(t *testing.T) {
	if got, want := show(frames(Err, 0, []byte(msg1+"\n\x1b[1mx\xff\n\nbye"))), []string{"text", "text utf8 control", "text", "text"}; !slices.Equal(got, want) {
		t.Errorf("stderr: got %q, want %q", got, want)
	}
	// What we write is not recovered: a server would not recover it either.
	if got, want := show(frames(In, 0, []byte(msg1+"\nx "+msg2+"\n{\n"+msg1))), []string{"response #1", "not JSON", "not JSON", "response #1 torn"}; !slices.Equal(got, want) {
		t.Errorf("stdin: got %q, want %q", got, want)
	}
	rows := frames(Err, 0, bytes.Repeat([]byte("."), 3*MaxStderrLine+5))
	if len(rows) != 4 || rows[3].Body.Len() != 5 {
		t.Errorf("a progress bar of %d bytes: %d rows", 3*MaxStderrLine+5, len(rows))
	}
}

func TestWirePending(t *testing.T) {
	w := NewWire(Out, 0)
	for _, c := range []struct {
		in   string
		size int64
		tail string
	}{{"ab", 2, "ab"}, {"c\n", 0, ""}, {"{\n", 2, "{"}, {` "jso`, 7, ` "jso`}, {"nrpc\":\"2.0\",\n", 20, ` "jsonrpc":"2.0",`}, {"x\n", 0, ""}} {
		w.Feed([]byte(c.in), 0, func(*Frame) {})
		if size, tail := w.Pending(); size != c.size || string(tail) != c.tail {
			t.Errorf("after %q: %d bytes, tail %q; want %d, %q", c.in, size, tail, c.size, c.tail)
		}
	}
	w.Feed([]byte("{\"a\":["+strings.Repeat("1,", 100_000)+"\n"), 0, func(*Frame) {})
	if _, tail := w.Pending(); len(tail) > minPiece {
		t.Errorf("a tail of %d bytes", len(tail))
	}
}

// plain writes a frame with all that was found in it.
func plain(f Frame) string {
	lost := Lost{}
	if f.Lost != nil {
		lost = *f.Lost
	}
	f.Lost = nil
	return fmt.Sprintf("%+v %+v", f, lost)
}

// TestLost: an answer that cannot be read shows whose it was, and whatever is no answer is not
// taken for one. The limit of a line is 100 bytes.
func TestLost(t *testing.T) {
	long := strings.Repeat("y", 100)
	tooFar := strings.Repeat("1,\n", MaxHeldLines)
	for name, c := range map[string]struct {
		in    string
		limit int
		want  string // id and reason of each answer that was lost
	}{
		"cut":                      {`{"jsonrpc":"2.0","id":7,"result":{"a":"` + long + "\"}}\n", 100, `7 its line of 142 bytes is longer than the 100 that are kept`},
		"cut, id behind":           {`{"jsonrpc":"2.0","result":{"a":"` + long + "\"},\"id\":7}\n", 100, ` its line of 142 bytes is longer than the 100 that are kept`},
		"cut, no version":          {`{"id":"x","error":{"message":"` + long + "\"}}\n", 100, `"x" its line of 133 bytes is longer than the 100 that are kept`},
		"cut, behind text":         {`Loading {1} ... {"jsonrpc":"2.0","id":7,"result":{"a":"` + long + "\"}}\n", 100, `7 its line of 158 bytes is longer than the 100 that are kept`},
		"cut, in a batch":          {`[` + msg2 + `,{"jsonrpc":"2.0","id":7,"result":{"a":"` + long + "\"}}]\n", 100, `7 its line of 181 bytes is longer than the 100 that are kept`},
		"cut, quotes an answer":    {`{"jsonrpc":"2.0","id":7,"result":[{"jsonrpc":"2.0","id":8,"result":{}},"` + long + "\"]}\n", 100, `7 its line of 175 bytes is longer than the 100 that are kept`},
		"cut, a notification":      {`{"jsonrpc":"2.0","method":"n","params":{"a":"` + long + "\"}}\n", 100, ""},
		"cut, its params first":    {`{"jsonrpc":"2.0","params":{"a":"` + long + "\"},\"method\":\"n\"}\n", 100, ""},
		"cut, text":                {long + long + "\n", 100, ""},
		"cut, a record":            {`{"level":"info","id":7,"result":"` + long + "\"}\n", 100, ""},
		"cut by the end":           {`{"jsonrpc":"2.0","id":7,"result":{"a":"`, 100, ""},
		"raw line end in a text":   {"{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{\"a\":\"x\ny\"}}\n", 0, `7 it is no JSON: a raw control byte inside a string at byte 40`},
		"broken":                   {`{"jsonrpc":"2.0","id":7,"result":{"a":NaN}}` + "\n", 0, `7 it is no JSON: a value must follow at byte 38`},
		"broken before its id":     {`{"jsonrpc":"2.0","result":{"a":NaN},"id":7}` + "\n", 0, ""},
		"broken, a message in it":  {`{"jsonrpc":"2.0","id":7,"res` + msg2 + "\n", 0, ""},
		"broken, pretty":           {strings.Replace(pretty, `"x"`, "NaN", 1) + "\n", 0, `1 it is no JSON: a value must follow at byte 56`},
		"too many lines":           {"{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":[\n" + tooFar + "1]}\n", 0, `7 it is spread over more than the 262144 lines that are put together`},
		"too many lines, id last":  {"{\"jsonrpc\":\"2.0\",\"result\":[\n" + tooFar + "1],\"id\":7}\n", 0, ` it is spread over more than the 262144 lines that are put together`},
		"too many bytes":           {"{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":[\n" + strings.Repeat("1,\n", 60) + "1]}\n", 100, `7 its lines have more than the 100 bytes that are kept`},
		"too many lines, no one's": {"[\n" + tooFar + "1]\n", 0, ""},
	} {
		var got []string
		unjoined := 0
		take := func(f *Frame) {
			if f.Lost != nil {
				got = append(got, f.Lost.ID+" "+f.Lost.Reason)
			}
			if f.Flaws.Has(FlawUnjoined) {
				unjoined++
			}
		}
		w := NewWire(Out, c.limit)
		w.Feed([]byte(c.in), 0, take)
		w.Close(0, take)
		if strings.HasPrefix(name, "too many") != (unjoined == 1) {
			t.Errorf("%s: %d lines say that a value was given up", name, unjoined)
		}
		if s := strings.Join(got, "; "); s != c.want {
			t.Errorf("%s:\n got %s\nwant %s", name, s, c.want)
		}
	}
}

// FuzzWire: any chunking gives the same frames, and they account for every byte of the input.
func FuzzWire(f *testing.F) {
	for _, seed := range []string{
		"x " + msg1 + "\n" + pretty + "\n[\n" + msg2 + "\n", "{\n{\n[\n" + msg1 + msg2, "[\n" + pretty + "\n" + pretty + "\r\n{\"a\n", "\xef\xbb\xbf{\n}\n\xff\n",
		lsp + msg1 + lsp + msg1 + "\n\n" + lsp + pretty, "\xff\xfe" + wide(msg1+"\n", false), wide(msg1+"\n", true) + msg2,
		"[\n\n{\n\"a\":[\n{\n{\n" + note + "\r\n", "{\"a\":[\n{\"a\":[\n{\"a\":[\n{\"a\":[\nx\n",
	} {
		f.Add([]byte(seed), uint64(1), uint8(0))
		f.Add([]byte(seed), uint64(2), uint8(30))
	}
	f.Fuzz(func(t *testing.T, data []byte, seed uint64, limit uint8) {
		want := frames(Out, int(limit), data)
		for _, pieces := range [][][]byte{oneByOne(data), cuts(data, seed)} {
			got := frames(Out, int(limit), pieces...)
			if len(got) != len(want) {
				t.Fatalf("%d reads: %q\n1 read: %q", len(pieces), show(got), show(want))
			}
			for i := range got {
				got[i].Reads, got[i].Shared, got[i].First, got[i].read, got[i].head, got[i].tail = want[i].Reads, want[i].Shared, want[i].First, want[i].read, want[i].head, want[i].tail
				if a, b := plain(got[i]), plain(want[i]); a != b {
					t.Fatalf("frame %d in %d reads: %s\n1 read: %s", i, len(pieces), a, b)
				}
			}
		}
		at := int64(0)
		for i, fr := range want {
			body := fr.Body.Bytes()
			if fr.Offset != at || !bytes.HasPrefix(data[at:], body) {
				t.Fatalf("frame %d at %d, expected %d of %q", i, fr.Offset, at, data)
			}
			at += int64(len(body)) + fr.Cut
			if !bytes.HasPrefix(data[at:], []byte(fr.Term.String())) {
				t.Fatalf("frame %d: no %q at %d of %q", i, fr.Term, at, data)
			}
			at += int64(len(fr.Term.String()))
			if lines := bytes.Count(body, []byte("\n")) + 1; fr.Lines != lines {
				t.Fatalf("frame %d: %d lines of %q", i, fr.Lines, body)
			}
			for _, m := range fr.Messages {
				if text := body[m.Span.Start:m.Span.End]; !ValidJSON(text) || text[0] != '{' {
					t.Fatalf("frame %d: message %q", i, text)
				}
			}
			if fr.Kind.IsMessage() != (len(fr.Messages) > 0) {
				t.Fatalf("frame %d: %v with %d messages", i, fr.Kind, len(fr.Messages))
			}
		}
		if at != int64(len(data)) {
			t.Fatalf("%q is in no frame", data[at:])
		}
	})
}

// TestOverfull: what lies beyond MaxMessages is told and not delivered, and the line behind it is.
func TestOverfull(t *testing.T) {
	const note = `{"jsonrpc":"2.0","method":"x"}`
	for name, c := range map[string]struct {
		line   string
		beyond int // 0 for nothing
	}{
		"glued, one too many": {strings.Repeat(note, MaxMessages+1), MaxMessages * len(note)},
		"glued, as many":      {strings.Repeat(note, MaxMessages) + " {}", 0},
		"batch, two too many": {"[" + strings.Repeat(note+",", MaxMessages+1) + note + "]", 1 + MaxMessages*(len(note)+1)},
		"batch, as many":      {"[" + strings.Repeat(note+",", MaxMessages-1) + note + "]", 0},
	} {
		got := frames(Out, 0, []byte(c.line+"\n"+msg1+"\n"))
		if len(got) != 2 || len(got[0].Messages) != MaxMessages || got[0].Beyond != c.beyond || got[0].Flaws.Has(FlawOverfull) != (c.beyond > 0) || len(got[1].Messages) != 1 {
			t.Errorf("%s: %d frames, %d messages, beyond %d, flaws %b", name, len(got), len(got[0].Messages), got[0].Beyond, got[0].Flaws)
		}
	}
}

// BenchmarkWireHostile shows the cost a byte of lines made to be expensive, at two sizes: it must
// not grow with the size.
func BenchmarkWireHostile(b *testing.B) {
	for _, c := range []struct{ name, unit string }{
		{"braces", "{"}, {"brackets", "["}, {"names", `{"jsonrpc"`}, {"nested", `{"jsonrpc":`}, {"arrays", `[{"jsonrpc":[`}, {"open lines", "{\"jsonrpc\":[\n"}, {"bracket lines", "[\n"}, {"blank lines", "\n"},
		{"members", `{"jsonrpc":1,"`}, {"messages", `{"jsonrpc":"2.0","method":"m"}`},
	} {
		for _, size := range []int{1 << 20, 16 << 20} {
			data := []byte(strings.Repeat(c.unit, size/len(c.unit)) + "x\n")
			b.Run(fmt.Sprintf("%s/%dMiB", c.name, size>>20), func(b *testing.B) {
				b.SetBytes(int64(len(data)))
				for b.Loop() {
					w := NewWire(Out, 0)
					for at := 0; at < len(data); at += ReadSize {
						w.Feed(data[at:min(at+ReadSize, len(data))], 0, func(*Frame) {})
					}
					w.Close(0, func(*Frame) {})
				}
			})
		}
	}
}

// BenchmarkWire measures whole messages: framing, scan and judgement.
func BenchmarkWire(b *testing.B) {
	for _, name := range []string{"200B", "2KB", "200KB"} {
		one := append(benchMessages()[name], '\n')
		data := bytes.Repeat(one, max(1, 1<<20/len(one)))
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			w := NewWire(Out, 0)
			for b.Loop() {
				for at := 0; at < len(data); at += ReadSize {
					w.Feed(data[at:min(at+ReadSize, len(data))], 0, func(*Frame) {})
				}
			}
		})
	}
}

// TestQuotedRequestIsNoMessage: a log line on stdout that quotes what the server received must not
// be answered, while what only a server sends is recovered beside text.
func TestQuotedRequestIsNoMessage(t *testing.T) {
	for line, want := range map[string]Kind{
		`received {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{}}`: KindNotJSON,
		`> {"jsonrpc":"2.0","method":"notifications/initialized"}`:            KindNotJSON,
		`loading... {"jsonrpc":"2.0","id":3,"method":"roots/list"}`:           KindRequest,
		`loading... {"jsonrpc":"2.0","id":3,"result":{}}`:                     KindResponse,
	} {
		var got []Kind
		w := NewWire(Out, 0)
		w.Feed([]byte(line+"\n"), 0, func(f *Frame) { got = append(got, f.Kind) })
		if len(got) != 1 || got[0] != want {
			t.Errorf("%s: %v, want %v", line, got, want)
		}
	}
}
