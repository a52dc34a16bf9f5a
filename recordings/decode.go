package recordings

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

var (
	errNoJSON = errors.New("is no JSON object") // something else, or only a part of one
	errNoUTF8 = errors.New("is not UTF-8")
)

// decode reads one line. Its error continues a sentence about the line.
func (r *Reader) decode(line []byte) (Record, error) {
	if rec, ok := r.fast(line); ok {
		return rec, nil
	}
	fields, err := members(line)
	if err != nil {
		return Record{}, err
	}
	rec := Record{Line: r.line, Raw: line}
	d := fieldReader{fields: fields}
	d.take("k", &rec.K)
	if d.err != nil || rec.K == "" {
		return Record{}, errors.New("has no kind")
	}
	if rec.K == KindHead {
		return r.decodeHead(rec, line)
	}
	if !known(rec.K) {
		// Of a kind that a later version made, only what means the same everywhere is read.
		d.lenient = true
	}
	var t int64
	d.take("t", &t)
	rec.T = time.Duration(t)
	var ch string
	d.take("ch", &ch)
	if c, ok := channelOf(ch); ok {
		rec.Ch = c
	} else if known(rec.K) {
		return Record{}, fmt.Errorf("names an unknown channel %q", clip(ch))
	}
	d.take("pid", &rec.Pid)
	d.take("path", &rec.Path)
	d.take("code", &rec.Code)
	d.take("signal", &rec.Signal)
	d.take("asked", &rec.Asked)
	d.take("what", &rec.What)
	d.take("n", &rec.N)
	d.take("why", &rec.Why)
	if rec.K == KindRequest || rec.K == KindReply || rec.K == KindBody || rec.K == KindOver {
		decodeHTTP(&rec, &d)
	}
	run := 0
	d.peek("run", &run)
	r.decodeData(&rec, &d)
	if d.err != nil {
		return Record{}, d.err
	}
	if rec.K == KindBytes && (rec.Ch == None || rec.Data == nil) || rec.K == KindBody && rec.Ch != In && rec.Ch != Out {
		return Record{}, errors.New("has no channel or no bytes")
	}
	if rec.K == KindEnd && rec.Ch == None {
		return Record{}, errors.New("has no channel")
	}
	if rec.K == KindSpawn {
		r.run = max(r.run+1, run) // more when earlier runs are not in the file
		delete(fields, "run")
	}
	rec.Run = r.run
	if 0 < run && run < r.run {
		rec.Run = run // a word on an earlier run
	}
	if len(fields) > 0 {
		for name, raw := range fields { // they outlive the line
			fields[name] = bytes.Clone(raw)
		}
		rec.Fields = fields
	}
	return rec, nil
}

func known(kind string) bool {
	switch kind {
	case KindHead, KindSpawn, KindBytes, KindEnd, KindCtl, KindExit, KindDrop, KindRequest, KindReply, KindBody, KindOver:
		return true
	}
	return false
}

func (r *Reader) decodeHead(rec Record, line []byte) (Record, error) {
	var v struct {
		V json.RawMessage `json:"v"`
	}
	if err := json.Unmarshal(line, &v); err != nil || string(v.V) != "1" {
		if len(v.V) == 0 {
			return Record{}, errors.New("is a head without a version")
		}
		return Record{}, fmt.Errorf("has version %s, and this program reads version %d: a newer one may read it", clip(string(v.V)), Version)
	}
	var h headLine
	if err := json.Unmarshal(line, &h); err != nil {
		return Record{}, fmt.Errorf("is a head that cannot be read: %w", err)
	}
	rec.Head = &Head{Tool: h.Tool, Start: h.Start, OS: h.OS, Target: h.Target, Options: h.Options, Redacted: h.Redacted, Filtered: h.Filtered}
	rec.Run = r.run
	return rec, nil
}

// decodeData reads d or d64, and red.
func (r *Reader) decodeData(rec *Record, d *fieldReader) {
	_, text := d.fields["d"]
	_, coded := d.fields["d64"]
	switch {
	case text && coded && !d.lenient:
		d.err = errors.New("has both d and d64")
		return
	case text:
		if r.data, text = d.bytes("d", r.data[:0]); text {
			rec.Data = r.data
		}
	case coded:
		plain, ok := d.bytes("d64", nil)
		if !ok {
			break
		}
		var err error
		if r.data, err = base64.StdEncoding.Strict().AppendDecode(r.data[:0], plain); err != nil {
			d.fail(errors.New("has a d64 that is no base64"))
			return
		}
		rec.Data = r.data
	}
	if rec.Data == nil && (text || coded) {
		rec.Data = []byte{}
	}
	var red [][3]json.RawMessage
	d.take("red", &red)
	var spans []Span
	end := 0
	for _, triple := range red {
		var s Span
		if json.Unmarshal(triple[0], &s.Off) != nil || json.Unmarshal(triple[1], &s.Len) != nil || json.Unmarshal(triple[2], &s.Name) != nil ||
			s.Off < end || s.Len < 0 || s.Len > len(rec.Data)-s.Off {
			d.fail(errors.New("has a red that does not fit its bytes"))
			return
		}
		end = s.Off + s.Len
		spans = append(spans, s)
	}
	rec.Spans = spans
}

// fieldReader takes the known fields out of a line.
type fieldReader struct {
	fields  map[string]json.RawMessage
	lenient bool // what has another type stays in fields
	err     error
}

func (d *fieldReader) take(name string, into any) {
	if d.peek(name, into) {
		delete(d.fields, name)
	}
}

// bytes takes a field of text and appends the bytes that it stands for: exactly those, or none.
func (d *fieldReader) bytes(name string, dst []byte) ([]byte, bool) {
	raw := d.fields[name]
	if raw[0] != '"' {
		d.fail(fmt.Errorf("has %s of a wrong type", name))
		return dst, false
	}
	out, ok := appendUnescaped(dst, raw[1:len(raw)-1])
	if !ok {
		d.fail(fmt.Errorf("has %s with half of a character, which no bytes stand for", name))
		return dst, false
	}
	delete(d.fields, name)
	return out, true
}

// peek reads a field and leaves it where it is. It reports whether it could.
func (d *fieldReader) peek(name string, into any) bool {
	raw, ok := d.fields[name]
	if !ok {
		return false
	}
	if err := json.Unmarshal(raw, into); err != nil {
		d.fail(fmt.Errorf("has %s of a wrong type", name))
		return false
	}
	return true
}

func (d *fieldReader) fail(err error) {
	if d.err == nil && !d.lenient {
		d.err = err
	}
}

// fast reads the b lines that a Writer makes of text without secrets, nearly all there are, and
// leaves everything else to decode.
func (r *Reader) fast(line []byte) (Record, bool) {
	rest, ok := bytes.CutPrefix(line, []byte(`{"k":"b","t":`))
	if !ok {
		return Record{}, false
	}
	var t int64
	n := 0
	for ; n < len(rest) && n < 18 && rest[n]-'0' <= 9; n++ { // 18 digits cannot overflow
		t = t*10 + int64(rest[n]-'0')
	}
	if n == 0 || n > 1 && rest[0] == '0' {
		return Record{}, false
	}
	if rest, ok = bytes.CutPrefix(rest[n:], []byte(`,"ch":"`)); !ok {
		return Record{}, false
	}
	name, rest, ok := bytes.Cut(rest, []byte(`","d":"`))
	ch, known := channelOf(string(name))
	if !ok || !known || ch == None || len(rest) < 2 || string(rest[len(rest)-2:]) != `"}` {
		return Record{}, false
	}
	data, ok := appendUnescaped(r.data[:0], rest[:len(rest)-2])
	r.data = data
	if !ok {
		return Record{}, false
	}
	if len(data) == 0 {
		data = []byte{}
	}
	return Record{K: KindBytes, Line: r.line, T: time.Duration(t), Run: r.run, Ch: ch, Data: data, Raw: line}, true
}

// clip shortens what is quoted from a file.
func clip(s string) string {
	const most = 40
	if len(s) > most {
		s = toValid(s[:most]) + "…"
	}
	return s
}
