package schema

import (
	"slices"
	"strings"
	"testing"
)

// TestSecrets: what the schema or a name calls secret is found wherever it stands, also where no
// row shows it: in a folded form, in exact JSON, in a branch, where the schema has no fields.
func TestSecrets(t *testing.T) {
	const deep = `{"$defs":{"login":{"type":"object","properties":{"pin":{"type":"string","format":"password"},"user":{"type":"string"},"next":{"$ref":"#/$defs/login"}}}},
		"type":"object","properties":{
			"a":{"$ref":"#/$defs/login"},
			"list":{"type":"array","items":{"$ref":"#/$defs/login"}},
			"map":{"type":"object","additionalProperties":{"type":"string","format":"password"}},
			"either":{"anyOf":[{"type":"string"},{"type":"string","format":"password"}]},
			"shape":{"oneOf":[{"type":"object","properties":{"kind":{"const":"open"},"pin":{"type":"string"}}},{"type":"object","properties":{"kind":{"const":"shut"},"pin":{"type":"string","format":"password"}}}]},
			"any":{}}}`
	named := func(name string) bool { return strings.HasSuffix(name, "token") }
	for _, c := range []struct{ args, want string }{
		{`{"a":{"pin":"1","user":"2"}}`, "pin=1"},
		{`{"a":{"next":{"next":{"next":{"pin":"deep"}}}}}`, "pin=deep"},
		{`{"list":[{"pin":"1"},{"user":"2","next":{"pin":"3"}}]}`, "pin=1 pin=3"},
		{`{"map":{"x":"1","y":"2"}}`, "x=1 y=2"},
		{`{"either":"1"}`, "either=1"},
		{`{"shape":{"kind":"open","pin":"1"}}`, ""},
		{`{"shape":{"kind":"shut","pin":"1"}}`, "pin=1"},
		{`{"any":{"a_token":"1","b":[{"token":["2","3"]}],"c":"4"},"token":{"d":"5"}}`, "a_token=1 token=2 token=3"},
		{`{"a":7,"list":"x","map":[],"shape":true}`, ""},
	} {
		s := Compile([]byte(deep))
		v, err := Parse([]byte(c.args))
		if err != nil {
			t.Fatal(err)
		}
		seek := func(secrets func(func(string) bool, func(string, string))) string {
			var got []string
			secrets(named, func(name, value string) { got = append(got, name+"="+value) })
			return strings.Join(got, " ")
		}
		if got := seek(func(n func(string) bool, y func(string, string)) { s.Secrets(v, n, y) }); got != c.want {
			t.Errorf("%s: %q, want %q", c.args, got, c.want)
		}
		f := s.Form()
		if err := f.Load(v); err != nil {
			t.Fatal(err)
		}
		for _, r := range f.Rows() {
			_ = f.Fold(r.Path, true)
		}
		words := strings.Fields(seek(f.Secrets))
		want := strings.Fields(c.want)
		slices.Sort(words) // the form sends in the order of the schema
		slices.Sort(want)
		if !slices.Equal(words, want) {
			t.Errorf("%s in a folded form: %q, want %q", c.args, words, want)
		}
	}
}
