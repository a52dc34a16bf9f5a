package client

import (
	"math/big"
	"strings"
)

// An id is its raw token: "1" (with quotes), 1 and 1.0 are three ids. JSON-RPC 2.0 section 4
// allows strings and numbers; MCP allows strings and integers.

// idFlaws judges an id token that is present.
func idFlaws(id string) Flaws {
	switch c := id[0]; {
	case c == '"':
		return 0
	case c == '-' || '0' <= c && c <= '9':
		if !strings.ContainsAny(id, ".eE") {
			return 0
		}
		if plainNumber(id) != "" {
			return FlawIDSpelling
		}
	}
	return FlawIDType
}

// maxIDDigits bounds the arithmetic on an id that is written with an exponent.
const maxIDDigits = 64

// plainNumber spells an integral number without fraction and exponent; it is empty for what is
// no number, no integer, or absurdly long.
func plainNumber(id string) string {
	if len(id) > maxIDDigits {
		return ""
	}
	if i := strings.IndexAny(id, "eE"); i >= 0 && len(strings.TrimLeft(id[i+1:], "+-0")) > 2 {
		return ""
	}
	r, ok := new(big.Rat).SetString(id)
	if !ok || !r.IsInt() {
		return ""
	}
	return r.Num().String()
}

// SameIDOtherType reports whether two id tokens mean the same but differ in JSON type or
// spelling: "1" and 1, or 1.0 and 1.
func SameIDOtherType(a, b string) bool {
	return a != b && a != "" && b != "" && BareID(a) == BareID(b)
}

// BareID is what an id token means whatever its JSON type and spelling: 1 for 1, "1" and 1.0.
// Empty for an absent id.
func BareID(id string) string {
	switch {
	case id == "":
		return ""
	case id[0] == '"':
		s, _ := Text([]byte(id))
		return s
	case strings.Trim(id, "0123456789") == "":
		return id // as nearly all are
	}
	if p := plainNumber(id); p != "" {
		return p
	}
	return id
}

// IDType names the JSON type of an id token for people.
func IDType(id string) string {
	switch {
	case id == "":
		return "absent"
	case id == "null":
		return "null"
	case id[0] == '"':
		return "string"
	case id[0] == 't' || id[0] == 'f':
		return "boolean"
	case id[0] == '{':
		return "object"
	case id[0] == '[':
		return "array"
	}
	return "number"
}
