package check

import (
	"net/url"
	"strings"
	"time"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/session"
)

// common judges what all kinds of entries have.
func (e *entries) common(where string, raw []byte) {
	if !e.one.has("description") && e.kind != client.Resources {
		e.say(noDescription, "%s has no description", where)
	}
	for _, member := range []string{"description", "title", "name"} {
		if what := hidden(text(e.one.get(member))); what != "" {
			e.say(hiddenText, "the %s of %s has %s", member, where, what)
		}
	}
	var nulls []string
	for _, m := range e.one.members {
		if isNull(m.value) && string(m.name) != "inputSchema" && string(m.name) != e.key() && string(m.name) != "name" {
			nulls = append(nulls, string(m.name))
		}
	}
	if nulls != nil {
		e.say(nullMember, "%s has null for %s, which is left out where there is none", where, strings.Join(few(nulls), ", "))
	}
	e.icons(where)
	if e.kind != client.Tools {
		e.annotations(where, e.one.get("annotations"))
	}
	if size := e.one.get("size"); size != nil && e.kind == client.Resources && !isNull(size) {
		if n, ok := number(size); !ok || n < 0 {
			e.say(annotationValue, "%s has the size %s, which is no number of bytes", where, client.Excerpt(size))
		}
	}
	e.early(where, "title", client.Rev2025_06_18)
	e.early(where, "icons", client.Rev2025_11_25)
	if meta := e.one.get("_meta"); meta != nil && !isNull(meta) {
		e.v.anyMeta(where, "", meta)
	}
	_ = raw
}

// hints judges the annotations of a tool.
func (e *entries) hints(where string) {
	raw := e.one.get("annotations")
	switch {
	case raw == nil || isNull(raw):
		return
	case !isObject(raw):
		e.say(annotationType, "%s has annotations that are %s, not an object", where, client.JSONType(raw))
		return
	}
	readOnly, destroys := false, false
	for name, value := range client.Members(raw) {
		switch hint := text(name); hint {
		case "readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint":
			if !isBool(value) && !isNull(value) {
				e.say(annotationType, "%s has a %s that is %s, not true or false", where, hint, client.JSONType(value))
			}
			readOnly = readOnly || hint == "readOnlyHint" && string(value) == "true"
			destroys = destroys || hint == "destructiveHint" && string(value) == "true"
		case "title":
			if !isText(value) && !isNull(value) {
				e.say(annotationType, "%s has an annotation title that is %s, not text", where, client.JSONType(value))
			}
		}
	}
	if readOnly && destroys {
		e.say(annotationContradiction, "%s says that it only reads and that it destroys", where)
	}
}

// annotations judges those of content and resources.
func (e *entries) annotations(where string, raw []byte) {
	if what := annotationFault(raw); what != "" {
		e.say(annotationValue, "%s has %s", where, what)
	}
}

// annotationFault says what is wrong with audience, priority or lastModified; empty for nothing.
func annotationFault(raw []byte) string {
	if !isObject(raw) {
		return ""
	}
	for name, value := range client.Members(raw) {
		switch {
		case isNull(value):
		case is(name, "priority"):
			if n, ok := number(value); !ok || n < 0 || n > 1 {
				return "the priority " + client.Excerpt(value) + ", which is not between 0 and 1"
			}
		case is(name, "audience"):
			for who := range client.Elements(value) {
				if !is(who, "user") && !is(who, "assistant") {
					return "the audience " + client.Excerpt(who) + ", which is neither user nor assistant"
				}
			}
		case is(name, "lastModified"):
			if !isTime(text(value)) {
				return "the lastModified " + client.Excerpt(value) + ", which is no time of ISO 8601"
			}
		}
	}
	return ""
}

// isTime knows the common forms of ISO 8601.
func isTime(s string) bool {
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02T15:04Z07:00", "2006-01-02T15:04:05Z0700", "2006-01-02"} {
		if _, err := time.Parse(layout, s); err == nil {
			return true
		}
	}
	return false
}

// icons judges those of an entry (basic, icons).
func (e *entries) icons(where string) {
	for icon := range client.Elements(e.one.get("icons")) {
		src, theme := client.Get(icon, "src"), client.Get(icon, "theme")
		scheme, _, _ := strings.Cut(text(src), ":")
		switch scheme = strings.ToLower(scheme); {
		case !isText(src):
			e.say(iconInvalid, "%s has an icon without src", where)
		case scheme != "https" && scheme != "data":
			e.say(iconInvalid, "%s has an icon at %s: only https and data are loaded", where, client.Excerpt(src))
		case theme != nil && !is(theme, "light") && !is(theme, "dark"):
			e.say(iconInvalid, "%s has an icon with the theme %s: it is light or dark", where, client.Excerpt(theme))
		}
		for size := range client.Elements(client.Get(icon, "sizes")) {
			if s := text(size); s != "any" && !isSize(s) {
				e.say(iconInvalid, "%s has an icon with the size %s: it is as in 48x48, or any", where, client.Excerpt(size))
			}
		}
	}
}

func isSize(s string) bool {
	w, h, ok := strings.Cut(s, "x")
	return ok && w != "" && h != "" && strings.Trim(w+h, "0123456789") == ""
}

// arguments judges those of a prompt.
func (e *entries) arguments(where string) {
	seen := map[string]bool{}
	for arg := range client.Elements(e.one.get("arguments")) {
		name, ok := client.Text(client.Get(arg, "name"))
		switch {
		case !ok:
			e.say(promptArgument, "%s has an argument without a name: %s", where, client.Excerpt(arg))
		case seen[name]:
			e.say(argumentTwice, "%s has the argument %s twice", where, client.Excerpt(client.Quote(name)))
		}
		seen[name] = true
		if required := client.Get(arg, "required"); required != nil && !isBool(required) && !isNull(required) {
			e.say(argumentRequired, "%s has an argument whose required is %s, not true or false", where, client.JSONType(required))
		}
	}
}

// address judges the uri of a resource, or a template of one.
func (e *entries) address(where, uri string) {
	if e.kind == client.Templates {
		if fault := templateFault(uri); fault != "" {
			e.say(templateInvalid, "%s has the uriTemplate %s, in which %s", where, client.Excerpt(client.Quote(uri)), fault)
		}
		return
	}
	if !absolute(uri) {
		e.say(uriRelative, "%s has the uri %s, which is no absolute URI", where, client.Excerpt(client.Quote(uri)))
	}
}

// absolute reports whether a text is a URI with a scheme (RFC 3986).
func absolute(s string) bool {
	scheme, rest, ok := strings.Cut(s, ":")
	return ok && rest != "" && scheme != "" && letter(scheme[0]) && strings.Trim(scheme, labelBytes+"+.") == ""
}

// templateFault says what is wrong with a URI template (RFC 6570); empty for nothing.
func templateFault(s string) string {
	for {
		open := strings.IndexByte(s, '{')
		end := strings.IndexByte(s, '}')
		switch {
		case open < 0 && end < 0:
			return ""
		case open < 0 || end >= 0 && end < open:
			return "a } has no {"
		case end < 0:
			return "a { has no }"
		}
		vars := strings.TrimLeft(s[open+1:end], "+#./;?&=,!@|")
		if vars == "" {
			return "an expression has no name"
		}
		for name := range strings.SplitSeq(vars, ",") {
			name, _, _ = strings.Cut(strings.TrimSuffix(name, "*"), ":")
			if name == "" || strings.ContainsAny(name, "{ \"'<>\\^`") {
				return "an expression has the name " + client.Excerpt(client.Quote(name))
			}
		}
		s = s[end+1:]
	}
}

// hidden names characters of a text that people do not see and models do; empty for none. A text
// may end its lines and be set in tabs, and joiners belong to scripts and emoji.
func hidden(s string) string {
	for _, r := range s {
		switch {
		case r < 0x80 && (r >= ' ' && r != 0x7f || r == '\n' || r == '\r' || r == '\t'):
		case r < 0xa0:
			return "the control character " + codePoint(r)
		case 0x202a <= r && r <= 0x202e, 0x2066 <= r && r <= 0x2069:
			return "the direction override " + codePoint(r)
		case r == 0x200b, r == 0x2060, r == 0xfeff, 0x2061 <= r && r <= 0x2064, r == 0x00ad:
			return "the invisible character " + codePoint(r)
		case 0xe0001 <= r && r <= 0xe007f && !strings.ContainsRune(s, 0x1f3f4): // flags are made of them
			return "the tag character " + codePoint(r)
		}
	}
	return ""
}

func codePoint(r rune) string {
	const hex = "0123456789ABCDEF"
	out := []byte("U+")
	for shift := 20; shift >= 0; shift -= 4 {
		if d := r >> shift; d > 0 || shift < 16 {
			out = append(out, hex[d&15])
		}
	}
	return string(out)
}

// hostOf is the host of an address in lower case; empty where there is none.
func hostOf(s string) string {
	u, err := url.Parse(s)
	if err != nil {
		return ""
	}
	return strings.ToLower(u.Hostname())
}

var _ = session.Info
