package demo

import (
	"encoding/json"
	"fmt"
	"math"

	"example.com/mcpinspect/client/demo/rpc"
)

// shapedTools have the schemas that are hard on a form: nested, repeated, one of several, recursive,
// nullable, and none at all.
func shapedTools() []tool {
	return []tool{
		{
			name: "order", title: "Place an order", hints: hintAdds,
			about: "Nested objects, a list of objects, and an enum of numbers.",
			input: `{"type":"object","properties":{` +
				`"customer":{"type":"object","description":"who pays","properties":{"name":{"type":"string"},` +
				`"address":{"type":"object","properties":{"street":{"type":"string"},"city":{"type":"string"},"zip":{"type":"string","pattern":"^[0-9]{4,5}$"}},"required":["street","city"]}},"required":["name","address"]},` +
				`"lines":{"type":"array","minItems":1,"items":{"type":"object","properties":{"sku":{"type":"string"},"quantity":{"type":"integer","minimum":1,"default":1},"gift":{"type":"boolean","default":false}},"required":["sku"]}},` +
				`"priority":{"type":"integer","enum":[1,2,3],"default":2},` +
				`"remarks":{"type":"string","description":"several lines are fine","maxLength":2000}},"required":["customer","lines"]}`,
			output: `{"type":"object","properties":{"items":{"type":"integer"},"ship_to":{"type":"string"}},"required":["items","ship_to"]}`,
			run:    order,
		},
		{
			name: "shape", title: "Area of a shape", hints: hintReads,
			about: "One of three shapes (oneOf), told apart by kind.",
			input: `{"type":"object","properties":{"shape":{"oneOf":[` +
				`{"title":"Circle","type":"object","properties":{"kind":{"const":"circle"},"radius":{"type":"number","minimum":0}},"required":["kind","radius"]},` +
				`{"title":"Rectangle","type":"object","properties":{"kind":{"const":"rectangle"},"width":{"type":"number","minimum":0},"height":{"type":"number","minimum":0}},"required":["kind","width","height"]},` +
				`{"title":"Polygon","type":"object","properties":{"kind":{"const":"polygon"},"points":{"type":"array","minItems":3,"items":{"type":"object","properties":{"x":{"type":"number"},"y":{"type":"number"}},"required":["x","y"]}}},"required":["kind","points"]}` +
				`]}},"required":["shape"]}`,
			output: `{"type":"object","properties":{"area":{"type":"number"}},"required":["area"]}`,
			run:    shape,
		},
		{
			name: "profile", title: "Edit a profile", hints: hintSets,
			about: "Fields that may be null, formats, and one that is a secret.",
			input: `{"type":"object","properties":{"nickname":{"type":["string","null"],"default":null},` +
				`"age":{"anyOf":[{"type":"integer","minimum":0},{"type":"null"}]},"birthday":{"type":"string","format":"date"},` +
				`"email":{"type":"string","format":"email"},"website":{"type":"string","format":"uri"},"password":{"type":"string","format":"password","writeOnly":true},` +
				`"newsletter":{"type":"boolean","default":true}}}`,
			run: func(_ *call, a arguments) (rpc.Object, *rpc.Error) {
				text := "fields given:"
				for _, key := range rpc.Keys(a.raw) {
					text += " " + key
				}
				return said(text), nil
			},
		},
		{
			name: "tree", title: "Count a tree", hints: hintReads,
			about:  "A node has children, which are nodes: the schema refers to itself.",
			input:  `{"type":"object","properties":{"root":{"$ref":"#/$defs/node"}},"required":["root"],"$defs":{"node":{"type":"object","properties":{"name":{"type":"string"},"children":{"type":"array","items":{"$ref":"#/$defs/node"}}},"required":["name"]}}}`,
			output: `{"type":"object","properties":{"nodes":{"type":"integer"},"depth":{"type":"integer"}},"required":["nodes","depth"]}`,
			run:    tree,
		},
		{
			name: "search", title: "Search", hints: hintWorld,
			about: "Strings with bounds and formats, a list of choices, a pattern. It finds nothing.",
			input: `{"type":"object","properties":{"query":{"type":"string","minLength":2,"maxLength":200},` +
				`"tags":{"type":"array","uniqueItems":true,"items":{"type":"string","enum":["news","docs","code","images"]}},` +
				`"since":{"type":"string","format":"date-time"},"limit":{"type":"integer","minimum":1,"maximum":50,"default":10},` +
				`"country":{"type":"string","pattern":"^[A-Z]{2}$"},"weight":{"type":"number","exclusiveMinimum":0,"maximum":1}},"required":["query"]}`,
			run: func(_ *call, a arguments) (rpc.Object, *rpc.Error) {
				return said(fmt.Sprintf("0 of at most %d results for %q", a.number("limit", 10), a.text("query", ""))), nil
			},
		},
		{
			name: "anything", title: "Anything goes", hints: hintReads,
			about: "Schemas that say little: {} and true take any value, labels takes any key.",
			input: `{"type":"object","properties":{"value":{},"other":true,"list":{"type":"array"},"labels":{"type":"object","additionalProperties":{"type":"string"}}}}`,
			run: func(c *call, a arguments) (rpc.Object, *rpc.Error) {
				return c.structured(a.raw), nil
			},
		},
	}
}

func order(c *call, a arguments) (rpc.Object, *rpc.Error) {
	var o struct {
		Customer struct {
			Name    string
			Address struct{ Street, City string }
		}
		Lines []struct{ Quantity *float64 }
	}
	if err := json.Unmarshal(a.raw, &o); err != nil {
		return failed(err.Error()), nil
	}
	items := 0.0
	for _, line := range o.Lines {
		if line.Quantity == nil {
			items++
		} else {
			items += *line.Quantity
		}
	}
	to := o.Customer.Address
	return c.structured(rpc.Obj("items", items, "ship_to", o.Customer.Name+", "+to.Street+", "+to.City)), nil
}

func shape(c *call, a arguments) (rpc.Object, *rpc.Error) {
	var s struct {
		Kind                  string
		Radius, Width, Height float64
		Points                []struct{ X, Y float64 }
	}
	if err := json.Unmarshal(a.members["shape"], &s); err != nil {
		return failed(err.Error()), nil
	}
	area := 0.0
	switch s.Kind {
	case "circle":
		area = math.Pi * s.Radius * s.Radius
	case "rectangle":
		area = s.Width * s.Height
	default:
		for i, p := range s.Points {
			next := s.Points[(i+1)%len(s.Points)]
			area += (p.X*next.Y - next.X*p.Y) / 2
		}
		area = math.Abs(area)
	}
	if math.IsInf(area, 0) || math.IsNaN(area) {
		return failed("the area is too large for a number"), nil
	}
	return c.structured(rpc.Obj("area", area)), nil
}

type node struct {
	Name     string
	Children []node
}

func tree(c *call, a arguments) (rpc.Object, *rpc.Error) {
	var root node
	if err := json.Unmarshal(a.members["root"], &root); err != nil {
		return failed(err.Error()), nil
	}
	nodes, depth := root.count()
	return c.structured(rpc.Obj("nodes", nodes, "depth", depth)), nil
}

func (n node) count() (nodes, depth int) {
	for _, child := range n.Children {
		more, deep := child.count()
		nodes, depth = nodes+more, max(depth, deep)
	}
	return nodes + 1, depth + 1
}
