package compare

import (
	"fmt"
	"slices"
	"strings"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/client/definition"
	"example.com/mcpinspect/client/diff"
)

// Introduction is what a server said in one run beside the entries of its lists.
type Introduction struct {
	Server []byte            // the result of server/discover or initialize
	Pages  map[string][]byte // the result of the first page by the name of its list
}

// Vary says what is not the same in two runs of one server in one revision, as changes whose rules are
// of package check: it should be.
func Vary(was, now Side, first, second Introduction) (out []definition.Change) {
	for _, c := range Compare(Side{Lists: was.Lists}, Side{Lists: now.Lists}).Interface {
		switch {
		case c.Path != "":
			c.Rule = "definition-varies"
		case strings.HasPrefix(c.Subject, "resource") || strings.HasPrefix(c.Subject, "template"):
			c.Rule = "resources-vary"
		default:
			c.Rule = "list-entries-vary"
		}
		out = append(out, c)
	}
	for _, k := range client.ListKinds {
		a, b := keys(k, was.Lists[k.Name]), keys(k, now.Lists[k.Name])
		if slices.Equal(a, b) || !slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b))) {
			continue
		}
		at := 0
		for a[at] == b[at] {
			at++
		}
		out = append(out, definition.Change{Rule: "list-order-varies", Subject: k.Name, Path: fmt.Sprintf("/%d", at), Was: client.Quote(a[at]), Now: client.Quote(b[at])})
	}
	lifetimes := [...]string{"ttlMs", "cacheScope"}
	for _, k := range client.ListKinds {
		for _, name := range lifetimes {
			a, b := client.Get(first.Pages[k.Name], name), client.Get(second.Pages[k.Name], name)
			if string(a) != string(b) {
				out = append(out, definition.Change{Rule: "lifetime-varies", Subject: k.Name, Path: "/" + name, Was: a, Now: b})
			}
		}
	}
	meta, _ := diff.Ignoring("/_meta") // a pointer that is valid
	places, _ := diff.Compare(first.Server, second.Server, meta)
	for _, p := range places {
		rule := "identity-varies"
		if slices.Contains(lifetimes[:], strings.TrimPrefix(p.Path, "/")) {
			rule = "lifetime-varies"
		}
		out = append(out, definition.Change{Rule: rule, Subject: "server", Path: p.Path, Was: p.Was, Now: p.Now})
	}
	return out
}

// Younger splits changes between two revisions: those of members that rev does not have yet, counted
// by the member, and the rest.
func Younger(changes []definition.Change, rev client.Revision) (count map[string]int, rest []definition.Change) {
	count = map[string]int{}
	for _, c := range changes {
		member, _, _ := strings.Cut(strings.TrimPrefix(c.Path, "/"), "/")
		if since := since(member); c.Now == nil && rev < since {
			count[member]++
			continue
		}
		rest = append(rest, c)
	}
	return count, rest
}

// since is the revision that brought a member of an entry; empty for one that was always there.
func since(member string) client.Revision {
	switch member {
	case "annotations":
		return client.Rev2025_03_26
	case "title", "outputSchema", "_meta":
		return client.Rev2025_06_18
	case "icons", "execution":
		return client.Rev2025_11_25
	}
	return ""
}

func keys(kind client.ListKind, entries [][]byte) (out []string) {
	for _, e := range entries {
		out = append(out, definition.Key(kind, e))
	}
	return out
}
