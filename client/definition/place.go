package definition

import (
	"strconv"
	"strings"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/client/schema"
)

// spot is where a path into the input schema of a tool points.
type spot struct {
	argument string // the property of the whole that it is in; empty beside them
	nested   bool   // in a part of that argument, not in the argument itself
	within   string // the keyword whose schema it is in: properties, items, anyOf; empty for the whole
	keyword  string // what it is of: type, required; empty for a schema as a whole
	rest     int    // tokens below the keyword
	inverse  bool   // below a keyword that refuses what its schema takes, or only asks
}

const inputSchema = "/inputSchema"

// locate reads a path into an input schema; false for one that points elsewhere. A property may have
// the name of any keyword: what a token means depends on what stands before it.
func locate(path string) (s spot, ok bool) {
	if path != inputSchema && !strings.HasPrefix(path, inputSchema+"/") {
		return s, false
	}
	tokens, err := schema.Tokens(path[len(inputSchema):])
	if err != nil {
		return s, false
	}
	for depth := 0; len(tokens) > 0; depth++ {
		word, below := tokens[0], tokens[1:]
		holds := container(word)
		if holds == nothing || len(below) == 0 && holds != one {
			s.keyword, s.rest = word, len(below)
			return s, true
		}
		switch holds {
		case named:
			if depth == 0 && word == "properties" {
				s.argument = below[0]
			}
			below = below[1:]
		case listed:
			below = below[1:]
		case one:
			if _, err := strconv.Atoi(first(below)); word == "items" && err == nil { // a tuple of draft 07
				below = below[1:]
			}
		}
		s.nested = s.nested || depth > 0
		s.within, s.inverse = word, s.inverse || word == "not" || word == "if" || word == "propertyNames" || word == "contains"
		tokens = below
	}
	return s, true
}

func first(tokens []string) string {
	if len(tokens) == 0 {
		return ""
	}
	return tokens[0]
}

// holding is what a keyword of a schema holds.
type holding uint8

const (
	nothing holding = iota // no schema
	one                    // a schema
	named                  // schemas by name
	listed                 // schemas in an array
)

func container(keyword string) holding {
	switch keyword {
	case "properties", "patternProperties", "$defs", "definitions", "dependentSchemas":
		return named
	case "allOf", "anyOf", "oneOf", "prefixItems":
		return listed
	case "items", "additionalItems", "unevaluatedItems", "additionalProperties", "unevaluatedProperties",
		"not", "if", "then", "else", "contains", "propertyNames":
		return one
	}
	return nothing
}

// setOf is the path of the set of an input schema that a path points to or into, and its keyword.
func setOf(path string) (set, keyword string) {
	s, ok := locate(path)
	if !ok || s.keyword != "required" && s.keyword != "enum" && s.keyword != "type" {
		return "", ""
	}
	for range s.rest {
		path = path[:strings.LastIndexByte(path, '/')]
	}
	return path, s.keyword
}

// at is the value at a JSON pointer; nil where there is none.
func at(raw []byte, pointer string) []byte {
	tokens, err := schema.Tokens(pointer)
	if err != nil {
		return nil
	}
	for _, t := range tokens {
		if len(raw) > 0 && raw[0] == '[' {
			raw = element(raw, t)
		} else {
			raw = client.Get(raw, t)
		}
		if raw == nil {
			return nil
		}
	}
	return raw
}

func element(raw []byte, token string) []byte {
	n, err := strconv.Atoi(token)
	if err != nil {
		return nil
	}
	for v := range client.Elements(raw) {
		if n == 0 {
			return v
		}
		n--
	}
	return nil
}
