package client

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"syscall"
	"time"
)

// Codes of TLS alerts (RFC 8446, 6) that a server sends when it is not content with us.
const (
	alertBadCertificate      = 42
	alertProtocolVersion     = 70
	alertCertificateRequired = 116
)

// distrust says why TLS was not agreed on, and what a person can do about it; empty texts for any
// other error.
func distrust(err error) (text, hint string) {
	var (
		unknown x509.UnknownAuthorityError
		host    x509.HostnameError
		invalid x509.CertificateInvalidError
		record  tls.RecordHeaderError
	)
	const trust = "to trust who signed it: --ca-file FILE, which holds their certificate in PEM form; to check nothing, for a test: --insecure"
	switch {
	case errors.As(err, &unknown):
		c := unknown.Cert
		switch {
		case c == nil:
			text = "its certificate is signed by nobody that is trusted here"
		case bytes.Equal(c.RawIssuer, c.RawSubject):
			text = "its certificate is signed by itself, which nobody here trusts"
		default:
			text = fmt.Sprintf("its certificate is signed by %s, which is not trusted here", Excerpt(Quote(c.Issuer.String())))
		}
		return text, trust
	case errors.As(err, &host):
		return fmt.Sprintf("its certificate is for %s, and not for %s", certified(host.Certificate), host.Host),
			"to use a name that it is for, or to have one made for this one; to check nothing, for a test: --insecure"
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired && invalid.Cert != nil:
		now := time.Now()
		if from := invalid.Cert.NotBefore; now.Before(from) {
			return fmt.Sprintf("its certificate is valid from %s on, and here it is %s", day(from), day(now)),
				"is the clock right, here and where it was made? To check nothing, for a test: --insecure"
		}
		return fmt.Sprintf("its certificate has expired: it was valid until %s", day(invalid.Cert.NotAfter)),
			"the server needs a new one; to check nothing, for a test: --insecure"
	case errors.As(err, &invalid):
		return "its certificate is not valid: " + invalid.Error(), "to check nothing, for a test: --insecure"
	case errors.Is(err, http.ErrSchemeMismatch):
		return "it speaks HTTP without TLS", "to speak so, too: http:// in place of https://"
	case errors.As(err, &record):
		return "it does not speak TLS", "is the port right? A server without TLS has an address with http://"
	case alerted(err, alertCertificateRequired), alerted(err, alertBadCertificate):
		return "it asks for a certificate of its client", "there is no way to give one here: a proxy that adds it can stand between"
	case alerted(err, alertProtocolVersion):
		return "it has no version of TLS from 1.2 on", ""
	}
	return "", ""
}

// alerted reports whether the server ended TLS with that alert: its type is not exported, its text is.
func alerted(err error, code tls.AlertError) bool {
	var op *net.OpError
	return errors.As(err, &op) && op.Op == "remote error" && op.Err.Error() == code.Error()
}

// day is a time of a certificate; a clock may stand wrong by hours.
func day(t time.Time) string { return t.UTC().Format("2006-01-02 15:04 UTC") }

// maxCertified is how many names of a certificate are told.
const maxCertified = 4

// certified names the hosts that a certificate is for. What it says is the server's text.
func certified(c *x509.Certificate) string {
	if c == nil {
		return "another name"
	}
	names := append([]string(nil), c.DNSNames...)
	for _, ip := range c.IPAddresses {
		names = append(names, ip.String())
	}
	if len(names) == 0 {
		return "no name"
	}
	more := ""
	if left := len(names) - maxCertified; left > 0 {
		names, more = names[:maxCertified], fmt.Sprintf(" and %d more", left)
	}
	for i, name := range names {
		names[i] = strings.Trim(Excerpt(Quote(name)), `"`)
	}
	return strings.Join(names, ", ") + more
}

// proxyError is a proxy of the environment that does not let us through.
type proxyError struct {
	Host, Said string
	Status     int
}

func (e *proxyError) Error() string {
	return fmt.Sprintf("the proxy %s of the environment (HTTPS_PROXY) answered CONNECT with %q", e.Host, e.Said)
}

// through is the proxy that a reply came from, or through, in the clear: a tunnel shows the server's own
// replies. Empty for none.
func through(r *http.Request) string {
	if r == nil || r.URL.Scheme != "http" {
		return ""
	}
	proxy, err := http.ProxyFromEnvironment(r)
	if err != nil || proxy == nil {
		return ""
	}
	return proxy.Host
}

// secured reports whether the refusal is that of a server which speaks TLS on this port. They have no
// status for it.
func (e *HTTPError) secured() bool {
	return e.Status == http.StatusBadRequest && strings.HasPrefix(e.URL, "http://") &&
		(bytes.Contains(e.Body, []byte("HTTP request to an HTTPS server")) || bytes.Contains(e.Body, []byte("HTTP request was sent to HTTPS port")))
}

// Told is an error in words, and behind a semicolon what to do about it, where that is known.
func Told(err error) string {
	if web := (*HTTPError)(nil); errors.As(err, &web) && web.Hint() != "" {
		return err.Error() + "; " + web.Hint()
	}
	return err.Error()
}

// Hint is what to do about it; empty when nothing is known.
func (e *HTTPError) Hint() string {
	var proxy *proxyError
	refused := e.Status
	if errors.As(e.Err, &proxy) {
		refused = proxy.Status
	}
	switch {
	case e.Auth():
		return "to send a token: --bearer-env NAME, where the variable NAME holds it; any other header: -H 'Name: value'"
	case refused == http.StatusProxyAuthRequired:
		return "the proxy asks who you are: a name and password stand in its variable, as in http://NAME:PASSWORD@HOST:PORT"
	case e.Proxy != "" && e.Status >= http.StatusInternalServerError, proxy != nil:
		return "to go past the proxy: NO_PROXY=HOST in the environment"
	case e.secured():
		return "it speaks TLS on this port: https:// in place of http://"
	case e.Status/100 == 2 && e.Kind == "text/html":
		return "this is a page for people: the address of the endpoint has another path, often /mcp"
	case e.Status != 0:
		return ""
	case errors.Is(e.Err, syscall.ECONNREFUSED):
		return "nothing listens there: is the server running, and on this port?"
	}
	_, hint := distrust(e.Err)
	return hint
}
