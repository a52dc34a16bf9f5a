package script

import "testing"

func TestStable(t *testing.T) {
	for params, same := range map[string]string{
		`{"name":"a","arguments":{},"_meta":{"progressToken":1,"traceparent":"x"}}`: `{"name":"a"}`,
		`{"_meta":{"io.modelcontextprotocol/clientInfo":{"name":"x"}}}`:             ``,
		`{"cursor":"a","_meta":{"mine":1}}`:                                         `{"_meta":{"mine":1},"cursor":"a"}`,
		`{}`:                                                                        ``,
		`null`:                                                                      ``,
		`[1,2]`:                                                                     `[1.0,2]`,
	} {
		if !Stable("tools/call", []byte(params)).Equal(Stable("tools/call", []byte(same))) {
			t.Errorf("%s is not %s", params, same)
		}
	}
	for a, b := range map[string]string{`{"a":1}`: `{"a":2}`, `{"arguments":{"a":{}}}`: `{"arguments":{"a":null}}`, `{x`: `{y`, ``: `{"_meta":{"mine":1}}`} {
		if Stable("m", []byte(a)).Equal(Stable("m", []byte(b))) {
			t.Errorf("%s is %s", a, b)
		}
	}
	if !Stable("initialize", []byte(`{"protocolVersion":"a","clientInfo":{"name":"x"},"capabilities":{"roots":{}}}`)).Equal(Stable("initialize", []byte(`{"protocolVersion":"a","capabilities":{}}`))) {
		t.Error("what a client says of itself counts")
	}
}
