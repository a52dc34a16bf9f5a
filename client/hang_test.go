package client_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/client/clienttest"
)

// A call that gets no answer says what is known of why while it runs, once for each thing that changes,
// and the note holds it for a recording.
func TestHangs(t *testing.T) {
	connected(t, client.Rev2025_06_18, func(s *clienttest.Server) {
		m := s.Expect(client.MethodToolsCall)
		s.Printf(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":20,"total":100,"message":"copying"}}`, m.ID)
		time.Sleep(time.Second)
		s.Printf(`{"jsonrpc":"2.0","id":"req-%s","result":{"content":[]}}`, m.ID)
		time.Sleep(20 * time.Second)
		s.Print(`{"half`)
		s.Hang()
	}, func(t *testing.T, c *client.Conn, door *clienttest.Door) {
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() {
			_, _ = c.Call(ctx, tool("slow", client.Limits{Quiet: 3 * time.Second}))
			close(done)
		}()
		time.Sleep(2 * time.Second)
		if notes := door.Notes(client.NoteHang); len(notes) != 0 {
			t.Errorf("within the quiet time: %+v", notes)
		}
		time.Sleep(60 * time.Second)
		synctest.Wait()
		notes := door.Notes(client.NoteHang)
		if len(notes) != 2 { // what is known changed once
			t.Fatalf("%d notes", len(notes))
		}
		for i, want := range [][]string{
			{"an answer came for no open request, with the id \"req-", "(string), 1s after the request; this one has the id", "the last progress, 20/100 copying, came less than 1ms after the request"},
			{"an unfinished line of 6 bytes waits on the server's stdout"},
		} {
			text := strings.Join(notes[i].Facts(), "; ")
			for _, w := range want {
				if !strings.Contains(text, w) || !strings.Contains(notes[i].Text, w) {
					t.Errorf("note %d lacks %q: %s", i, w, notes[i].Text)
				}
			}
		}
		if n := c.Why(); n != 1 || len(door.Notes(client.NoteHang)) != 3 {
			t.Errorf("asked for: %d open, %d notes", n, len(door.Notes(client.NoteHang)))
		}
		cancel()
		<-done
		if n := c.Why(); n != 0 || len(door.Notes(client.NoteHang)) != 3 {
			t.Errorf("nothing is open: %d, %d notes", n, len(door.Notes(client.NoteHang)))
		}
	})
}

// A call that is not watched, and one that is answered in time, leave no note.
func TestHangsNot(t *testing.T) {
	connected(t, client.Rev2025_06_18, func(s *clienttest.Server) {
		for range 2 {
			m := s.Expect(client.MethodToolsCall)
			time.Sleep(2 * time.Second)
			s.Result(m.ID, `{"content":[]}`)
		}
	}, func(t *testing.T, c *client.Conn, door *clienttest.Door) {
		for _, limits := range []client.Limits{{Quiet: 3 * time.Second}, {}} {
			if _, err := c.Call(t.Context(), tool("quick", limits)); err != nil {
				t.Error(err)
			}
		}
		if notes := door.Notes(client.NoteHang); len(notes) != 0 {
			t.Errorf("%+v", notes)
		}
	})
}

// The line that waits on stdout is told apart from a message that lacks its newline alone.
func TestWaitingLine(t *testing.T) {
	for _, c := range []struct{ half, want, not string }{
		{`{"jsonrpc":"2.0","id":7,"resu`, "an unfinished line of 29 bytes waits on the server's stdout: it needs a newline and a flush; it ends in", "whole"},
		{`{"jsonrpc":"2.0","id":7,"result":{}}`, "a whole message but for its newline", ""},
		{`{`, "an unfinished line of 1 byte waits", "bytes"},
		{`7`, "an unfinished line of 1 byte waits", "whole"},
	} {
		connected(t, client.Rev2025_06_18, func(s *clienttest.Server) {
			s.Expect(client.MethodToolsCall)
			s.Print(c.half)
			s.Hang()
		}, func(t *testing.T, conn *client.Conn, door *clienttest.Door) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			_, _ = conn.Call(ctx, tool("slow", client.Limits{Quiet: 3 * time.Second}))
			notes := door.Notes(client.NoteHang)
			if len(notes) == 0 || !strings.Contains(notes[0].Facts()[0], c.want) || c.not != "" && strings.Contains(notes[0].Facts()[0], c.not) {
				t.Errorf("%s: %+v", c.half, notes)
			}
		})
	}
}
