package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"example.com/mcpinspect/testdata/programs"
)

func tree(t *testing.T, s string) any {
	t.Helper()
	m, err := parseMessage([]byte(s))
	if err != nil {
		t.Fatal(err)
	}
	return m.tree
}

func TestGet(t *testing.T) {
	v := tree(t, `{"params":{"_meta":{"io.x/v":"1"},"a":[{"b":5}]}}`)
	for path, want := range map[string]string{"params._meta.[io.x/v]": `"1"`, "params.a.0.b": "5", "params.a": `[{"b":5}]`} {
		got, ok := get(v, path)
		if b, _ := json.Marshal(got); !ok || string(b) != want {
			t.Errorf("%s = %s %v", path, b, ok)
		}
	}
	for _, path := range []string{"params.b", "params.a.1", "params.a.x", "params._meta.[io"} {
		if _, ok := get(v, path); ok {
			t.Errorf("%s should be absent", path)
		}
	}
}

func TestCompare(t *testing.T) {
	v := tree(t, `{"big":9007199254740993,"near":9007199254740992,"f":5.0,"i":5,"s":"5","n":null,"o":{"a":[1]}}`).(map[string]any)
	want := tree(t, `{"big":9007199254740993,"five":5,"o":{"a":[1]}}`).(map[string]any)
	for _, c := range []struct {
		got  any
		want any
		ok   bool
	}{
		{v["big"], want["big"], true}, {v["near"], want["big"], false}, {v["f"], want["five"], true}, {v["s"], want["five"], false},
		{v["n"], nil, true}, {v["o"], want["o"], true}, {v["i"], map[string]any{"type": "integer"}, true}, {v["f"], map[string]any{"type": "integer"}, false},
		{v["big"], map[string]any{"text": "9007199254740993"}, true}, {v["s"], map[string]any{"regex": "^[0-9]$"}, true}, {v["s"], map[string]any{"not": "5"}, false},
	} {
		if p := compare(c.got, true, c.want); (p == "") != c.ok {
			t.Errorf("compare(%v, %v): %q", c.got, c.want, p)
		}
	}
	if compare(nil, false, map[string]any{"absent": true}) != "" || compare(nil, false, nil) == "" {
		t.Error("absence")
	}
}

func TestParse(t *testing.T) {
	for _, bad := range []string{`{}`, `{"send":{},"raw":"x"}`, `{"expect":"a","typo":1}`, `{"repeat":2,"steps":[{}]}`} {
		if _, err := parseStep([]byte(bad), 1); err == nil {
			t.Errorf("%s was accepted", bad)
		}
	}
}

func TestEveryScenarioLoads(t *testing.T) {
	files, _ := filepath.Glob("../scenarios/*.jsonl")
	if len(files) == 0 {
		t.Fatal("no scenarios in ../scenarios")
	}
	for _, f := range files {
		sc, err := load(f)
		if err != nil {
			t.Errorf("%s: %v", f, err)
		} else if sc.head.Case+".jsonl" != filepath.Base(f) {
			t.Errorf("%s: case is %s", f, sc.head.Case)
		}
	}
}

// TestPlay runs the built program over pipes.
func TestPlay(t *testing.T) {
	dir := t.TempDir()
	bin := programs.Build(t, "testdata/player")
	sc := filepath.Join(dir, "x.jsonl")
	os.WriteFile(sc, []byte(`{"case":"x","era":"2026-07-28"}
{"defaults":{"tools":[{"name":"a","inputSchema":{"type":"object"}},{"name":"b","inputSchema":{"type":"object"}}],"page":1}}
{"expect":"tools/call","check":{"params.arguments.n":{"text":"9007199254740993"}}}
{"raw":"noise $id $idstr\n"}
{"split":[4,9],"gap_ms":1}
{"reply":{"content":[{"type":"text","text":"$fill:3"}],"structuredContent":{"z":1.10,"a":"$params.arguments.n"}}}
{"exit":7}
`), 0o644)
	meta := `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`
	in := strings.Join([]string{
		`{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{` + meta + `}}`,
		`{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"cursor":"p1",` + meta + `}}`,
		`{"jsonrpc":"2.0","id":3,"method":"tools/list"}`,
		`{"jsonrpc":"2.0","id":4,"method":"initialize","params":{}}`,
		`{"jsonrpc":"2.0","id":"five","method":"tools/call","params":{"name":"a","arguments":{"n":9007199254740993},` + meta + `}}`,
	}, "\n") + "\n"
	rep := filepath.Join(dir, "rep")
	cmd := exec.Command(bin, "-report", rep, sc)
	cmd.Stdin = strings.NewReader(in)
	out, err := cmd.Output()
	if ee, ok := err.(*exec.ExitError); !ok || ee.ExitCode() != 7 {
		t.Fatalf("exit: %v", err)
	}
	for _, want := range []string{`"supportedVersions":["2026-07-28"]`, `"tools":[{"name":"b"`, `"code":-32602`, `"code":-32601`, "noise \"five\" five\n",
		`{"jsonrpc":"2.0","id":"five","result":{"resultType":"complete",`, `"text":"xxx"`, `"structuredContent":{"z":1.10,"a":9007199254740993}`} {
		if !bytes.Contains(out, []byte(want)) {
			t.Errorf("output lacks %s\n%s", want, out)
		}
	}
	r, _ := os.ReadFile(rep)
	for _, want := range []string{`"kind":"lint"`, `tools/list lacks _meta`, `"ok":true`, `"code":7`} {
		if !bytes.Contains(r, []byte(want)) {
			t.Errorf("report lacks %s", want)
		}
	}
}
