package schema

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// FuzzCheck makes schemas and values from a seed: what we refuse is what the
// library refuses when it compiles the schema by itself, forms give back what
// was loaded, and what a form shows it can describe.
func FuzzCheck(f *testing.F) {
	for i := range uint64(200) {
		f.Add(i, i*7919)
	}
	f.Fuzz(func(t *testing.T, a, b uint64) {
		g := generator{rand.New(rand.NewPCG(a, b))}
		schema := g.root()
		s := Compile([]byte(schema.JSON()))
		if slices.ContainsFunc(s.Notes(), func(n Note) bool { return strings.Contains(n.Text, "refers to itself") }) {
			return // the library refuses every value for it
		}
		theirs := library(t, schema)
		for range 8 {
			v := g.value(schema, schema, 3)
			problems := slices.DeleteFunc(s.Check(v), func(p Problem) bool { return p.Advisory })
			if v.Kind == Object {
				if err := theirs.Validate(libraryValue(v, "", func(string, string) {})); (err != nil) != (len(problems) > 0) {
					t.Fatalf("schema %s\nvalue %s\nours %+v\nlibrary %v", schema.JSON(), v.JSON(), problems, err)
				}
				form := s.Form()
				if err := form.Load(v); err != nil {
					t.Fatal(err)
				}
				if got, failed := form.Value(); !got.Equal(v) || failed != nil {
					t.Fatalf("schema %s\nloaded %s\nsends  %s %+v", schema.JSON(), v.JSON(), got.JSON(), failed)
				}
				form.Mark(problems)
				for _, r := range form.Rows() {
					r.Describe()
				}
			}
			for _, p := range problems {
				if _, ok := v.At(p.Path); !ok {
					t.Fatalf("schema %s\nvalue %s has no %s: %+v", schema.JSON(), v.JSON(), p.Path, p)
				}
				if !strings.Contains(p.Message, "must") && !strings.Contains(p.Message, " is ") {
					t.Fatalf("no sentence: %+v", p)
				}
			}
		}
	})
}

func library(t *testing.T, schema Value) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	if err := c.AddResource("mem:///s", libraryValue(schema, "", func(string, string) {})); err != nil {
		t.Fatal(err)
	}
	compiled, err := c.Compile("mem:///s")
	if err != nil {
		t.Fatalf("%s: %v", schema.JSON(), err)
	}
	return compiled
}

// generator makes schemas that mean something and values near to them.
type generator struct{ *rand.Rand }

func (g generator) pick(words ...string) string { return words[g.IntN(len(words))] }

func (g generator) root() Value {
	v := g.object(3)
	v.Members = append(v.Members, Member{"$defs", Obj(Member{"A", g.schema(2)}, Member{"B", g.object(2)})})
	return v
}

func (g generator) object(depth int) Value {
	v := Obj(Member{"type", Text("object")})
	props := Obj()
	for _, name := range []string{"a", "b", "c"}[:1+g.IntN(3)] {
		props.Members = append(props.Members, Member{name, g.schema(depth - 1)})
	}
	v.Members = append(v.Members, Member{"properties", props})
	add := func(name string, value Value) { v.Members = append(v.Members, Member{name, value}) }
	if g.IntN(2) == 0 {
		add("required", List(Text(g.pick("a", "b", "z"))))
	}
	switch g.IntN(8) {
	case 0:
		add("additionalProperties", Boolean(false))
	case 1:
		add("additionalProperties", g.schema(depth-1))
	case 2:
		add("oneOf", List(Obj(Member{"required", List(Text("a"))}), Obj(Member{"required", List(Text("b"))})))
	case 3:
		add("if", Obj(Member{"properties", Obj(Member{"a", Obj(Member{"const", Int(1)})})}))
		add("then", Obj(Member{"required", List(Text("b"))}))
		add("else", Obj(Member{"properties", Obj(Member{"c", Boolean(false)})}))
	case 4:
		add("patternProperties", Obj(Member{"^[x-z]", g.schema(depth - 1)}))
	case 5:
		add("dependentRequired", Obj(Member{"a", List(Text("c"))}))
	case 6:
		add("propertyNames", Obj(Member{"maxLength", Int(1)}))
	case 7:
		add("unevaluatedProperties", Boolean(false))
	}
	return v
}

func (g generator) schema(depth int) Value {
	if depth <= 0 {
		switch g.IntN(9) {
		case 0:
			return Obj(Member{"type", Text("string")}, Member{"minLength", Int(int64(g.IntN(3)))})
		case 1:
			return Obj(Member{"type", Text("integer")}, Member{"minimum", Int(int64(g.IntN(4)))})
		case 2:
			return Obj(Member{"type", List(Text(g.pick("number", "boolean", "string")), Text("null"))})
		case 3:
			return Obj(Member{"enum", List(Int(1), Text("1"), Text("x"), Value{})})
		case 4:
			return Obj(Member{"const", Int(1)})
		case 5:
			return Boolean(g.IntN(4) > 0)
		case 6:
			return Obj()
		case 7:
			return Obj(Member{"type", List(Text("string"), Text("integer"), Text("array"))})
		}
		return Obj(Member{"not", Obj(Member{"type", Text(g.pick("string", "null"))})})
	}
	branches := func() Value {
		var list []Value
		for range 1 + g.IntN(3) {
			list = append(list, g.schema(depth-1))
		}
		return List(list...)
	}
	switch g.IntN(9) {
	case 0, 1:
		return g.object(depth)
	case 2:
		return Obj(Member{"type", Text("array")}, Member{"items", g.schema(depth - 1)}, Member{"minItems", Int(int64(g.IntN(2)))}, Member{"uniqueItems", Boolean(g.IntN(2) == 0)})
	case 3:
		return Obj(Member{"type", Text("array")}, Member{"prefixItems", branches()}, Member{g.pick("items", "unevaluatedItems"), Boolean(g.IntN(2) == 0)})
	case 4:
		return Obj(Member{g.pick("anyOf", "oneOf"), branches()})
	case 5:
		return Obj(Member{"allOf", branches()})
	case 6:
		return Obj(Member{"$ref", Text(g.pick("#/$defs/A", "#/$defs/B", "#"))})
	case 7:
		return Obj(Member{"anyOf", List(g.schema(depth-1), Obj(Member{"type", Text("null")}))})
	}
	return g.schema(0)
}

// value makes a value that has a chance to fit.
func (g generator) value(root, schema Value, depth int) Value {
	if g.IntN(8) == 0 || depth < 0 {
		return g.any()
	}
	if ref, ok := schema.Get("$ref"); ok {
		target, _ := root.At(strings.TrimPrefix(ref.Text, "#"))
		return g.value(root, target, depth-1)
	}
	for _, keyword := range []string{"anyOf", "oneOf", "allOf"} {
		if list, ok := schema.Get(keyword); ok && len(list.Items) > 0 && g.IntN(2) == 0 {
			if pick := list.Items[g.IntN(len(list.Items))]; pick.Kind == Object {
				return g.value(root, pick, depth-1)
			}
		}
	}
	if v, ok := schema.Get("const"); ok {
		return v
	}
	if v, ok := schema.Get("enum"); ok {
		return v.Items[g.IntN(len(v.Items))]
	}
	kind, _ := schema.Get("type")
	if len(kind.Items) > 0 {
		kind = kind.Items[g.IntN(len(kind.Items))]
	}
	switch kind.Text {
	case "object":
		v := Obj()
		props, _ := schema.Get("properties")
		for _, p := range props.Members {
			if g.IntN(3) > 0 {
				v.Members = append(v.Members, Member{p.Name, g.value(root, p.Value, depth-1)})
			}
		}
		if g.IntN(5) == 0 {
			v.Members = append(v.Members, Member{g.pick("z", "yy", ""), g.any()})
		}
		return v
	case "array":
		v := List()
		prefix, _ := schema.Get("prefixItems")
		for _, p := range prefix.Items {
			v.Items = append(v.Items, g.value(root, p, depth-1))
		}
		if items, ok := schema.Get("items"); ok {
			for range g.IntN(3) {
				v.Items = append(v.Items, g.value(root, items, depth-1))
			}
		}
		return v
	case "string":
		return Text(g.pick("", "a", "ab", ":=1", "1"))
	case "integer", "number":
		return Value{Kind: Number, Text: g.pick("0", "1", "2.0", "1e1", "-3", "0.5")}
	case "boolean":
		return Boolean(g.IntN(2) == 0)
	}
	return g.any()
}

func (g generator) any() Value {
	switch g.IntN(7) {
	case 0:
		return Value{}
	case 1:
		return Int(int64(g.IntN(3)))
	case 2:
		return Text(g.pick("", "x", "1"))
	case 3:
		return Boolean(true)
	case 4:
		return List(Int(1))
	case 5:
		return List()
	}
	return Obj(Member{"a", Int(1)})
}
