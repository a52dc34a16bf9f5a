package diff

import (
	"fmt"
	"strings"
	"testing"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/client/schema"
)

// show writes differences as one line each.
func show(list []Difference) string {
	var out []string
	for _, d := range list {
		switch d.Kind {
		case Added:
			out = append(out, fmt.Sprintf("+%s %s", d.Path, d.Now))
		case Removed:
			out = append(out, fmt.Sprintf("-%s %s", d.Path, d.Was))
		default:
			out = append(out, fmt.Sprintf("%s %s > %s", d.Path, d.Was, d.Now))
		}
	}
	return strings.Join(out, "; ")
}

func TestCompare(t *testing.T) {
	for _, c := range []struct{ name, was, now, ignore, want string }{
		{"the same", `{"a":1}`, `{"a":1}`, "", ""},
		{"another order and spelling", `{"a":1,"b":"é"}`, ` {"b":"\u00e9" , "a":1.0}`, "", ""},
		{"a number", `{"a":1}`, `{"a":2}`, "", "/a 1 > 2"},
		{"more digits than a float has", `[100000000000000000001]`, `[100000000000000000002]`, "", "/0 100000000000000000001 > 100000000000000000002"},
		{"one value, three spellings", `[1,1,1e2]`, `[1.0,10e-1,100]`, "", ""},
		{"another kind", `{"a":1}`, `{"a":"1"}`, "", `/a 1 > "1"`},
		{"the root", `1`, `null`, "", " 1 > null"},
		{"nothing before", ``, `1`, "", "+ 1"},
		{"nothing now", `1`, ``, "", "- 1"},
		{"members come and go", `{"a":1,"b":2,"c":3}`, `{"b":2,"d":4,"c":3}`, "", "-/a 1; +/d 4"},
		{"names are escaped", `{"a/b":1,"~":1}`, `{"a/b":2,"~":2}`, "", "/a~1b 1 > 2; /~0 1 > 2"},
		{"the last of a repeated name", `{"a":1,"a":2}`, `{"a":2}`, "", ""},
		{"put in at the front", `[1,2,3]`, `[0,1,2,3]`, "", "+/0 0"},
		{"taken out in the middle", `[1,2,3,4]`, `[1,3,4]`, "", "-/1 2"},
		{"one changed between two that stay", `[1,{"x":1},3]`, `[1,{"x":2},3]`, "", "/1/x 1 > 2"},
		{"changed and put in", `["a","b","c","d"]`, `["a","x","y","c","z","d"]`, "", `/1 "b" > "x"; +/2 "y"; +/4 "z"`},
		{"longer at the end", `[1]`, `[1,2]`, "", "+/1 2"},
		{"members in another order within an element", `[{"a":1,"b":2},5]`, `[7,{"b":2,"a":1},5]`, "", "+/0 7"},
		{"ignored", `{"t":1,"x":{"t":1}}`, `{"t":2,"x":{"t":2}}`, "/t", "/x/t 1 > 2"},
		{"ignored everywhere", `[{"t":1,"a":1},{"t":2,"a":1}]`, `[{"t":3,"a":1},{"t":4,"a":2}]`, "/*/t", "/1/a 1 > 2"},
		{"ignored when it comes or goes", `{"a":{"t":1}}`, `{"a":{},"t":5}`, "/a/t /t", ""},
		{"what is ignored does not spoil the alignment", `[{"t":1,"a":1},{"t":2,"a":2}]`, `[{"t":0,"a":0},{"t":3,"a":1},{"t":4,"a":2}]`, "/*/t", `+/0 {"t":0,"a":0}`},
		{"all is ignored", `1`, `2`, " ", ""},
		{"no JSON", `{"a":`, `{"a":1}`, "", `{"a": > {"a":1}`},
		{"lone surrogates are told apart", `"\ud800"`, `"\ud801"`, "", ` "\ud800" > "\ud801"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			pointers := strings.Fields(c.ignore)
			if c.ignore == " " {
				pointers = []string{""}
			}
			ignore, err := Ignoring(pointers...)
			if err != nil {
				t.Fatal(err)
			}
			list, complete := Compare([]byte(c.was), []byte(c.now), ignore)
			if got := show(list); strings.TrimSpace(got) != strings.TrimSpace(c.want) || !complete {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

func TestSummary(t *testing.T) {
	list, complete := Compare([]byte(`{"a":1,"b":2,"c":3}`), []byte(`{"a":2,"b":3,"d":3}`), Ignore{})
	if got := Summary(list, complete); got != "2 changed, 1 added, 1 removed" {
		t.Error(got)
	}
	if got := Summary(nil, true); got != "no change" {
		t.Error(got)
	}
}

func TestIgnoringWhatIsNoPointer(t *testing.T) {
	if _, err := Ignoring("/a", "b"); err == nil || !strings.Contains(err.Error(), `"b"`) {
		t.Errorf("%v", err)
	}
}

// TestBounds: values that are huge, deep or wholly different end, and say that they are cut.
func TestBounds(t *testing.T) {
	long := func(from, n int) []byte {
		var out []string
		for i := range n {
			out = append(out, fmt.Sprint(from+i))
		}
		return []byte("[" + strings.Join(out, ",") + "]")
	}
	if list, complete := Compare(long(0, 5000), long(100_000, 5000), Ignore{}); len(list) != MaxDifferences || complete {
		t.Errorf("%d, %v", len(list), complete)
	}
	if list, _ := Compare(long(0, maxParts+1), long(1, maxParts+1), Ignore{}); len(list) != 1 || list[0].Path != "" {
		t.Errorf("%d differences of what is too long", len(list))
	}
	deep := func(inner string) []byte {
		return []byte(strings.Repeat(`{"a":[`, 5000) + inner + strings.Repeat("]}", 5000))
	}
	list, _ := Compare(deep("1"), deep("2"), Ignore{})
	if len(list) != 1 || strings.Count(list[0].Path, "/") != maxDepth {
		t.Errorf("%d differences of what is too deep", len(list))
	}
}

func FuzzCompare(f *testing.F) {
	for _, s := range [][2]string{{`{"a":[1,2,{"b":null}]}`, `{"a":[2,{"b":1}],"c":1e400}`}, {`[1,1,2]`, `[1,2,1.0]`}, {`{"a":1,"a":2}`, `{"":"\ud800"}`}, {`{`, `"x`}, {``, ` `}} {
		f.Add([]byte(s[0]), []byte(s[1]), "/a/*")
	}
	f.Fuzz(func(t *testing.T, was, now []byte, pointer string) {
		list, complete := Compare(was, now, Ignore{})
		back, _ := Compare(now, was, Ignore{})
		if (len(list) == 0) != (len(back) == 0) {
			t.Fatalf("%d one way, %d the other", len(list), len(back))
		}
		if same, _ := Compare(was, was, Ignore{}); len(same) != 0 {
			t.Fatalf("a value differs from itself: %s", show(same))
		}
		if ignore, err := Ignoring(pointer); err == nil {
			if less, _ := Compare(was, now, ignore); complete && len(less) > 0 && len(list) == 0 {
				t.Fatal("ignoring a place made differences")
			}
		}
		if !client.ValidJSON(was) || !client.ValidJSON(now) || !complete {
			return
		}
		a, err1 := schema.Parse(was)
		b, err2 := schema.Parse(now)
		if err1 != nil || err2 != nil || !a.ValidUTF8() || !b.ValidUTF8() {
			return
		}
		if len(list) == 0 && !a.Equal(b) {
			t.Fatalf("no difference between %s and %s", was, now)
		}
		for _, d := range list {
			for _, side := range []struct {
				doc schema.Value
				raw []byte
				in  bool
			}{{a, d.Was, d.Kind == Removed}, {b, d.Now, d.Kind != Removed}} {
				if !side.in {
					continue
				}
				v, ok := side.doc.At(d.Path)
				w, err := schema.Parse(side.raw)
				if !ok || err != nil || !v.Equal(w) {
					t.Fatalf("%s %q is not at its place", d.Kind, d.Path)
				}
			}
		}
	})
}

func BenchmarkCompare(b *testing.B) {
	var was, now strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&was, `,{"id":%d,"name":"item %d","tags":["a","b"]}`, i, i)
		fmt.Fprintf(&now, `,{"id":%d,"name":"item %d","tags":["a","c"]}`, i, i)
	}
	x, y := []byte("["+was.String()[1:]+"]"), []byte("["+now.String()[1:]+"]")
	b.SetBytes(int64(len(x)))
	for b.Loop() {
		Compare(x, y, Ignore{})
	}
}
