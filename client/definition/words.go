package definition

import (
	"fmt"
	"slices"
	"strings"

	"example.com/mcpinspect/client"
)

// Sentence says in words what a change is.
func (c *Change) Sentence() string {
	switch {
	case c.Rule == "list-order-varies":
		return fmt.Sprintf("place %s of the %s is %s, and was %s", strings.TrimPrefix(c.Path, "/"), c.Subject, client.Excerpt(c.Now), client.Excerpt(c.Was))
	case c.Path == "" && c.Was == nil:
		return fmt.Sprintf("the %s is new", c.Subject)
	case c.Path == "" && c.Now == nil:
		return fmt.Sprintf("the %s is gone", c.Subject)
	case c.Was == nil:
		return fmt.Sprintf("%s has now at %s: %s", c.Subject, c.Path, client.Excerpt(c.Now))
	case c.Now == nil:
		return fmt.Sprintf("%s has no longer at %s: %s", c.Subject, c.Path, client.Excerpt(c.Was))
	}
	return fmt.Sprintf("%s has at %s %s, and had %s", c.Subject, c.Path, client.Excerpt(c.Now), client.Excerpt(c.Was))
}

// Brief says changes in one line: "+sub, -old, add narrowed: b now required". Empty for none.
func Brief(changes []Change) string {
	var out []string
	for _, d := range byDefinition(changes) {
		switch d[0].come() {
		case added:
			out = append(out, "+"+d[0].Name())
		case removed:
			out = append(out, "-"+d[0].Name())
		default:
			out = append(out, d[0].Name()+" "+became(d)+": "+what(d))
		}
	}
	return strings.Join(out, ", ")
}

// JSON is {"added":["sub"],"removed":["old"],"changed":[{"name":"add","what":"b now required"}]}.
func JSON(changes []Change) []byte {
	var parts [3][]byte
	for _, d := range byDefinition(changes) {
		come := d[0].come()
		p := parts[come]
		if len(p) > 0 {
			p = append(p, ',')
		}
		if come == changed {
			p = client.AppendQuote(append(p, `{"name":`...), d[0].Name())
			p = append(client.AppendQuote(append(p, `,"what":`...), what(d)), '}')
		} else {
			p = client.AppendQuote(p, d[0].Name())
		}
		parts[come] = p
	}
	return fmt.Appendf(nil, `{"added":[%s],"removed":[%s],"changed":[%s]}`, parts[added], parts[removed], parts[changed])
}

// coming is what became of a definition.
type coming uint8

const (
	changed coming = iota
	added
	removed
)

func (c *Change) come() coming {
	switch {
	case c.Path != "":
		return changed
	case c.Was == nil:
		return added
	case c.Now == nil:
		return removed
	}
	return changed // one that is no object, in place of another
}

// byDefinition cuts changes into those of one definition each: they stand together.
func byDefinition(changes []Change) (out [][]Change) {
	for start, i := 0, 1; start < len(changes); i++ {
		if i == len(changes) || changes[i].Subject != changes[start].Subject || changes[i].come() != changes[start].come() {
			out = append(out, changes[start:i])
			start = i
		}
	}
	return out
}

// became names what the changes of one definition do to calls that were right before: the worst of it.
func became(changes []Change) string {
	narrows, widens, reads := false, false, true
	for i := range changes {
		rule := changes[i].Rule
		narrows = narrows || rule == effects[narrowed]
		widens = widens || rule == effects[widened]
		reads = reads && rule == "text-changed"
	}
	switch {
	case narrows:
		return "narrowed"
	case widens:
		return "widened"
	case reads:
		return "text changed"
	}
	return "changed"
}

// mostPhrases is how many phrases one definition gets in a line; more are counted.
const mostPhrases = 6

// what names the changes of one definition, those of its arguments first.
func what(changes []Change) string {
	var arguments, rest []string
	say := func(list *[]string, phrase string) {
		if !slices.Contains(*list, phrase) {
			*list = append(*list, phrase)
		}
	}
	for i := range changes {
		c := &changes[i]
		s, ok := locate(c.Path)
		switch phrase := ""; {
		case !ok:
			say(&rest, member(c.Path))
		case s.keyword == "required" && s.within == "":
			if phrase = requirement(c, changes); phrase != "" {
				say(&arguments, phrase)
			}
		case s.argument == "":
			say(&rest, "input "+doing(c, s))
		default:
			say(&arguments, s.argument+" "+about(c, s, changes))
		}
	}
	out := append(arguments, rest...)
	if n := len(out) - mostPhrases; n > 1 {
		out = append(out[:mostPhrases], fmt.Sprintf("and %d more", n))
	}
	return strings.Join(out, ", ")
}

// member names the member of a definition that a path points into.
func member(path string) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	switch name {
	case "outputSchema":
		return "output schema"
	case "":
		return "definition"
	}
	return name
}

// requirement says that an argument became required, or is no longer. What came or went is said with it.
func requirement(c *Change, all []Change) string {
	if c.Now != nil {
		name, _ := client.Text(c.Now)
		if argument(all, name, added) {
			return ""
		}
		return name + " now required"
	}
	name, _ := client.Text(c.Was)
	if argument(all, name, removed) {
		return ""
	}
	return name + " now optional"
}

// argument reports whether the argument of that name came, or went.
func argument(all []Change, name string, how coming) bool {
	return slices.ContainsFunc(all, func(c Change) bool {
		s, ok := locate(c.Path)
		return ok && !s.nested && s.argument == name && s.keyword == "" && (c.Was == nil) == (how == added) && (c.Now == nil) == (how == removed)
	})
}

// about says what became of an argument.
func about(c *Change, s spot, all []Change) string {
	switch {
	case s.nested:
	case s.keyword == "" && c.Was == nil:
		required := slices.ContainsFunc(all, func(o Change) bool {
			at, ok := locate(o.Path)
			name, _ := client.Text(o.Now)
			return ok && at.within == "" && at.keyword == "required" && o.Now != nil && name == s.argument
		})
		if required {
			return "added, required"
		}
		return "added"
	case s.keyword == "" && c.Now == nil:
		return "removed"
	case s.keyword == "type":
		return fmt.Sprintf("is %s, was %s", types(c.Now), types(c.Was))
	}
	return doing(c, s)
}

// doing says what a change does to calls, and by which keyword.
func doing(c *Change, s spot) string {
	keyword := s.keyword
	if keyword == "" {
		keyword = s.within
	}
	switch c.Rule {
	case effects[narrowed]:
		return "takes less (" + keyword + ")"
	case effects[widened]:
		return "takes more (" + keyword + ")"
	case "text-changed":
		return keyword
	}
	if keyword == "" {
		return "schema"
	}
	return "differs (" + keyword + ")"
}

func types(raw []byte) string {
	if raw == nil {
		return "any"
	}
	if t, ok := client.Text(raw); ok {
		return t
	}
	return string(raw)
}
