package session

import (
	"bytes"

	"example.com/mcpinspect/client"
)

// names numbers texts that rows share: methods, and what is called. What it takes is bounded.
type names struct {
	all    []string // by number, append only; 0 is none
	number map[string]uint16
}

// maxNames is how many different texts are kept: a server that invents one a message must not grow
// the table.
const maxNames = 4096

func newNames() names { return names{all: []string{""}, number: map[string]uint16{"": 0}} }

// intern gives a text its number, 0 when there are too many or it is longer than a name.
func (n *names) intern(name string) uint16 {
	at, ok := n.number[name]
	if ok || len(n.all) >= maxNames || len(name) > maxMethod {
		return at
	}
	at = uint16(len(n.all))
	n.all = append(n.all, name)
	n.number[name] = at
	return at
}

// internRaw is intern for a raw token.
func (n *names) internRaw(raw []byte) uint16 {
	if len(raw) > 2 && raw[0] == '"' && bytes.IndexByte(raw, '\\') < 0 {
		if at, ok := n.number[string(raw[1:len(raw)-1])]; ok { // looked up without a copy
			return at
		}
	}
	name, _ := client.Text(raw)
	return n.intern(name)
}
