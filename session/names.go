package session

import (
	"bytes"

	"example.com/mcpinspect/client"
)

// maxNames is how many different methods are kept: a server that invents one a message must not
// grow the table.
const maxNames = 4096

// intern gives a method its number, 0 when there are too many.
func (l *Log) intern(name string) uint16 {
	n, ok := l.nameOf[name]
	if ok || len(l.names) >= maxNames || len(name) > maxMethod {
		return n
	}
	n = uint16(len(l.names))
	l.names = append(l.names, name)
	l.nameOf[name] = n
	return n
}

// internRaw is intern for a raw token.
func (l *Log) internRaw(raw []byte) uint16 {
	if len(raw) > 2 && raw[0] == '"' && bytes.IndexByte(raw, '\\') < 0 {
		if n, ok := l.nameOf[string(raw[1:len(raw)-1])]; ok { // looked up without a copy
			return n
		}
	}
	name, _ := client.Text(raw)
	return l.intern(name)
}
