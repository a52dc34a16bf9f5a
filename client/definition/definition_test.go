package definition

import (
	"slices"
	"strings"
	"testing"

	"example.com/mcpinspect/client"
)

func list(t *testing.T, elements string) [][]byte {
	t.Helper()
	if !client.ValidJSON([]byte("[" + elements + "]")) {
		t.Fatalf("%s is no list", elements)
	}
	return slices.Collect(client.Elements([]byte("[" + elements + "]")))
}

func TestRules(t *testing.T) {
	schema := func(s string) string { return `{"name":"a","inputSchema":` + s + `}` }
	x := func(s string) string { return schema(`{"properties":{"x":{` + s + `}}}`) }
	for _, c := range []struct{ was, now, want string }{
		{`{"name":"a"}`, `{"name":"b"}`, "tool-added, tool-removed"},
		{`{"name":"a","x":1,"y":[1,2]}`, `{ "y" : [1,2], "x":1, "name":"\u0061"}`, ""},
		{`{"name":"a","description":"x"}`, `{"name":"a","description":"y"}`, "text-changed /description"},
		{`{"name":"a"}`, `{"name":"a","annotations":{"destructiveHint":true}}`, "annotations-changed /annotations"},
		{`{"name":"a","outputSchema":{"type":"object"}}`, `{"name":"a"}`, "output-changed /outputSchema"},
		{schema(`{"required":["a","b"]}`), schema(`{"required":["b","a"]}`), ""},
		{schema(`{"required":["a","b","c"]}`), schema(`{"required":["c","d","a"]}`), "input-widened /inputSchema/required, input-narrowed /inputSchema/required"},
		{schema(`{"required":["a"]}`), schema(`{"required":["a","b"]}`), "input-narrowed /inputSchema/required"},
		{schema(`{"required":["a","b"]}`), schema(`{"required":["a"]}`), "input-widened /inputSchema/required"},
		{schema(`{"properties":{"x":{},"y":{}}}`), schema(`{"properties":{"x":{}}}`), "input-narrowed /inputSchema/properties/y"},
		{schema(`{"properties":{"x":{}}}`), schema(`{"properties":{"x":{},"y":{}}}`), "input-widened /inputSchema/properties/y"},
		{schema(`{"properties":{"x":{"type":"string"}}}`), schema(`{"properties":{"x":{"type":"number"}}}`), "input-narrowed /inputSchema/properties/x/type"},
		{schema(`{"properties":{"x":{"enum":["a","b"]}}}`), schema(`{"properties":{"x":{"enum":["a"]}}}`), "input-narrowed /inputSchema/properties/x/enum"},
		{schema(`{"properties":{"x":{"enum":["a"]}}}`), schema(`{"properties":{"x":{"enum":["a","b"]}}}`), "input-widened /inputSchema/properties/x/enum"},
		{schema(`{"properties":{"x":{}}}`), schema(`{"properties":{"x":{"enum":["a"]}}}`), "input-narrowed /inputSchema/properties/x/enum"},
		{schema(`{"properties":{"title":{"type":"string"}}}`), schema(`{"properties":{}}`), "input-narrowed /inputSchema/properties/title"},
		{schema(`{}`), schema(`{"additionalProperties":false}`), "input-narrowed /inputSchema/additionalProperties"},
		{schema(`{"properties":{"x":{"description":"a"}}}`), schema(`{"properties":{"x":{"description":"b"}}}`), "text-changed /inputSchema/properties/x/description"},
		{`{"name":"a","n":1}`, `{"name":"a","n":1.0}`, ""},
		{`{"name":"a","m/n":1}`, `{"name":"a","m/n":[1]}`, "definition-changed /m~1n"},
		{x(`"minimum":1`), x(`"minimum":2`), "input-narrowed /inputSchema/properties/x/minimum"},
		{x(`"minimum":2`), x(`"minimum":1e0`), "input-widened /inputSchema/properties/x/minimum"},
		{x(`"maxLength":5`), x(`"maxLength":9`), "input-widened /inputSchema/properties/x/maxLength"},
		{x(`"maxLength":5`), x(`"maxLength":4`), "input-narrowed /inputSchema/properties/x/maxLength"},
		{x(``), x(`"pattern":"a"`), "input-narrowed /inputSchema/properties/x/pattern"},
		{x(`"pattern":"a"`), x(``), "input-widened /inputSchema/properties/x/pattern"},
		{x(`"pattern":"a"`), x(`"pattern":"b"`), "input-changed /inputSchema/properties/x/pattern"},
		{x(`"default":1`), x(`"default":2`), "input-changed /inputSchema/properties/x/default"},
		{x(`"uniqueItems":true`), x(`"uniqueItems":false`), "input-widened /inputSchema/properties/x/uniqueItems"},
		{x(``), x(`"nullable":true`), "input-widened /inputSchema/properties/x/nullable"},
		{x(`"type":"string"`), x(`"type":["null","string"]`), "input-widened /inputSchema/properties/x/type"},
		{x(`"type":["null","string"]`), x(`"type":["string","null"]`), ""},
		{x(`"type":["null","string"]`), x(`"type":"string"`), "input-narrowed /inputSchema/properties/x/type"},
		{x(`"type":"integer"`), x(`"type":"number"`), "input-widened /inputSchema/properties/x/type"},
		{x(`"type":"number"`), x(`"type":"integer"`), "input-narrowed /inputSchema/properties/x/type"},
		{x(`"not":{"minimum":1}`), x(`"not":{"minimum":2}`), "input-changed /inputSchema/properties/x/not/minimum"},
		{x(`"anyOf":[{"type":"string"}]`), x(`"anyOf":[{"type":"string"},{"type":"null"}]`), "input-widened /inputSchema/properties/x/anyOf/1"},
		{schema(`{"additionalProperties":false}`), schema(`{"additionalProperties":{}}`), "input-widened /inputSchema/additionalProperties"},
		// Arguments may have the names of keywords.
		{schema(`{"properties":{"type":{"description":"a"}}}`), schema(`{"properties":{"type":{"description":"b"}}}`), "text-changed /inputSchema/properties/type/description"},
		{schema(`{"properties":{"enum":{"default":1}}}`), schema(`{"properties":{"enum":{"default":2}}}`), "input-changed /inputSchema/properties/enum/default"},
		{schema(`{"properties":{"required":{"type":"string"},"properties":{"type":"string"}}}`), schema(`{"properties":{"properties":{"type":"string"}}}`), "input-narrowed /inputSchema/properties/required"},
		{schema(`{"properties":{"description":{"type":"string"}}}`), schema(`{"properties":{"description":{"type":"number"}}}`), "input-narrowed /inputSchema/properties/description/type"},
		{`5,{"name":"a","inputSchema":true}`, `{"name":"a","inputSchema":null}`, "input-changed /inputSchema, tool-removed"},
		// Branches that moved.
		{schema(`{"anyOf":[{"required":["a"]},{"required":["b"]}]}`), schema(`{"anyOf":[{"required":["b","c"]}]}`), "*"},
	} {
		changes, complete := Compare(client.Tools, list(t, c.was), list(t, c.now))
		var got []string
		for _, x := range changes {
			got = append(got, strings.TrimSpace(x.Rule+" "+x.Path))
			if x.Sentence() == "" {
				t.Errorf("%s to %s: nothing is said of %+v", c.was, c.now, x)
			}
		}
		if s := strings.Join(got, ", "); s != c.want && (c.want != "*" || s == "") || !complete {
			t.Errorf("%s to %s: %s, not %s (complete %t)", c.was, c.now, s, c.want, complete)
		}
	}
}

func TestRulesOfOtherLists(t *testing.T) {
	prompt := func(arguments string) string { return `{"name":"p","arguments":[` + arguments + `]}` }
	for _, c := range []struct {
		kind           client.ListKind
		was, now, want string
	}{
		{client.Prompts, prompt(`{"name":"a"}`), prompt(`{"name":"a","required":true}`), "input-narrowed /arguments/0/required"},
		{client.Prompts, prompt(`{"name":"a","required":true}`), prompt(`{"name":"a"}`), "input-widened /arguments/0/required"},
		{client.Prompts, prompt(`{"name":"a"}`), prompt(`{"name":"a"},{"name":"b"}`), "input-widened /arguments/1"},
		{client.Prompts, prompt(`{"name":"a"}`), prompt(`{"name":"a"},{"name":"b","required":true}`), "input-narrowed /arguments/1"},
		{client.Prompts, prompt(`{"name":"a"},{"name":"b"}`), prompt(`{"name":"a"}`), "input-narrowed /arguments/1"},
		{client.Prompts, prompt(`{"name":"a","description":"x"}`), prompt(`{"name":"a","description":"y"}`), "text-changed /arguments/0/description"},
		{client.Resources, `{"uri":"a:1","name":"x"},{"uri":"a:2","name":"x"}`, `{"uri":"a:2","name":"y"},{"uri":"a:3","name":"x"}`, "definition-changed /name, resource-added, resource-removed"},
		{client.Templates, `{"uriTemplate":"a:{x}","name":"x"}`, `{"uriTemplate":"a:{x}","name":"x","mimeType":"text/plain"}`, "definition-changed /mimeType"},
	} {
		changes, _ := Compare(c.kind, list(t, c.was), list(t, c.now))
		var got []string
		for _, x := range changes {
			got = append(got, strings.TrimSpace(x.Rule+" "+x.Path))
		}
		if s := strings.Join(got, ", "); s != c.want {
			t.Errorf("%s to %s: %s, not %s", c.was, c.now, s, c.want)
		}
	}
}

func TestWords(t *testing.T) {
	changes, _ := Compare(client.Tools,
		list(t, `{"name":"add","inputSchema":{"properties":{"a":{"type":"number"},"o":{"properties":{"p":{}}}},"required":["a"]}},{"name":"old"}`),
		list(t, `{"name":"sub"},{"name":"add","title":"T","icons":[],"outputSchema":{},"inputSchema":{"additionalProperties":false,"properties":{"a":{"type":"string","minLength":3},"b":{},"o":{"properties":{}}},"required":["b"]}}`))
	if got, want := Brief(changes), "+sub, add narrowed: a is string, was number, a takes less (minLength), b added, required, o takes less (properties), a now optional, title, and 3 more, -old"; got != want {
		t.Errorf("%s\nnot %s", got, want)
	}
	if got := string(JSON(nil)); got != `{"added":[],"removed":[],"changed":[]}` || Brief(nil) != "" {
		t.Error(got)
	}
	changes, _ = Compare(client.Resources, list(t, `{"uri":"a:1"},{"uri":"a:2"}`), list(t, `{"uri":"a:1","description":"d"},{"uri":"a:3"},{"uri":"a:3"}`))
	if got := string(JSON(changes)); got != `{"added":["a:3"],"removed":["a:2"],"changed":[{"name":"a:1","what":"description"}]}` {
		t.Error(got)
	}
}

// FuzzCompare: a list is the same as itself, and whatever differs is seen from both sides.
func FuzzCompare(f *testing.F) {
	f.Add(`{"name":"a","x":[1,{"y":null}]}`, `{"name":"a","x":[1]}`)
	f.Add(`{"name":"a","inputSchema":{"anyOf":[{"required":["a"]},{"type":["b"]}]}}`, `{"name":"a","inputSchema":{"anyOf":[{"type":["b","c"]}],"properties":{"enum":{"enum":[1]}}}}`)
	f.Fuzz(func(t *testing.T, was, now string) {
		if !client.ValidJSON([]byte("["+was+"]")) || !client.ValidJSON([]byte("["+now+"]")) {
			return
		}
		a, b := list(t, was), list(t, now)
		for _, kind := range client.ListKinds {
			if same, _ := Compare(kind, a, a); len(same) > 0 {
				t.Errorf("%q differs from itself: %+v", was, same)
			}
			there, _ := Compare(kind, a, b)
			back, _ := Compare(kind, b, a)
			if (len(there) == 0) != (len(back) == 0) {
				t.Errorf("%q and %q differ from one side only: %+v and %+v", was, now, there, back)
			}
			if (len(there) == 0) != (Brief(there) == "") || !client.ValidJSON(JSON(there)) {
				t.Errorf("%q and %q: %q, %s", was, now, Brief(there), JSON(there))
			}
		}
	})
}
