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
