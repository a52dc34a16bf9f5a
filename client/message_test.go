package client

import (
	"slices"
	"testing"
)

// frames gives what a Wire makes of the pieces, with bodies and messages kept.
func frames(stream Stream, maxLine int, pieces ...[]byte) (out []Frame) {
	w := NewWire(stream, maxLine)
	take := func(f *Frame) {
		kept := *f
		kept.Body = Body{append([]byte{}, f.Body.Bytes()...)}
		kept.Messages = slices.Clone(f.Messages)
		out = append(out, kept)
	}
	for _, p := range pieces {
		w.Feed(p, 0, take)
	}
	w.Close(0, take)
	return out
}

func TestKindAndFlaws(t *testing.T) {
	const v = `"jsonrpc":"2.0",`
	for _, c := range []struct {
		in    string
		kind  Kind
		flaws Flaws
	}{
		{"", KindBlank, 0},
		{" \t", KindBlank, 0},
		{"hello", KindNotJSON, 0},
		{`{` + v + `"id":1,"method":"a","params":{}}`, KindRequest, 0},
		{`{` + v + `"method":"a"}`, KindNotification, 0},
		{`{` + v + `"id":1,"result":{}}`, KindResponse, 0},
		{`{` + v + `"id":1,"error":{"code":1,"message":"m"}}`, KindError, 0},
		{`{"id":"x","result":{},` + `"jsonrpc":"2.0"}`, KindResponse, 0},

		// what is JSON and no message
		{`1`, KindJSON, 0},
		{`"text"`, KindJSON, 0},
		{`null`, KindJSON, 0},
		{`[]`, KindJSON, 0},
		{`[1,2]`, KindJSON, 0},
		{`{}`, KindJSON, 0},
		{`{` + v + `"id":1}`, KindError, FlawNeither},
		{`{` + v + `"id":"a","Result":{}}`, KindError, FlawNeither | FlawFolded},
		{`{"id":1}`, KindError, FlawNeither | FlawNoVersion},
		{`{"id":1,"name":"x"}`, KindJSON, 0}, // a record of something else
		{`{` + v + `"id":null}`, KindJSON, 0},
		{`{` + v + `"id":{}}`, KindJSON, 0},
		{`{"level":"info","msg":"started"}`, KindJSON, 0},
		{`{"level":"info","method":"GET","path":"/"}`, KindJSON, 0},
		{`{"error":"disk full","time":1}`, KindJSON, 0},
		{`{"level":"error","error":{"code":1},"result":null}`, KindJSON, 0},
		{`{"level":"info","id":7,"method":"GET"}`, KindJSON, 0},
		{`{"level":"error","id":7,"error":"disk full"}`, KindJSON, 0},
		{`{"a":1,"a":2}`, KindJSON, FlawDuplicate},
		{`[[{` + v + `"id":1,"result":{}}]]`, KindJSON, 0},

		// without a version only what can be meant for us is a message
		{`{"id":1,"result":{}}`, KindResponse, FlawNoVersion},
		{`{"jsonrpc":"1.0","id":1,"result":{}}`, KindResponse, FlawNoVersion},
		{`{"jsonrpc":2.0,"id":1,"result":{}}`, KindResponse, FlawNoVersion},
		{`{"jsonrpc":"1.0","id":1,"result":{},"took":3}`, KindResponse, FlawNoVersion | FlawExtra},
		{`{"id":7,"method":"ping"}`, KindRequest, FlawNoVersion},
		{`{"method":"notifications/progress"}`, KindNotification, FlawNoVersion},

		// batches
		{`[{` + v + `"id":1,"result":{}}]`, KindBatch, FlawInBatch},
		{`[{` + v + `"id":1,"result":{}},{` + v + `"method":"a"}]`, KindBatch, FlawInBatch},
		{`[1,{` + v + `"id":null,"result":{}}]`, KindBatch, FlawInBatch | FlawIDNull},

		// ids
		{`{` + v + `"id":null,"method":"a"}`, KindRequest, FlawIDType},
		{`{` + v + `"id":true,"method":"a"}`, KindRequest, FlawIDType},
		{`{` + v + `"id":false,"result":{}}`, KindResponse, FlawIDType},
		{`{` + v + `"id":{},"method":"a"}`, KindRequest, FlawIDType},
		{`{` + v + `"id":[1],"method":"a"}`, KindRequest, FlawIDType},
		{`{` + v + `"id":1.5,"method":"a"}`, KindRequest, FlawIDType},
		{`{` + v + `"id":1e999999999,"method":"a"}`, KindRequest, FlawIDType},
		{`{` + v + `"id":1.0,"method":"a"}`, KindRequest, FlawIDSpelling},
		{`{` + v + `"id":1e0,"method":"a"}`, KindRequest, FlawIDSpelling},
		{`{` + v + `"id":-1,"method":"a"}`, KindRequest, 0},
		{`{` + v + `"id":"","method":"a"}`, KindRequest, 0},
		{`{` + v + `"id":123456789012345678901234567890,"method":"a"}`, KindRequest, 0},
		{`{` + v + `"id":null,"result":{}}`, KindResponse, FlawIDNull},
		{`{` + v + `"result":{}}`, KindResponse, FlawIDNull},
		{`{` + v + `"id":null,"error":{}}`, KindError, FlawIDNull},
		{`{` + v + `"error":{}}`, KindError, FlawIDNull},

		// shapes
		{`{` + v + `"id":1,"method":5}`, KindRequest, FlawMethodType},
		{`{` + v + `"method":""}`, KindNotification, FlawMethodType},
		{`{` + v + `"id":1,"method":"a","params":[]}`, KindRequest, FlawParamsType},
		{`{` + v + `"method":"a","params":null}`, KindNotification, FlawParamsType},
		{`{` + v + `"id":1,"result":[]}`, KindResponse, FlawResultType},
		{`{` + v + `"id":1,"result":null}`, KindResponse, FlawResultType},
		{`{` + v + `"id":1,"error":"disk full"}`, KindError, FlawErrorShape},
		{`{` + v + `"id":1,"error":null}`, KindError, FlawErrorShape},
		{`{` + v + `"id":1,"result":{},"error":{"code":1}}`, KindError, FlawBoth},
		{`{` + v + `"id":1,"result":{},"error":null}`, KindResponse, FlawBoth},
		{`{` + v + `"id":1,"method":"a","result":{}}`, KindRequest, FlawBoth},
		{`{` + v + `"id":1,"method":"a","error":{}}`, KindRequest, FlawBoth},
		{`{` + v + `"id":1,"result":{},"more":1}`, KindResponse, FlawExtra},
		{`{` + v + `"ID":1,"result":{}}`, KindResponse, FlawFolded | FlawIDNull},
		{`{` + v + `"id":1,"result":{"a":1,"a":2}}`, KindResponse, FlawDuplicate},
		{`{` + v + `"id":1,"\u0069d":1,"result":{}}`, KindResponse, FlawDuplicate},
		{`{"\u006asonrpc":"2.0","\u0069d":1,"r\u0065sult":{}}`, KindResponse, 0},
	} {
		got := frames(Out, 0, []byte(c.in+"\n"))
		if len(got) != 1 || got[0].Kind != c.kind || got[0].Flaws != c.flaws {
			t.Errorf("%s: got %d frames, %v with flaws %b; want %v with %b", c.in, len(got), got[0].Kind, got[0].Flaws, c.kind, c.flaws)
		}
	}
}

func TestDeepMessage(t *testing.T) {
	deep := func(n int) string {
		b := []byte(`{"jsonrpc":"2.0","id":1,"result":{"a":`)
		for range n - 2 {
			b = append(b, '[')
		}
		for range n - 2 {
			b = append(b, ']')
		}
		return string(append(b, "}}\n"...))
	}
	for n, want := range map[int]Flaws{1000: 0, 1001: FlawDeep, 2000: FlawDeep} {
		if got := frames(Out, 0, []byte(deep(n))); got[0].Kind != KindResponse || got[0].Flaws != want {
			t.Errorf("depth %d: %v, flaws %b", n, got[0].Kind, got[0].Flaws)
		}
	}
}

func TestIncoming(t *testing.T) {
	f := frames(Out, 0, []byte(`{"jsonrpc":"2.0","id":"a\u0062","method":"tools\/list","params":{"x":1}}`+"\n"))[0]
	in := Incoming{Message: f.Messages[0], Body: f.Body}
	if in.RawID() != `"a\u0062"` || in.MethodName() != "tools/list" || string(in.Raw(in.Params)) != `{"x":1}` || in.Raw(in.Result) != nil {
		t.Errorf("id %s, method %s, params %s", in.RawID(), in.MethodName(), in.Raw(in.Params))
	}
}

func TestSameIDOtherType(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{`1`, `"1"`, true}, {`1`, `1.0`, true}, {`1`, `1e0`, true}, {`"1"`, `"1"`, false}, {`1`, `1`, false}, {`1`, `2`, false},
		{`"a"`, `"\u0061"`, true}, {`1`, ``, false}, {`null`, `"null"`, true}, {`10`, `"1e1"`, false}, {`1e99999999999`, `1`, false},
	} {
		if got := SameIDOtherType(c.a, c.b); got != c.want {
			t.Errorf("%s and %s: %t", c.a, c.b, got)
		}
	}
}

func TestIDType(t *testing.T) {
	for id, want := range map[string]string{``: "absent", `null`: "null", `"1"`: "string", `1`: "number", `-1`: "number", `true`: "boolean", `{}`: "object", `[]`: "array"} {
		if got := IDType(id); got != want {
			t.Errorf("%s: %s, want %s", id, got, want)
		}
	}
}
