package schema

import "testing"

func TestLocate(t *testing.T) {
	const text = "{\n  \"a\": {\"é\": 1, \"b\": [10,\n 20]},\n  \"~/\": 2\n}"
	for pointer, want := range map[string][2]int{
		"": {1, 1}, "/a": {2, 3}, "/a/b": {2, 17}, "/a/b/1": {3, 2}, "/~0~1": {4, 3},
		"/a/gone": {2, 3}, "/a/b/7": {2, 17}, "/gone": {1, 1}, "/a/é/x": {2, 9},
	} {
		line, column, ok := Locate([]byte(text), pointer)
		if !ok || line != want[0] || column != want[1] {
			t.Errorf("%q is at %d:%d %v, want %v", pointer, line, column, ok, want)
		}
	}
	for _, broken := range []string{"", "{", `{"a"`, `{"a":}`, `[1 `, `{a`} {
		if _, _, ok := Locate([]byte(broken), "/b"); ok && broken != "" {
			t.Errorf("%q: found", broken)
		}
	}
}

func FuzzLocate(f *testing.F) {
	f.Add([]byte(`{"a":[1,{"b":2}]}`), "/a/1/b")
	f.Fuzz(func(t *testing.T, b []byte, pointer string) {
		if line, column, ok := Locate(b, pointer); ok && (line < 1 || column < 1) {
			t.Errorf("%d:%d", line, column)
		}
	})
}

func TestLoadAt(t *testing.T) {
	f := Compile([]byte(`{"type":"object","properties":{"a":{"type":"object","properties":{"x":{"type":"integer"}}},"l":{"type":"array","items":{"type":"string"}},"j":{}}}`)).Form()
	for _, step := range []struct{ path, value, want string }{
		{"/a", `{"x":1,"y":2.50}`, `{"a":{"x":1,"y":2.50}}`},
		{"/l", `["u","v"]`, `{"a":{"x":1,"y":2.50},"l":["u","v"]}`},
		{"/l/0", `7`, `{"a":{"x":1,"y":2.50},"l":[7,"v"]}`},
		{"/a", `[1]`, `{"a":[1],"l":[7,"v"]}`},
		{"/a", `null`, `{"a":null,"l":[7,"v"]}`},
		{"", `{"j":1}`, `{"j":1}`},
	} {
		v, err := Parse([]byte(step.value))
		if err != nil {
			t.Fatal(err)
		}
		if err := f.LoadAt(step.path, v); err != nil {
			t.Fatalf("%s: %v", step.path, err)
		}
		if got, _ := f.Value(); got.JSON() != step.want {
			t.Errorf("%s: %s, want %s", step.path, got.JSON(), step.want)
		}
	}
	if err := f.LoadAt("/nowhere", Value{}); err == nil {
		t.Error("a row that is not there took a value")
	}
}

// TestExactJSONGivesTheRowsBack: a group that was typed as JSON has rows again once the text is gone.
func TestExactJSONGivesTheRowsBack(t *testing.T) {
	f := Compile([]byte(`{"type":"object","required":["a"],"properties":{"a":{"type":"object","properties":{"x":{"type":"integer"}}},"v":{"oneOf":[{"type":"array","items":{"type":"string"}},{"type":"object","properties":{"y":{"type":"string"}}}]}}}`)).Form()
	for _, path := range []string{"/a", "/v"} {
		before := len(f.Rows())
		if err := f.SetText(path, `:={"x":1e2}`); err != nil {
			t.Fatal(err)
		}
		if err := f.SetText(path, ""); err != nil {
			t.Fatal(err)
		}
		if got := len(f.Rows()); got != before {
			t.Errorf("%s: %d rows, had %d", path, got, before)
		}
	}
	if v, _ := f.Value(); v.JSON() != `{"a":{}}` {
		t.Errorf("sends %s", v.JSON())
	}
}
