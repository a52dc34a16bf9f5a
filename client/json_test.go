package client

import (
	"bytes"
	"encoding/json"
	"testing"
	"unicode/utf8"
)

func TestGet(t *testing.T) {
	obj := []byte(` { "a" : { "b" : [ 1, {"c":"}"} ] , "x\u0079" : "q\"" } , "n":null, "a2":-1.50e3, "dup":1, "dup":2 , "":0 } `)
	for _, c := range []struct {
		path []string
		want string
	}{
		{[]string{"a", "b"}, `[ 1, {"c":"}"} ]`}, {[]string{"a", "xy"}, `"q\""`}, {[]string{"n"}, `null`}, {[]string{"a2"}, `-1.50e3`},
		{[]string{"dup"}, `2`}, {[]string{""}, `0`}, {[]string{"none"}, ``}, {[]string{"n", "x"}, ``}, {[]string{"a", "b", "c"}, ``}, {nil, string(obj)},
	} {
		if got := Get(obj, c.path...); string(got) != c.want || (got == nil) != (c.want == "") {
			t.Errorf("%q: %s, want %s", c.path, got, c.want)
		}
	}
	if GetText(obj, "a", "xy") != `q"` || GetText(obj, "n") != "" || GetText(nil, "x") != "" {
		t.Error("GetText")
	}
}

// FuzzJSON compares the readers with encoding/json on valid JSON, and asks only for an end on the rest.
func FuzzJSON(f *testing.F) {
	f.Add([]byte(`{"a":[1,"x",{"b":null}],"\u0063":-1e5, "d" : { } }`))
	f.Add([]byte(`[1 , [2], {"a":"]"}, "\\" ]`))
	f.Add([]byte(`{"a":`))
	f.Add([]byte(`"\ud83d\ude00é"`))
	f.Fuzz(func(t *testing.T, data []byte) {
		members, elements := map[string][]byte{}, [][]byte{}
		for name, value := range Members(data) {
			key, _ := Text(name)
			members[key] = value
		}
		for e := range Elements(data) {
			elements = append(elements, e)
		}
		Get(data, "a", "b")
		Text(data)
		if !json.Valid(data) {
			return
		}
		var want map[string]json.RawMessage
		if json.Unmarshal(data, &want) == nil {
			if len(want) != len(members) {
				t.Fatalf("%q has %d members, want %d", data, len(members), len(want))
			}
			for name, value := range want {
				if !bytes.Equal(members[name], value) {
					t.Fatalf("%q: member %q is %q, want %q", data, name, members[name], value)
				}
			}
		}
		var list []json.RawMessage
		if json.Unmarshal(data, &list) == nil {
			if len(list) != len(elements) {
				t.Fatalf("%q has %d elements, want %d", data, len(elements), len(list))
			}
			for i, value := range list {
				if !bytes.Equal(elements[i], value) {
					t.Fatalf("%q: element %d is %q, want %q", data, i, elements[i], value)
				}
			}
		}
		var text string
		trimmed := bytes.TrimSpace(data)
		if trimmed[0] == '"' && json.Unmarshal(trimmed, &text) == nil {
			if got, ok := Text(trimmed); !ok || got != text {
				t.Fatalf("text of %q is %q, want %q", data, got, text)
			}
		}
	})
}

func FuzzQuote(f *testing.F) {
	f.Add("a\"\\\n\x00\x7f<é\u2028>")
	f.Fuzz(func(t *testing.T, s string) {
		q := Quote(s)
		if !ValidJSON(q) {
			t.Fatalf("%q is quoted as %q", s, q)
		}
		if got, ok := Text(q); utf8.ValidString(s) && (!ok || got != s) {
			t.Fatalf("%q came back as %q", s, got)
		}
	})
}
