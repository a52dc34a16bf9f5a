package client

// standardMeta is what a request carries by its revision. A handshake revision knows only the
// progress token; lists and the handshake itself go without.
func (c *Conn) standardMeta(rev Revision, method, id string) []MetaKey {
	if !rev.Modern() {
		switch method {
		case MethodToolsCall, MethodPromptsGet, MethodResourcesRead:
			return []MetaKey{{MetaProgressToken, []byte(id)}}
		}
		return nil
	}
	keys := []MetaKey{
		{MetaProtocolVersion, Quote(string(rev))},
		{MetaClientCapabilities, c.identity.stateless()},
		{MetaClientInfo, c.identity.info()},
		{MetaProgressToken, []byte(id)},
	}
	if method == MethodListen { // no progress comes of it (patterns/subscriptions)
		return keys[:len(keys)-1]
	}
	return keys
}

// StandardMeta are the names of what every client says by itself in the _meta of a request.
func StandardMeta(rev Revision, method string) (names []string) {
	for _, k := range (&Conn{}).standardMeta(rev, method, "") {
		names = append(names, k.Key)
	}
	return names
}

// Encode is the line that a request would be, without sending it.
func (c *Conn) Encode(rev Revision, id string, r Request) []byte {
	line := append([]byte(`{"jsonrpc":"2.0","id":`), id...)
	line = append(append(line, `,"method":`...), Quote(r.Method)...)
	var standard []MetaKey
	if !r.Bare {
		standard = c.standardMeta(rev, r.Method, id)
	}
	if params := appendParams(nil, r.Params, standard, r.Meta); len(params) > 0 {
		line = append(append(line, `,"params":`...), params...)
	}
	return append(oneLine(line), '}', '\n')
}

// oneLine makes line ends spaces, in place: a message is one line (transports/stdio), and between
// the tokens of indented params one white space is as good as another.
func oneLine(line []byte) []byte {
	for i, c := range line {
		if c == '\n' || c == '\r' {
			line[i] = ' '
		}
	}
	return line
}
