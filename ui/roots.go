package ui

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/session/questions"
	"example.com/mcpinspect/ui/text"
	"example.com/mcpinspect/ui/words"
)

// nextStart is when a changed offer reaches the server: it is said once, at the start, before 2026-07-28,
// and there too a change in the middle would leave calls that were made with another.
const nextStart = "from the next start of the server on (R)"

// rootCommand is :root, :root add DIR and :root remove DIR: the roots that we offer.
func (a *app) rootCommand(rest []string) {
	q := a.asking.queue
	if q == nil {
		a.say("nothing is offered to the server of a recording")
		return
	}
	o := q.Offer()
	switch {
	case len(rest) == 0:
		a.say("%s", rootsAre(o))
		return
	case len(rest) != 2 || rest[0] != "add" && rest[0] != "remove":
		a.say("root add DIR, root remove DIR, or root alone to list them")
		return
	}
	had, did := len(o.Roots) > 0, "added"
	r, err := questions.NewRoot(rest[1])
	switch at := slices.IndexFunc(o.Roots, func(x questions.Root) bool { return err == nil && x == r || x.Dir == rest[1] }); {
	case rest[0] == "remove" && at < 0:
		a.say("%s is no root; %s", rest[1], rootsAre(o))
		return
	case rest[0] == "remove":
		o.Roots, did = slices.Delete(o.Roots, at, at+1), "removed"
	case err != nil:
		a.say("root add: %v", err)
		return
	case at >= 0:
		a.say("%s is a root already", r.Dir)
		return
	default:
		o.Roots = append(o.Roots, r)
	}
	q.SetOffer(o)
	handshake, stateless := o.Encode()
	a.sess.Offer(handshake, stateless)
	a.say("%s; %s", did, a.tellRoots(had, o))
}

// tellRoots tells the server that the roots have changed, where its revision has a word for that and
// it was told that there are roots, and says what was done.
func (a *app) tellRoots(had bool, o questions.Offer) string {
	switch offered := a.snap.Server != nil && client.Get(a.snap.Server.Offered, string(questions.Roots)) != nil; {
	case a.snap.Phase != session.Ready:
		return rootsAre(o)
	case !offered && !o.Has(questions.Roots):
		return "roots are not offered"
	case !offered || !had:
		return "roots are offered " + nextStart
	case a.snap.Server.Revision.Modern():
		return "the server sees it when it asks again: 2026-07-28 has no word for it"
	}
	if err := a.sess.Notify(client.MethodRootsChanged, nil); err != nil {
		return err.Error()
	}
	return "the server was told"
}

func rootsAre(o questions.Offer) string {
	if len(o.Roots) == 0 {
		return "there are no roots: root add DIR"
	}
	dirs := make([]string, len(o.Roots))
	for i, r := range o.Roots {
		dirs[i] = r.Dir
	}
	said := text.Plural(len(dirs), "root") + ": " + strings.Join(dirs, ", ")
	if !o.Has(questions.Roots) {
		said += "; they are not offered (:with roots)"
	}
	return said
}

// withoutCommand is :without CAPABILITY... and :with CAPABILITY...: what is offered to the server.
func (a *app) withoutCommand(verb string, rest []string) {
	q := a.asking.queue
	if q == nil {
		a.say("nothing is offered to the server of a recording")
		return
	}
	o := q.Offer()
	if len(rest) > 0 {
		list, err := questions.ParseCapabilities(strings.Join(rest, ","))
		if err != nil {
			a.say("%v", err)
			return
		}
		for _, c := range list {
			o.Switch(c, verb == "with")
		}
		q.SetOffer(o)
	}
	handshake, stateless := o.Encode()
	a.sess.Offer(handshake, stateless)
	said := fmt.Sprintf("offered are %s, %s", cmp.Or(words.Capabilities(handshake, " "+a.look.glyphs.Dot+" "), "no capabilities"), nextStart)
	if slices.Contains(rest, string(questions.Roots)) && verb == "with" && len(o.Roots) == 0 {
		said += "; roots once there is one: root add DIR"
	}
	a.say("%s", said)
}
