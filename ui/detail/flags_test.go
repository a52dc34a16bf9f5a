package detail

import (
	"context"
	"fmt"
	"strings"
	"testing"
)

func TestLost(t *testing.T) {
	for number, want := range map[string]string{
		"0": "", "-1": "", "0.1": "", "1e5": "", "1E+2": "", "3.50": "", "9007199254740991": "", "9007199254740992": "", "1e300": "", "-0.0": "", "5e-324": "",
		"9007199254740993": "a double holds 9007199254740992", "-9007199254740994": "beyond 2^53", "12345678901234567890": "a double holds 12345678901234567000",
		"0.1000000000000000055": "a double holds 0.1", "1e400": "too large for a double", "-1E999": "too large for a double", "1e-400": "a double holds 0",
		strings.Repeat("1", 500): "too large for a double", "3.14159265358979323846": "a double holds 3.141592653589793",
	} {
		if got := lost(number); got != want {
			t.Errorf("%s: %q, want %q", number, got, want)
		}
	}
}

func TestRepeatedNames(t *testing.T) {
	for _, doc := range []string{
		`{"a":1,"b":{"a":2,"a":[{"a":3}]},"\u0061":4,"b":5,"c":6}`,
		"{\n\"a\" : 1 ,\"b\":{\"a\":2,\"a\":[{\"a\":3}]},\"\\u0061\":4 , \"b\":5,\"c\":6}",
	} {
		for _, size := range []int{1, 5, 1 << 20} {
			v := Open(split([]byte(doc), size), Pretty, 80)
			n := len(all(t, v))
			var got []string
			for i := n - 1; i >= 0; i-- { // the order in which lines are drawn does not matter
				if l := v.Window(i, 1)[0]; strings.Contains(l, "/* the name again */") {
					p, _ := v.Pointer(i)
					got = append(got, p)
				}
			}
			if s := fmt.Sprint(got); s != "[/b /a /b/a]" {
				t.Errorf("%s: %s", doc, s)
			}
		}
	}
	var many strings.Builder
	many.WriteString("[")
	for range 3 * keysKept {
		many.WriteString(`{"x":1,"x":2},`)
	}
	lines := all(t, Open(NewBody([]byte(many.String()+"0]")), Pretty, 80))
	if n := strings.Count(strings.Join(lines, "\n"), "the name again"); n != 3*keysKept {
		t.Errorf("%d of %d are flagged", n, 3*keysKept)
	}
}

func TestFold(t *testing.T) {
	doc := `{"a":[1,{"b":[2,3],"c":4}],"d":{},"e":5}`
	v := Open(NewBody([]byte(doc)), Pretty, 80)
	fold := func(line int, want ...string) {
		t.Helper()
		made, ok := v.Fold(line)
		if v = made; !ok {
			t.Fatalf("line %d opens nothing", line)
		}
		placed(t, v, []byte(doc))
		var got []string
		for _, l := range all(t, v) {
			got = append(got, strings.TrimSpace(l))
		}
		if strings.Join(got, "|") != strings.Join(want, "|") {
			t.Errorf("%q, want %q", got, want)
		}
	}
	fold(4, "{", `"a": [`, "1,", "{", `"b": [...] /* 5 B, folded */,`, `"c": 4`, "}", "],", `"d": {},`, `"e": 5`, "}")
	if p, _ := v.Pointer(4); p != "/a/1/b" {
		t.Errorf("it leads to %s", p)
	}
	if off, n, ok := v.Value(4); !ok || doc[off:off+n] != "[2,3]" {
		t.Errorf("it is %d+%d", off, n)
	}
	if line, ok := v.Find(context.Background(), "3", 0, true); !ok || line != 4 {
		t.Errorf("what is folded is found in line %d", line)
	}
	fold(1, "{", `"a": [...] /* 21 B, folded */,`, `"d": {},`, `"e": 5`, "}")
	if _, ok := v.Fold(3); ok {
		t.Error("a number is folded")
	}
	if _, ok := v.Fold(99); ok {
		t.Error("what is not there is folded")
	}
	fold(1, "{", `"a": [`, "1,", "{", `"b": [...] /* 5 B, folded */,`, `"c": 4`, "}", "],", `"d": {},`, `"e": 5`, "}")
	fold(4, "{", `"a": [`, "1,", "{", `"b": [`, "2,", "3", "],", `"c": 4`, "}", "],", `"d": {},`, `"e": 5`, "}")
	fold(7, "{", `"a": [`, "1,", "{", `"b": [...] /* 5 B, folded */,`, `"c": 4`, "}", "],", `"d": {},`, `"e": 5`, "}") // by its closing bracket
}
