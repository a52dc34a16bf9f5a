package session

import (
	"strconv"
	"time"

	"example.com/mcpinspect/client"
)

// identity reads a discover or initialize result.
func (s *state) identity(method string, result []byte, seq int, latency time.Duration) {
	v := s.server()
	info := client.Get(result, "serverInfo")
	if in := client.Get(result, "_meta", client.MetaServerInfo); in != nil {
		info = in
	}
	*v = Server{Name: client.GetText(info, "name"), Version: client.GetText(info, "version"), Title: client.GetText(info, "title"),
		Revision: v.Revision, Why: v.Why, Offered: v.Offered, Instructions: client.GetText(result, "instructions"),
		Capabilities: client.Get(result, "capabilities"), Result: result, Method: method, Latency: latency, Seq: seq,
		Scope: client.GetText(result, "cacheScope")}
	if ms, err := strconv.ParseInt(string(client.Get(result, "ttlMs")), 10, 64); err == nil {
		v.TTL = (time.Duration(ms) * time.Millisecond).String()
	}
	for raw := range client.Elements(client.Get(result, "supportedVersions")) {
		if t, ok := client.Text(raw); ok {
			v.Supported = append(v.Supported, t)
		}
	}
	if method == client.MethodInitialize {
		v.Revision = client.Revision(client.GetText(result, "protocolVersion"))
	}
}
