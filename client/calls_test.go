package client_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/client/clienttest"
)

// walk fetches pages until there are none, and gives the cursors that were sent.
func walk(t *testing.T, c *client.Conn, p *client.Pages) (cursors []string, err error) {
	t.Helper()
	for !p.Done() {
		cursors = append(cursors, string(p.Cursor()))
		if _, err := p.Next(t.Context(), c, client.Request{}); err != nil {
			return cursors, err
		}
	}
	return cursors, nil
}

func TestPages(t *testing.T) {
	for _, x := range []struct {
		name    string
		next    []string // nextCursor of each page, raw; empty for none
		want    string   // cursors sent
		stopped client.Stop
		reason  string
	}{
		{"one page", []string{""}, "[]", client.StopNone, ""},
		{"three", []string{`"a"`, `"b"`, ""}, `[ "a" "b"]`, client.StopNone, ""},
		{"null ends", []string{`"a"`, `null`}, `[ "a"]`, client.StopNone, ""},
		{"empty text continues", []string{`""`, ``}, `[ ""]`, client.StopNone, ""},
		{"odd tokens go back as they came", []string{`17`, `{"o":1.0}`, ``}, `[ 17 {"o":1.0}]`, client.StopNone, ""},
		{"never advances", []string{`"a"`, `"a"`}, `[ "a"]`, client.StopLoop, `cursor "a" was returned for itself`},
		{"empty text never advances", []string{`""`, `""`}, `[ ""]`, client.StopLoop, `cursor "" was returned for itself`},
		{"circle", []string{`"a"`, `"b"`, `"a"`}, `[ "a" "b"]`, client.StopLoop, `cursor "a" came back`},
	} {
		t.Run(x.name, func(t *testing.T) {
			connected(t, client.Rev2026_07_28, func(s *clienttest.Server) {
				for _, next := range x.next {
					if next != "" {
						next = `,"nextCursor":` + next
					}
					s.Result(s.Expect(client.MethodPromptsList).ID, `{"prompts":[]`+next+`}`)
				}
			}, func(t *testing.T, c *client.Conn, door *clienttest.Door) {
				p := client.NewPages(client.Prompts)
				cursors, err := walk(t, c, p)
				if got := fmt.Sprint(cursors); err != nil || got != x.want || p.Stopped != x.stopped || !strings.Contains(p.Reason, x.reason) {
					t.Errorf("sent %s, stopped %q because %q, %v; want %s, %q", got, p.Stopped, p.Reason, err, x.want, x.stopped)
				}
				odd := ""
				notes := slices.DeleteFunc(door.Notes(client.NotePages), func(n client.Note) bool {
					cursor := client.Get(n.Data, "cursor")
					odd += string(cursor)
					return cursor != nil
				})
				if strings.HasPrefix(x.name, "odd tokens") != (odd == "17") { // said once a walk
					t.Errorf("cursors that are called odd: %s", odd)
				}
				if (x.stopped != "") != (len(notes) == 1) || len(notes) == 1 && client.GetText(notes[0].Data, "list") != "prompts" {
					t.Errorf("notes %+v", notes)
				}
			})
		})
	}
}

func TestPagesCeiling(t *testing.T) {
	connected(t, client.Rev2025_06_18, func(s *clienttest.Server) {
		s.Seed = 0
		for i := 0; ; i++ {
			m, ok := s.Next()
			if !ok {
				return
			}
			s.Result(m.ID, fmt.Sprintf(`{"tools":[],"nextCursor":"%d"}`, i))
		}
	}, func(t *testing.T, c *client.Conn, _ *clienttest.Door) {
		p := client.NewPages(client.Tools)
		if cursors, err := walk(t, c, p); err != nil || len(cursors) != 1000 || p.Stopped != client.StopCeiling {
			t.Errorf("%d pages, stopped %q, %v", len(cursors), p.Stopped, err)
		}
	})
}

func TestPagesFail(t *testing.T) {
	connected(t, client.Rev2025_06_18, func(s *clienttest.Server) {
		s.Result(s.Expect(client.MethodToolsList).ID, `{"tools":[{"name":"a"}],"nextCursor":"2"}`)
		s.Fail(s.Expect(client.MethodToolsList).ID, -32603, "no more", "")
	}, func(t *testing.T, c *client.Conn, door *clienttest.Door) {
		p := client.NewPages(client.Tools)
		_, err := walk(t, c, p)
		var rpc *client.RPCError
		if !errors.As(err, &rpc) || rpc.Code != -32603 || p.Stopped != client.StopError || !p.Done() || !strings.Contains(p.Reason, "page 2 of the tools failed") {
			t.Errorf("%v, stopped %q because %q", err, p.Stopped, p.Reason)
		}
		synctest.Wait()
		if n := door.Notes(client.NotePages); len(n) != 1 {
			t.Errorf("notes %+v", n)
		}
	})
}

// TestPagesWithoutList: an answer without its list ends the walk and is no list of nothing.
func TestPagesWithoutList(t *testing.T) {
	for result, want := range map[string]string{
		`{}`:                            `the answer to tools/list has no list "tools": {}`,
		`null`:                          `the answer to tools/list has no list "tools": null`,
		`{"tools":{},"nextCursor":"2"}`: `the answer to tools/list has "tools", but it is an object, not a list: {"tools":{},"nextCursor":"2"}`,
		`{"tools":null}`:                `the answer to tools/list has "tools", but it is null, not a list: {"tools":null}`,
	} {
		connected(t, client.Rev2025_06_18, func(s *clienttest.Server) {
			s.Result(s.Expect(client.MethodToolsList).ID, result)
		}, func(t *testing.T, c *client.Conn, door *clienttest.Door) {
			p := client.NewPages(client.Tools)
			_, err := walk(t, c, p)
			var none *client.ListError
			if !errors.As(err, &none) || err.Error() != want || p.Stopped != client.StopError || !p.Done() {
				t.Errorf("%v, stopped %q", err, p.Stopped)
			}
		})
	}
}

func TestRPCErrorShapes(t *testing.T) {
	for _, c := range []struct{ raw, text, data string }{
		{`{"code":-32601,"message":"no"}`, "error -32601: no", ""},
		{`{"code":-32000,"data":{"a":1}}`, "error -32000: no message given", `{"a":1}`},
		{`{"code":"E42","message":"m"}`, `error "E42": m`, ""},
		{`{"message":"m"}`, "with an error: m", ""},
		{`"out of disk"`, "with an error: out of disk", ""},
		{`null`, "with an error: the error is no object but null", ""},
		{`[1]`, "with an error: the error is no object but [1]", ""},
		{``, "the answer has neither result nor error", ""},
		{`{"code":1.5,"message":7}`, "error 1.5: no message given", ""},
	} {
		e := client.NewRPCError([]byte(c.raw))
		if !strings.HasSuffix(e.Error(), c.text) || string(e.Data) != c.data || string(e.Raw) != c.raw {
			t.Errorf("%s: %v, data %s", c.raw, e, e.Data)
		}
	}
}

func TestParseMeta(t *testing.T) {
	for _, c := range []struct{ word, key, value, err string }{
		{`k=1`, "k", "1", ""},
		{`k={"a":"b=c"}`, "k", `{"a":"b=c"}`, ""},
		{`io.modelcontextprotocol/protocolVersion-`, client.MetaProtocolVersion, "", ""},
		{`a-b=null`, "a-b", "null", ""},
		{`k=text`, "", "", "text needs quotes"},
		{`k=`, "", "", "is no JSON"},
		{`k`, "", "", "write KEY=JSON"},
		{`-`, "", "", "write KEY=JSON"},
		{`=1`, "", "", "the key is empty"},
		{``, "", "", "write KEY=JSON"},
		{"k=\"\xff\"", "", "", "no UTF-8"},
	} {
		got, err := client.ParseMeta(c.word)
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%q: %v, want %q", c.word, err, c.err)
			}
		} else if err != nil || got.Key != c.key || string(got.Value) != c.value || (got.Value == nil) != (c.value == "") {
			t.Errorf("%q: %+v, %v", c.word, got, err)
		}
	}
}

func TestReservedWarnings(t *testing.T) {
	value := []byte("1")
	for key, want := range map[string]bool{
		client.MetaProtocolVersion: false, client.MetaClientInfo: false, client.MetaPrefix + "logLevel": false,
		client.MetaPrefix + "other": true, "dev.mcp/x": true, "com.mcp.tools/x": true,
		"com.example.mcp/x": false, "mcp/x": false, "progressToken": false, "io.modelcontextprotocol": false, "traceparent": false,
	} {
		if got := client.ReservedWarnings([]client.MetaKey{{Key: key, Value: value}}); (len(got) > 0) != want {
			t.Errorf("%s: %q", key, got)
		}
		if got := client.ReservedWarnings([]client.MetaKey{{Key: key}}); len(got) > 0 {
			t.Errorf("%s left out: %q", key, got)
		}
	}
}

func TestProtocolNames(t *testing.T) {
	if got, want := client.ProtocolNames(), "auto, 2026-07-28, 2025-11-25, 2025-06-18, 2025-03-26, 2024-11-05"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	for s, want := range map[string]bool{"": true, "auto": true, "2025-06-18": true, "2025-06-19": false, "latest": false} {
		if r, ok := client.ParseProtocol(s); ok != want || ok && s != "" && s != "auto" && string(r) != s {
			t.Errorf("%q: %q, %t", s, r, ok)
		}
	}
}

func TestResend(t *testing.T) {
	for _, c := range []struct{ line, params, meta string }{
		{`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"add","_meta":{"progressToken":7,"io.modelcontextprotocol/protocolVersion":"2026-07-28","mine":{"x":1.0}},"arguments":{"a":1e2}}}`,
			`{"name":"add","arguments":{"a":1e2}}`, `mine={"x":1.0}`},
		{`{"jsonrpc":"2.0","id":"x","method":"tools/list","params":{"_meta":{"progressToken":7}}}`, ``, ``},
		{`{"jsonrpc":"2.0","id":1,"method":"ping"}`, ``, ``},
		{`{"jsonrpc":"2.0","id":1,"method":"x","params":[1]}`, `[1]`, ``},
		{`{"jsonrpc":"2.0","id":1,"method":"x","params":{"_meta":7}}`, `{"_meta":7}`, ``},
	} {
		body := client.Body{[]byte(c.line)}
		r, ok := client.Resend(client.Incoming{Message: client.Judge(body).Messages[0], Body: body})
		meta := ""
		for _, k := range r.Meta {
			meta += k.Key + "=" + string(k.Value)
		}
		if !ok || string(r.Params) != c.params || meta != c.meta {
			t.Errorf("%s: %q %q, %v", c.line, r.Params, meta, ok)
		}
	}
	body := client.Body{[]byte(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)}
	if _, ok := client.Resend(client.Incoming{Message: client.Judge(body).Messages[0], Body: body}); ok {
		t.Error("a notification is no request")
	}
}
