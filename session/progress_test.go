package session

import (
	"testing"

	"example.com/mcpinspect/client"
)

// TestProgress: how far a call is grows only, whatever its server tells, and is known by the token of the
// request, which need not be its id.
func TestProgress(t *testing.T) {
	f := newFeeder()
	f.spawn(1)
	f.ask("1", client.MethodToolsCall, `{"name":"slow","_meta":{"progressToken":"tok"}}`)
	for _, c := range []struct {
		params string
		want   Progress
		text   string
	}{
		{`"progress":1`, Progress{}, "1"},
		{`"progress":20,"total":80,"message":"copying"`, Progress{Measured: true, Part: 0.25}, "20/80 copying"},
		{`"progress":60,"total":80`, Progress{Measured: true, Part: 0.75}, "60/80"},
		{`"progress":40,"total":80`, Progress{Measured: true, Part: 0.75, Fell: true}, "40/80"},
		{`"progress":90,"total":80`, Progress{Measured: true, Part: 1, Fell: true}, "90/80"},
		{`"progress":"x","total":{}`, Progress{Measured: true, Part: 1, Fell: true}, `"x"/{}`},
		{`"progress":1e999,"total":-1`, Progress{Measured: true, Part: 1, Fell: true}, "1e999/-1"},
	} {
		f.out(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"tok",%s}}`, c.params)
		f.out(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":99,"total":1}}`) // of nobody
		got := f.snapshot().Calls[0]
		got.Far.latest, got.Far.any = 0, false
		if got.Far != c.want || got.Progress != c.text {
			t.Errorf("%s: %+v %q", c.params, got.Far, got.Progress)
		}
	}
}
