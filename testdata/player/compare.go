package main

import (
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"strconv"
	"strings"
)

func numberText(v any) (string, bool) {
	switch n := v.(type) {
	case json.Number:
		return n.String(), true
	case float64:
		return strconv.FormatFloat(n, 'g', -1, 64), true
	}
	return "", false
}

func same(a, b any) bool {
	if x, ok := numberText(a); ok {
		if y, ok := numberText(b); ok {
			if x == y {
				return true
			}
			f, e1 := strconv.ParseFloat(x, 64)
			g, e2 := strconv.ParseFloat(y, 64)
			// 5 and 5.0 are the same number, but two long integers that a float
			// cannot tell apart are not.
			return e1 == nil && e2 == nil && f == g && strings.ContainsAny(x+y, "eE.")
		}
		return false
	}
	switch x := a.(type) {
	case map[string]any:
		y, ok := b.(map[string]any)
		if !ok || len(x) != len(y) {
			return false
		}
		for k := range x {
			v, ok := y[k]
			if !ok || !same(x[k], v) {
				return false
			}
		}
		return true
	case []any:
		y, ok := b.([]any)
		if !ok || len(x) != len(y) {
			return false
		}
		for i := range x {
			if !same(x[i], y[i]) {
				return false
			}
		}
		return true
	}
	return reflect.DeepEqual(a, b)
}

// compare checks got against want. want may be {"absent":true}, {"present":true},
// {"type":"string"}, {"text":"9007199254740993"} (the number or string as written),
// {"regex":"..."}, {"not":value} or any plain JSON value.
func compare(got any, ok bool, want any) string {
	if o, isObj := want.(map[string]any); isObj && len(o) == 1 {
		for k, v := range o {
			switch k {
			case "absent":
				if ok {
					return "should be absent, is " + show(got)
				}
				return ""
			case "present":
				if !ok {
					return "should be present"
				}
				return ""
			case "type":
				if !ok {
					return "is absent"
				}
				if t := typeName(got); t != v {
					return fmt.Sprintf("should be %v, is %s %s", v, t, show(got))
				}
				return ""
			case "text":
				t, isNum := numberText(got)
				if !isNum {
					t, _ = got.(string)
				}
				if t != v {
					return fmt.Sprintf("should be written %v, is %s", v, show(got))
				}
				return ""
			case "regex":
				s, isStr := got.(string)
				if !isStr {
					s = show(got)
				}
				re, err := regexp.Compile(fmt.Sprint(v))
				if err != nil {
					return err.Error()
				}
				if !ok || !re.MatchString(s) {
					return fmt.Sprintf("should match %v, is %s", v, show(got))
				}
				return ""
			case "not":
				if ok && same(got, v) {
					return "must not be " + show(v)
				}
				return ""
			}
		}
	}
	if !ok {
		return "is absent, should be " + show(want)
	}
	if !same(got, want) {
		return fmt.Sprintf("is %s, should be %s", show(got), show(want))
	}
	return ""
}

func typeName(v any) string {
	switch n := v.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case json.Number:
		if strings.ContainsAny(n.String(), ".eE") {
			return "number"
		}
		return "integer"
	case []any:
		return "array"
	case map[string]any:
		return "object"
	}
	return "?"
}

func show(v any) string {
	b, _ := json.Marshal(v)
	if len(b) > 200 {
		b = append(b[:200], "..."...)
	}
	return string(b)
}
