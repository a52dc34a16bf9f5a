package check

import (
	"strings"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/session"
)

const (
	metaLogLevel     = client.MetaPrefix + "logLevel"
	metaSubscription = client.MetaPrefix + "subscriptionId"
	metaTask         = client.MetaPrefix + "related-task"
)

// requestMeta notes what the _meta of a request says.
func (v *verdicts) requestMeta(q *request) {
	r, meta := v.r, &v.o.meta
	version := meta.get(client.MetaProtocolVersion)
	switch s := version; {
	case is(s, string(client.Rev2026_07_28)):
		q.rev = client.Rev2026_07_28
	case isText(s):
		q.version = text(s[:min(len(s), maxMethod)])
		if rev := client.Revision(q.version); rev.Modern() || len(q.version) == len(client.Rev2026_07_28) {
			q.rev = client.Revisions[0] // of a kind that has it in _meta
		}
	}
	caps := meta.get(client.MetaClientCapabilities)
	info := meta.get(client.MetaClientInfo)
	q.bare = !isText(version) || !isObject(caps)
	q.anonymous = info == nil
	if q.rev.Modern() || caps != nil {
		q.caps = v.clientCaps(caps)
	} else {
		q.caps = r.life.offered
	}
	q.token = keep(q.token, meta.get(client.MetaProgressToken))
	if level := meta.get(metaLogLevel); level != nil {
		q.level = levelOf(level)
	}
}

// judgeMeta judges the _meta of a request of a client that is not ours.
func (v *verdicts) judgeMeta(q *request) {
	r, meta := v.r, &v.o.meta
	if raw := v.o.params.get("_meta"); raw != nil {
		v.anyMeta("the request", q.method, raw)
	}
	if token := meta.get(client.MetaProgressToken); token != nil {
		switch {
		case !isText(token) && !isInteger(token):
			v.add(tokenInvalid, "the progressToken of %s is %s: it is text or an integer", q.method, client.Excerpt(token))
		default:
			for _, other := range r.ours.open {
				if other != q && string(other.token) == string(token) {
					v.add(tokenReused, "the progressToken %s of %s is that of %s (id %s), which is open", client.Excerpt(token), q.method, other.method, clip(other.id))
				}
			}
		}
	}
	if !q.rev.Modern() && (r.life.shaken || r.life.shaking) {
		return
	}
	switch {
	case q.rev.Modern() && r.life.shaken && r.revision != "" && !r.revision.Modern():
		v.rev = r.revision
		v.add(metaEarly, "%s carries the _meta of %s on a session of %s", q.method, q.rev, r.revision)
		return
	case !r.modern && !r.revision.Modern():
		return
	}
	v.rev = client.Revisions[0]
	if q.bare {
		var lacks []string
		for _, key := range []string{client.MetaProtocolVersion, client.MetaClientCapabilities} {
			if raw := meta.get(key); raw == nil {
				lacks = append(lacks, "no "+key)
			} else if isText(raw) != (key == client.MetaProtocolVersion) {
				lacks = append(lacks, key+" that is "+client.JSONType(raw))
			}
		}
		v.add(metaMissing, "%s has %s in its _meta", q.method, strings.Join(lacks, " and "))
	}
	info := meta.get(client.MetaClientInfo)
	if !isText(client.Get(info, "name")) || !isText(client.Get(info, "version")) {
		v.add(clientInfoMissing, "%s does not say in _meta who the client is, with name and version", q.method)
	}
	if level := meta.get(metaLogLevel); level != nil && levelOf(level) == noLevel {
		v.add(levelUnknown, "%s asks for the log level %s", q.method, client.Excerpt(level))
	}
}

// resultMeta judges the _meta of a result.
func (v *verdicts) resultMeta(q *request) {
	raw := v.o.result.get("_meta")
	if raw != nil {
		v.anyMeta("the result of", q.method, raw)
	}
	if !v.rev.Modern() {
		return
	}
	info := client.Get(raw, client.MetaServerInfo)
	switch {
	case info == nil:
		v.add(serverInfoMissing, "the result of %s does not say in _meta who the server is", q.method)
	case !isText(client.Get(info, "name")) || !isText(client.Get(info, "version")):
		v.add(serverInfoMissing, "the serverInfo in the result of %s lacks name or version", q.method)
	}
}

// anyMeta judges the keys of a _meta; what and of name whose it is.
func (v *verdicts) anyMeta(what, of string, raw []byte) {
	if !isObject(raw) {
		v.add(metaType, "the _meta of %s is %s, not an object", strings.TrimSpace(what+" "+of), client.JSONType(raw))
		return
	}
	for name, value := range client.Members(raw) {
		key := name[1 : len(name)-1]
		switch string(key) {
		case client.MetaProgressToken, client.MetaServerInfo, client.MetaClientInfo, client.MetaProtocolVersion, client.MetaClientCapabilities, metaLogLevel, metaSubscription:
			continue
		}
		v.metaKey(strings.TrimSpace(what+" "+of), text(name), value)
	}
}

func (v *verdicts) metaKey(where, key string, value []byte) {
	shown := client.Excerpt(client.Quote(key))
	switch key {
	case "traceparent":
		if fault := traceFault(value); fault != "" {
			v.add(traceInvalid, "the traceparent in the _meta of %s %s: %s", where, fault, client.Excerpt(value))
		}
		return
	case "tracestate", "baggage":
		if !isText(value) {
			v.add(traceInvalid, "%s in the _meta of %s is %s, not text", key, where, client.JSONType(value))
		}
		return
	case metaTask, client.MetaPrefix + "model-immediate-response":
		if v.rev == client.Rev2025_11_25 {
			return
		}
	}
	if fault := metaKeyFault(key); fault != "" {
		v.add(metaKeyInvalid, "the key %s in the _meta of %s %s", shown, where, fault)
		return
	}
	if v.reserved(key) {
		v.add(metaKeyReserved, "the key %s in the _meta of %s lies under a prefix that is reserved for the specification", shown, where)
	}
}

// reserved reports whether a key is one of the specification's own. 2025-06-18 has another rule than
// the revisions behind it.
func (v *verdicts) reserved(key string) bool {
	if strings.HasPrefix(key, taskExtension) {
		return false
	}
	if v.rev != client.Rev2025_06_18 {
		return client.ReservedMeta(key)
	}
	prefix, _, ok := strings.Cut(key, "/")
	if !ok {
		return false
	}
	labels := strings.Split(prefix, ".")
	for i, l := range labels {
		if (l == "modelcontextprotocol" || l == "mcp") && i <= len(labels)-2 {
			return true
		}
	}
	return false
}

// metaKeyFault says how a key breaks the grammar of _meta keys; empty when it does not (basic, _meta).
func metaKeyFault(key string) string {
	prefix, name, ok := strings.Cut(key, "/")
	if !ok {
		prefix, name = "", key
	}
	if ok {
		for label := range strings.SplitSeq(prefix, ".") {
			if label == "" || !letter(label[0]) || !alnum(label[len(label)-1]) || strings.Trim(label, labelBytes) != "" {
				return "has a prefix that is not made of labels such as com.example"
			}
		}
	}
	if name == "" {
		return ""
	}
	if !alnum(name[0]) || !alnum(name[len(name)-1]) || strings.Trim(name, labelBytes+"_.") != "" {
		return "has a name that does not begin and end with a letter or digit, or has characters other than - _ ."
	}
	return ""
}

const labelBytes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-"

func letter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }
func alnum(c byte) bool  { return letter(c) || '0' <= c && c <= '9' }

// traceFault says what is wrong with a W3C traceparent.
func traceFault(raw []byte) string {
	s, ok := client.Text(raw)
	parts := strings.Split(s, "-")
	switch {
	case !ok:
		return "is " + client.JSONType(raw) + ", not text"
	case len(parts) < 4 || len(parts[0]) != 2 || len(parts[1]) != 32 || len(parts[2]) != 16 || len(parts[3]) != 2 || parts[0] == "00" && len(parts) != 4:
		return "is not of the form 00-<32 hex>-<16 hex>-<2 hex>"
	case parts[0] == "ff":
		return "has the version ff"
	case strings.Trim(strings.Join(parts[:4], ""), "0123456789abcdef") != "":
		return "has digits that are no lower case hex"
	case strings.Trim(parts[1], "0") == "" || strings.Trim(parts[2], "0") == "":
		return "is all zero"
	}
	return ""
}

// metaNeeded judges what a server makes of a request without what its _meta must have.
func (v *verdicts) metaNeeded(q *request, failed bool, code int, message string) {
	r := v.r
	if !r.modern || r.life.shaken || r.revision != "" && !r.revision.Modern() {
		return
	}
	switch {
	case q.bare && !failed && q.method != client.MethodInitialize && q.method != client.MethodPing:
		v.rev = client.Revisions[0]
		v.add(metaNotRequired, "%s was answered though its _meta lacks what is required: -32602 is due", q.method)
	case !q.bare && q.anonymous && failed && code == client.CodeInvalidParams && strings.Contains(message, "clientInfo"):
		v.add(clientInfoDemanded, "%s was refused because it has no clientInfo, which is not required", q.method)
	}
}

// levels are the names of log levels, from the lowest on (server/utilities/logging).
var levels = [...]string{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"}

// levelOf is the place of a level in levels; noLevel for none.
func levelOf(raw []byte) int {
	for i, l := range levels {
		if is(raw, l) {
			return i
		}
	}
	return noLevel
}

var _ = session.Info
