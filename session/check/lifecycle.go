package check

import (
	"fmt"
	"slices"
	"strings"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/session"
)

// life is where a run stands: who has said what of itself.
type life struct {
	spoke       bool            // the client has sent a message
	chosen      client.Revision // by a successful initialize; empty for none
	asked       string          // the version that initialize asked for
	shaking     bool            // initialize is open
	shaken      bool            // it was answered with success
	initialized bool            // notifications/initialized was sent
	requests    int             // of the client, other than ping and what begins a session
	lastTold    string          // the latest message of the client, where it was a notification

	discovered bool     // server/discover was answered with success
	refused    bool     // or with -32601
	supported  []string // what it named

	caps    caps // of the server
	offered caps // of the client, by initialize
	rawCaps []byte
	rawRead caps
}

// handshakeBegins notes an initialize.
func (v *verdicts) handshakeBegins(q *request) {
	l := &v.r.life
	l.asked = text(v.o.params.get("protocolVersion"))
	again := l.shaken || l.shaking
	l.shaking = true
	l.offered = v.clientCaps(v.o.params.get("capabilities"))
	v.rev = client.Revision(l.asked)
	if again && v.r.foreign {
		v.add(initializeAgain, "the client sends initialize again on the same session")
	}
}

// order judges when a request of the client comes.
func (v *verdicts) order(q *request) {
	l := &v.r.life
	if q.rev.Modern() || q.method == client.MethodPing || q.method == client.MethodInitialize || v.r.modern && !l.shaking && !l.shaken {
		return
	}
	switch {
	case !l.spoke && v.r.revision == "":
		v.add(initializeFirst, "the first message of the client is %s, neither initialize nor a stateless request", q.method)
	case l.shaking && !l.shaken:
		v.add(requestEarly, "%s was sent before initialize had been answered", q.method)
	}
}

// judgeInitialize judges the params of an initialize.
func (v *verdicts) judgeInitialize() {
	p := &v.o.params
	var lacks []string
	if !isText(p.get("protocolVersion")) {
		lacks = append(lacks, "protocolVersion")
	}
	if !isObject(p.get("capabilities")) {
		lacks = append(lacks, "capabilities")
	}
	info := p.get("clientInfo")
	switch {
	case !isObject(info):
		lacks = append(lacks, "clientInfo")
	case !isText(client.Get(info, "name")) || !isText(client.Get(info, "version")):
		lacks = append(lacks, "clientInfo with name and version")
	}
	if lacks != nil {
		v.add(initializeParams, "initialize lacks %s", strings.Join(lacks, ", "))
	}
	v.capabilities(p.get("capabilities"), knownClientCaps)
}

// identity judges what a server says of itself, and remembers it.
func (v *verdicts) identity(q *request, result []byte) {
	r, o := v.r, v.o
	l := &r.life
	discover := q.method == client.MethodDiscover
	l.caps = serverCaps(o.result.get("capabilities"))
	if discover {
		l.discovered = true
		l.supported = l.supported[:0]
		for e := range client.Elements(o.result.get("supportedVersions")) {
			if s, ok := client.Text(e); ok && len(l.supported) < maxVersions {
				l.supported = append(l.supported, s)
			}
		}
		if slices.ContainsFunc(l.supported, func(s string) bool { return client.Revision(s).Modern() }) {
			r.modern = true
			if r.revision == "" {
				r.revision = client.Revisions[0]
			}
		}
		v.rev = r.effective(q)
		if o.result.has("serverInfo") {
			v.add(serverInfoPlace, "the answer to server/discover has serverInfo beside its members: who the server is stands in _meta")
		}
	} else {
		l.shaken, l.shaking = true, false
		version := o.result.get("protocolVersion")
		chosen := client.Revision(text(version))
		switch {
		case isText(version) && (!chosen.Known() || chosen.Modern()):
			v.rev = client.Rev2025_11_25
			v.add(versionUnknown, "initialize was answered with protocolVersion %s, which has no handshake", client.Excerpt(version))
		case chosen.Known():
			r.revision, v.rev, l.chosen = chosen, chosen, chosen
			if l.asked != "" && l.asked < string(chosen) {
				v.add(versionOther, "the client asked for %s, the server chose %s, which is newer", client.Excerpt([]byte(l.asked)), chosen)
			}
		default:
			v.rev = client.Rev2025_11_25
		}
		if l.discovered && len(l.supported) > 0 && chosen != "" && !slices.Contains(l.supported, string(chosen)) {
			rev := v.rev
			v.rev = client.Revisions[0]
			v.add(handshakeBeside, "initialize succeeded with %s, which supportedVersions does not name", client.Excerpt([]byte(chosen)))
			v.rev = rev
		}
	}
	v.identityShape(q.method, result)
	v.capabilities(client.Get(result, "capabilities"), knownServerCaps)
}

// keptToHandshake takes in that a server answers stateless requests as those of the handshake that it
// has had on the same connection: when it was slow to start, it was sent both. What comes is judged as
// what it is.
func (v *verdicts) keptToHandshake(q *request) {
	if v.r.revision.Modern() {
		v.rev = q.rev
		v.add(handshakeKept, "%s of %s was answered as in %s: the server was sent initialize, too, and keeps to that", q.method, q.rev, v.r.life.chosen)
	}
	v.r.revision, q.rev = v.r.life.chosen, ""
}

// maxVersions is how many supported versions are remembered; there are five.
const maxVersions = 64

// identityShape judges that everything is there (basic/lifecycle, server/discover).
func (v *verdicts) identityShape(method string, result []byte) {
	var lacks []string
	needs := func(what string, first byte, path ...string) {
		switch raw := client.Get(result, path...); {
		case raw == nil:
			lacks = append(lacks, "no "+strings.Join(path, "."))
		case raw[0] != first:
			lacks = append(lacks, fmt.Sprintf("%s that is %s, not %s", strings.Join(path, "."), client.JSONType(raw), what))
		}
	}
	if method == client.MethodInitialize {
		needs("text", '"', "protocolVersion")
		if needs("an object", '{', "serverInfo"); isObject(client.Get(result, "serverInfo")) {
			needs("text", '"', "serverInfo", "name")
			needs("text", '"', "serverInfo", "version")
		}
	} else {
		needs("a list", '[', "supportedVersions")
		if list := client.Get(result, "supportedVersions"); isList(list) && elements(list, 1) == 0 {
			lacks = append(lacks, "an empty list supportedVersions")
		}
	}
	needs("an object", '{', "capabilities")
	if lacks != nil {
		v.add(identityInvalid, "the answer to %s has %s", method, strings.Join(lacks, ", "))
	}
}

// refusedIdentity judges an error that answers initialize or server/discover.
func (v *verdicts) refusedIdentity(q *request, code int, data []byte) {
	l := &v.r.life
	names := isList(client.Get(data, "supported"))
	switch {
	case q.method == client.MethodDiscover:
		l.refused = code == client.CodeMethodNotFound
		if l.refused {
			v.discoverRefused()
		}
	case v.r.modern:
		l.shaking = false
		if v.rev = client.Revisions[0]; !names {
			v.add(refusalNamesNone, "the error that answers initialize does not name the supported versions in its data")
		}
	default:
		l.shaking = false
		v.rev = client.Rev2025_11_25
		more := ""
		if names {
			more = ", and named " + client.Excerpt(client.Get(data, "supported"))
		}
		v.add(initializeRefused, "initialize with %s was refused with error %d%s", client.Excerpt([]byte(l.asked)), code, more)
	}
}

// discoverRefused is a server that knows the stateless era and not how it begins.
func (v *verdicts) discoverRefused() {
	if v.r.life.refused && v.r.modern && !v.r.life.discovered {
		v.rev = client.Revisions[0]
		v.add(discoverMissing, "server/discover was answered with -32601, though the server answers other requests of %s", v.rev)
	}
}

// served notes that a stateless request was answered with success.
func (v *verdicts) served(q *request) {
	l := &v.r.life
	if len(l.supported) == 0 || q.method == client.MethodDiscover && q.version == "" {
		return
	}
	version := q.version
	if version == "" {
		version = string(q.rev)
	}
	if !slices.Contains(l.supported, version) {
		v.add(versionUnlisted, "%s was served as %s, which supportedVersions does not name", q.method, client.Excerpt([]byte(version)))
	}
}

// versions compares what a server says of its versions here and there.
func (v *verdicts) versions(supported []byte) {
	l := &v.r.life
	if !l.discovered || !isList(supported) {
		return
	}
	var named []string
	for e := range client.Elements(supported) {
		if len(named) < maxVersions {
			named = append(named, text(e))
		}
	}
	a, b := slices.Clone(l.supported), named
	slices.Sort(a)
	slices.Sort(b)
	if !slices.Equal(slices.Compact(a), slices.Compact(b)) {
		v.add(versionsDiffer, "the error names %s as supported, server/discover named %s", client.Excerpt([]byte(strings.Join(b, ", "))), client.Excerpt([]byte(strings.Join(a, ", "))))
	}
}

// endOfLife judges at the end of a run what never came.
func (v *verdicts) endOfLife() {
	r := v.r
	l := &r.life
	if !r.foreign {
		return
	}
	v.client = true
	if l.shaken && !l.initialized && l.requests > 0 {
		v.add(initializedMissing, "the client never sent notifications/initialized")
	}
	if n := len(r.theirs.open); n > 0 {
		v.add(clientSilent, "the client did not answer %s", owed(r.theirs.open))
	}
	v.stoppedAtEmpty()
	v.client = false
}

// Severities that depend on the revision.
func stricter(modern bool) session.Severity {
	if modern {
		return session.Error
	}
	return session.Warning
}
