package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"time"
)

type httpReply struct {
	rw      http.ResponseWriter
	req     *http.Request
	status  int
	started bool
}

func (w *httpReply) start(ct string) {
	if w.started {
		return
	}
	w.started = true
	if ct != "" && w.rw.Header().Get("Content-Type") == "" {
		w.rw.Header().Set("Content-Type", ct)
	}
	if w.status == 0 {
		w.status = 200
	}
	w.rw.WriteHeader(w.status)
}

func (w *httpReply) write(b []byte) error {
	w.start("application/json")
	_, err := w.rw.Write(b)
	if f, ok := w.rw.(http.Flusher); ok {
		f.Flush()
	}
	return err
}

func (w *httpReply) message(b []byte, sse bool) {
	if sse {
		w.start("text/event-stream")
		w.write([]byte("event: message\ndata: " + string(b) + "\n\n"))
		return
	}
	w.write(b)
}

func (w *httpReply) run(p *player, h *httpStep) {
	for k, v := range h.Headers {
		switch t := v.(type) {
		case []any:
			for _, x := range t {
				w.rw.Header().Add(k, fmt.Sprint(x))
			}
		default:
			w.rw.Header().Set(k, p.expand(fmt.Sprint(t)))
		}
	}
	if h.Status != 0 {
		w.status = h.Status
	}
	ct := ""
	if h.JSON != nil {
		ct = "application/json"
	}
	w.start(ct)
	if h.Body != nil {
		w.write([]byte(rawExpand(p, *h.Body)))
	}
	if h.JSON != nil {
		w.write([]byte(p.expand(compact(h.JSON))))
	}
	for _, c := range h.Chunks {
		var s string
		if json.Unmarshal(c, &s) == nil {
			w.write([]byte(rawExpand(p, s)))
			continue
		}
		var o struct {
			SleepMS int    `json:"sleep_ms"`
			B64     string `json:"raw_b64"`
			Repeat  int    `json:"repeat"`
			Text    string `json:"text"`
		}
		json.Unmarshal(c, &o)
		time.Sleep(ms(int64(o.SleepMS)))
		if o.B64 != "" {
			b, _ := base64.StdEncoding.DecodeString(o.B64)
			w.write(b)
		}
		for i := 0; i < o.Repeat; i++ {
			p.n = i
			w.write([]byte(rawExpand(p, o.Text)))
		}
	}
	if f, ok := w.rw.(http.Flusher); ok {
		f.Flush()
	}
	if h.Hold > 0 {
		t := time.After(ms(int64(h.Hold)))
		select {
		case <-t:
		case <-w.req.Context().Done():
			p.report("client-closed", map[string]any{"method": w.req.Method})
		}
	}
	if h.Abort {
		panic(http.ErrAbortHandler)
	}
}
