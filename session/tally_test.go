package session

import (
	"fmt"
	"testing"
	"time"

	"example.com/mcpinspect/client"
)

func TestTallies(t *testing.T) {
	f := newFeeder()
	f.spawn(1)
	for i := 1; i <= 20; i++ {
		f.chunk(client.In, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"a"}}`+"\n", i))
		f.clock.Move(f.Now() + time.Duration(i)*time.Millisecond)
		switch i {
		case 20:
		case 19:
			f.chunk(client.Out, `{"jsonrpc":"2.0","id":19,"result":{"isError":true}}`+"\n")
		case 18:
			f.chunk(client.Out, `{"jsonrpc":"2.0","id":18,"error":{"code":1,"message":"x"}}`+"\n")
		default:
			f.chunk(client.Out, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{}}`+"\n", i))
		}
	}
	f.chunk(client.Out, `{"jsonrpc":"2.0","method":"notifications/progress"}`+"\n")
	methods, tools := f.log.Tallies(nil)
	if len(methods) != 2 || len(tools) != 1 || methods[0].Name != "tools/call" || methods[1].Name != "notifications/progress" || methods[1].Count != 1 {
		t.Fatalf("%v %v", methods, tools)
	}
	got := tools[0]
	got.Bytes -= methods[0].Bytes
	if want := (Tally{Name: "a", Count: 20, Errors: 2, Unanswered: 1, P50: 11 * time.Millisecond, P95: 20 * time.Millisecond, Max: 20 * time.Millisecond}); fmt.Sprint(*got) != fmt.Sprint(want) {
		t.Errorf("%+v", *got)
	}
	if methods, _ := f.log.Tallies(func(e *Event) bool { return e.Seq > 30 }); methods[0].Count >= 20 {
		t.Error("what was not let through is counted")
	}
}

func TestRequests(t *testing.T) {
	f := newFeeder()
	f.spawn(1)                                                            // 0
	f.chunk(client.In, `{"jsonrpc":"2.0","id":1,"method":"ping"}`+"\n")   // 1
	f.chunk(client.Out, `{"jsonrpc":"2.0","id":1,"method":"ping"}`+"\n")  // 2
	f.chunk(client.In, `{"jsonrpc":"2.0","id":"1","method":"ping"}`+"\n") // 3
	f.chunk(client.Out, `{"jsonrpc":"2.0","id":"1","result":{}}`+"\n")    // 4
	for id, want := range map[string]string{"1": "[1 2 3]", `"1"`: "[3]", "#4": "[3]", "#1": "[1]", "#0": "[]", "#": "[]", "2": "[]", "#99999999999999999999": "[]"} {
		if got := fmt.Sprint(f.log.Requests(id)); got != want {
			t.Errorf("%s: %s, not %s", id, got, want)
		}
	}
}
