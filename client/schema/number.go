package schema

import (
	"math/big"
	"strings"
)

// decimal is a number token taken apart: 0.digits × 10^exp, digits without
// zeros at either end, empty for zero. No token is ever expanded: 1e9999999
// costs as much as 1.
type decimal struct {
	neg    bool
	digits string
	exp    *big.Int
	places int64 // exp when it fits, for the common case that exp is nil
}

// maxExponentDigits bounds what is read as an exponent; more digits than any
// computer can count to are taken as equal to the bound.
const maxExponentDigits = 1000

func parseDecimal(token string) decimal {
	var d decimal
	d.neg = strings.HasPrefix(token, "-")
	token = strings.TrimPrefix(token, "-")
	mantissa, exponent := token, ""
	if i := strings.IndexAny(token, "eE"); i >= 0 {
		mantissa, exponent = token[:i], strings.TrimPrefix(token[i+1:], "+")
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits := whole + fraction
	trimmed := strings.TrimLeft(digits, "0")
	d.places = int64(len(whole) - (len(digits) - len(trimmed)))
	d.digits = strings.TrimRight(trimmed, "0")
	if d.digits == "" {
		return decimal{}
	}
	negative := strings.HasPrefix(exponent, "-")
	exponent = strings.TrimLeft(strings.TrimPrefix(exponent, "-"), "0")
	if exponent == "" {
		return d
	}
	if len(exponent) > maxExponentDigits {
		exponent = exponent[:maxExponentDigits]
	}
	e, ok := new(big.Int).SetString(exponent, 10)
	if !ok {
		return d
	}
	if negative {
		e.Neg(e)
	}
	e.Add(e, big.NewInt(d.places))
	if e.IsInt64() {
		d.places = e.Int64()
	} else {
		d.exp = e
	}
	return d
}

func (d decimal) exponent() *big.Int {
	if d.exp != nil {
		return d.exp
	}
	return big.NewInt(d.places)
}

// CompareNumbers compares two JSON numbers by value, however large: -1, 0, 1.
func CompareNumbers(a, b string) int {
	if a == b {
		return 0
	}
	x, y := parseDecimal(a), parseDecimal(b)
	sign := func(d decimal) int {
		switch {
		case d.digits == "":
			return 0
		case d.neg:
			return -1
		}
		return 1
	}
	s, t := sign(x), sign(y)
	if s != t {
		if s < t {
			return -1
		}
		return 1
	}
	if s == 0 {
		return 0
	}
	c := x.exponent().Cmp(y.exponent())
	if c == 0 {
		c = strings.Compare(x.digits, y.digits)
	}
	return c * s
}

// WholeNumber reports whether a JSON number has no fraction: 1, 1.0 and 1e400
// have none.
func WholeNumber(token string) bool {
	d := parseDecimal(token)
	return d.digits == "" || d.exponent().Cmp(big.NewInt(int64(len(d.digits)))) >= 0
}

// PlainNumber writes a JSON number so that numbers of one value have one spelling: 1, 1.0 and 10e-1
// give the same. It is for comparing, not for people.
func PlainNumber(token string) string {
	d := parseDecimal(token)
	if d.digits == "" {
		return "0"
	}
	sign := ""
	if d.neg {
		sign = "-"
	}
	return sign + d.digits + "e" + d.exponent().String()
}
