package main

import (
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"

	"example.com/mcpinspect/client/demo/rpc"
)

// maxBody bounds what a client may send in one POST.
const maxBody = 1 << 20

// tokenVariable holds the bearer token that the server wants over HTTP; without it none.
const tokenVariable = "DEVSERVER_TOKEN"

// serveHTTP answers POST /mcp and the two probes of an operator. The Origin is checked before the token,
// so that a page in a browser learns nothing of tokens.
func serveHTTP(addr string) error {
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "devserver: http://%s/mcp\n", listener.Addr())
	mux := http.NewServeMux()
	for _, path := range []string{"/healthz", "/readyz"} {
		mux.HandleFunc("GET "+path, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "ok") })
	}
	slots := make(chan struct{}, atOnce)
	mux.HandleFunc("/mcp", func(w http.ResponseWriter, r *http.Request) {
		slots <- struct{}{}
		defer func() { <-slots }()
		post(w, r, os.Getenv(tokenVariable))
	})
	return http.Serve(listener, mux)
}

func post(w http.ResponseWriter, r *http.Request, token string) {
	switch given, has := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); {
	case !local(r.Header.Get("Origin")):
		http.Error(w, "this origin may not speak with the server", http.StatusForbidden)
		return
	case token != "" && (!has || subtle.ConstantTimeCompare([]byte(given), []byte(token)) == 0):
		w.Header().Set("WWW-Authenticate", `Bearer realm="mcp-devserver"`)
		http.Error(w, "a token is needed", http.StatusUnauthorized)
		return
	case r.Method != http.MethodPost:
		w.Header().Set("Allow", http.MethodPost)
		http.Error(w, "POST only", http.StatusMethodNotAllowed)
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if tooLong := (*http.MaxBytesError)(nil); errors.As(err, &tooLong) {
		http.Error(w, "the body is too long", http.StatusRequestEntityTooLarge)
		return
	} else if err != nil {
		return // the client has gone
	}
	m, fault := rpc.Parse(body)
	if rpc.Elements(body) != nil {
		fault = &rpc.Error{Code: rpc.InvalidRequest, Message: "batches are not part of this revision"}
	}
	if fault == nil && !m.IsRequest() {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	if fault == nil {
		fault = crossCheck(r.Header, m)
	}
	var result rpc.Object
	if fault == nil {
		result, fault = answer(m)
	}
	w.Header().Set("Content-Type", "application/json")
	if fault == nil {
		rpc.NewWriter(w).Send(rpc.Result(m.ID, result))
		return
	}
	status := http.StatusBadRequest
	if fault.Code == rpc.MethodNotFound {
		status = http.StatusNotFound
	}
	w.WriteHeader(status)
	rpc.NewWriter(w).Send(rpc.Failure(m.ID, fault))
}

// headerMismatch is the code of a header that disagrees with the body.
const headerMismatch = -32020

// crossCheck holds the headers against the body (basic/transports/streamable-http).
func crossCheck(h http.Header, m rpc.Message) *rpc.Error {
	params := rpc.Members(m.Params)
	version, _ := rpc.Text(rpc.Meta(m.Params)[rpc.KeyVersion])
	want := [][2]string{{"Mcp-Protocol-Version", version}, {"Mcp-Method", m.Method}}
	if name, is := rpc.Text(params["name"]); is && m.Method == "tools/call" {
		want = append(want, [2]string{"Mcp-Name", name})
	}
	for _, kv := range want {
		if got := h.Get(kv[0]); m.Method != "initialize" && got != kv[1] {
			return &rpc.Error{Code: headerMismatch, Message: fmt.Sprintf("the header %s is %q, the body says %q", kv[0], got, kv[1])}
		}
	}
	return nil
}

// local reports whether a request may come from a page: none, or one of this machine.
func local(origin string) bool {
	u, err := url.Parse(origin)
	return origin == "" || err == nil && (u.Hostname() == "localhost" || net.ParseIP(u.Hostname()).IsLoopback())
}
