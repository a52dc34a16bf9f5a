package history

import (
	"example.com/mcpinspect/client/schema"
	"example.com/mcpinspect/recordings"
)

// Scrub takes the secrets out of arguments: the text of rows that the input schema or their name
// calls secret, and every text that holds a secret known by its value. It returns what may be kept,
// on one line, and how many were left out; nil for arguments that are no object.
func Scrub(input, args []byte, known *recordings.Secrets) (clean []byte, left int) {
	v, err := schema.Parse(args)
	if err != nil || v.Kind != schema.Object {
		return nil, 0
	}
	form := schema.Compile(input).Form()
	form.Load(v)
	s := scrubber{hidden: map[string]bool{}, known: known}
	for _, r := range form.Rows() {
		if r.Sends && (r.Secret || r.Control == schema.ControlSecret) {
			s.hidden[r.Path] = true
		}
	}
	v = s.value("", "", v)
	return schema.AppendJSON(nil, v), s.left
}

type scrubber struct {
	hidden map[string]bool // pointers of what the schema calls secret
	known  *recordings.Secrets
	left   int
}

// value returns a value without the members that are secret. An element of an array that is secret
// becomes an empty text: the others keep their places.
func (s *scrubber) value(path, name string, v schema.Value) schema.Value {
	switch v.Kind {
	case schema.Object:
		members := v.Members
		v.Members = nil
		for _, m := range members {
			at := schema.Pointer(path, m.Name)
			if s.secret(at, m.Name, m.Value) {
				s.left++
				continue
			}
			m.Value = s.value(at, m.Name, m.Value)
			v.Members = append(v.Members, m)
		}
	case schema.Array:
		items := v.Items
		v.Items = nil
		for i, item := range items {
			at := schema.Pointer(path, schema.Int(int64(i)).Text)
			if s.secret(at, name, item) {
				s.left++
				item = schema.Text("")
			}
			v.Items = append(v.Items, s.value(at, name, item))
		}
	}
	return v
}

// secret reports whether a value is called secret, or is a text that holds a known one.
func (s *scrubber) secret(path, name string, v schema.Value) bool {
	if s.hidden[path] {
		return true
	}
	return v.Kind == schema.String && v.Text != "" && (recordings.NamesSecret(name) || s.known.MaskString(v.Text) != v.Text)
}
