package schema

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the sentences of this package into testdata/*.args.json")

// sidecar is a published schema with the rows and the judgement that go with it.
type sidecar struct {
	name   string
	path   string
	schema []byte
	doc    Value
}

func sidecars(t testing.TB) []sidecar {
	t.Helper()
	files, err := filepath.Glob("testdata/*.args.json")
	if err != nil || len(files) < 20 {
		t.Fatalf("no sidecars: %v %v", files, err)
	}
	var list []sidecar
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		doc, err := Parse(data)
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		s := sidecar{name: strings.TrimSuffix(filepath.Base(file), ".args.json"), path: file, doc: doc}
		if s.schema, err = os.ReadFile(strings.TrimSuffix(file, ".args.json") + ".schema.json"); err != nil {
			t.Fatal(err)
		}
		list = append(list, s)
	}
	return list
}

func (s sidecar) list(name string) []Value {
	v, _ := s.doc.Get(name)
	return v.Items
}

// TestSidecarRows: each row that a sidecar names is among the rows, in its
// order and with the keys it names.
func TestSidecarRows(t *testing.T) {
	for _, s := range sidecars(t) {
		t.Run(s.name, func(t *testing.T) {
			rows := Compile(s.schema).Rows()
			at := 0
			for _, want := range s.list("form") {
				path, _ := want.Get("path")
				i := slices.IndexFunc(rows[at:], func(r Row) bool { return r.Path == path.Text })
				if i < 0 {
					t.Errorf("no row %s after row %d; rows: %s", path.JSON(), at, describeAll(rows))
					continue
				}
				at += i
				got := rows[at].Describe()
				for _, m := range want.Members {
					if v, ok := got.Get(m.Name); !ok || !v.Equal(m.Value) {
						t.Errorf("row %s: %s is %s, want %s", path.JSON(), m.Name, v.JSON(), m.Value.JSON())
					}
				}
				at++
			}
		})
	}
}

func describeAll(rows []Row) string {
	var b strings.Builder
	for _, r := range rows {
		b.WriteString("\n  " + r.Describe().JSON())
	}
	return b.String()
}

func TestSidecarValid(t *testing.T) {
	for _, s := range sidecars(t) {
		t.Run(s.name, func(t *testing.T) {
			schema := Compile(s.schema)
			for _, c := range s.list("valid") {
				args, _ := c.Get("args")
				for _, p := range schema.Check(args) {
					if !p.Advisory {
						t.Errorf("%s: %+v", args.JSON(), p)
					}
				}
			}
		})
	}
}

func TestSidecarInvalid(t *testing.T) {
	for _, s := range sidecars(t) {
		t.Run(s.name, func(t *testing.T) {
			schema := Compile(s.schema)
			for i, c := range s.list("invalid") {
				text := func(name string) string { v, _ := c.Get(name); return v.Text }
				advisory, _ := c.Get("advisory")
				args, _ := c.Get("args")
				problems := schema.Check(args)
				if len(problems) == 0 {
					t.Errorf("%s: no problem, want %s", args.JSON(), text("says"))
					continue
				}
				p := problems[0]
				if *update {
					s.doc, _ = s.doc.Set("/invalid/"+Int(int64(i)).Text+"/says", Text(p.Message))
					if err := os.WriteFile(s.path, AppendIndent(nil, s.doc, " "), 0o644); err != nil {
						t.Fatal(err)
					}
				} else if p.Message != text("says") {
					t.Errorf("%s: %q, want %q", args.JSON(), p.Message, text("says"))
				}
				if p.Path != text("path") || p.Keyword != text("keyword") || p.Advisory != advisory.IsTrue() {
					t.Errorf("%s: %+v, want path %q keyword %q", args.JSON(), p, text("path"), text("keyword"))
				}
			}
		})
	}
}
