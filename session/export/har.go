package export

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/session"
)

// The parts of HAR 1.2 (http://www.softwareishard.com/blog/har-12-spec) that a session over stdio
// has. Fields that begin with _ are ours, as the format provides.
type (
	harLog struct {
		Version string     `json:"version"`
		Creator harCreator `json:"creator"`
		Entries []harEntry `json:"entries"`
		Comment string     `json:"comment,omitempty"`
		Other   []harOther `json:"_other"`
	}
	harCreator struct {
		Name    string `json:"name"`
		Version string `json:"version"`
	}
	harEntry struct {
		Started  string      `json:"startedDateTime"`
		Time     float64     `json:"time"` // milliseconds
		Request  harRequest  `json:"request"`
		Response harResponse `json:"response"`
		Cache    struct{}    `json:"cache"`
		Timings  harTimings  `json:"timings"`
		Comment  string      `json:"comment,omitempty"`
		Row      int         `json:"_row"`
		From     string      `json:"_from"` // client or server: who asked
		Marks    []string    `json:"_marks,omitempty"`
	}
	harTimings struct {
		Send    float64 `json:"send"`
		Wait    float64 `json:"wait"`
		Receive float64 `json:"receive"`
	}
	harHead struct {
		HTTPVersion string     `json:"httpVersion"`
		Cookies     []struct{} `json:"cookies"`
		Headers     []harPair  `json:"headers"`
		HeadersSize int        `json:"headersSize"`
		BodySize    int        `json:"bodySize"`
	}
	harPair struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	}
	harRequest struct {
		Method string `json:"method"`
		URL    string `json:"url"`
		harHead
		Query []struct{} `json:"queryString"`
		Post  harPost    `json:"postData"`
	}
	harPost struct {
		Type   string     `json:"mimeType"`
		Params []struct{} `json:"params"`
		Text   string     `json:"text"`
	}
	harResponse struct {
		Status     int    `json:"status"`
		StatusText string `json:"statusText"`
		harHead
		Content  harContent `json:"content"`
		Redirect string     `json:"redirectURL"`
	}
	harContent struct {
		Size     int    `json:"size"`
		Type     string `json:"mimeType"`
		Text     string `json:"text,omitempty"`
		Encoding string `json:"encoding,omitempty"`
	}
	// harOther is a row that is no exchange: stray output, stderr, the life of the process.
	harOther struct {
		Time   string   `json:"startedDateTime"`
		Row    int      `json:"row"`
		Stream string   `json:"stream"`
		Text   string   `json:"text"`
		Marks  []string `json:"marks,omitempty"`
	}
)

// harComment says what a reader of the file must know.
const harComment = "a session over stdio: every request is an entry, as if it had been posted; a status of 0 is a request without an answer, 202 a notification. Stray output, stderr and the life of the process are in _other."

// harHTTPComment is harComment of a session over HTTP.
const harHTTPComment = "a session over HTTP: every exchange is an entry with its heads, as net/http reports them, and the version of HTTP is taken as 1.1. What a server asks is an entry of its own, and the life of the session is in _other."

const jsonType = "application/json"

// har writes requests with their answers, and everything that is no exchange beside them.
func har(w *bufio.Writer, s *session.Session, o *Options) {
	tool, version, _ := strings.Cut(o.Tool, " ")
	l := harLog{Version: "1.2", Creator: harCreator{Name: tool, Version: version}, Entries: []harEntry{}, Other: []harOther{}, Comment: harComment}
	name := "server"
	if c := o.Head.Target.Command; len(c) > 0 {
		name = o.Mask.text(c[0])
	}
	address := (&url.URL{Scheme: "stdio", Host: "localhost", Path: "/" + name}).String()
	if u := o.Head.Target.URL; u != "" {
		address = o.Mask.text(u)
	}
	exchanges := exchangesOf(s)
	if len(exchanges) > 0 {
		l.Comment = harHTTPComment
	}
	s.Log().Each(0, func(e session.Event) bool {
		if !o.Keep(&e) {
			return true
		}
		at := s.Start().Add(e.T).UTC().Format(time.RFC3339Nano)
		var marks []string
		for _, m := range e.Marks {
			marks = append(marks, o.Mask.text(m.Severity.String()+" "+m.Rule+": "+m.Text))
		}
		switch {
		case e.Note != nil && e.Note.What == client.NoteReply: // part of its entry
		case e.Note != nil && e.Note.What == client.NoteRequest:
			if x := exchanges[e.Note.HTTP.Number]; !x.sent { // nothing was posted: it opens a stream, or ends a session
				h := o.bare(&e, at, marks)
				o.wear(&h, s, x)
				l.Entries = append(l.Entries, h)
			}
		case e.Note != nil:
			l.Other = append(l.Other, harOther{at, e.Seq, "life", o.Mask.text(e.Note.What + ": " + e.Note.Text), marks})
		case e.Kind == client.KindRequest, e.Kind == client.KindNotification, e.Kind == client.KindBatch:
			h := o.entry(s, &e, address, at, marks)
			if x := exchanges[e.Exchange]; x != nil && e.Stream == client.In {
				o.wear(&h, s, x)
			}
			l.Entries = append(l.Entries, h)
		case e.Kind.IsAnswer() && e.Pair != session.NoPair: // part of the entry of its request
		default:
			l.Other = append(l.Other, harOther{at, e.Seq, "std" + e.Stream.String(), string(o.body(s, &e)), marks})
		}
		return true
	})
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	_ = enc.Encode(map[string]harLog{"log": l}) // plain data: it cannot fail
	w.Write(b.Bytes())
}

func (o *Options) entry(s *session.Session, e *session.Event, address, at string, marks []string) harEntry {
	empty := []struct{}{}
	head := harHead{HTTPVersion: "stdio", Cookies: empty, Headers: []harPair{}, HeadersSize: -1, BodySize: e.Size}
	body := o.body(s, e)
	h := harEntry{Started: at, Row: e.Seq, From: "client", Marks: marks, Comment: o.Mask.text(e.Method),
		Request: harRequest{Method: "POST", URL: address, harHead: head, Query: empty, Post: harPost{Type: jsonType, Params: empty, Text: string(body)}}}
	if e.Stream == client.Out {
		h.From = "server"
	}
	h.Response = harResponse{StatusText: "no answer", harHead: head, Content: harContent{Type: "x-unknown"}}
	h.Response.BodySize = 0
	if e.Kind == client.KindNotification {
		h.Response.Status, h.Response.StatusText = 202, "Accepted"
	}
	a, ok := s.Log().Event(e.Pair)
	if !ok {
		return h
	}
	answer := o.body(s, &a)
	h.Time = float64(e.Latency) / float64(time.Millisecond)
	h.Timings.Wait = h.Time
	h.Response.Status, h.Response.StatusText, h.Response.BodySize = 200, "OK", a.Size
	h.Response.Content = harContent{Type: jsonType}
	h.Response.Content.put(answer)
	return h
}

// put takes a body in, coded where it is no text.
func (c *harContent) put(body []byte) {
	c.Size, c.Text = len(body), string(body)
	if !utf8.Valid(body) {
		c.Text, c.Encoding = base64.StdEncoding.EncodeToString(body), "base64"
	}
}

// bare is the entry of an exchange in which nothing is sent.
func (o *Options) bare(e *session.Event, at string, marks []string) harEntry {
	empty := []struct{}{}
	head := harHead{HTTPVersion: "HTTP/1.1", Cookies: empty, Headers: []harPair{}, HeadersSize: -1}
	return harEntry{Started: at, Row: e.Seq, From: "client", Marks: marks, Comment: o.Mask.text(e.Note.Text),
		Request:  harRequest{Method: "GET", harHead: head, Query: empty, Post: harPost{Type: jsonType, Params: empty}},
		Response: harResponse{StatusText: "no answer", harHead: head, Content: harContent{Type: "x-unknown"}}}
}
