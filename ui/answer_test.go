package ui

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"example.com/mcpinspect/client"
)

// blocks is an app on a call that was answered with n blocks of text.
func blocks(t testing.TB, n int, text string) *app {
	a := appOn(t, made(t,
		`in:{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","arguments":{}}}`+"\n",
		`out:{"jsonrpc":"2.0","id":1,"result":{"content":[`+strings.TrimPrefix(strings.Repeat(`,{"type":"text","text":"`+text+`"}`, n), ",")+`],"structuredContent":{"end":true}}}`+"\n"), "none", 160, 45)
	a.call.of = toolOffer("t")
	return a
}

// text is the result pane as text.
func (p *resultPane) text() string {
	var out strings.Builder
	for _, l := range p.lines.lines {
		out.WriteString(l.text + "\n")
	}
	return out.String()
}

func TestManyBlocks(t *testing.T) {
	for _, c := range []struct {
		n           int
		text        string
		shown, more int
	}{
		{3, "one", 3, 0}, {maxBlocks, "one", maxBlocks, 0}, {maxBlocks + 1, "one", maxBlocks, 1}, {1000, "one", maxBlocks, 1000 - maxBlocks},
		{80, "one" + strings.Repeat(`\n.`, 999), maxBlockLines / 1000, 75}, // a block of a thousand lines
	} {
		a := blocks(t, c.n, c.text)
		a.Update(lookMsg{})
		got := a.result.text()
		if n := strings.Count(got, "one"); n != c.shown || !strings.Contains(got, `"end": true`) {
			t.Errorf("%d blocks: %d are shown: %.300s", c.n, n, got)
		}
		if said := strings.Contains(strings.ReplaceAll(got, "\n", " "), " of content in all: 5 and enter on row #2 of the wire"); said != (c.more > 0) ||
			said && !strings.Contains(got, fmt.Sprintf("%d block", c.more)) {
			t.Errorf("%d blocks: what is not shown is not told: %s", c.n, got[max(0, len(got)-400):])
		}
	}
}

// TestALargeAnswerIsReadBesideTheLoop and only once, whatever the width; what comes late is dropped.
func TestALargeAnswerIsReadBesideTheLoop(t *testing.T) {
	a := blocks(t, 30_000, "one")
	a.Update(lookMsg{})
	if got := a.result.text(); !strings.Contains(got, "reading ") || strings.Contains(got, "one") {
		t.Fatalf("the loop reads it: %.200s", got)
	}
	if cmd := a.result.reading(a.sess.Log()); cmd != nil {
		t.Error("it is read twice at a time")
	}
	a.result.asked = false
	msg := a.result.reading(a.sess.Log())()
	stale := readAnswer(a.sess.Log(), "tools/call", a.result.got.of, []byte("{}"))
	a.Update(answerMsg{stale})
	if a.result.got == stale {
		t.Error("an answer that was read against another schema is shown")
	}
	a.Update(msg)
	if got := a.result.text(); strings.Count(got, "one") != maxBlocks || !strings.Contains(got, "29,800 blocks more") {
		t.Errorf("it is not shown: %.200s", got)
	}
	got := a.result.got
	press(a, "4", "z", "5")
	if a.result.got != got {
		t.Error("another width reads it again")
	}
}

// BenchmarkBlocks is what a result of two million blocks costs the screen: time on the loop, and
// memory beside the log.
func BenchmarkBlocks(b *testing.B) {
	a := blocks(b, 2_000_000, "x")
	memory := func() float64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return float64(m.HeapAlloc) / 1e6
	}
	before := memory()
	var loop time.Duration
	for b.Loop() {
		a.result.got, a.result.made = nil, resultKey{}
		began := time.Now()
		a.Update(lookMsg{})
		loop = max(loop, time.Since(began))
		a.result.asked = false
		msg := a.result.reading(a.sess.Log())()
		began = time.Now()
		a.Update(msg)
		press(a, "5", "G", "4")
		a.View()
		loop = max(loop, time.Since(began))
	}
	b.ReportMetric(float64(loop)/1e6, "loop-ms")
	b.ReportMetric(memory()-before, "MB")
	runtime.KeepAlive(a)
}

// TestAnswerInATask: the result of a call that became a task is what stands in the answer about it.
func TestAnswerInATask(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{`{"jsonrpc":"2.0","id":9,"result":{"taskId":"t","status":"completed","result":{"content":[{"type":"text","text":"done"}]}}}`, `{"content":[{"type":"text","text":"done"}]}`},
		{`{"jsonrpc":"2.0","id":9,"result":{"taskId":"t","status":"working"}}`, `{"taskId":"t","status":"working"}`},
		{`{"jsonrpc":"2.0","id":"5","result":{"content":[]}}`, `{"content":[]}`},
		{`{"jsonrpc":"2.0","id":5,"result":{"taskId":"t","status":"completed","result":1}}`, `{"taskId":"t","status":"completed","result":1}`},
		{`[{"jsonrpc":"2.0","id":4,"result":{}},{"jsonrpc":"2.0","id":5,"result":{"a":1}}]`, `{"a":1}`},
	} {
		in, ok := answerIn(client.Body{[]byte(c.line)}, "5")
		if got := string(in.Raw(in.Result)); !ok || got != c.want {
			t.Errorf("%s: %s, not %s", c.line, got, c.want)
		}
	}
}
