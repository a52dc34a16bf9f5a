package mock

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/recordings"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/testdata/programs"
)

type nopClose struct{ io.Writer }

func (nopClose) Close() error { return nil }

// use does with the official client what clients do, and returns all that came back as text. At
// once makes the calls at the same time.
func use(t *testing.T, rev client.Revision, in io.WriteCloser, out io.ReadCloser, atOnce bool) (results []string) {
	t.Helper()
	cs, err := mcp.NewClient(&mcp.Implementation{Name: fmt.Sprint("client of ", atOnce), Version: "1"}, &mcp.ClientOptions{
		ToolListChangedHandler: func(_ context.Context, _ *mcp.ToolListChangedRequest) {}}).
		Connect(t.Context(), &mcp.IOTransport{Reader: out, Writer: in}, &mcp.ClientSessionOptions{ProtocolVersion: string(rev)})
	if err != nil {
		t.Fatal(err)
	}
	defer cs.Close()
	if got := client.Revision(cs.InitializeResult().ProtocolVersion); got != rev {
		t.Errorf("the revision is %s", got)
	}
	keep := func(v any, err error) string {
		b, jerr := json.Marshal(v)
		if jerr != nil {
			t.Error(jerr)
		}
		return fmt.Sprintf("%s %v", b, err)
	}
	for cursor := ""; ; {
		page, err := cs.ListTools(t.Context(), &mcp.ListToolsParams{Cursor: cursor})
		results = append(results, keep(page, err))
		if err != nil || page.NextCursor == "" {
			break
		}
		cursor = page.NextCursor
	}
	calls := []func() string{}
	for i := range 5 {
		calls = append(calls, func() string {
			return keep(cs.CallTool(t.Context(), &mcp.CallToolParams{Name: "add", Arguments: map[string]any{"a": i, "b": 3}}))
		})
	}
	calls = append(calls,
		func() string {
			p := &mcp.CallToolParams{Name: "slow", Arguments: map[string]any{"steps": 2, "delay_ms": 1}}
			p.SetProgressToken("token")
			return keep(cs.CallTool(t.Context(), p))
		},
		func() string { return keep(cs.CallTool(t.Context(), &mcp.CallToolParams{Name: "fail"})) },
		func() string { return keep(cs.CallTool(t.Context(), &mcp.CallToolParams{Name: "no such tool"})) },
		func() string {
			return keep(cs.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "file:///readme.txt"}))
		},
		func() string {
			return keep(cs.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "greeting", Arguments: map[string]string{"name": "Ada"}}))
		})
	answers := make([]string, len(calls))
	var wait sync.WaitGroup
	for i, call := range calls {
		if !atOnce {
			answers[i] = call()
			continue
		}
		wait.Go(func() { answers[i] = call() })
	}
	wait.Wait()
	return append(results, answers...)
}

// TestOfficialClient: the official client gets from a mock what it got from the server on the
// official SDK, in both eras, one after the other and all at once.
func TestOfficialClient(t *testing.T) {
	t.Parallel()
	exe := programs.Build(t, "testdata/servers/gosdk")
	for _, rev := range []client.Revision{client.Rev2026_07_28, client.Rev2025_11_25} {
		t.Run(string(rev), func(t *testing.T) {
			t.Parallel()
			inR, inW := io.Pipe()
			outR, outW := io.Pipe()
			var file bytes.Buffer
			o := session.Options{Start: time.Now(), Fault: func(f *client.Fault) { t.Errorf("%v\n%s", f, f.Stack) }}
			rec := session.NewRecording(recordings.NewWriter(&file), session.Target{}, o, "test", o.Start, nil)
			o.Recorder = rec
			tap, err := session.New(session.Target{Command: client.Command{Args: []string{exe}}}, o).Tap(client.Ends{In: inR, Out: outW, Err: nopClose{io.Discard}})
			if err != nil {
				t.Fatal(err)
			}
			want := use(t, rev, inW, outR, false)
			if _, whole := tap.Wait(); !whole {
				t.Error("not all was recorded")
			}
			rec.Close()
			sc := scriptOf(t, file.Bytes())
			if sc.Revision != rev {
				t.Errorf("the script is of %s", sc.Revision)
			}
			for _, way := range []struct {
				o      Options
				atOnce bool
			}{{Options{}, false}, {Options{}, true}, {Options{Recorded: true, Stray: true, Stderr: true}, false}, {Options{Once: true}, true}, {Options{Speed: 10}, true}} {
				inR, inW := io.Pipe()
				outR, outW := io.Pipe()
				ended := make(chan error, 1)
				go func() {
					exit, err := Serve(t.Context(), sc, way.o, inR, outW, io.Discard, func(format string, args ...any) { t.Errorf(format, args...) }, func(f *client.Fault) { t.Errorf("%v", f) })
					if exit.Code != 0 {
						t.Errorf("it ended with %v", exit)
					}
					outW.Close()
					ended <- err
				}()
				got := use(t, rev, inW, outR, way.atOnce)
				inW.Close()
				if err := <-ended; err != nil {
					t.Error(err)
				}
				for i := range want {
					if got[i] != want[i] {
						t.Errorf("%+v: answer %d\n%s\nnot\n%s", way, i, got[i], want[i])
					}
				}
			}
		})
	}
}
