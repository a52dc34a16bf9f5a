package recordings

import (
	"errors"
	"io"
	"strings"
	"testing"
)

func TestForeign(t *testing.T) {
	for name, c := range map[string]struct{ file, want string }{
		"both ways": {`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}
{"jsonrpc":"2.0","id":1,"result":{}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":1,"method":"roots/list"}
{"jsonrpc":"2.0","id":1,"result":{"roots":[]}}
{"jsonrpc":"2.0","method":"notifications/progress"}
`, "in out in out in out "},
		"stdout":  {"banner\r\n{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\r\n\nbye", "out out out out "},
		"batch":   {`[{"jsonrpc":"2.0","id":1,"method":"ping"}]` + "\n", "in "},
		"bom":     {"\ufeff" + `{"jsonrpc":"2.0","id":1,"method":"ping"}`, "in "},
		"not one": {"hello\n{}\n", "no recording of mcpinspect, and no lines of messages: its first line is no JSON object"},
		"cut":     {`{"k":"head","v":1,"jsonrpc":"2.0`, "was cut off"},
		"newer":   {`{"k":"head","v":2}` + "\n" + `{"jsonrpc":"2.0","id":1,"method":"ping"}`, "has version 2"},
		"tail":    {`{"k":"b","t":1,"ch":"out","d":"x"}` + "\n", "no head"},
	} {
		r, err := NewReader(strings.NewReader(c.file))
		if err != nil {
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		got, bytes := "", ""
		for {
			rec, err := r.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			if rec.K == KindBytes {
				got += rec.Ch.String() + " "
				bytes += string(rec.Data)
			}
		}
		if got != c.want || bytes != c.file || r.Head().Imported == "" {
			t.Errorf("%s: %q, %q", name, got, bytes)
		}
	}
}
