package demo

import (
	"encoding/json"

	"example.com/mcpinspect/client/demo/rpc"
)

// The revisions of MCP, newest last; as strings they sort by age.
const (
	rev2411 = "2024-11-05"
	rev2503 = "2025-03-26"
	rev2506 = "2025-06-18"
	rev2511 = "2025-11-25"
	rev2607 = "2026-07-28"
)

// hour is how long lists may be kept: nothing here changes while the server runs.
const hour = 3_600_000 // ms

const instructions = `This is the server built into mcpinspect, for looking around.

Good first calls: add (two numbers), weather (try it with wrong arguments too), slow (shows progress, can be cancelled), ` +
	`ask (asks you something back), boom (always fails) and stray (prints on stdout what does not belong there).
Nothing here touches your files or the network. wipe only says that it is destructive.`

// supported lists the revisions, newest first.
func supported() []string { return []string{rev2607, rev2511, rev2506, rev2503, rev2411} }

// known says whether a revision has a method; "" stands for a client that has not said hello yet.
func known(method, revision string) bool {
	modern := revision == rev2607
	switch method {
	case "initialize", "ping":
		return !modern
	case "logging/setLevel", "resources/subscribe", "resources/unsubscribe":
		return !modern
	case "server/discover", "subscriptions/listen":
		return modern
	case "tools/list", "tools/call", "resources/list", "resources/templates/list", "resources/read",
		"prompts/list", "prompts/get", "completion/complete":
		return true
	}
	return false
}

// meta reads params._meta: with a protocolVersion there the request stands for itself (2026-07-28),
// without one it belongs to a handshake.
func (c *call) meta() *rpc.Error {
	raw, has := c.params["_meta"]
	meta := rpc.Members(raw)
	if has && meta == nil {
		return invalid("_meta must be an object")
	}
	if token, has := meta["progressToken"]; has {
		if !rpc.ValidID(token) {
			return invalid("progressToken must be a string or an integer")
		}
		c.token = token
	}
	if version, stated := meta[rpc.KeyVersion]; stated {
		return c.stateless(meta, version)
	}
	s := c.server
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.revision == "" && c.method != "initialize" && c.method != "ping" {
		return rpc.Missing(rpc.KeyVersion)
	}
	c.revision, c.level = s.revision, s.level
	c.client = rpc.Members(s.client["capabilities"])
	return nil
}

// stateless judges a request that names its version itself.
func (c *call) stateless(meta map[string]json.RawMessage, version json.RawMessage) *rpc.Error {
	if fault := rpc.CheckMeta(meta, supported()...); fault != nil {
		return fault
	}
	if text, _ := rpc.Text(version); text != rev2607 {
		return invalid("revision " + text + " begins with initialize and has no " + rpc.KeyVersion)
	}
	c.client = rpc.Members(meta[rpc.KeyCapabilities])
	if level, has := meta[rpc.KeyLogLevel]; has {
		if c.level, _ = rpc.Text(level); rank(c.level) < 0 {
			return invalid(rpc.KeyLogLevel + " must be one of the eight levels, debug to emergency")
		}
	}
	c.revision = rev2607
	return nil
}

func identity() rpc.Object {
	return rpc.Obj("name", "mcpinspect-demo", "title", "Built-in demo", "version", "1.0.0")
}

// capabilities of the server under c's revision.
func (c *call) capabilities() rpc.Object {
	none := rpc.Object{}
	o := rpc.Obj("tools", none, "resources", rpc.Obj("subscribe", true), "prompts", none, "logging", none)
	if c.since(rev2503) {
		o = o.With("completions", none)
	}
	return o
}

// initialize agrees on the revision that the client wants, or offers the newest that has a handshake.
func (c *call) initialize() (rpc.Object, *rpc.Error) {
	wanted, is := rpc.Text(c.params["protocolVersion"])
	if !is {
		return nil, invalid("protocolVersion must be a string")
	}
	agreed := rev2511
	for _, have := range supported() {
		if wanted == have && have != rev2607 {
			agreed = have
		}
	}
	s := c.server
	s.mu.Lock()
	s.revision, s.client = agreed, c.params
	s.mu.Unlock()
	c.revision = agreed
	info := identity()
	if !c.since(rev2506) {
		info = rpc.Object{info[0], info[2]}
	}
	return rpc.Obj("protocolVersion", agreed, "capabilities", c.capabilities(), "serverInfo", info,
		"instructions", instructions), nil
}

func (c *call) discover() rpc.Object {
	return rpc.Obj("supportedVersions", supported(), "capabilities", c.capabilities(), "instructions", instructions)
}

func (c *call) setLevel() (rpc.Object, *rpc.Error) {
	level, _ := rpc.Text(c.params["level"])
	if rank(level) < 0 {
		return nil, invalid("level must be one of the eight levels, debug to emergency")
	}
	c.server.mu.Lock()
	c.server.level = level
	c.server.mu.Unlock()
	return rpc.Object{}, nil
}

// complete adds to a result what 2026-07-28 wants in it: resultType, who answers, and for what may
// be kept how long and for whom (server/utilities/caching).
func (c *call) complete(result rpc.Object) rpc.Object {
	if !c.modern() {
		return result
	}
	final := true
	meta := rpc.Obj(rpc.KeyServer, identity())
	whole := rpc.Object{}
	for _, m := range result {
		switch m.Key {
		case "resultType":
			final = false
		case "_meta":
			meta = append(meta, m.Value.(rpc.Object)...)
			continue
		}
		whole = append(whole, m)
	}
	if final {
		whole = append(rpc.Obj("resultType", "complete"), whole...)
		switch c.method {
		case "server/discover", "tools/list", "prompts/list", "resources/list", "resources/templates/list":
			whole = append(whole, rpc.Obj("ttlMs", hour, "cacheScope", "public")...)
		case "resources/read":
			whole = append(whole, rpc.Obj("ttlMs", 0, "cacheScope", "private")...)
		}
	}
	return whole.With("_meta", meta)
}
