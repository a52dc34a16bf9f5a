package ui

import (
	"slices"
	"strconv"
	"strings"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/client/schema"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/ui/text"
)

// makeRow makes the row of an item once; what the server wrote is cleaned and masked here.
func makeRow(l look, kind client.ListKind, it *session.Item) listRow {
	r := listRow{of: offerOf(kind, it), item: *it}
	name := l.mask(it.Name)
	switch {
	case it.Problem != "":
		r.text = text.Short(name, maxRowName) + "  malformed: " + text.Short(it.Problem, 100)
	case kind == client.Resources, kind == client.Templates:
		r.text = text.Short(name, maxRowName)
		if it.URI != it.Name {
			r.text += "  " + text.Short(l.mask(it.URI), maxRowName)
		}
	case kind == client.Prompts:
		r.text = text.Clean(schema.Signature(clipBytes(name, maxRowName), r.of.schemaOf(it.Raw)))
	default:
		input, _ := l.secrets.Mask(it.InputSchema()) // stars stand inside its texts
		r.text = text.Clean(schema.Signature(clipBytes(name, maxRowName), input))
	}
	switch kind {
	case client.Tools:
		b := badge(it)
		r.badges, r.odd = []string{b}, b == "destructive"
	case client.Resources, client.Templates:
		mime := l.glyphs.Short(l.mask(client.GetText(it.Raw, "mimeType")), maxBadge)
		mark, said := sizeOf(it), mime
		if kind == client.Templates {
			mark = "template"
		}
		if mark != "" {
			said = strings.TrimSpace(mark + " " + mime)
		}
		r.badges, r.describes = []string{said, mark}, kind == client.Resources
		r.about = strings.TrimSpace(said + "  " + clipBytes(it.URI, maxRowName))
	}
	return r
}

const (
	maxRowName = 300 // bytes of a name or URI that a row draws
	maxBadge   = 40  // cells of a media type in a badge
)

// sizeOf is the size that a resource claims; empty when it claims none.
func sizeOf(it *session.Item) string {
	n, err := strconv.ParseInt(string(client.Get(it.Raw, "size")), 10, 64)
	if err != nil || n < 0 {
		return ""
	}
	return text.Size(n)
}

func clipBytes(s string, n int) string {
	if len(s) > n {
		return s[:n]
	}
	return s
}

// badge names the hints of a tool that matter before calling it.
func badge(it *session.Item) string {
	h := it.Hints()
	switch {
	case h.Said:
		return "destructive"
	case h.ReadOnly:
		return "read-only"
	case h.Idempotent:
		return "idempotent"
	}
	return ""
}

// unlisted renews the rows of what was read and stands in no list, in the order in which it was read
// first; it reports whether they changed.
func (p *listPane) unlisted(s *session.Snapshot) bool {
	seen := [2]int{len(s.Made), 0}
	for i := range p.parts {
		seen[1] += len(p.parts[i].items)
	}
	if seen == p.seen {
		return false
	}
	p.seen = seen
	listed := map[string]bool{}
	for _, part := range p.parts {
		for i := range part.items {
			listed[part.items[i].URI] = true
		}
	}
	type read struct {
		uri string
		row int
	}
	var list []read
	for of, rows := range s.Made {
		if of.Method == client.MethodResourcesRead && len(rows) > 0 && of.Name != "" && !listed[of.Name] {
			list = append(list, read{of.Name, rows[0]})
		}
	}
	slices.SortFunc(list, func(a, b read) int { return a.row - b.row })
	p.read = nil
	for _, r := range list {
		p.read = append(p.read, listRow{of: resourceOffer(r.uri), item: session.Item{Name: r.uri, URI: r.uri, Description: "it was read, and stands in no list"},
			text: text.Clean(clipBytes(r.uri, maxRowName)), badges: []string{"read"}})
	}
	return true
}
