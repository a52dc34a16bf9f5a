package client

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Address is a server that is reached over HTTP.
type Address struct {
	URL    string
	Header [][2]string // added to every request
	Bearer string      // token; empty for none
	// BearerEnv is the variable that Bearer came from, for who has to name it; empty for none.
	BearerEnv string
	CAFile    string // further roots, PEM
	Insecure  bool   // check no certificate
	MaxBody   int    // bytes that are read of a reply that is no event stream; 0 means DefaultMaxLine

	// Params are the arguments that a tool wants as headers; nil for none of any tool.
	Params func(tool string) []HeaderParam
}

// AddressError is an address, or a setting for it, that cannot be used.
type AddressError struct{ Text, Hint string }

func (e *AddressError) Error() string { return e.Text }

// ParseURL reads the address of a server.
func ParseURL(s string) (*url.URL, error) {
	u, err := url.Parse(s)
	switch {
	case err != nil:
		return nil, &AddressError{Text: fmt.Sprintf("%q is no address: %v", s, errors.Unwrap(err))}
	case u.Scheme != "http" && u.Scheme != "https":
		return nil, &AddressError{Text: fmt.Sprintf("%q is no address over HTTP", s), Hint: "it begins with http:// or https://"}
	case u.Host == "":
		return nil, &AddressError{Text: fmt.Sprintf("%q names no host", s), Hint: "as in http://localhost:8080/mcp"}
	case !portOK(u.Port()):
		return nil, &AddressError{Text: fmt.Sprintf("%q has no port %s: the largest is %d", s, u.Port(), math.MaxUint16)}
	case u.User != nil:
		return nil, &AddressError{Text: "a name and password in the address would stand in every log", Hint: "give a token by --bearer-env NAME, or a header by -H"}
	}
	u.Fragment, u.RawFragment = "", ""
	return u, nil
}

// portOK takes an empty port for that of the scheme.
func portOK(digits string) bool {
	_, err := strconv.ParseUint(digits, 10, 16)
	return digits == "" || err == nil
}

// HeaderOK reports whether a header can be sent as it is (RFC 9110 section 5.5).
func HeaderOK(name, value string) bool {
	for i := 0; i < len(value); i++ {
		if c := value[i]; c < ' ' && c != '\t' || c == 0x7f {
			return false
		}
	}
	return token(name)
}

// HeaderFree reports whether a header may be chosen: those of the framing follow from the body, and
// would be left out in silence.
func HeaderFree(name string) bool {
	switch http.CanonicalHeaderKey(name) {
	case "Content-Length", "Transfer-Encoding", "Trailer":
		return false
	}
	return true
}

// roundTripper is what requests go through: the proxies of the environment, no compression, so that
// bytes are what the server wrote.
func (a *Address) roundTripper() (http.RoundTripper, error) {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.DisableCompression = true
	t.MaxConnsPerHost = 0
	t.OnProxyConnectResponse = func(_ context.Context, proxy *url.URL, _ *http.Request, resp *http.Response) error {
		if resp.StatusCode != http.StatusOK {
			return &proxyError{Host: proxy.Host, Said: resp.Status, Status: resp.StatusCode}
		}
		return nil
	}
	t.TLSClientConfig = &tls.Config{InsecureSkipVerify: a.Insecure}
	if a.CAFile != "" {
		pem, err := os.ReadFile(a.CAFile)
		if err != nil {
			return nil, &AddressError{Text: fmt.Sprintf("--ca-file %s cannot be read: %s", a.CAFile, Reason(err))}
		}
		pool, err := x509.SystemCertPool()
		if err != nil {
			pool = x509.NewCertPool()
		}
		if !pool.AppendCertsFromPEM(pem) {
			return nil, &AddressError{Text: fmt.Sprintf("--ca-file %s holds no certificate", a.CAFile), Hint: "it must be in PEM form: -----BEGIN CERTIFICATE-----"}
		}
		t.TLSClientConfig.RootCAs = pool
	}
	return t, nil
}

// facts are what is measured of one exchange.
type facts struct {
	door Door

	mu                sync.Mutex
	sent              time.Duration
	connected, reused bool
	dial, dialed      time.Duration
	shake, shaken     time.Duration
	resolve, resolved time.Duration
}

func (f *facts) begin() {
	f.mu.Lock()
	f.sent = f.door.Now()
	f.mu.Unlock()
}

func (f *facts) trace(ctx context.Context) context.Context {
	at := func(d *time.Duration) {
		f.mu.Lock()
		*d = f.door.Now()
		f.mu.Unlock()
	}
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn: func(i httptrace.GotConnInfo) {
			f.mu.Lock()
			f.connected, f.reused = true, i.Reused
			f.mu.Unlock()
		},
		DNSStart:          func(httptrace.DNSStartInfo) { at(&f.resolve) },
		DNSDone:           func(httptrace.DNSDoneInfo) { at(&f.resolved) },
		ConnectStart:      func(_, _ string) { at(&f.dial) },
		ConnectDone:       func(_, _ string, _ error) { at(&f.dialed) },
		TLSHandshakeStart: func() { at(&f.shake) },
		TLSHandshakeDone:  func(tls.ConnectionState, error) { at(&f.shaken) },
	})
}

// failed is why no reply came.
func (f *facts) failed(err error) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.connected {
		return &noReplyError{err}
	}
	return err
}

// text says how long the head of the reply took, and over what.
func (f *facts) text(resp *http.Response) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	var b strings.Builder
	fmt.Fprintf(&b, ", %s after the request", round(f.door.Now()-f.sent))
	if f.reused {
		return b.String()
	}
	b.WriteString(", on a new connection (")
	if f.resolved > f.resolve {
		fmt.Fprintf(&b, "name %s, ", round(f.resolved-f.resolve))
	}
	fmt.Fprintf(&b, "connect %s", round(f.dialed-f.dial))
	if s := resp.TLS; s != nil {
		fmt.Fprintf(&b, ", %s in %s", tls.VersionName(s.Version), round(f.shaken-f.shake))
		if len(s.PeerCertificates) > 0 {
			c := s.PeerCertificates[0]
			fmt.Fprintf(&b, ", certificate of %s until %s", c.Subject.CommonName, c.NotAfter.Format(time.DateOnly))
		}
	}
	b.WriteByte(')')
	return b.String()
}

func round(d time.Duration) time.Duration { return d.Round(10 * time.Microsecond) }

// noReplyError is an exchange that got as far as the server.
type noReplyError struct{ error }

func (e *noReplyError) Unwrap() error { return e.error }

// reason is why an exchange failed, in as few words as say it.
func reason(err error) string {
	var ue *url.Error
	if errors.As(err, &ue) {
		err = ue.Err
	}
	var op *net.OpError
	var dns *net.DNSError
	if text, _ := distrust(err); text != "" {
		return text
	}
	switch {
	case errors.As(err, &op) && op.Op == "proxyconnect":
		return "the proxy of the environment (HTTP_PROXY, HTTPS_PROXY) cannot be reached: " + reason(op.Err)
	case errors.Is(err, io.EOF):
		return "it closed the connection"
	case errors.As(err, &dns):
		return fmt.Sprintf("there is no host %q", dns.Name)
	case errors.As(err, &op):
		return op.Err.Error()
	}
	// What net/http says before it comes to the point.
	return strings.TrimPrefix(strings.TrimPrefix(err.Error(), "net/http: HTTP/1.x transport connection broken: "), "net/http: ")
}
