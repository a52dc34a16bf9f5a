package compare

import (
	"fmt"
	"strings"
	"testing"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/client/definition"
	"example.com/mcpinspect/session/check"
)

func TestVary(t *testing.T) {
	list := func(doc string) (Side, Introduction) {
		t.Helper()
		side, err := ReadList([]byte(doc))
		if err != nil {
			t.Fatal(err)
		}
		in := Introduction{Server: client.Get([]byte(doc), "server"), Pages: map[string][]byte{"tools": client.Get([]byte(doc), "page")}}
		return side, in
	}
	for _, c := range []struct{ was, now, want string }{
		{`{"tools":[{"name":"a"},{"name":"b"}]}`, `{"tools":[{"name":"a"},{"name":"b"}]}`, ""},
		{`{"tools":[{"name":"a"},{"name":"b"}]}`, `{"tools":[{"name":"b"},{"name":"a"}]}`, "list-order-varies tools"},
		{`{"tools":[{"name":"a"}]}`, `{"tools":[{"name":"b"}]}`, "list-entries-vary tool b; list-entries-vary tool a"},
		{`{"tools":[],"resources":[{"uri":"x:1"}]}`, `{"tools":[],"resources":[]}`, "resources-vary resource x:1"},
		{`{"tools":[{"name":"a","description":"at 12:00"}]}`, `{"tools":[{"name":"a","description":"at 12:01"}]}`, "definition-varies tool a"},
		{`{"tools":[],"page":{"ttlMs":1,"cacheScope":"public"}}`, `{"tools":[],"page":{"ttlMs":2,"cacheScope":"public"}}`, "lifetime-varies tools"},
		{`{"tools":[],"server":{"ttlMs":1,"capabilities":{},"_meta":{"n":1}}}`, `{"tools":[],"server":{"ttlMs":2,"capabilities":{"tools":{}},"_meta":{"n":2}}}`, "lifetime-varies server; identity-varies server"},
	} {
		a, first := list(c.was)
		b, second := list(c.now)
		var got []string
		for _, x := range Vary(a, b, first, second) {
			got = append(got, x.Rule+" "+x.Subject)
			if _, ok := check.Find(x.Rule); !ok || x.Sentence() == "" {
				t.Errorf("%s is no rule, or says nothing", x.Rule)
			}
		}
		if s := strings.Join(got, "; "); s != c.want {
			t.Errorf("%s to %s: %q, not %q", c.was, c.now, s, c.want)
		}
	}
}

// TestRulesExist: whatever package definition can call a change of an interface is a rule of package check.
func TestRulesExist(t *testing.T) {
	names := []string{"input-narrowed", "input-widened", "input-changed", "output-changed", "text-changed", "annotations-changed", "definition-changed"}
	for _, k := range client.ListKinds {
		kind := strings.TrimSuffix(k.Name, "s")
		names = append(names, kind+"-added", kind+"-removed")
	}
	for _, n := range names {
		if _, ok := check.Find(n); !ok {
			t.Errorf("there is no rule %s", n)
		}
	}
}

func TestYounger(t *testing.T) {
	gone := func(path string) definition.Change {
		return definition.Change{Rule: "text-changed", Path: path, Was: []byte("1")}
	}
	other := gone("/title")
	other.Now = []byte("2")
	count, rest := Younger([]definition.Change{gone("/title"), gone("/outputSchema"), gone("/annotations/title"), gone("/description"), other}, client.Rev2025_03_26)
	if fmt.Sprint(count) != "map[outputSchema:1 title:1]" || len(rest) != 3 {
		t.Errorf("%v, %+v", count, rest)
	}
}
