package recordings

import (
	"bufio"
	"bytes"
	"errors"
	"flag"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "write the samples and golden files anew")

// dialogue writes a sample, one event a millisecond.
type dialogue struct {
	*Writer
	t time.Duration
}

func (d *dialogue) tick() time.Duration {
	d.t += time.Millisecond
	return d.t
}

func (d *dialogue) in(line string)       { d.Bytes(d.tick(), In, []byte(line+"\n")) }
func (d *dialogue) out(chunk string)     { d.Bytes(d.tick(), Out, []byte(chunk)) }
func (d *dialogue) err(line string)      { d.Bytes(d.tick(), Err, []byte(line+"\n")) }
func (d *dialogue) wait(t time.Duration) { d.t += t }

func sampleHead(command ...string) Head {
	return Head{Tool: "mcpinspect 1.0.0", Start: time.Date(2026, 9, 1, 9, 30, 0, 123456789, time.UTC), OS: "linux/amd64",
		Target: Target{Transport: "stdio", Command: command, Cwd: "/home/ada/bench"}, Options: Options{MaxLine: 64 << 20, Protocol: "auto"}}
}

const modernMeta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"mcpinspect","version":"1.0.0"},"io.modelcontextprotocol/clientCapabilities":{}}`
const benchMeta = `"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"bench","version":"1.0.0"}}`

// sampleScripts are the samples by name. They hold what real servers do, at times of their own.
func sampleScripts() map[string]func(*dialogue) {
	return map[string]func(*dialogue){
		"modern-clean.jsonl":  modernClean,
		"legacy-crash.jsonl":  legacyCrash,
		"restart-token.jsonl": restartToken,
	}
}

func modernClean(d *dialogue) {
	d.Head(sampleHead("./bench"))
	d.Spawn(d.tick(), 1, 4711, "/home/ada/bench/bench")
	d.in(`{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{` + modernMeta + `}}`)
	d.err("bench: listening on stdio")
	d.wait(6 * time.Millisecond)
	d.out(`{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"ttlMs":3600000,"cacheScope":"public","instructions":"Add numbers, ask for the weather.",` + benchMeta + `}}` + "\n")
	d.Ctl(d.tick(), "era", Text("text", "modern: server/discover was answered and names 2026-07-28"), Int("run", 1))
	d.in(`{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{` + modernMeta + `}}`)
	d.out(`{"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","tools":[{"name":"add","description":"Add two numbers","inputSchema":{"type":"object","properties":{"a":{"type":"number"},"b":{"type":"number"}},"required":["a","b"]},"outputSchema":{"type":"object","properties":{"sum":{"type":"number"}},"required":["sum"]}}],"nextCursor":"p2","ttlMs":0,"cacheScope":"public",` + benchMeta + `}}` + "\n")
	d.in(`{"jsonrpc":"2.0","id":3,"method":"tools/list","params":{"cursor":"p2",` + modernMeta + `}}`)
	d.out(`{"jsonrpc":"2.0","id":3,"result":{"resultType":"complete","tools":[{"name":"weather","description":"Weather of the next days – in °C","inputSchema":{"type":"object","properties":{"city":{"type":"string"},"days":{"type":"integer","default":3,"minimum":1,"maximum":14},"units":{"enum":["c","f"]}},"required":["city"]}}],"ttlMs":0,"cacheScope":"public",` + benchMeta + `}}` + "\n")
	d.wait(2 * time.Second)
	d.in(`{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"add","arguments":{"a":2,"b":3},` + modernMeta + `}}`)
	d.wait(2 * time.Millisecond)
	d.out(`{"jsonrpc":"2.0","id":4,"result":{"resultType":"complete","content":[{"type":"text","text":"5"}],"structuredContent":{"sum":5},` + benchMeta + `}}` + "\n")
	d.wait(3 * time.Second)
	d.in(`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"weather","arguments":{"city":"Zürich","days":2},"_meta":{"progressToken":5,` + modernMeta[len(`"_meta":{`):] + `}}`)
	d.out(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":5,"progress":1,"total":2}}` + "\n")
	d.wait(140 * time.Millisecond)
	d.out(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":5,"progress":2,"total":2}}` + "\n" + `{"jsonrpc":"2.0","id":5,"result":{"resultType":"complete","content":[{"type":"text",`)
	d.out(`"text":"Zürich: 21 °C, 19 °C ☀"}],` + benchMeta + `}}` + "\n")
	d.wait(time.Second)
	d.Ctl(d.tick(), "shutdown", Text("text", "stdin was closed"), Int("run", 1))
	code := 0
	d.Exit(d.tick(), &code, "", "stdin-closed", "")
}

func legacyCrash(d *dialogue) {
	d.Head(sampleHead("python3", "server.py"))
	d.Spawn(d.tick(), 1, 4712, "/usr/bin/python3")
	d.in(`{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{` + modernMeta + `}}`)
	d.wait(400 * time.Millisecond)
	d.out("\ufeffServer starting...\r\n")
	d.out(`{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found"}}` + "\n")
	d.Ctl(d.tick(), "era", Text("text", "legacy: server/discover was refused with -32601"), Int("run", 1))
	d.in(`{"jsonrpc":"2.0","id":2,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"mcpinspect","version":"1.0.0"}}}`)
	d.out(`{"jsonrpc":"2.0","id":2,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"old bench","version":"0.3"}}}` + "\n")
	d.in(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	d.in(`{"jsonrpc":"2.0","id":3,"method":"tools/list"}`)
	d.out(`{"jsonrpc":"2.0","id":3,"result":{"tools":[{"name":"echo","description":"Echo the text back","inputSchema":{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}},{"name":"boom","description":"Fail","inputSchema":{"type":"object"}}]}}` + "\n")
	d.wait(time.Second)
	d.in(`{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"echo","arguments":{"text":"a"}}}`)
	d.out("  {  \"jsonrpc\" : \"2.0\" ,\t\"id\":4 , \"result\":{\"content\":[{\"type\":\"text\",\"text\":\"\\u00e9 \\/ ")
	d.out("\xff")
	d.out("\"}],\"structuredContent\":{\"n\":100000000000000000001,\"e\":1E+2}}}  \n")
	d.out("\x1b[32mINFO\x1b[0m done \x00\x7f\u2028\u009b\n")
	d.wait(time.Second)
	d.in(`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"boom","arguments":{}}}`)
	d.err("Fatal Python error: Segmentation fault")
	d.err("  File \"/home/ada/bench/server.py\", line 17 in boom")
	d.out(`{"jsonrpc":"2.0","id":5,"resu`)
	d.Exit(d.tick(), nil, "SIGSEGV", "no", "")
}

func restartToken(d *dialogue) {
	secrets := &Secrets{}
	secrets.Add("BENCH_TOKEN", "tok-not-a-real-secret/1")
	d.Mask(secrets)
	head := sampleHead("npx", "bench", "--token=tok-not-a-real-secret/1")
	head.Target.Env = []string{"BENCH_TOKEN"}
	d.Head(head)
	d.Spawn(d.tick(), 1, 4713, "/usr/bin/npx")
	d.err("using tok-not-a-real-secret/1")
	d.in(`{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{` + modernMeta + `}}`)
	d.out(`{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"ttlMs":0,"cacheScope":"private","instructions":"token tok-not-a-`)
	d.out(`real-secret\/1 accepted",` + benchMeta + `}}` + "\n")
	d.Drop(d.tick(), Err, 4096, "no space left on device")
	code := 1
	d.Exit(d.tick(), &code, "", "no", "")
	d.wait(time.Second)
	d.Ctl(d.tick(), "info", Text("text", "restarted"))
	d.Spawn(d.tick(), 2, 4720, "/usr/bin/npx")
	d.in(`{"jsonrpc":"2.0","id":2,"method":"server/discover","params":{` + modernMeta + `}}`)
	d.out(`{"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"ttlMs":0,"cacheScope":"private",` + benchMeta + `}}` + "\n")
	d.Exit(d.tick(), nil, "SIGTERM", "term", "")
}

func TestSamplesAreWhatTheWriterMakes(t *testing.T) {
	for name, script := range sampleScripts() {
		var b bytes.Buffer
		d := &dialogue{Writer: NewWriter(&b)}
		script(d)
		if err := d.Close(); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join("samples", name)
		if *update {
			if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(b.Bytes(), want) {
			t.Errorf("%s is not what is written now; run the test with -update", name)
		}
	}
}

// load reads a whole recording; Data, Raw and Spans are copied.
func load(t testing.TB, in io.Reader) (all []Record, r *Reader) {
	t.Helper()
	r, err := NewReader(in)
	if err != nil {
		t.Fatal(err)
	}
	for {
		rec, err := r.Next()
		if errors.Is(err, io.EOF) {
			return all, r
		}
		if err != nil {
			t.Fatal(err)
		}
		rec.Data, rec.Raw = bytes.Clone(rec.Data), bytes.Clone(rec.Raw)
		all = append(all, rec)
	}
}

// joined is what a channel carried.
func joined(all []Record, ch Channel) []byte {
	var b []byte
	for _, rec := range all {
		if rec.K == KindBytes && rec.Ch == ch {
			b = append(b, rec.Data...)
		}
	}
	return b
}

func eachSample(t *testing.T, f func(t *testing.T, name string, text []byte)) {
	names, err := fs.Glob(Samples(), "*")
	if err != nil || len(names) != len(sampleScripts())+len(madeSamples()) {
		t.Fatalf("samples %v, %v", names, err)
	}
	for _, name := range names {
		text, err := fs.ReadFile(Samples(), name)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(name, func(t *testing.T) { f(t, name, text) })
	}
}

func TestSampleBytesComeBack(t *testing.T) {
	eachSample(t, func(t *testing.T, name string, text []byte) {
		all, r := load(t, bytes.NewReader(text))
		if len(r.Notices()) > 0 {
			t.Errorf("notices %v", r.Notices())
		}
		var again bytes.Buffer
		w := NewWriter(&again)
		for _, rec := range all {
			rewrite(w, rec)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if name == "restart-token.jsonl" {
			if bytes.Contains(text, []byte("real-secret")) {
				t.Error("the secret is in the file")
			}
			return // its spans are not for a Writer to repeat
		}
		was, is := bytes.Split(text, []byte{'\n'}), bytes.Split(again.Bytes(), []byte{'\n'})
		for i := range min(len(was), len(is)) {
			if !bytes.Equal(was[i], is[i]) {
				t.Fatalf("line %d written again is\n%s\nwant\n%s", i+1, is[i], was[i])
			}
		}
		if len(was) != len(is) {
			t.Errorf("%d lines written again, want %d", len(is), len(was))
		}
	})
}

// rewrite records what was read.
func rewrite(w *Writer, rec Record) {
	switch rec.K {
	case KindHead:
		w.Head(*rec.Head)
	case KindSpawn:
		w.Spawn(rec.T, rec.Run, rec.Pid, rec.Path)
	case KindBytes:
		w.Bytes(rec.T, rec.Ch, rec.Data)
	case KindCtl:
		var fields []Field
		for _, key := range []string{"text", "run", "data"} {
			if raw, ok := rec.Fields[key]; ok {
				fields = append(fields, JSON(key, raw))
			}
		}
		w.Ctl(rec.T, rec.What, fields...)
	case KindEnd:
		w.End(rec.T, rec.Ch)
	case KindExit:
		w.Exit(rec.T, rec.Code, rec.Signal, rec.Asked, rec.Text("text"))
	case KindDrop:
		w.Drop(rec.T, rec.Ch, rec.N, rec.Why)
	}
}

func TestInvalidUTF8SampleIsExact(t *testing.T) {
	text, err := fs.ReadFile(Samples(), "legacy-crash.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	all, _ := load(t, bytes.NewReader(text))
	want := "  {  \"jsonrpc\" : \"2.0\" ,\t\"id\":4 , \"result\":{\"content\":[{\"type\":\"text\",\"text\":\"\\u00e9 \\/ \xff\"}],\"structuredContent\":{\"n\":100000000000000000001,\"e\":1E+2}}}  \n\x1b[32mINFO\x1b[0m done \x00\x7f\u2028\u009b\n"
	if !bytes.Contains(joined(all, Out), []byte(want)) {
		t.Errorf("stdout is %q", joined(all, Out))
	}
	last := all[len(all)-1]
	if last.K != KindExit || last.Code != nil || last.Signal != "SIGSEGV" || last.Asked != "no" {
		t.Errorf("the exit is %+v", last)
	}
}

func TestSampleCutAnywhere(t *testing.T) {
	eachSample(t, func(t *testing.T, name string, text []byte) {
		if sampleScripts()[name] == nil {
			return // longer, and nothing else is in it
		}
		head := bytes.IndexByte(text, '\n')
		whole, _ := load(t, bytes.NewReader(text))
		in := bufio.NewReaderSize(nil, readBuffer) // one for all readers, which saves most of the time
		for cut := range len(text) {
			in.Reset(bytes.NewReader(text[:cut]))
			if cut < head {
				_, err := NewReader(in)
				if not := (*NotRecordingError)(nil); !errors.As(err, &not) {
					t.Fatalf("cut at %d in the head: %v", cut, err)
				}
				continue
			}
			all, r := load(t, in)
			lines := bytes.Count(text[:cut], []byte{'\n'})
			rest := text[bytes.LastIndexByte(text[:cut], '\n')+1 : cut]
			torn := len(rest) > 0 && text[cut] != '\n'
			if !torn && len(rest) > 0 {
				lines++
			}
			if r.Torn() != torn || len(r.Notices()) > 1 || len(all) != lines {
				t.Fatalf("cut at %d: %d of %d lines, torn %v, notices %v", cut, len(all), lines, r.Torn(), r.Notices())
			}
			if n := len(all); n > 0 && !bytes.Equal(all[n-1].Data, whole[n-1].Data) {
				t.Fatalf("cut at %d: other bytes", cut)
			}
		}
	})
}
