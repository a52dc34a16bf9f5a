package ui

import (
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/client/template"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/ui/text"
	"example.com/mcpinspect/ui/words"
)

// offersPane is the second pane: what the server offers, a tab for each kind that it advertises.
type offersPane struct {
	tools, resources, prompts listPane
	tab                       *listPane // that is shown
	loading                   string    // the list of which a page is being fetched
	after                     func() tea.Cmd
	afterOf                   *listPane // whose pages after waits for
}

func (p *offersPane) init() {
	p.tools = listPane{title: "Tools", short: "Tools", parts: []listPart{{kind: client.Tools}}}
	p.resources = listPane{title: "Resources", short: "Res.", parts: []listPart{{kind: client.Resources}, {kind: client.Templates}}, reads: true}
	p.prompts = listPane{title: "Prompts", short: "Prompts", parts: []listPart{{kind: client.Prompts}}}
	p.tab = &p.tools
}

// all are the tabs in their order.
func (p *offersPane) all() []*listPane { return []*listPane{&p.tools, &p.resources, &p.prompts} }

// of is the tab in which an offer stands.
func (p *offersPane) of(o offer) *listPane {
	switch o.kind {
	case client.Resources.Name, client.Templates.Name:
		return &p.resources
	case client.Prompts.Name:
		return &p.prompts
	}
	return &p.tools
}

// sync takes over the lists. A tab that the server offers nothing for gives way to the first that has
// something.
func (p *offersPane) sync(l look, s *session.Snapshot) {
	for _, tab := range p.all() {
		tab.sync(l, s)
	}
	if s.Server == nil || p.tab.offered(s) {
		return
	}
	for _, tab := range p.all() {
		if tab.offered(s) {
			p.tab = tab
			return
		}
	}
}

// next goes to the next tab; it reports whether there is another.
func (p *offersPane) next(s *session.Snapshot) bool {
	tabs := p.shown(s)
	for i, tab := range tabs {
		if tab == p.tab && len(tabs) > 1 {
			p.tab = tabs[(i+1)%len(tabs)]
			return true
		}
	}
	return false
}

// shown are the tabs that there is something for; the one that is shown is always among them.
func (p *offersPane) shown(s *session.Snapshot) (tabs []*listPane) {
	for _, tab := range p.all() {
		if tab == p.tab || tab.offered(s) {
			tabs = append(tabs, tab)
		}
	}
	return tabs
}

// title names the tabs in so much room, where that is too little by their first letters in the least
// that they may have; the one that is shown has its count.
func (p *offersPane) title(s *session.Snapshot, room, least int) string {
	alone := p.tab.title + " " + p.tab.count(s)
	for short := range 3 {
		var names []string
		for _, tab := range p.shown(s) {
			name := [3]string{tab.title, tab.short, tab.short[:1] + "."}[short]
			if tab == p.tab {
				name = alone
			}
			names = append(names, name)
		}
		if all := strings.Join(names, " "); text.Width(all) <= room || short == 2 && text.Width(all) <= least {
			return all
		}
	}
	return alone
}

// page is the list whose next page should be fetched. The tools are always wanted, the others once
// somebody looks at them.
func (p *offersPane) page(s *session.Snapshot, looking bool) (kind client.ListKind, ok bool) {
	for _, tab := range []*listPane{&p.tools, p.tab, p.afterOf} {
		if tab == nil {
			continue
		}
		if kind, ok = tab.wantsMore(s, looking && tab == &p.tools); ok {
			return kind, true
		}
	}
	return kind, false
}

// openRow opens what the cursor of the second pane is on: the form of a tool, prompt or template; a
// resource is read at once.
func (a *app) openListed() tea.Cmd {
	r, ok := a.offers.tab.current()
	switch {
	case !ok:
		a.say("nothing to open yet")
		return nil
	case r.of.name == "":
		a.say("the server gave it nothing to ask for it by: %s", r.item.Problem)
		return nil
	}
	return a.openOffer(r.of, r.item)
}

func (a *app) openOffer(of offer, it session.Item) tea.Cmd {
	a.turnTo(of, it)
	if of.kind != client.Resources.Name {
		a.focus(PaneCall)
		return nil
	}
	a.focus(PaneResult)
	return a.readNow()
}

// turnTo shows the form of what is offered, and its place in the lists.
func (a *app) turnTo(of offer, it session.Item) {
	a.call.show(of, it)
	a.offers.tab = a.offers.of(of)
	a.offers.tab.goTo(of)
}

// readNow reads the resource of the call pane. Where nobody can be asked, what is known of it is shown.
func (a *app) readNow() tea.Cmd {
	a.result.view = viewResult
	if _, known := a.snap.Last[a.subject()]; known && !a.live() {
		return nil
	}
	return a.send(false)
}

// readURI reads a resource by its URI, whether it is listed or not.
func (a *app) readURI(uri string) tea.Cmd {
	of := resourceOffer(uri)
	it, ok := of.find(a.snap)
	if !ok {
		it = session.Item{Name: uri, URI: uri}
	}
	return a.openOffer(of, it)
}

// follow reads what a link in a result leads to. The server is asked for it; nothing is ever fetched
// from elsewhere.
func (a *app) follow(uri string) tea.Cmd {
	low := strings.ToLower(uri)
	if _, listed := resourceOffer(uri).find(a.snap); !listed && (strings.HasPrefix(low, "http://") || strings.HasPrefix(low, "https://")) {
		a.say("a link into the web is never followed: y then v copies it, :read asks the server for it")
		return nil
	}
	return a.readURI(uri)
}

// readCommand is :read URI [NAME=VALUE...]: a URI with {names} is a template, which the values fill.
func (a *app) readCommand(rest []string) tea.Cmd {
	if len(rest) == 0 {
		a.say("read needs a URI: read URI, or read TEMPLATE name=value ...")
		return nil
	}
	if len(rest) == 1 && !strings.Contains(rest[0], "{") {
		return a.readURI(rest[0])
	}
	of := offer{client.Templates.Name, rest[0]}
	it, ok := of.find(a.snap)
	if !ok {
		if _, err := template.Parse(of.name); err != nil {
			a.say("%s: %v", of.name, err)
			return nil
		}
		it = session.Item{Name: of.name, URI: of.name}
	}
	return a.fillAndSend(of, it, rest[1:])
}

// promptCommand is :prompt NAME [ARG=TEXT...].
func (a *app) promptCommand(rest []string) tea.Cmd {
	if len(rest) == 0 {
		a.say("prompt needs a name: prompt NAME arg=text ...")
		return nil
	}
	of := promptOffer(rest[0])
	it, ok := of.find(a.snap)
	if !ok && a.coming(&a.offers.prompts) && a.offers.after == nil {
		return a.later(&a.offers.prompts, func() tea.Cmd { return a.promptCommand(rest) })
	}
	if !ok {
		a.say("%s", noOffer(of, a.snap.List(of.kind)))
		return nil
	}
	return a.fillAndSend(of, it, rest[1:])
}

// fillAndSend fills a form from words and sends what it says: the words are all of it, also when there are
// none. What was typed into the form and not sent yet is kept, where P finds it; of words that make nothing
// it stays in the form.
func (a *app) fillAndSend(of offer, it session.Item, list []string) tea.Cmd {
	a.openOffer(of, it)
	aside := a.setAside()
	if err := a.call.words(list); err != nil {
		if aside {
			a.takeBackDraft()
		}
		a.say("%v", err)
		return nil
	}
	a.focus(PaneCall)
	cmd := a.send(false)
	if aside && a.call.refused != "" {
		a.say("%s; P goes to what was typed before", a.notice)
	}
	return cmd
}

// noOffer says that there is nothing of a name, and what may have been meant.
func noOffer(of offer, list *session.List) string {
	names := list.Names()
	out := fmt.Sprintf("there is no %s %q", of.noun(), of.name)
	const most = 3
	if near := words.Near(of.name, names); len(near) > 0 {
		return out + ": did you mean " + strings.Join(near[:min(len(near), most)], " or ") + "?"
	}
	return out + " among " + text.Plural(len(names), of.noun())
}
