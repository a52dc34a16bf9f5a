package recordings

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
)

// foreign reads files that other programs made: JSON Lines of messages, and what tee kept of a
// server's stdout. Every line was read or written whole, when is not known, and where it went
// follows from what it is.
type foreign struct {
	asked map[string]Channel // requests without an answer so far, by id token: who asked
}

// ForeignKind is the Imported of such a file.
const ForeignKind = "lines of messages"

// isForeign reports whether a file whose first line is no head has messages near its beginning.
func isForeign(first, following []byte) bool {
	if _, ok := parseEnvelope(first); ok {
		return true
	}
	for line := range bytes.Lines(following) {
		if _, ok := parseEnvelope(line); ok {
			return true
		}
	}
	return false
}

// envelope is what tells where a message went.
type envelope struct {
	JSONRPC string          `json:"jsonrpc"`
	Method  string          `json:"method"`
	ID      json.RawMessage `json:"id"`
	Result  json.RawMessage `json:"result"`
	Error   json.RawMessage `json:"error"`
	Kind    *string         `json:"k"` // of a line of a recording
}

func parseEnvelope(line []byte) (e envelope, ok bool) {
	line = bytes.TrimSpace(bytes.TrimPrefix(line, []byte("\ufeff")))
	if len(line) > 0 && line[0] == '[' {
		var batch []json.RawMessage
		if json.Unmarshal(line, &batch) != nil || len(batch) == 0 {
			return e, false
		}
		line = batch[0]
	}
	if !bytes.HasPrefix(line, []byte("{")) || json.Unmarshal(line, &e) != nil {
		return e, false
	}
	return e, e.JSONRPC != "" && e.Kind == nil && (e.Method != "" || e.Result != nil || e.Error != nil)
}

// ofServer are the methods that servers send (client features and notifications of the protocol's
// revisions); notifications/cancelled and ping may come from both and are taken as ours.
var ofServer = []string{"roots/list", "sampling/", "elicitation/", "notifications/message", "notifications/progress", "notifications/resources/",
	"notifications/tools/", "notifications/prompts/", "notifications/elicitation/", "notifications/tasks/", "notifications/subscriptions/"}

// channel is where a line went: what is no message was printed by the server.
func (f *foreign) channel(line []byte) Channel {
	e, ok := parseEnvelope(line)
	id := string(e.ID)
	switch {
	case !ok:
		return Out
	case e.Method == "":
		from, known := f.asked[id]
		delete(f.asked, id)
		if known && from == Out {
			return In
		}
		return Out
	}
	ch := In
	for _, prefix := range ofServer {
		if strings.HasPrefix(e.Method, prefix) {
			ch = Out
		}
	}
	if id != "" && len(f.asked) < maxAsked {
		f.asked[id] = ch
	}
	return ch
}

// maxAsked bounds how many unanswered requests of a foreign file are remembered.
const maxAsked = 1 << 16

// takeForeign makes the Reader one of a foreign file whose first line was read.
func (r *Reader) takeForeign(line []byte) {
	r.foreign = &foreign{asked: map[string]Channel{}}
	r.h = Head{Target: Target{Transport: "stdio"}, Imported: ForeignKind}
	r.head = &Record{K: KindHead, Line: 1, Head: &r.h}
	r.limit = maxRecordLine
	rec := r.foreignRecord(line)
	rec.Data, rec.Raw = bytes.Clone(rec.Data), nil
	r.first = &rec
}

func (r *Reader) foreignRecord(line []byte) Record {
	r.data = append(append(r.data[:0], line...), r.end...)
	return Record{K: KindBytes, Line: r.line, Ch: r.foreign.channel(line), Data: r.data, Raw: line}
}

// nextForeign is Next behind the first line.
func (r *Reader) nextForeign() (Record, error) {
	if rec := r.first; rec != nil {
		r.first = nil
		return *rec, nil
	}
	for {
		line, _, err := r.next()
		if errors.Is(err, errLong) {
			r.notice(false, "is longer than %d MiB and was skipped", r.limit>>20)
			continue
		}
		if err != nil {
			return Record{}, err
		}
		return r.foreignRecord(line), nil
	}
}
