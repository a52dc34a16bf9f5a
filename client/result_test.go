package client

import (
	"fmt"
	"strings"
	"testing"
)

func TestJudgeToolResult(t *testing.T) {
	for _, c := range []struct {
		rev    Revision
		result string
		want   string // kind, void, block and text of each flaw
	}{
		{"", `{"content":[]}`, ""},
		{"", `{"content":[{"type":"text","text":"a"},{"type":"image","data":"AA==","mimeType":"image/png"}],"isError":false}`, ""},
		{"", `{"content":[{"type":"resource","resource":{"uri":"a:b","blob":"AAAA"}},{"type":"resource_link","uri":"a:b","name":"n"}]}`, ""},
		{Rev2026_07_28, `{"resultType":"input_required","content":null}`, ""},
		{Rev2026_07_28, `{"resultType":"complete","content":[]}`, ""},
		{Rev2025_06_18, `{"resultType":"odd","content":[]}`, ""},
		{Rev2026_07_28, `{"resultType":"odd","content":[]}`, `4 true -1 resultType is "odd", which this client has not asked for: the result counts as invalid`},
		{Rev2026_07_28, `{"resultType":7,"content":[]}`, `4 true -1 resultType is 7, which this client has not asked for: the result counts as invalid`},
		{"", `{}`, `0 true -1 the result has no content: every revision requires the list, an empty one if need be`},
		{"", `{"content":{"type":"text"}}`, `0 true -1 content is an object, not a list: {"type":"text"}`},
		{"", `{"content":null}`, `0 true -1 content is null, not a list: null`},
		{"", `{"content":"done"}`, `0 true -1 content is text, not a list: "done"`},
		{"", `{"content":[],"isError":"yes"}`, `3 true -1 isError is "yes", not true or false: it cannot be told whether the tool failed`},
		{"", `{"content":[17,{"type":"text","text":"a"},null]}`, `1 true 0 block 1 of the content is a number, not an object: 17; 1 true 2 block 3 of the content is null, not an object: null`},
		{"", `{"content":[{"text":"a"}]}`, `1 false 0 block 1 of the content has no type: {"text":"a"}`},
		{"", `{"content":[{"type":3}]}`, `1 false 0 block 1 of the content has a type that is no text: {"type":3}`},
		{"", `{"content":[{"type":"video"}]}`, `2 false 0 block 1 of the content has the unknown type "video": {"type":"video"}`},
		{"", `{"content":[{"type":"text"}]}`, `1 false 0 block 1 of the content of type text has no text "text": {"type":"text"}`},
		{"", `{"content":[{"type":"image","data":"%","mimeType":"a/b"}]}`, `1 false 0 block 1 of the content of type image has data that is not valid base64: {"type":"image","data":"%","mimeType":"a/b"}`},
		{"", `{"content":[{"type":"resource"}]}`, `1 false 0 block 1 of the content has no object "resource": {"type":"resource"}`},
	} {
		var got []string
		for _, f := range JudgeToolResult(c.rev, []byte(c.result)) {
			got = append(got, fmt.Sprintf("%d %v %d %s", f.Kind, f.Void, f.Block, f.Text))
		}
		if s := strings.Join(got, "; "); s != c.want {
			t.Errorf("%s %s:\n got %s\nwant %s", c.rev, c.result, s, c.want)
		}
	}
}

// TestJudgeToolResultIsBounded: of very many flaws the first are told, and how many there are; a
// grave one among the rest still counts.
func TestJudgeToolResultIsBounded(t *testing.T) {
	flaws := JudgeToolResult("", []byte(`{"content":[`+strings.Repeat(`{"type":"x"},`, 1000)+`1]}`))
	if len(flaws) != maxFlaws || !flaws[maxFlaws-1].Void || !strings.HasSuffix(flaws[maxFlaws-1].Text, "; 981 further blocks are not right either") {
		t.Errorf("%d, the last %+v", len(flaws), flaws[len(flaws)-1])
	}
}
