package session

import (
	"fmt"
	"strings"

	"example.com/mcpinspect/client"
)

// headerParams are the arguments that a listed tool wants as headers.
func (s *Session) headerParams(tool string) []client.HeaderParam {
	it, _ := s.Snapshot().List(client.Tools.Name).Find(tool)
	params, _ := client.HeaderParams(it.InputSchema()) // unmirrored says what is wrong
	return params
}

// unmirrored refuses the call of a tool whose headers break the rules. Handshake revisions have none.
func (s *Session) unmirrored(rev client.Revision, r client.Request) error {
	if !rev.Modern() || r.Unchecked || r.Method != client.MethodToolsCall {
		return nil
	}
	name := client.GetText(r.Params, "name")
	it, _ := s.Snapshot().List(client.Tools.Name).Find(name)
	if _, err := client.HeaderParams(it.InputSchema()); err != nil {
		return &client.HeaderError{Tool: name, Err: err}
	}
	return nil
}

// warnHeaders names the tools of the newest page that cannot be called over HTTP.
func (s *Session) warnHeaders(conn *client.Conn, kind client.ListKind) {
	if kind != client.Tools || !s.target.HTTP() || !conn.Revision().Modern() {
		return
	}
	const most = 3 // that are named one by one
	list, bad := s.Snapshot().List(kind.Name), []string{}
	for i := range list.Items {
		it := &list.Items[i]
		if it.Page != len(list.Pages)-1 {
			continue
		}
		if _, err := client.HeaderParams(it.InputSchema()); err != nil {
			bad = append(bad, fmt.Sprintf("%q (%v)", clip(it.Name, maxMethod), err))
		}
	}
	if n := len(bad) - most; n > 0 {
		bad = append(bad[:most], fmt.Sprintf("%d more", n))
	}
	if len(bad) > 0 {
		s.Note(client.NoteWarning, "clients have to leave out over HTTP, since their x-mcp-header breaks the rules: %s", strings.Join(bad, ", "))
	}
}
