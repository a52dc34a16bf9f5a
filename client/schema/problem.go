package schema

import "strings"

// Problem is one way in which a value is not what the schema asks for.
type Problem struct {
	// Path is the JSON pointer to the value that is judged: for a missing
	// property the object that lacks it.
	Path    string `json:"path"`
	Keyword string `json:"keyword"` // of JSON Schema; "json" for text that is no JSON
	// Message is a predicate about the value ("must be c or f"), or names the
	// property that is missing or not expected ("path is required").
	Message string `json:"message"`
	// Advisory problems warn and never stop a call: formats, what was not
	// checked.
	Advisory bool `json:"advisory,omitempty"`
	// Row is the pointer of the row to mark; it differs from Path where a
	// property is missing or not expected.
	Row string `json:"-"`
}

// Sentence is the message with its place in front: "via, row 1, lat: must be
// a number". At the root there is no place.
func (p Problem) Sentence() string {
	if place := Place(p.Path); place != "" {
		return place + ": " + p.Message
	}
	return p.Message
}

// Place writes a JSON pointer for people: "via, row 1, lat". The root is "".
func Place(pointer string) string {
	tokens, err := Tokens(pointer)
	if err != nil {
		return pointer
	}
	for i, t := range tokens {
		if n, ok := index(t, 1<<30); ok && t != "-" {
			tokens[i] = "row " + Int(int64(n)+1).Text
		} else if t == "" {
			tokens[i] = `""`
		}
	}
	return strings.Join(tokens, ", ")
}
