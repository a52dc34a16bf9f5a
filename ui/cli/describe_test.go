package cli

import (
	"bufio"
	"strings"
	"testing"

	"example.com/mcpinspect/client/schema"
)

func described(raw string) string {
	var b strings.Builder
	r := &run{app: &app{}, out: &output{w: bufio.NewWriter(&b)}}
	d := description{r, schema.Compile([]byte(raw)).Form(), maxOpened}
	d.rows(d.form.Rows())
	_ = r.out.w.Flush()
	return b.String()
}

// TestDescribeShowsAllThereIs: the fields of what a list holds, of every branch, and the titles of
// options.
func TestDescribeShowsAllThereIs(t *testing.T) {
	got := described(`{"type":"object","required":["lines","pay"],"properties":{
	 "lines":{"type":"array","items":{"type":"object","required":["sku"],"properties":{"sku":{"type":"string"},"tags":{"type":"array","items":{"type":"string"}}}}},
	 "pay":{"oneOf":[{"title":"Card","type":"object","required":["n"],"properties":{"n":{"type":"string"}}},{"title":"Iban","type":"object","properties":{"iban":{"type":"string"}}},{"type":"string","enum":["cash"]}]},
	 "unit":{"oneOf":[{"const":"C","title":"Celsius"},{"const":"K"}]},
	 "some":{"type":"array","items":{"anyOf":[{"type":"string"},{"type":"object","properties":{"deep":{"type":"integer"}},"required":["deep"]}]}}}}`)
	const want = `
  lines*               list; list of object
    each*              group; object
      sku*             text
      tags             list; list of text
  pay*                 variant; one of Card, Iban, "cash"
   as Card:
    n*                 text
   as Iban:
    iban               text
  unit                 choice; one of C (Celsius), K
  some                 list; list of text or with deep
    each*              variant; one of text, with deep
     as with deep:
      deep*            integer; whole number
`
	if got != want[1:] {
		t.Errorf("got\n%s\nwant%s", got, want)
	}
	// A schema that holds itself in each of two branches ends.
	node := `{"oneOf":[{"title":"A","type":"object","properties":{"l":{"$ref":"#/$defs/n"},"r":{"$ref":"#/$defs/n"}}},{"title":"B","type":"object","properties":{"l":{"type":"array","items":{"$ref":"#/$defs/n"}}}}]}`
	if n := strings.Count(described(`{"type":"object","properties":{"n":{"$ref":"#/$defs/n"}},"$defs":{"n":`+node+`}}`), "\n"); n < 4 || n > 20*maxOpened {
		t.Errorf("a schema that holds itself has %d lines", n)
	}
}
