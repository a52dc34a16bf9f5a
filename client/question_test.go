package client_test

import (
	"context"
	"strings"
	"testing"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/client/clienttest"
)

// TestQuestions: what was offered is answered, anything else refused, and what the server withdrew
// gets no answer.
func TestQuestions(t *testing.T) {
	withdrawn := make(chan struct{})
	waits := make(chan struct{})
	identity := client.Identity{Name: "test", Version: "1", Capabilities: []byte(`{"elicitation":{}}`),
		Answer: func(ctx context.Context, asked []client.Question) []client.Reply {
			switch client.GetText(asked[0].Params, "message") {
			case "name?":
				return []client.Reply{{Result: []byte("{\n\"action\":\"accept\",\"content\":{\"name\":\"x\"}}")}}
			case "no":
				return []client.Reply{{Code: client.CodeRejected, Reason: "the person said no"}}
			}
			close(waits)
			<-ctx.Done()
			if cause := context.Cause(ctx); cause != client.ErrWithdrawn {
				t.Errorf("it ended with %v", cause)
			}
			close(withdrawn)
			return []client.Reply{{Result: []byte(`{"action":"accept"}`)}}
		}}
	door := &clienttest.Door{}
	x := &clienttest.Spawner{T: t, Door: door, Identity: identity, Scripts: []func(*clienttest.Server){func(s *clienttest.Server) {
		s.Handshake(client.Rev2025_06_18)
		call := s.Expect(client.MethodToolsCall)
		answer := func(want string) {
			t.Helper()
			if got := s.Expect("").Raw; got != want {
				t.Errorf("answered %s\nwant %s", got, want)
			}
		}
		s.Print(`{"jsonrpc":"2.0","id":"q1","method":"elicitation/create","params":{"message":"name?"}}` + "\n")
		answer(`{"jsonrpc":"2.0","id":"q1","result":{ "action":"accept","content":{"name":"x"}}}`)
		s.Print(`{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":"no"}}` + "\n")
		answer(`{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"the person said no"}}`)
		s.Print(`{"jsonrpc":"2.0","id":2,"method":"sampling/createMessage","params":{}}` + "\n")
		answer(`{"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"this client does not serve sampling/createMessage"}}`)
		s.Print(`{"jsonrpc":"2.0","id":3,"method":"elicitation/create","params":{"message":"wait"}}` + "\n")
		<-waits
		s.Print(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}` + "\n")
		<-withdrawn
		s.Print(`{"jsonrpc":"2.0","id":4,"method":"ping"}` + "\n")
		answer(`{"jsonrpc":"2.0","id":4,"result":{}}`) // and none to 3 before it
		s.Result(call.ID, `{"content":[]}`)
	}}}
	conn, _, err := client.Dial(t.Context(), x.Spawn, client.DialOptions{Protocol: client.Rev2025_06_18})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := conn.Call(t.Context(), client.CallTool("a", nil)); err != nil {
		t.Fatal(err)
	}
}

// TestQuestionsEndWithTheirCall: when the only request that a question can be for is given up, it is
// answered with an error; one that may be for another request waits on.
func TestQuestionsEndWithTheirCall(t *testing.T) {
	came := make(chan string, 4)
	ended := make(chan error, 4)
	identity := client.Identity{Capabilities: []byte(`{"elicitation":{}}`), Answer: func(ctx context.Context, asked []client.Question) []client.Reply {
		came <- client.GetText(asked[0].Params, "message")
		<-ctx.Done()
		ended <- context.Cause(ctx)
		return []client.Reply{{Code: client.CodeRejected, Reason: context.Cause(ctx).Error()}}
	}}
	next := make(chan string)
	x := &clienttest.Spawner{T: t, Door: &clienttest.Door{}, Identity: identity, Scripts: []func(*clienttest.Server){func(s *clienttest.Server) {
		s.Handshake(client.Rev2025_11_25)
		ask := func(id string) {
			s.Print(`{"jsonrpc":"2.0","id":"` + id + `","method":"elicitation/create","params":{"message":"` + id + `"}}` + "\n")
		}
		expect := func(want string) {
			if got := s.Expect("").Raw; !strings.Contains(got, want) {
				t.Errorf("%s without %s", got, want)
			}
		}
		s.Expect(client.MethodToolsCall)
		ask("one")
		<-next // the first call is given up
		s.Expect(client.MethodCancelled)
		expect(`"id":"one","error":{"code":-1,"message":"its call was given up"}`)
		s.Expect(client.MethodToolsCall)
		<-next // the order of the two is known
		last := s.Expect(client.MethodToolsCall)
		ask("two")
		<-next // the second one, and the last is open still
		s.Expect(client.MethodCancelled)
		s.Result(last.ID, `{"content":[]}`)
	}}}
	conn, _, err := client.Dial(t.Context(), x.Spawn, client.DialOptions{Protocol: client.Rev2025_11_25})
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 4)
	call := func(ctx context.Context) {
		_, err := conn.Call(ctx, client.CallTool("a", nil))
		done <- err
	}
	ctx, cancel := context.WithCancel(t.Context())
	go call(ctx)
	<-came
	cancel()
	if err := <-ended; err != client.ErrCallOver {
		t.Errorf("the first ended with %v", err)
	}
	<-done
	next <- ""
	ctx, cancel = context.WithCancel(t.Context())
	go call(ctx)
	next <- ""
	go call(t.Context())
	<-came
	cancel()
	next <- ""
	<-done
	<-done
	conn.Close()
	if err := <-ended; err != client.ErrServerGone {
		t.Errorf("the second ended with %v", err)
	}
}

// A question that still waits when the server goes is withdrawn.
func TestQuestionsEndWithTheServer(t *testing.T) {
	ended := make(chan struct{})
	identity := client.Identity{Capabilities: []byte(`{"roots":{}}`), Answer: func(ctx context.Context, _ []client.Question) []client.Reply {
		<-ctx.Done()
		if cause := context.Cause(ctx); cause != client.ErrServerGone {
			t.Errorf("it ended with %v", cause)
		}
		close(ended)
		return make([]client.Reply, 1)
	}}
	x := &clienttest.Spawner{T: t, Door: &clienttest.Door{}, Identity: identity, Scripts: []func(*clienttest.Server){func(s *clienttest.Server) {
		s.Handshake(client.Rev2025_11_25)
		s.Print(`{"jsonrpc":"2.0","id":1,"method":"roots/list"}` + "\n")
	}}}
	conn, _, err := client.Dial(t.Context(), x.Spawn, client.DialOptions{Protocol: client.Rev2025_11_25})
	if err != nil {
		t.Fatal(err)
	}
	conn.Close()
	<-ended
}

func TestAgain(t *testing.T) {
	result := []byte(`{"resultType":"input_required","inputRequests":{"b":{"method":"roots/list"},"a":{"method":"elicitation/create","params":{"message":"m"}}},"requestState":"\u00e9"}`)
	questions, asks := client.InputRequired(result)
	if !asks || len(questions) != 2 || questions[0].Key != "b" || questions[1].Method != client.MethodElicit || string(questions[1].Params) != `{"message":"m"}` {
		t.Fatalf("%v %+v", asks, questions)
	}
	r := client.Request{Method: "tools/call", Params: []byte(`{"name":"x", "arguments":{"n":1.0},"inputResponses":{"old":{}},"requestState":"old"}`)}
	for _, c := range []struct {
		keys    []string
		answers [][]byte
		want    string
	}{
		{[]string{"b", "a"}, [][]byte{[]byte(`{"roots":[]}`), []byte(`{"action":"decline"}`)},
			`{"name":"x","arguments":{"n":1.0},"inputResponses":{"b":{"roots":[]},"a":{"action":"decline"}},"requestState":"\u00e9"}`},
		{nil, nil, `{"name":"x","arguments":{"n":1.0},"requestState":"\u00e9"}`},
	} {
		if got := string(client.Again(r, result, c.keys, c.answers).Params); got != c.want {
			t.Errorf("%s\nwant %s", got, c.want)
		}
	}
	if _, asks := client.InputRequired([]byte(`{"resultType":"complete"}`)); asks {
		t.Error("a complete result asks for nothing")
	}
	if !strings.Contains(string(client.Again(client.Request{}, []byte(`{"requestState":""}`), nil, nil).Params), `"requestState":""`) {
		t.Error("an empty state is present")
	}
}

// TestUnserved: of what a server asks only the parts that were offered are served.
func TestUnserved(t *testing.T) {
	answer := func(context.Context, []client.Question) []client.Reply { return nil }
	for _, c := range []struct{ offered, method, params, want string }{
		{`{"elicitation":{}}`, client.MethodElicit, `{}`, ""},
		{`{"elicitation":{}}`, client.MethodElicit, `{"mode":"form"}`, ""},
		{`{"elicitation":{}}`, client.MethodElicit, `{"mode":"url"}`, `mode "url" of elicitation was not offered`},
		{`{"elicitation":{"form":{}}}`, client.MethodElicit, `{"mode":"url"}`, `mode "url" of elicitation was not offered`},
		{`{"elicitation":{"url":{}}}`, client.MethodElicit, `{"mode":"url"}`, ""},
		{`{"elicitation":{"url":{}}}`, client.MethodElicit, `{}`, `mode "form" of elicitation was not offered`},
		{`{"elicitation":{"form":{},"url":{}}}`, client.MethodElicit, `{"mode":"voice"}`, `mode "voice" of elicitation was not offered`},
		{`{"elicitation":{"form":{},"url":{}}}`, client.MethodElicit, `{"mode":7}`, `mode 7 of elicitation was not offered`},
		{`{"sampling":{}}`, client.MethodSample, `{"messages":[]}`, ""},
		{`{"sampling":{}}`, client.MethodSample, `{"tools":[]}`, "sampling with tools was not offered"},
		{`{"sampling":{"tools":{}}}`, client.MethodSample, `{"tools":[],"toolChoice":{}}`, ""},
		{`{"roots":{}}`, client.MethodRoots, `{}`, ""},
		{`{}`, client.MethodRoots, `{}`, "this client does not serve roots/list"},
		{`{"elicitation":{}}`, "no/such", `{}`, "this client does not serve no/such"},
	} {
		id := client.Identity{Capabilities: []byte(c.offered), Answer: answer}
		code, why := id.Unserved(client.Question{Method: c.method, Params: []byte(c.params)})
		if why != c.want || (code == 0) != (why == "") || code == client.CodeMethodNotFound && !strings.Contains(why, "does not serve") {
			t.Errorf("%s asked for %s %s: %d %q, want %q", c.offered, c.method, c.params, code, why, c.want)
		}
	}
}

// TestAddresses: the error that names addresses to open becomes questions, whatever else it holds.
func TestAddresses(t *testing.T) {
	for raw, want := range map[string]string{
		`{"code":-32042,"message":"m","data":{"elicitations":[{"mode":"url","elicitationId":"a","url":"https://a.test/"},{"url":"https://b.test/","message":"m"}]}}`: `a {"mode":"url","elicitationId":"a","url":"https://a.test/"} ` + `{"mode":"url","url":"https://b.test/","message":"m"} asks`,
		`{"code":-32042,"message":"m","data":{"elicitations":[{"mode":"form","url":"https://a.test/"},7,{"mode":"url"},{}]}}`:                                        "asks",
		`{"code":-32042,"message":"m"}`:                                                       "asks",
		`{"code":-32042,"message":"m","data":{"elicitations":"none"}}`:                        "asks",
		`{"code":-32602,"message":"m","data":{"elicitations":[{"url":"https://a.test/"}]}}`:   "",
		`{"code":"-32042","message":"m","data":{"elicitations":[{"url":"https://a.test/"}]}}`: "",
	} {
		body := client.Body{[]byte(`{"jsonrpc":"2.0","id":3,"error":` + raw + `}`)}
		a := client.Answer{RequestID: "3", Incoming: client.Incoming{Message: client.Judge(body).Messages[0], Body: body}}
		questions, asks := client.Addresses(a)
		got := ""
		for _, q := range questions {
			if q.Key != "" {
				got += q.Key + " "
			}
			got += string(q.Params) + " "
			if q.ID != "3" || !q.Refused || q.Method != client.MethodElicit {
				t.Errorf("%+v", q)
			}
		}
		if asks {
			got += "asks"
		}
		if got != want {
			t.Errorf("%s\n%s, want\n%s", raw, got, want)
		}
	}
}
