package schema

// Secrets calls yield for every text that the form sends where the schema, or named by the
// property's name, says that it is secret.
func (f *Form) Secrets(named func(name string) bool, yield func(name, value string)) {
	for _, r := range f.Rows() {
		if r.Sends && r.Value.Kind == String && (r.Secret || r.Control == ControlSecret || named(r.Name)) {
			yield(r.Name, r.Value.Text)
		}
	}
}
