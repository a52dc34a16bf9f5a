package ui

import (
	"fmt"
	"strings"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/client/schema"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/ui/text"
	"example.com/mcpinspect/ui/theme"
	"example.com/mcpinspect/ui/vlist"
)

// toolsPane lists the tools page by page.
type toolsPane struct {
	items      []session.Item
	signatures []string // by item, made once
	badges     []string
	list       vlist.List
	side       int  // cells that the signatures are moved to the left
	reload     bool // the list is loaded anew from its first page
	all        bool // every page is wanted, for a search or the end
	run        int
	name       string // of the tool under the cursor: it keeps its place when the list is loaded anew
}

// nearEnd is how close to the end of the list the cursor loads the next page.
const nearEnd = 3

// sync takes over the list; what was made of items that are still there is kept.
func (p *toolsPane) sync(l look, s *session.Snapshot) {
	items := s.List(client.Tools.Name).Items
	same := len(p.items) > 0 && len(items) >= len(p.items) && &p.items[0].Raw[0] == &items[0].Raw[0]
	if !same {
		p.signatures, p.badges = nil, nil
	}
	for i := len(p.signatures); i < len(items); i++ {
		p.signatures = append(p.signatures, signature(l, &items[i]))
		p.badges = append(p.badges, badge(&items[i]))
	}
	p.items = items
	p.list.SetLen(len(items))
	if it, ok := p.current(); ok && p.name != "" && it.Name != p.name || !same {
		p.goTo(p.name)
	}
	if it, ok := p.current(); ok && p.name == "" {
		p.name = it.Name
	}
}

// goTo puts the cursor on a tool; one that is not loaded yet gets it when it comes.
func (p *toolsPane) goTo(name string) {
	p.name = name
	if it, ok := p.current(); ok && it.Name == name {
		return // of several with one name the cursor keeps its own
	}
	for i := range p.items {
		if p.items[i].Name == name {
			p.list.Go(i)
			return
		}
	}
}

// away reports whether the cursor's tool is not loaded: it is looked for on the pages to come.
func (p *toolsPane) away() bool {
	it, ok := p.current()
	return p.name != "" && ok && it.Name != p.name
}

func signature(l look, it *session.Item) string {
	name := l.mask(it.Name)
	if it.Problem != "" {
		return text.Short(name, 200) + "  malformed: " + text.Short(it.Problem, 100)
	}
	input, _ := l.secrets.Mask(it.InputSchema()) // stars stand inside its texts
	return text.Clean(schema.Signature(clipBytes(name, 300), input))
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

func (p *toolsPane) current() (session.Item, bool) {
	i := p.list.Cursor()
	if i < 0 || i >= len(p.items) {
		return session.Item{}, false
	}
	return p.items[i], true
}

func (p *toolsPane) move(act Action) {
	switch act {
	case actLeft:
		p.side = max(p.side-sideStep, 0)
	case actRight:
		p.side += sideStep
	}
	moveList(&p.list, act)
	if it, ok := p.current(); ok {
		p.name = it.Name
	}
}

// wantsMore reports whether the next page should be loaded now: nothing was loaded in this run, a
// tool is being looked for, or the cursor is near the end.
func (p *toolsPane) wantsMore(s *session.Snapshot, looking bool) bool {
	if !offers(s, client.Tools) {
		return false
	}
	l := s.List(client.Tools.Name)
	if p.run != s.Run || p.reload {
		p.run, p.reload = s.Run, false
		return true
	}
	if len(l.Pages) == 0 || l.Complete || l.Stopped != "" || l.Error != "" {
		return false
	}
	return looking || p.all || p.away() || p.list.NearEnd(nearEnd)
}

// offers reports whether the server advertises a list.
func offers(s *session.Snapshot, kind client.ListKind) bool {
	return s.Server != nil && client.Get(s.Server.Capabilities, kind.Cap) != nil
}

func (p *toolsPane) find(q string, dir int) bool {
	found := find(&p.list, dir, func(i int) bool {
		it := &p.items[i]
		return contains(it.Name, q) || contains(it.Title, q) || contains(it.Description, q)
	})
	if it, ok := p.current(); ok && found {
		p.name = it.Name
	}
	return found
}

// count is how many are there: with + while there are more.
func (p *toolsPane) count(s *session.Snapshot) string {
	l := s.List(client.Tools.Name)
	out := fmt.Sprint(len(l.Items))
	if !l.Complete && len(l.Pages) > 0 {
		out += "+"
	}
	return out
}

// note is the state of the pages.
func (p *toolsPane) note(s *session.Snapshot, loading bool) string {
	l := s.List(client.Tools.Name)
	switch {
	case loading:
		return fmt.Sprintf("loading page %d", len(l.Pages)+1)
	case l.Error != "":
		return fmt.Sprintf("page %d FAILED", len(l.Pages)+1)
	case l.Stopped != "":
		return "STOPPED"
	case len(l.Pages) == 0:
		return ""
	case l.Complete:
		return text.Plural(len(l.Pages), "page")
	}
	return fmt.Sprintf("page %d, more", len(l.Pages))
}

func (p *toolsPane) view(l look, w, h int, focused bool) []string {
	if len(p.items) == 0 {
		return []string{l.Paint(theme.Faint, l.fit(" no tools so far", w))}
	}
	listHeight := h
	var below []string
	if it, ok := p.current(); ok && h >= 8 { // the description of the tool under the cursor
		words := l.glyphs.Wrap(l.mask(it.Description), max(w-2, 4), descriptionLines)
		if it.Title != "" && it.Title != it.Name {
			words = append([]string{l.glyphs.Short(l.mask(it.Title), w-2)}, words...)
		}
		if n := min(len(words), h/3); n > 0 {
			listHeight -= n + 1
			below = append(below, l.Paint(theme.Border, strings.Repeat(l.glyphs.Horizontal, w)))
			for _, d := range words[:n] {
				below = append(below, l.Paint(theme.Faint, l.fit(" "+d, w)))
			}
		}
	}
	out := show(&p.list, w, listHeight, func(i, w int, selected bool) string {
		mark := "  "
		if selected {
			mark = "> "
		}
		b := p.badges[i]
		room := w - 2
		if b != "" && room > len(b)+12 {
			room -= len(b) + 1
			b = " " + b
		} else {
			b = ""
		}
		s := mark + l.fit(l.glyphs.Window(l.glyphs.Drawn(p.signatures[i]), p.side, room), room)
		switch {
		case selected && focused:
			return l.Paint(theme.Cursor, s+b)
		case p.items[i].Problem != "":
			return l.Paint(theme.Odd, s+b)
		case b == " destructive":
			return s + l.Paint(theme.Odd, b)
		}
		return s + l.Paint(theme.Faint, b)
	})
	return append(out, below...)
}

// descriptionLines is how much of a description is shown under the list.
const descriptionLines = 6
