package client

import (
	"bytes"
	"errors"
	"fmt"
	"html"
	"net/http"
	"strings"
	"unicode/utf8"
)

// HTTPError is a message that could not be delivered, or whose reply is no answer.
type HTTPError struct {
	Method, ID string // of the message
	URL        string
	Proxy      string   // of the environment, which the reply came from or through; empty for none
	Status     int      // 0 when no reply came
	Challenge  []string // WWW-Authenticate of 401 and 403, as sent
	Kind       string   // media type of the body
	Body       []byte   // its first bytes
	Expired    bool     // the server does not know our session any more
	Cut        bool     // the reply broke off
	Err        error    // what went wrong when it is not the status
}

func (e *HTTPError) Unwrap() error { return e.Err }

// Auth reports whether the server wants to know who we are, or refuses who we are.
func (e *HTTPError) Auth() bool {
	return e.Status == http.StatusUnauthorized || e.Status == http.StatusForbidden
}

// NoAnswer reports whether the server took the message and what it sent back is no answer.
func (e *HTTPError) NoAnswer() bool {
	return e.Status/100 == 2 && !e.Cut && e.Method != MethodDiscover && e.Method != MethodInitialize
}

// Closed reports whether it ended because we closed the connection.
func (e *HTTPError) Closed() bool { return errors.Is(e.Err, errClosing) }

// pair reports whether the refusal of initialize is one that a server of HTTP+SSE gives (backwards
// compatibility in basic/transports of the later revisions).
func (e *HTTPError) pair() bool {
	return e.Status == http.StatusBadRequest || e.Status == http.StatusNotFound || e.Status == http.StatusMethodNotAllowed
}

// legacy reports whether the refusal of a request of the stateless era says that the server is of
// the other. Who we are, and what passes by itself, says nothing of it.
func (e *HTTPError) legacy() bool {
	return e.Status/100 == 4 && !e.Auth() && e.Status != http.StatusTooManyRequests && e.Status != http.StatusRequestTimeout &&
		e.Status != http.StatusProxyAuthRequired && !e.secured()
}

func (e *HTTPError) Error() string {
	var b strings.Builder
	if e.Method != "" {
		b.WriteString(e.Method)
		if e.ID != "" {
			fmt.Fprintf(&b, " (id %s)", e.ID)
		}
		b.WriteString(": ")
	}
	switch {
	case e.Status == 0:
		if errors.Is(e.Err, errNoAnswer) || errors.Is(e.Err, errClosing) || errors.Is(e.Err, errStreamEnded) || errors.Is(e.Err, errGivenUp) {
			b.WriteString(e.Err.Error())
			return b.String()
		}
		if there := (*noReplyError)(nil); errors.As(e.Err, &there) {
			fmt.Fprintf(&b, "%s gave no reply: %s", e.URL, reason(e.Err))
		} else {
			fmt.Fprintf(&b, "%s cannot be reached: %s", e.URL, reason(e.Err))
		}
		return b.String()
	case e.Expired:
		b.WriteString("the session has expired: 404 at " + e.URL)
	case e.Status == http.StatusNotFound:
		fmt.Fprintf(&b, "404 at %s: nothing there; is the path right?", e.URL)
	case e.Status == http.StatusAccepted && e.ID != "":
		fmt.Fprintf(&b, "202 Accepted for a request: no answer will come")
	case e.Status/100 == 2 && e.Err != nil:
		fmt.Fprintf(&b, "%d %s, but %s", e.Status, http.StatusText(e.Status), reason(e.Err))
	case e.Err != nil:
		fmt.Fprintf(&b, "%d %s: %s", e.Status, http.StatusText(e.Status), reason(e.Err))
	default:
		b.WriteString(strings.TrimSpace(fmt.Sprint(e.Status, " ", http.StatusText(e.Status))))
		if e.Status == http.StatusUnauthorized && len(e.Challenge) == 0 {
			b.WriteString(", no WWW-Authenticate header,")
		}
		b.WriteString(" at " + e.URL)
	}
	if e.Proxy != "" {
		fmt.Fprintf(&b, " by the proxy %s of the environment (HTTP_PROXY)", e.Proxy)
	}
	if s := e.said(); s != "" {
		b.WriteString("; it says: " + s)
	}
	return b.String()
}

// said is the beginning of the body, on one line.
func (e *HTTPError) said() string { return shortened(e.words(), maxSaid) }

// maxSaid is how much is repeated of what a server says, maxChallenge of a header that tells what
// it asks for: a line that a person reads. The rest is in the log.
const (
	maxSaid      = 200
	maxChallenge = 1 << 10
)

// shortened cuts a text between characters.
func shortened(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:most] + "..."
}

func (e *HTTPError) words() string {
	body := bytes.TrimSpace(e.Body)
	if m := GetText(body, "error", "message"); ValidJSON(body) && m != "" {
		return m
	}
	if len(body) == 0 {
		return ""
	}
	if e.Kind == "text/html" {
		return strings.TrimSuffix("an HTML page, "+pageText(string(body)), ", ")
	}
	return strings.Join(strings.Fields(strings.ToValidUTF8(string(body), "\ufffd")), " ")
}

// pageText is the title of an HTML page, else its first text.
func pageText(page string) string {
	from := max(strings.Index(strings.ToLower(page), "<title"), 0)
	for rest := page[from:]; rest != ""; {
		open := strings.IndexByte(rest, '<')
		if open < 0 {
			open = len(rest)
		}
		if words := strings.Fields(rest[:open]); len(words) > 0 {
			return html.UnescapeString(strings.Join(words, " "))
		}
		end := strings.IndexByte(rest[open:], '>')
		if end < 0 {
			break
		}
		rest = rest[open+end+1:]
	}
	return ""
}

// Details are what the person needs to know beside the message: what was asked for.
func (e *HTTPError) Details() (lines []string) {
	for _, c := range e.Challenge {
		lines = append(lines, "the server asks for: "+shortened(c, maxChallenge))
	}
	return lines
}
