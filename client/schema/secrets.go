package schema

// Secrets calls yield for every text that the form sends where the schema, or named by the
// property's name, says that it is secret.
func (f *Form) Secrets(named func(name string) bool, yield func(name, value string)) {
	for _, r := range f.Rows() {
		if r.Sends && r.Value.Kind == String && (r.Masked() || named(r.Name)) {
			yield(r.Name, r.Value.Text)
		}
	}
}

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
