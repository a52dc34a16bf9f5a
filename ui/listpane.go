package ui

import (
	"fmt"
	"strings"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/ui/text"
	"example.com/mcpinspect/ui/theme"
	"example.com/mcpinspect/ui/vlist"
)

// listPane shows one or more of the server's lists page by page, one below the other.
type listPane struct {
	title string
	short string // where there is little room
	parts []listPart
	reads bool // resources that were read and stand in no list are shown behind the lists

	rows []listRow // of all parts
	read []listRow // what was read and is in no list
	seen [2]int    // subjects and items that read was made of
	list vlist.List
	side int   // cells that the rows are moved to the left
	all  bool  // every page is wanted, for a search or the end
	at   offer // under the cursor: it keeps its place when a list is loaded anew
}

// listPart is one of the lists with the rows that were made of it.
type listPart struct {
	kind   client.ListKind
	items  []session.Item
	rows   []listRow
	run    int  // whose first page was asked for
	reload bool // it is loaded anew from its first page
}

// listRow is one row: what the server sent, and how it is drawn.
type listRow struct {
	of        offer
	item      session.Item
	text      string
	badges    []string // from the longest to the shortest: the first that has room is drawn
	about     string   // said below the list before the description
	odd       bool     // the badge warns
	describes bool     // the badge says nothing that is not said below the list
}

// nearEnd is how close to the end of a list the cursor loads the next page.
const nearEnd = 3

// sync takes over the lists; what was made of items that are still there is kept.
func (p *listPane) sync(l look, s *session.Snapshot) {
	anew := len(p.rows) == 0
	grown := false
	for i := range p.parts {
		part := &p.parts[i]
		items := s.List(part.kind.Name).Items
		same := len(part.items) > 0 && len(items) >= len(part.items) && &part.items[0].Raw[0] == &items[0].Raw[0]
		if !same {
			anew = anew || len(part.rows) > 0
			part.rows = nil
		}
		for n := len(part.rows); n < len(items); n++ {
			part.rows = append(part.rows, makeRow(l, part.kind, &items[n]))
			grown = true
		}
		part.items = items
	}
	if p.reads && p.unlisted(s) {
		grown = true
	}
	if grown || anew {
		p.rows = nil
		for i := range p.parts {
			p.rows = append(p.rows, p.parts[i].rows...)
		}
		p.rows = append(p.rows, p.read...)
	}
	p.list.SetLen(len(p.rows))
	if r, ok := p.current(); ok && p.at != (offer{}) && r.of != p.at || anew {
		p.goTo(p.at)
	}
	if r, ok := p.current(); ok && p.at == (offer{}) {
		p.at = r.of
	}
}

// goTo puts the cursor on what is offered; what is not loaded yet gets it when it comes.
func (p *listPane) goTo(of offer) {
	p.at = of
	if r, ok := p.current(); ok && r.of == of {
		return // of several with one name the cursor keeps its own
	}
	for i := range p.rows {
		if p.rows[i].of == of {
			p.list.Go(i)
			return
		}
	}
}

// away reports whether what the cursor is to be on is not loaded: it is looked for on the pages to come.
func (p *listPane) away() bool {
	r, ok := p.current()
	return p.at != (offer{}) && ok && r.of != p.at
}

func (p *listPane) current() (listRow, bool) {
	i := p.list.Cursor()
	if i < 0 || i >= len(p.rows) {
		return listRow{}, false
	}
	return p.rows[i], true
}

func (p *listPane) move(act Action) {
	switch act {
	case actLeft:
		p.side = max(p.side-sideStep, 0)
	case actRight:
		p.side += sideStep
	}
	moveList(&p.list, act)
	if r, ok := p.current(); ok {
		p.at = r.of
	}
}

// wantsMore is the list whose next page should be loaded now: of which nothing was loaded in this
// run, or near whose end the cursor is, or all of them where something is looked for.
func (p *listPane) wantsMore(s *session.Snapshot, looking bool) (client.ListKind, bool) {
	from := 0
	for i := range p.parts {
		part := &p.parts[i]
		first, end := from, from+len(part.rows)
		from = end
		if !offers(s, part.kind) {
			continue
		}
		l := s.List(part.kind.Name)
		if part.run != s.Run || part.reload {
			part.run, part.reload = s.Run, false
			return part.kind, true
		}
		if len(l.Pages) == 0 || l.Complete || l.Stopped != "" || l.Error != "" {
			continue
		}
		if looking || p.all || p.away() || p.nearEndOf(first, end) {
			return part.kind, true
		}
	}
	return client.ListKind{}, false
}

// nearEndOf reports whether window or cursor are near the end of the rows first to end, and the
// cursor is not behind them: who looks at what follows wants no more of this.
func (p *listPane) nearEndOf(first, end int) bool {
	if end == len(p.rows) {
		return p.list.NearEnd(nearEnd)
	}
	_, bottom := p.list.Visible()
	cursor := p.list.Cursor()
	return cursor <= end && max(bottom-1, cursor) >= end-1-nearEnd && cursor >= first-1
}

// complete reports whether no further page of the lists can be asked for.
func (p *listPane) complete(s *session.Snapshot) bool {
	for i := range p.parts {
		l := s.List(p.parts[i].kind.Name)
		if offers(s, p.parts[i].kind) && !l.Complete && l.Stopped == "" && l.Error == "" {
			return false
		}
	}
	return true
}

// offers reports whether the server advertises a list.
func offers(s *session.Snapshot, kind client.ListKind) bool {
	return s.Server != nil && client.Get(s.Server.Capabilities, kind.Cap) != nil
}

// offered reports whether there is anything to show: advertised, or listed or read all the same.
func (p *listPane) offered(s *session.Snapshot) bool {
	return len(p.rows) > 0 || offers(s, p.parts[0].kind)
}

func (p *listPane) find(q string, dir int) hits {
	found := find(&p.list, dir, func(i int) bool {
		it := &p.rows[i].item
		return contains(it.Name, q) || contains(it.Title, q) || contains(it.URI, q) || contains(it.Description, q)
	})
	if r, ok := p.current(); ok && !found.none() {
		p.at = r.of
	}
	return found
}

// count is how many are there: with + while there are more.
func (p *listPane) count(s *session.Snapshot) string {
	out := fmt.Sprint(len(p.rows))
	for i := range p.parts {
		if l := s.List(p.parts[i].kind.Name); !l.Complete && len(l.Pages) > 0 {
			return out + "+"
		}
	}
	return out
}

// note is the state of the pages: of the first list that has one to tell of, else of the first.
func (p *listPane) note(s *session.Snapshot, loading string) string {
	pages := 0
	for i := range p.parts {
		l := s.List(p.parts[i].kind.Name)
		pages += len(l.Pages)
		switch {
		case loading == p.parts[i].kind.Name:
			return fmt.Sprintf("loading page %d", len(l.Pages)+1)
		case l.Error != "":
			return fmt.Sprintf("page %d FAILED", len(l.Pages)+1)
		case l.Stopped != "":
			return "STOPPED"
		case len(l.Pages) > 0 && !l.Complete:
			return fmt.Sprintf("page %d, more", len(l.Pages))
		}
	}
	if pages == 0 {
		return ""
	}
	return text.Plural(pages, "page")
}

// trouble is why a list is not whole, and whether a page failed.
func (p *listPane) trouble(s *session.Snapshot) (why string, failed bool) {
	for i := range p.parts {
		if l := s.List(p.parts[i].kind.Name); l.Error != "" {
			return l.Error, true
		} else if l.Stopped != "" {
			return l.Stopped, false
		}
	}
	return "", false
}

// descriptionLines is how much of a description is shown under the list.
const descriptionLines = 6

func (p *listPane) view(l look, w, h int, focused bool) []string {
	if len(p.rows) == 0 {
		return []string{l.Paint(theme.Faint, l.fit(" no "+strings.ToLower(p.title)+" so far", w))}
	}
	listHeight := h
	var below []string
	if r, ok := p.current(); ok && h >= 8 { // the description of what is under the cursor
		words := l.glyphs.Wrap(l.mask(r.item.Description), max(w-2, 4), descriptionLines)
		if r.about != "" {
			words = append(l.glyphs.Wrap(l.mask(r.about), max(w-2, 4), 2), words...)
		}
		if r.item.Title != "" && r.item.Title != r.item.Name {
			words = append([]string{l.glyphs.Short(l.mask(r.item.Title), w-2)}, words...)
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
		return p.row(l, &p.rows[i], w, selected, focused)
	})
	return append(out, below...)
}

// How many cells of a row's text a badge leaves at least: one that tells things apart leaves less than
// one that only describes.
const (
	leastText     = 11
	leastTextOfIt = 20
)

func (p *listPane) row(l look, r *listRow, w int, selected, focused bool) string {
	mark := "  "
	if selected {
		mark = "> "
	}
	b, room := "", w-2
	for _, badge := range r.badges {
		least := leastText
		if r.describes {
			least = leastTextOfIt
		}
		if badge != "" && room > text.Width(badge)+1+least {
			b = " " + badge
			room -= text.Width(b)
			break
		}
	}
	s := mark + l.fit(l.glyphs.Window(l.glyphs.Drawn(r.text), p.side, room), room)
	switch {
	case selected && focused:
		return l.Paint(theme.Cursor, s+b)
	case r.item.Problem != "":
		return l.Paint(theme.Odd, s+b)
	case r.odd:
		return s + l.Paint(theme.Odd, b)
	}
	return s + l.Paint(theme.Faint, b)
}
