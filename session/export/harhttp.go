package export

import (
	"net/http"
	"strings"
	"time"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/session"
)

// carried is an exchange of HTTP as a HAR entry needs it.
type carried struct {
	request, reply *client.Exchange // nil where the recording lacks it
	asked, told    time.Duration    // when the heads passed
	over           time.Duration    // when the last of it came
	rows           []int            // of its reply
	sent           bool             // a message went to the server
}

// exchangesOf are the exchanges of a session by number.
func exchangesOf(s *session.Session) map[int]*carried {
	all := map[int]*carried{}
	of := func(number int) *carried {
		if all[number] == nil {
			all[number] = &carried{}
		}
		return all[number]
	}
	s.Log().Each(0, func(e session.Event) bool {
		switch {
		case e.Note != nil && e.Note.HTTP != nil:
			x := of(e.Note.HTTP.Number)
			switch e.Note.What {
			case client.NoteRequest:
				x.request, x.asked = e.Note.HTTP, e.T
			case client.NoteReply:
				x.reply, x.told = e.Note.HTTP, e.T
			}
			x.over = max(x.over, e.T)
		case e.Exchange > 0:
			x := of(e.Exchange)
			x.over = max(x.over, e.T)
			if e.Stream == client.Out {
				x.rows = append(x.rows, e.Seq)
			} else {
				x.sent = true
			}
		}
		return true
	})
	return all
}

// wear gives an entry the heads, the status and the timings of its exchange.
func (o *Options) wear(h *harEntry, s *session.Session, x *carried) {
	if q := x.request; q != nil {
		if method, _, ok := strings.Cut(q.Line, " "); ok {
			h.Request.Method = method
		}
		if q.URL != "" {
			h.Request.URL = o.Mask.text(q.URL)
		}
		h.Request.Headers = o.headers(q.Header)
	}
	h.Request.HTTPVersion = "HTTP/1.1"
	if x.reply == nil {
		return
	}
	r := &h.Response
	r.HTTPVersion, r.Status, r.StatusText = "HTTP/1.1", x.reply.Status, http.StatusText(x.reply.Status)
	r.Headers = o.headers(x.reply.Header)
	wait, receive := milliseconds(x.told-x.asked), milliseconds(x.over-x.told)
	h.Timings.Wait, h.Timings.Receive, h.Time = wait, receive, wait+receive
	r.Content, r.BodySize = harContent{Type: "x-unknown"}, 0
	for _, kv := range x.reply.Header {
		if strings.EqualFold(kv[0], "content-type") {
			r.Content.Type = kv[1]
		}
	}
	var body []byte
	for _, seq := range x.rows {
		e, ok := s.Log().Event(seq)
		if !ok {
			continue
		}
		part := o.body(s, &e)
		if x.reply.Form() == client.FormEvents {
			part = eventLines(e.Event, part)
		}
		body = append(body, part...)
	}
	r.Content.put(body)
	r.BodySize = len(body)
}

func milliseconds(d time.Duration) float64 { return float64(max(d, 0)) / float64(time.Millisecond) }

// headers are header lines in order, without what is to be hidden.
func (o *Options) headers(all [][2]string) []harPair {
	out := make([]harPair, 0, len(all))
	for _, kv := range all {
		out = append(out, harPair{kv[0], o.Mask.text(kv[1])})
	}
	return out
}
