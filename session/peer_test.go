package session

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"example.com/mcpinspect/client"
)

// peerVariable makes the test binary a server on the official Go SDK: a peer that nobody here wrote.
const peerVariable = "MCPINSPECT_TEST_PEER"

// peerTee names a directory where the peer keeps what it reads and writes, in files in and out.
const peerTee = "MCPINSPECT_TEST_PEER_TEE"

// teed is a transport on stdin and stdout that keeps both in files.
func teed(dir string) mcp.Transport {
	file := func(name string) *os.File {
		f, err := os.Create(filepath.Join(dir, name))
		if err != nil {
			panic(err)
		}
		return f
	}
	return &mcp.IOTransport{Reader: io.NopCloser(io.TeeReader(os.Stdin, file("in"))), Writer: both{os.Stdout, file("out")}}
}

type both struct{ a, b *os.File }

func (w both) Write(p []byte) (int, error) {
	if n, err := w.a.Write(p); err != nil {
		return n, err
	}
	return w.b.Write(p)
}

func (w both) Close() error { return w.a.Close() }

func init() {
	if os.Getenv(peerVariable) == "" {
		return
	}
	s := mcp.NewServer(&mcp.Implementation{Name: "peer", Version: "1"}, &mcp.ServerOptions{PageSize: 2})
	type pair struct {
		A int `json:"a"`
		B int `json:"b"`
	}
	type sum struct {
		Sum int `json:"sum"`
	}
	for _, name := range []string{"add", "plus", "total"} {
		mcp.AddTool(s, &mcp.Tool{Name: name}, func(_ context.Context, _ *mcp.CallToolRequest, in pair) (*mcp.CallToolResult, sum, error) {
			return nil, sum{in.A + in.B}, nil
		})
	}
	var transport mcp.Transport = &mcp.StdioTransport{}
	if dir := os.Getenv(peerTee); dir != "" {
		transport = teed(dir)
	}
	if s.Run(context.Background(), transport) != nil {
		os.Exit(1)
	}
	os.Exit(0)
}

// TestOfficialPeer speaks with the SDK's server in both eras: connect, walk the pages, call, close.
func TestOfficialPeer(t *testing.T) {
	for _, c := range []struct{ pinned, want client.Revision }{
		{"", client.Rev2026_07_28},
		{client.Rev2026_07_28, client.Rev2026_07_28},
		{client.Rev2025_11_25, client.Rev2025_11_25},
		{client.Rev2024_11_05, client.Rev2024_11_05},
	} {
		t.Run("pinned "+string(c.pinned), func(t *testing.T) {
			t.Parallel()
			exe, err := os.Executable()
			if err != nil {
				t.Fatal(err)
			}
			s := New(Target{Command: client.Command{Args: []string{exe}, Env: []string{peerVariable + "=1"}}},
				Options{Protocol: c.pinned, Identity: client.Identity{Name: "test", Version: "1"}})
			defer s.Close()
			if err := s.Connect(t.Context()); err != nil {
				t.Fatal(err)
			}
			if got := s.Revision(); got != c.want {
				t.Errorf("revision %s, want %s", got, c.want)
			}
			if stop, err := s.All(t.Context(), client.Tools); stop != client.StopNone || err != nil {
				t.Errorf("%v %v", stop, err)
			}
			if l := s.Snapshot().List("tools"); len(l.Items) != 3 || len(l.Pages) != 2 || !l.Complete {
				t.Errorf("%d tools on %d pages", len(l.Items), len(l.Pages))
			}
			a, err := s.Call(t.Context(), client.CallTool("add", []byte(`{"a":2,"b":3}`)))
			if err != nil || string(client.Get(a.ResultRaw(), "structuredContent", "sum")) != "5" {
				t.Errorf("%s %v", a.ResultRaw(), err)
			}
			if exit, ok := s.Close(); !ok || exit.Code != 0 || exit.Asked != client.AskedStdin {
				t.Errorf("%+v", exit)
			}
		})
	}
}
