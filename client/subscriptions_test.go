package client_test

import (
	"testing"

	"example.com/mcpinspect/client"
)

func TestInterest(t *testing.T) {
	for _, c := range []struct {
		want       client.Interest
		said, sent string
	}{
		{client.Interest{}, "", `{"notifications":{}}`},
		{client.Interest{Tools: true}, "tools", `{"notifications":{"toolsListChanged":true}}`},
		{client.Interest{Prompts: true, Resources: true, URIs: []string{"a:\"b", "c"}}, `prompts, resources, a:"b, c`,
			`{"notifications":{"promptsListChanged":true,"resourcesListChanged":true,"resourceSubscriptions":["a:\"b","c"]}}`},
		{client.Interest{Tools: true, Tasks: []string{"t1", "t\"2"}}, `tools, task t1, task t"2`, `{"notifications":{"toolsListChanged":true,"taskIds":["t1","t\"2"]}}`},
	} {
		r := client.Listen(c.want)
		if string(r.Params) != c.sent || c.want.String() != c.said || c.want.Empty() != (c.said == "") {
			t.Errorf("%q sends %s", c.want, r.Params)
		}
		if back := client.ReadInterest(client.Get(r.Params, "notifications")); back.String() != c.said {
			t.Errorf("%s is read as %q", r.Params, back)
		}
		if left := c.want.Without(c.want); !left.Empty() {
			t.Errorf("%q without itself is %q", c.want, left)
		}
	}
	if got := client.ReadInterest([]byte(`{"toolsListChanged":1,"resourceSubscriptions":"x"}`)); !got.Empty() {
		t.Errorf("read %q", got)
	}
	all := client.Interest{Tools: true, Prompts: true, URIs: []string{"a", "b"}, Tasks: []string{"a", "b"}}
	if left := all.Without(client.Interest{Prompts: true, URIs: []string{"a"}, Tasks: []string{"b"}}); left.String() != "tools, b, task a" {
		t.Errorf("left %q", left)
	}
}
