package ui

import (
	"net/url"
	"os"
	"runtime"
	"slices"
	"strings"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/recordings"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/ui/words"
)

// requestRow is the row of the request of ours that the focused pane is about; -1 for none.
func (a *app) requestRow() int {
	switch a.mode.Focus {
	case PaneWire, PaneDetail:
		return a.sess.Log().RequestOf(a.wire.selected())
	case PaneCall, PaneResult, PaneTools:
		if l, ok := a.snap.Last[a.subjectOf(a.offerUnder())]; ok {
			return l.Request
		}
		if c, ok := a.snap.Lost[a.subjectOf(a.offerUnder())]; ok {
			return c.Seq
		}
	}
	return -1
}

// offerUnder is what the focused pane is about.
func (a *app) offerUnder() offer {
	if a.mode.Focus == PaneTools {
		r, _ := a.offers.tab.current()
		return r.of
	}
	return a.call.of
}

// commandLine is a shell command that does what the screen shows: the call in the form, the message
// of ours under the cursor, else the session. needs are the variables that it takes secrets from;
// why says what stands against it.
func (a *app) commandLine() (line string, needs []string, why string) {
	out := []string{"mcpinspect"}
	t := a.sess.Target()
	switch seq := a.requestRow(); {
	case !t.Remote() && len(t.Command.Args) == 0:
		return "", nil, "no command and no address is known for this server"
	case a.mode.Focus == PaneTools && !a.offerUnder().isTool():
		if of := a.offerUnder(); of == a.call.of && of != (offer{}) {
			out = append(out, a.offerWords()...)
		}
	case (a.mode.Focus == PaneCall || a.mode.Focus == PaneResult) && a.call.of != (offer{}):
		out = append(out, a.offerWords()...)
	case a.mode.Focus == PaneWire || a.mode.Focus == PaneDetail:
		if seq < 0 {
			seq = a.wire.selected()
		}
		e, ok := a.sess.Log().Event(seq)
		if !ok || e.Stream != client.In || e.Kind != client.KindRequest && e.Kind != client.KindNotification {
			break // the session
		}
		if e.Kept < e.Size {
			return "", nil, "the bytes of this message are in the recording only: mcpinspect log FILE --story has them"
		}
		if !wordOK(e.Method) {
			return "", nil, "a method that is empty or begins with - is no word of a command line: y then s copies a shell pipe, :raw sends the line from here"
		}
		out = append(out, messageWords(a.sess.Log().Body(seq).Bytes(), e.Method, a.revision())...)
	}
	if rev := a.sess.Pinned(); rev != "" {
		out = append(out, "--protocol", string(rev))
	}
	words, needs := targetWords(t, func(s string) bool { return a.look.mask(s) != s })
	return shellLine(append(out, words...)), needs, ""
}

// shellLine is a line for a shell, which puts the variables in.
func shellLine(list []string) string {
	var b strings.Builder
	for i, w := range list {
		if i > 0 {
			b.WriteByte(' ')
		}
		for n, part := range strings.Split(w, variableSign) {
			switch {
			case n%2 == 1:
				b.WriteString(`"$` + part + `"`)
			case part != "" || w == "":
				b.WriteString(words.Shell([]string{"", part})[len("'' "):])
			}
		}
	}
	return b.String()
}

// variableSign stands before and behind the name of a variable in a word; no word of a command line can hold it.
const variableSign = "\x00"

func variable(name string) string { return variableSign + name + variableSign }

// variableName makes the name of a variable of that of a header or a parameter.
func variableName(of string) string {
	name := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z':
			return r - 'a' + 'A'
		case r >= 'A' && r <= 'Z', r >= '0' && r <= '9':
			return r
		}
		return '_'
	}, of)
	if name == "" || name[0] <= '9' {
		return "_" + name
	}
	return name
}

// messageWords are the words of the verb that sends a message of ours again. What of its _meta every
// client of the revision says by itself is left to the verb; what of that was left out on purpose is said.
func messageWords(message []byte, method string, rev client.Revision) []string {
	params := client.Get(message, "params")
	if client.Get(message, "id") == nil {
		return append([]string{"send", "--notify"}, sendWords(method, params)...)
	}
	meta := client.Get(params, "_meta")
	if said := client.GetText(meta, client.MetaProtocolVersion); said != "" {
		rev = client.Revision(said)
	}
	standard := client.StandardMeta(rev, method)
	if method == client.MethodInitialize || method == client.MethodDiscover || rev == "" {
		standard = nil
	}
	if meta == nil && len(standard) > 1 {
		return append([]string{"send", "--bare"}, sendWords(method, params)...)
	}
	out := append(requestWords(method, params), metaWords(params)...)
	for _, key := range standard {
		if client.Get(meta, key) == nil {
			out = append(out, "--meta", key+"-")
		}
	}
	return out
}

// requestWords is a request as a verb makes it, without _meta. The verbs that are named for what they
// do are used where they send just this.
func requestWords(method string, params []byte) []string {
	name, uri := client.GetText(params, "name"), client.GetText(params, "uri")
	switch method {
	case client.MethodInitialize:
		return []string{"discover"}
	case client.MethodToolsCall:
		args := client.Get(params, "arguments")
		if wordOK(name) && onlyMembers(params, "name", "arguments") && len(args) > 0 && args[0] == '{' {
			return []string{"call", "--unchecked", name, string(args)}
		}
	case client.MethodPromptsGet:
		args := client.Get(params, "arguments")
		if list, ok := textWords(args); ok && wordOK(name) && onlyMembers(params, "name", "arguments") && (args == nil || len(list) > 0) {
			return append([]string{"prompt", "--unchecked", name}, list...)
		}
	case client.MethodResourcesRead:
		if wordOK(uri) && !strings.Contains(uri, "{") && onlyMembers(params, "uri") { // the verb would fill it
			return []string{"read", uri}
		}
	}
	return append([]string{"send"}, sendWords(method, params)...)
}

// sendWords are a method and its parameters without _meta.
func sendWords(method string, params []byte) []string {
	if len(params) == 0 {
		return []string{method}
	}
	if params[0] != '{' {
		return []string{method, string(params)}
	}
	var members []string
	meta := false
	for name, value := range client.Members(params) {
		if n, _ := client.Text(name); n == "_meta" {
			meta = true
			continue
		}
		members = append(members, string(name)+":"+string(value))
	}
	if members == nil && meta {
		return []string{method}
	}
	return []string{method, "{" + strings.Join(members, ",") + "}"}
}

// metaWords are the flags for what a person or a verb of theirs put into _meta beside what every
// client says by itself.
func metaWords(params []byte) (out []string) {
	for key, value := range client.Members(client.Get(params, "_meta")) {
		switch k, _ := client.Text(key); {
		case k == client.MetaProtocolVersion, k == client.MetaClientCapabilities, k == client.MetaClientInfo, k == client.MetaProgressToken:
		case k == client.MetaTraceparent:
			out = append(out, "--trace") // with spans of its own
		case k == "" || strings.ContainsAny(k, "=\x00"):
		default:
			out = append(out, "--meta", k+"="+string(value))
		}
	}
	return out
}

// wordOK reports whether a text can be a word of a command line that is no flag.
func wordOK(s string) bool {
	return s != "" && s[0] != '-' && wordText(s)
}

// wordText reports whether a text can stand in a word. U+FFFD may stand for what no text can hold, half
// of a surrogate pair.
func wordText(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsAny(s, "\x00\uFFFD")
}

// onlyMembers reports whether an object has each of the names at most once, and no others but _meta.
func onlyMembers(object []byte, names ...string) bool {
	seen := map[string]bool{}
	for name := range client.Members(object) {
		n, ok := client.Text(name)
		if !ok || seen[n] || n != "_meta" && !slices.Contains(names, n) {
			return false
		}
		seen[n] = true
	}
	return true
}

// targetWords are the words that name a server, with what it was started with or is sent with every
// request. Values of variables are ours to pass on, not to write down, and so are headers and parts of an
// address whose names call them secret, or which hold what is masked: needs are the variables that have to
// hold those.
func targetWords(t session.Target, masked func(string) bool) (out, needs []string) {
	if t.Remote() {
		for _, h := range t.Address.Header {
			if !recordings.SecretHeader(h[0]) && !masked(h[1]) {
				out = append(out, "-H", h[0]+": "+h[1])
				continue
			}
			needs = append(needs, variableName(h[0]))
			out = append(out, "-H", h[0]+": "+variable(variableName(h[0])))
		}
		if a := t.Address; a.Bearer != "" {
			out = append(out, "--bearer-env", a.BearerEnv)
			needs = append(needs, a.BearerEnv)
		}
		if t.Address.CAFile != "" {
			out = append(out, "--ca-file", t.Address.CAFile)
		}
		if t.Address.Insecure {
			out = append(out, "--insecure")
		}
		address, more := addressWord(t.Address.URL, masked)
		return append(out, address), append(needs, more...)
	}
	for _, kv := range t.Command.Env {
		name, _, _ := strings.Cut(kv, "=")
		out = append(out, "-e", name)
		if os.Getenv(name) == "" {
			needs = append(needs, name)
		}
	}
	if t.Command.CleanEnv {
		out = append(out, "--clean-env")
	}
	if t.Command.Dir != "" {
		out = append(out, "--cwd", t.Command.Dir)
	}
	return append(append(out, "--"), t.Command.Args...), needs
}

// addressWord is an address with variables in the place of what its query has of secrets.
func addressWord(address string, masked func(string) bool) (word string, needs []string) {
	before, query, ok := strings.Cut(address, "?")
	if !ok {
		return address, nil
	}
	query, fragment, _ := strings.Cut(query, "#")
	pairs := strings.Split(query, "&")
	for i, pair := range pairs {
		name, value, _ := strings.Cut(pair, "=")
		plain, err := url.QueryUnescape(name)
		if err != nil {
			plain = name
		}
		if value != "" && (recordings.NamesSecret(plain) || masked(value)) {
			pairs[i] = name + "=" + variable(variableName(plain))
			needs = append(needs, variableName(plain))
		}
	}
	if word = before + "?" + strings.Join(pairs, "&"); fragment != "" {
		word += "#" + fragment
	}
	return word, needs
}

// copyCommand copies the command line, and says what has to be put in before it runs.
func (a *app) copyCommand() tea.Cmd {
	line, needs, why := a.commandLine()
	if why != "" {
		a.say("%s", why)
		return nil
	}
	what := "the command"
	if runtime.GOOS == "windows" {
		what += ", quoted for sh"
	}
	if len(needs) > 0 {
		what += " (secrets are not in it: set " + strings.Join(needs, ", ") + " first)"
	}
	log, seq, recorded := a.sess.Log(), a.requestRow(), !a.live()
	return func() tea.Msg {
		if recorded && seq >= 0 {
			if _, masked, _ := log.Read(seq); masked > 0 {
				what += " (secrets are masked in the recording, and stars in it)"
			}
		}
		return copyText(a.ctx, a.out, what, line)()
	}
}

// pipeLine is a shell line that gives a server the request under the cursor with nothing of ours
// between: what it needs before, and the request, byte for byte. why says what stands against it.
func (a *app) pipeLine() (line, why string) {
	t := a.sess.Target()
	seq := a.requestRow()
	switch {
	case t.Remote():
		return "", "a server at an address reads no pipe: y then c copies a command"
	case len(t.Command.Args) == 0:
		return "", "no command is known for this server"
	case seq < 0:
		return "", "no request of ours here: choose its row, or send the call first"
	}
	out := []string{"printf", `%s\n`}
	lines, whole := a.sess.Log().Reproduction(seq)
	if !whole {
		return "", "the bytes of this request are in the recording only: mcpinspect log FILE --story has them"
	}
	for _, l := range lines {
		out = append(out, string(l))
	}
	line = words.Shell(out) + " | "
	if t.Command.Dir != "" {
		line += "(cd " + words.Shell([]string{t.Command.Dir}) + " && " + words.Shell(t.Command.Args) + ")"
	} else {
		line += words.Shell(t.Command.Args)
	}
	return line, ""
}
