package filter

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/session"
)

// table is rows without a log.
type table []session.Event

func (t table) Event(seq int) (session.Event, bool) {
	if seq < 0 || seq >= len(t) {
		return session.Event{}, false
	}
	return t[seq], true
}

func (t table) Line(seq int) []byte      { return t[seq].Head }
func (t table) Body(seq int) client.Body { return client.Body{t[seq].Head} }

// rows are one of each kind, numbered as they stand here.
func rows() table {
	t := table{
		{Stream: client.Life, Note: &client.Note{What: client.NoteSpawn, Text: "started ./bench"}},
		{Stream: client.In, Kind: client.KindRequest, Method: "tools/call", ID: "7", Pair: 2, Latency: 700 * time.Millisecond,
			Head: []byte(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"Echo","arguments":{"a":"one two"}}}`)},
		{Stream: client.Out, Kind: client.KindResponse, Method: "tools/call", ID: "7", Pair: 1, Latency: 700 * time.Millisecond, Failed: true,
			Head: []byte(`{"jsonrpc":"2.0","id":7,"result":{"isError":true,"content":[{"type":"text","text":"timing out"}]}}`)},
		{Stream: client.In, Kind: client.KindRequest, Method: "tools/list", ID: `"a-7"`, Open: true,
			Head: []byte(`{"jsonrpc":"2.0","id":"a-7","method":"tools/list"}`)},
		{Stream: client.Out, Kind: client.KindError, Method: "ping", ID: "9", Pair: 99, Latency: time.Millisecond,
			Head: []byte(`{"jsonrpc":"2.0","id":9,"error":{"code":-32601,"message":"no (such) method"}}`), Marks: []session.Mark{{Rule: "unknown-id", Severity: session.Error}}},
		{Stream: client.Out, Kind: client.KindNotification, Method: "notifications/message", Head: []byte(`{"jsonrpc":"2.0","method":"notifications/message","params":{"data":"` + strings.Repeat("x", 1100) + `"}}`)},
		{Stream: client.Out, Kind: client.KindNotJSON, Method: "tools/call", Head: []byte(`Loading "model" / 100%`), Marks: []session.Mark{{Rule: "stray-stdout", Severity: session.Error}}},
		{Stream: client.Err, Kind: client.KindText, Head: []byte("warning: time is over, not good")},
		{Stream: client.Life, Note: &client.Note{What: client.NoteExit, Text: "the server ended", Data: []byte(`{"code":1}`)}},
	}
	for i := range t {
		t[i].Seq, t[i].Size = i, len(t[i].Head)
		if t[i].Latency == 0 {
			t[i].Latency = -1
		}
		if t[i].Pair == 0 {
			t[i].Pair = session.NoPair
		}
	}
	return t
}

// TestMatchCall: a request is judged with its answer, each part of the expression on its own.
func TestMatchCall(t *testing.T) {
	all := rows()
	for _, c := range []struct{ expr, want string }{
		{"", "1 3"}, {"is:error", "1"}, {"-is:error", "3"}, {"is:error tool:echo", "1"}, {`"timing out" "one two"`, "1"}, {"-(timing or list)", ""},
		{"is:pending", "3"}, {"dir:in", ""}, {"dir:out", "1 3"}, {"stream:in", "1 3"}, {"stream:out", ""}, {"size>96", "1"}, {"size>2k", ""}, {"re:/isError.*out/", "1"},
	} {
		x, err := Parse(c.expr)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, i := range []int{1, 3} {
			if x.MatchCall(&all[i], all) {
				got = append(got, fmt.Sprint(i))
			}
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s: %q, want %q", c.expr, s, c.want)
		}
	}
}

// TestLevel: a level stands for itself and what is worse.
func TestLevel(t *testing.T) {
	var all table
	for _, l := range append(session.LogLevels[:], "shout") {
		all = append(all, session.Event{Seq: len(all), Stream: client.Out, Kind: client.KindNotification, Method: client.MethodLog, Pair: session.NoPair,
			Head: fmt.Appendf(nil, `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":%q,"logger":"x","data":"debug"}}`, l)})
	}
	all = append(all, session.Event{Kind: client.KindText, Stream: client.Err, Head: []byte("error"), Pair: session.NoPair})
	for expr, want := range map[string]string{"level:debug": "0 1 2 3 4 5 6 7", "LEVEL:Warning": "3 4 5 6 7", "level:emergency": "7", "-level:notice": "0 1 8 9"} {
		x, err := Parse(expr)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for i := range all {
			if x.Match(&all[i], all) {
				got = append(got, fmt.Sprint(i))
			}
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%s: %q, want %q", expr, s, want)
		}
	}
	if _, err := Parse("level:loud"); err == nil || !strings.Contains(err.Error(), "there are debug, info, notice") {
		t.Errorf("a level that there is not: %v", err)
	}
}

func TestMatch(t *testing.T) {
	all := rows()
	for _, c := range []struct{ expr, want string }{
		{"", "0 1 2 3 4 5 6 7 8"}, {"  \t", "0 1 2 3 4 5 6 7 8"},
		{"tools/call", "1 2"}, {"TOOLS/", "1 2 3"}, {"7", "1 2 3"}, {"started", "0"}, {`code`, "4 8"}, {"exit", "8"},
		{`"one two"`, "1"}, {"one two", "1"}, {`"two one"`, ""}, {"two one", "1"}, {`"\"model\""`, "6"}, {`"(such)"`, "4"}, {`""`, "0 1 2 3 4 5 6 7 8"},
		{"method:tools/*", "1 2 3"}, {"method:tools/call", "1 2"}, {"method:tools", ""}, {"method:*list", "3"}, {"method:*s/*t*", "3"}, {"METHOD:Ping", "4"}, {`method:"tools/*"`, ""}, {"method:*", "1 2 3 4 5"},
		{"tool:echo", "1 2"}, {"tool:e*o", "1 2"}, {"tool:ech", ""}, {"tool:*", "1 2"},
		{"id:7", "1 2"}, {"id:a-7", "3"}, {`id:"\"a-7\""`, "3"}, {"id:*7", "1 2 3"}, {"id:*", "1 2 3 4"},
		{"dir:in", "2 4 5 6"}, {"dir:out", "1 3"}, {"stream:err", "7"}, {"stream:stderr", "7"}, {"stream:in", "1 3"}, {"stream:out", "2 4 5 6"}, {"stream:life", "0 8"},
		{"is:request", "1 3"}, {"is:response", "2 4"}, {"is:notification", "5"}, {"is:error", "2 4"}, {"is:stray", "6"}, {"is:pending", "3"}, {"is:finding", "4 6"}, {"is:marked", ""},
		{"rule:stray-stdout", "6"}, {"rule:*-id", "4"}, {"rule:*", "4 6"},
		{">500ms", "1 2"}, {"<500ms", "4"}, {">=700ms", "1 2"}, {">700ms", ""}, {"<=1ms", "4"}, {">0.5s", "1 2"}, {">500us", "1 2 4"},
		{"size>1k", "5"}, {"size>1000", "5"}, {"size<23", "6"}, {"size<=22b", "6"}, {"size>=1.1KB", "5"}, {"size>0.001m", "5"}, {"SIZE>1k", "5"},
		{"re:/tim(e|ing)/", "2 7"}, {"re:/TIM(e|ing)/i", "2 7"}, {"re:/TIM/", ""}, {`re:/model" \/ /`, "6"}, {`re:/\d00%$/`, "6"}, {"re:/^started|exit the/", "8"},
		{"is:request and tools/list", "3"}, {"is:request tools/list", "3"}, {"is:stray or is:error", "2 4 6"}, {"is:request is:pending or is:stray", "3 6"},
		{"is:request (is:pending or id:7)", "1 3"}, {"is:stray OR is:error AND id:9", "4 6"},
		{"not is:request stream:in", ""}, {"-is:request dir:out", ""}, {"dir:out -is:pending", "1"}, {"dir:out not is:pending", "1"}, {"-(dir:in or dir:out)", "0 7 8"}, {"not not is:stray", "6"}, {"--is:stray", "6"}, {"not -is:stray", "6"},
		{`"not" good`, "7"}, {`"-32601"`, "4"}, {"((is:stray))", "6"}, {"is:stray(model)", "6"}, {"a>b", ""}, {":7", "1 2"}, {`"id":`, "1 2 3 4"},
		{"notice or ordinal or andes", ""},
	} {
		x, err := Parse(c.expr)
		if err != nil {
			t.Errorf("%s: %v", c.expr, err)
			continue
		}
		var got []string
		for i := range all {
			if x.Match(&all[i], all) {
				got = append(got, fmt.Sprint(i))
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: rows %v, want %s", c.expr, got, c.want)
		}
		if x.Empty() != (strings.TrimSpace(c.expr) == "") {
			t.Errorf("%q: empty is %v", c.expr, x.Empty())
		}
	}
	all[4].Marked = true
	if x, _ := Parse("is:marked"); x.Match(&all[3], all) || !x.Match(&all[4], all) {
		t.Error("marks of the rows are not seen")
	}
}

// TestTheWholeLineIsLookedAt: an event carries its beginning only.
func TestTheWholeLineIsLookedAt(t *testing.T) {
	long := table{{Kind: client.KindText, Stream: client.Err, Head: []byte("head and tail"), Size: 13}}
	cut := long[0]
	cut.Head = cut.Head[:4]
	for _, expr := range []string{"tail", "re:/tail$/"} {
		if x, err := Parse(expr); err != nil || !x.Match(&cut, long) {
			t.Errorf("%s is not found: %v", expr, err)
		}
	}
}

// TestChanges: what a later answer or finding decides is known to change.
func TestChanges(t *testing.T) {
	for expr, want := range map[string]bool{"": false, "is:pending": true, ">1s": true, "is:finding": true, "rule:*": true, "size>1k": false, "dir:in": false, "re:/x/": false,
		"is:request": false, "word": true, "is:stray or is:error": true, "not is:marked": true, "dir:in (size>1 or is:pending)": true, "method:ping": true, "tool:x": true} {
		if x, err := Parse(expr); err != nil || x.Changes() != want {
			t.Errorf("%s: %v, %v", expr, x.Changes(), err)
		}
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct {
		expr string
		at   int // counted from 1
		says string
	}{
		{"methd:x", 1, "method, tool, id, dir, stream, is, rule, level, re"}, {"a http://x", 3, `no field "http"`}, {`é foo:"x"`, 3, `no field "foo"`},
		{"is:weird", 4, "request, response, notification, error, stray, pending, finding, marked"}, {"dir:up", 5, "in, out"}, {"stream:x", 8, "in, out, err"},
		{"is:", 4, "missing"}, {"method: x", 8, "missing"}, {`tool:""`, 6, "missing"}, {"rule:nonsense", 6, "check --rules"},
		{">5", 2, "unit"}, {">fast", 2, "unit"}, {">-5ms", 2, "unit"}, {">", 2, "unit"}, {"size>x", 6, "size>1k"}, {"size>", 6, "size>1k"}, {"size>-1", 6, "size>1k"}, {"size>nan", 6, "size>1k"}, {"size>1e300g", 6, "size>1k"}, {"size:5", 1, "size>1k"},
		{"re:x", 4, "slashes"}, {"re:/x", 4, "not closed"}, {"re:/(/", 4, "missing closing"}, {"re:/x/g", 8, `flag "g"`},
		{`"abc`, 1, "not closed"}, {"(a", 1, "not closed"}, {"a (b (c)", 3, "not closed"}, {"a)", 2, "without its ("}, {"()", 2, "inside"}, {"a ( ) b", 5, "inside"},
		{"a or", 5, "behind or"}, {"a and", 6, "behind and"}, {"or b", 1, "before or"}, {"a or or b", 6, "behind or"}, {"not", 4, "behind not"}, {"-", 2, "behind -"}, {"- a", 2, "behind -"}, {"(a or)", 6, "behind or"}, {"a and)", 6, "behind and"},
		{strings.Repeat("(", 200) + "a", 101, "more than 100"}, {"a\xffb", 2, "UTF-8"}, {strings.Repeat("a ", maxLength), 1, "longer"},
	} {
		_, err := Parse(c.expr)
		var e *Error
		if !errors.As(err, &e) || e.At+1 != c.at || !strings.Contains(e.Error(), c.says) {
			t.Errorf("%.20q: %v, want %q at %d", c.expr, err, c.says, c.at)
		}
	}
}

func TestGlob(t *testing.T) {
	for _, c := range []struct {
		pattern, s string
		want       bool
	}{
		{"a", "a", true}, {"a", "A", true}, {"a", "ab", false}, {"*", "", true}, {"a*", "a", true}, {"*a", "ba", true}, {"a*a", "a", false}, {"a*a", "aa", true},
		{"a*b*c", "axbxc", true}, {"a*b*c", "axcxb", false}, {"*aba*", "xababa", true}, {"*ab*ab*", "xab", false}, {"**", "x", true}, {"a**b", "ab", true},
	} {
		g := newGlob(c.pattern, false)
		if g.match(c.s) != c.want || g.matchBytes([]byte(c.s)) != c.want {
			t.Errorf("%s on %s: %v", c.pattern, c.s, !c.want)
		}
	}
}

// raced says that the race detector is on: allocations are not the program's own then.
var raced bool

// TestMatchAllocatesNothing for what is asked most.
func TestMatchAllocatesNothing(t *testing.T) {
	if raced {
		t.Skip("under the race detector pools lose what they hold")
	}
	all := rows()
	var r Rows = all
	for _, expr := range []string{"tools/call", `"no such text"`, "method:tools/*", "id:7", "dir:in", "is:error", "is:pending", "rule:stray-*", ">500ms", "size>1k", "is:request -tools or not stream:err", "re:/tim(e|ing)/", "tool:echo is:request"} {
		x, err := Parse(expr)
		if err != nil {
			t.Fatal(err)
		}
		if n := testing.AllocsPerRun(20, func() {
			for i := range all {
				if i != 8 { // a note's text is put together
					x.Match(&all[i], r)
				}
			}
		}); n > 1 { // that of the other note
			t.Errorf("%s: %v allocations", expr, n)
		}
	}
}

// FuzzParse: nothing panics, errors stand inside of the text, and "not" turns every verdict round.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"", "tools/call -is:error", `method:tools/* (tool:"a b" or id:7)`, "not not >500ms size<=1k", "re:/tim(e|ing)/i and \"quo\\\"ted\"", "a or (b and -c) d", "é:x", "(((", "size>1.5mb rule:*", "--a", "re:/\\//"} {
		f.Add(s)
	}
	all := rows()
	f.Fuzz(func(t *testing.T, s string) {
		x, err := Parse(s)
		if err != nil {
			var e *Error
			if !errors.As(err, &e) || e.At < 0 || e.At > utf8.RuneCountInString(s) {
				t.Errorf("%q: %v", s, err)
			}
			return
		}
		if x.String() != s {
			t.Errorf("%q became %q", s, x)
		}
		if x.Empty() || strings.Count(s, "(") >= maxDepth {
			return
		}
		reversed, err := Parse("not (" + s + ")")
		if err != nil {
			t.Fatalf("%q cannot be reversed: %v", s, err)
		}
		for i := range all {
			if x.Match(&all[i], all) == reversed.Match(&all[i], all) {
				t.Errorf("%q and its reverse agree on row %d", s, i)
			}
		}
	})
}
