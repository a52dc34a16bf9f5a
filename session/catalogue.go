package session

import (
	"fmt"
	"time"

	"example.com/mcpinspect/client"
)

// Item is one entry of a list as the server sent it. One that cannot be read keeps its place and
// says what is wrong with it.
type Item struct {
	Raw         []byte
	Name        string // name, or uri for a resource without one
	Title       string
	Description string
	URI         string // of resources; uriTemplate of templates
	Problem     string // why it is malformed; empty when it is not
	Nameless    bool   // Name is ours, to show it by: the server gave none to call it by
	Page        int
	Seq         int // the row that brought it
}

// Hint is a tool annotation; absent hints have the default of the specification.
type Hint struct{ ReadOnly, Destructive, Idempotent, OpenWorld, Said bool }

// Hints reads the annotations of a tool (server/tools). Said is whether destructiveHint is
// stated true in so many words: only then is a person asked.
func (it *Item) Hints() Hint {
	h := Hint{Destructive: true, OpenWorld: true}
	read := func(name string, p *bool) bool {
		switch string(client.Get(it.Raw, "annotations", name)) {
		case "true":
			*p = true
			return true
		case "false":
			*p = false
		}
		return false
	}
	read("readOnlyHint", &h.ReadOnly)
	h.Said = read("destructiveHint", &h.Destructive)
	read("idempotentHint", &h.Idempotent)
	read("openWorldHint", &h.OpenWorld)
	return h
}

// InputSchema is the raw schema of a tool's arguments; nil when there is none.
func (it *Item) InputSchema() []byte { return client.Get(it.Raw, "inputSchema") }

// OutputSchema is the raw schema of a tool's structured result; nil when there is none or it is null.
func (it *Item) OutputSchema() []byte {
	raw := client.Get(it.Raw, "outputSchema")
	if string(raw) == "null" {
		return nil
	}
	return raw
}

// OnlyTask reports whether a tool says that it takes no call but one that becomes a task.
func (it *Item) OnlyTask() bool {
	return client.GetText(it.Raw, "execution", "taskSupport") == "required"
}

// readItem reads one entry of a list, whatever it is.
func readItem(kind client.ListKind, raw []byte, index, page, seq int) Item {
	it := Item{Raw: raw, Page: page, Seq: seq}
	if len(raw) == 0 || raw[0] != '{' {
		it.Name, it.Nameless = fmt.Sprintf("(entry %d)", index+1), true
		it.Problem = "it is no object"
		return it
	}
	text := func(name string) string {
		v := client.Get(raw, name)
		s, ok := client.Text(v)
		if !ok && v != nil && string(v) != "null" && it.Problem == "" {
			it.Problem = name + " is no text"
		}
		return s
	}
	it.Name, it.Title, it.Description = text("name"), text("title"), text("description")
	switch kind.Name {
	case client.Resources.Name:
		it.URI = text("uri")
	case client.Templates.Name:
		it.URI = text("uriTemplate")
	case client.Tools.Name:
		if it.Title == "" {
			it.Title = client.GetText(raw, "annotations", "title")
		}
	}
	if (kind == client.Resources || kind == client.Templates) && it.URI == "" && it.Problem == "" {
		it.Problem = "it has no URI"
	}
	if it.Name == "" {
		it.Name = it.URI
		if it.Problem == "" {
			it.Problem = "it has no name"
		}
		if it.Name == "" {
			it.Name, it.Nameless = fmt.Sprintf("(entry %d)", index+1), true
		}
	}
	return it
}

// Page is one answered page of a list.
type Page struct {
	Cursor  []byte // raw token that asked for it; nil for the first
	Count   int
	Latency time.Duration
	Seq     int // the row of the answer
}

// List is one of the paged lists so far.
type List struct {
	Items    []Item
	Pages    []Page
	Complete bool   // the last page was reached
	Next     []byte // raw cursor of the next page
	Error    string // why the latest page failed
	Stopped  string // why the walk stopped early, one sentence
	Repeated int    // entries whose name came before
	Changes  string // against the list before: "+sub, add narrowed: b now required"
	Anew     bool   // that list was of the same run: the server said that it had changed, or a person asked
	names    map[string]bool
	run      int
}

// Definitions are the entries as sent.
func (l *List) Definitions() [][]byte {
	out := make([][]byte, len(l.Items))
	for i := range l.Items {
		out[i] = l.Items[i].Raw
	}
	return out
}

// add takes one answered page in.
func (l *List) add(kind client.ListKind, cursor, result []byte, latency time.Duration, seq int) {
	page := Page{Cursor: cursor, Latency: latency, Seq: seq}
	items := client.Get(result, kind.Member)
	for raw := range client.Elements(items) {
		it := readItem(kind, raw, len(l.Items), len(l.Pages), seq)
		key := it.Name + "\x00" + it.URI
		if l.names[key] {
			l.Repeated++
		}
		l.names[key] = true
		l.Items = append(l.Items, it)
		page.Count++
	}
	l.Pages = append(l.Pages, page)
	l.Error, l.Stopped = "", ""
	if items == nil || len(items) > 0 && items[0] != '[' {
		l.Error = (&client.ListError{Kind: kind, Raw: result}).Error()
	}
	l.Next = client.Get(result, "nextCursor")
	l.Complete = l.Next == nil || string(l.Next) == "null"
}

// Find returns the first item that the server gave that name.
func (l *List) Find(name string) (Item, bool) {
	for _, it := range l.Items {
		if it.Name == name && !it.Nameless {
			return it, true
		}
	}
	return Item{}, false
}

// Names are the names that the server gave, in its order, for a person who looks for one.
func (l *List) Names() (names []string) {
	for _, it := range l.Items {
		if !it.Nameless {
			names = append(names, it.Name)
		}
	}
	return names
}
