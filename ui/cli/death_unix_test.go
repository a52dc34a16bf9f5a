//go:build !windows

package cli

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"example.com/mcpinspect/recordings"
	"example.com/mcpinspect/testdata/programs"
)

// TestDeathAtEveryStage: a server that dies, or closes its pipes, at whatever stage of the dialogue and
// in whatever order ends the run at once with the code that tells it; the recording is whole to the
// last byte and has the end of each process, and no process is left.
func TestDeathAtEveryStage(t *testing.T) {
	exe, player := programs.Build(t, "."), programs.Build(t, "testdata/player")
	const (
		tools  = `"tools":[{"name":"a","inputSchema":{"type":"object"}},{"name":"b","inputSchema":{"type":"object"}}]`
		modern = `{"case":"death","era":"2026-07-28"}` + "\n" + `{"defaults":{` + tools + `,"page":1}}` + "\n"
		legacy = `{"case":"death","era":"2025-06-18"}` + "\n" + `{"defaults":{` + tools + `,"page":1,"probe":"error"}}` + "\n"

		discovered  = `{"expect":"server/discover"}` + "\n" + `{"auto":true}` + "\n"
		initialized = `{"expect":"initialize"}` + "\n" + `{"auto":true}` + "\n" + `{"expect":"notifications/initialized"}` + "\n"
		page        = `{"expect":"tools/list"}` + "\n" + `{"auto":true}` + "\n"
		called      = `{"expect":"tools/call"}` + "\n"
		answered    = called + `{"reply":{"content":[{"type":"text","text":"done"}]}}` + "\n"

		exits     = `{"exit":3}`
		killed    = `{"signal":"SIGKILL"}`
		noOut     = `{"close":"stdout"}` + "\n"
		noErr     = `{"close":"stderr"}` + "\n"
		noIn      = `{"close":"stdin"}` + "\n"
		lives     = `{"sleep_ms":60000}`
		endOfIn   = `{"expect_eof":true}` + "\n"
		halfALine = `{"raw":"{\"jsonrpc\":\"2.0\",\"id\":"}` + "\n"
	)
	for _, c := range []struct {
		name, verb, script string
		code               int
	}{
		{"before the first byte", "list tools", modern + exits, 4},
		{"before the first byte, well", "list tools", modern + `{"exit":0}`, 4},
		{"before the first byte, killed", "list tools", modern + killed, 4},
		{"asked to discover", "list tools", modern + `{"expect":"server/discover"}` + "\n" + killed, 4},
		{"half an answer to discover", "list tools", modern + `{"expect":"server/discover"}` + "\n" + halfALine + killed, 4},
		{"after discover", "list tools", modern + discovered + exits, 4},
		{"after discover, killed", "list tools", modern + discovered + killed, 4},
		{"asked to initialize", "list tools --protocol 2025-06-18", legacy + `{"expect":"initialize"}` + "\n" + exits, 4},
		{"after initialize", "list tools --protocol 2025-06-18", legacy + initialized + killed, 4},
		{"between pages", "list tools", modern + discovered + page + killed, 4},
		{"asked for the second page", "list tools", modern + discovered + page + `{"expect":"tools/list"}` + "\n" + exits, 4},
		{"in a call", "call a", modern + discovered + page + called + exits, 4},
		{"in a call, killed", "call a --json", modern + discovered + page + called + killed, 4},
		{"half an answer", "call a", modern + discovered + page + called + halfALine + killed, 4},
		{"behind an answer", "call a", modern + discovered + page + answered + endOfIn + exits, 0},
		{"after the end of stdin, killed", "call a", modern + discovered + page + answered + endOfIn + killed, 0},
		{"stdout", "call a", modern + discovered + page + called + noOut + lives, 4},
		{"stdout, stderr", "call a", modern + discovered + page + called + noOut + noErr + lives, 4},
		{"stderr, stdout", "call a", modern + discovered + page + called + noErr + noOut + lives, 4},
		{"stderr", "call a", modern + discovered + page + noErr + answered + endOfIn, 0},
		{"stdin, stdout", "call a", modern + discovered + page + called + noIn + noOut + lives, 4},
		{"stdin, stderr, stdout", "call a", modern + discovered + page + called + noIn + noErr + noOut + lives, 4},
		{"stdin, and an answer", "call a", modern + discovered + page + called + noIn + `{"reply":{"content":[]}}`, 0},
		{"stdin at once", "list tools", modern + noIn + lives, 4},
		{"stdout at once", "list tools", modern + noOut + lives, 4},
		{"all at once", "list tools", modern + noOut + noErr + noIn + lives, 4},
		{"both pipes full, killed", "call a", modern + discovered + page + called + `{"repeat":40,"steps":[{"stderr":"$fill:65536\n"},{"raw":"$fill:65536\n"}]}` + "\n" + killed, 4},
		{"both pipes full, an answer", "call a", modern + discovered + page + called + `{"repeat":40,"steps":[{"stderr":"$fill:65536\n"},{"raw":"$fill:65536\n"}]}` + "\n" + `{"reply":{"content":[]}}`, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			record := filepath.Join(t.TempDir(), "made.jsonl")
			args := append(strings.Fields(c.verb), "--record", record, "--", player, write(t, "death.jsonl", c.script))
			ctx, stop := context.WithTimeout(t.Context(), hang)
			defer stop()
			cmd := exec.CommandContext(ctx, exe, args...)
			cmd.Env = append(os.Environ(), "XDG_STATE_HOME="+t.TempDir())
			said, err := cmd.CombinedOutput()
			if ctx.Err() != nil {
				t.Fatalf("it hangs: %.500q", said)
			}
			if err != nil && !errors.As(err, new(*exec.ExitError)) {
				t.Fatal(err)
			}
			if code := cmd.ProcessState.ExitCode(); code != c.code {
				t.Errorf("exit %d, not %d: %.500q", code, c.code, said)
			}
			whole(t, record)
		})
	}
}

// whole reads a recording to its end: no line is torn, and each server that was started has ended.
func whole(t *testing.T, path string) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, err := recordings.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var pids []int
	exits := 0
	for {
		item, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		switch item.K {
		case recordings.KindSpawn:
			pids = append(pids, item.Pid)
		case recordings.KindExit:
			exits++
		}
	}
	if damage := r.Notices(); len(damage) > 0 {
		t.Errorf("the recording is damaged: %v", damage)
	}
	if len(pids) == 0 || exits != len(pids) {
		t.Errorf("%d servers were started, and %d ends are recorded", len(pids), exits)
	}
	for _, pid := range pids {
		if syscall.Kill(pid, 0) == nil {
			t.Errorf("the server, process %d, is left", pid)
		}
	}
}
