package schema

// Secrets calls yield for every text that the form sends where the schema, or named by the
// property's name, says that it is secret: in rows that are folded and in exact JSON too.
func (f *Form) Secrets(named func(name string) bool, yield func(name, value string)) {
	v, _ := f.Value()
	f.schema.Secrets(v, named, yield)
}

// Secrets is Form.Secrets for arguments that were written without a form.
func (s *Schema) Secrets(v Value, named func(name string) bool, yield func(name, value string)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open()
	(&secretSeeker{named, yield}).look(s.root, "", v, false, false)
}

type secretSeeker struct {
	named func(string) bool
	yield func(name, value string)
}

// look goes down a value beside what the schema has for it. name is the property that it lies in;
// named says that this name tells of a secret, secret that the schema called a value around it one.
func (k *secretSeeker) look(n *node, name string, v Value, named, secret bool) {
	secret = secret || n.secret()
	for i := range n.forms { // the text of one branch looks like that of another
		secret = secret || v.Kind == String && n.branch(i).secret()
	}
	if n.spec.Control == ControlVariant && v.Kind != String {
		n = n.suited(v)
	}
	switch v.Kind {
	case String:
		if named || secret {
			k.yield(name, v.Text)
		}
	case Array:
		for i, item := range v.Items {
			k.look(n.row(i), name, item, named, secret)
		}
	case Object:
		for _, m := range v.Members {
			k.look(n.child(m.Name), m.Name, m.Value, k.named(m.Name), secret)
		}
	}
}

func (n *node) secret() bool { return n.spec.Secret || n.spec.Control == ControlSecret }

// Masked reports whether the schema calls the value of a row secret.
func (r *Row) Masked() bool {
	secret := func(s *Spec) bool { return s != nil && (s.Secret || s.Control == ControlSecret) }
	return secret(r.Spec) || secret(r.Inner)
}

// NamedSecrets calls yield for every text in a value, at any depth, that stands under a member
// whose name says that it is secret, by itself or in an array.
func NamedSecrets(v Value, named func(name string) bool, yield func(name, value string)) {
	namedSecrets(v, "", named, yield)
}

// namedSecrets is told the name that says so, empty for none.
func namedSecrets(v Value, name string, named func(string) bool, yield func(name, value string)) {
	switch v.Kind {
	case String:
		if name != "" {
			yield(name, v.Text)
		}
	case Array:
		for _, item := range v.Items {
			namedSecrets(item, name, named, yield)
		}
	case Object:
		for _, m := range v.Members {
			under := ""
			if named(m.Name) {
				under = m.Name
			}
			namedSecrets(m.Value, under, named, yield)
		}
	}
}
