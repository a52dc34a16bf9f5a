package client

import (
	"fmt"
	"strings"
	"testing"
)

func TestHeaderValue(t *testing.T) {
	for in, want := range map[string]string{
		"us-west1": "us-west1", "us west 1": "us west 1", "": "",
		" padded ": "=?base64?IHBhZGRlZCA=?=", "Hello, 世界": "=?base64?SGVsbG8sIOS4lueVjA==?=",
		"=?base64?literal?=": "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?=", "a\nb": "=?base64?YQpi?=", "tab\tinside": "tab\tinside", "tab\t": "=?base64?dGFiCQ==?=",
	} {
		if got := HeaderValue(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestParamValue(t *testing.T) {
	for in, want := range map[string]string{
		`"a b"`: "a b", `42`: "42", `1.0`: "1", `1e2`: "100", `-7`: "-7", `1.5`: "1.5", `true`: "true", `1e999999999`: "1e999999999", `9007199254740993`: "9007199254740993", // beyond 2^53 the digits are kept
		`null`: "-", `{"a":1}`: "-", `[1]`: "-", ``: "-",
	} {
		got, ok := paramValue([]byte(in))
		if !ok {
			got = "-"
		}
		if got != want {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
	}
}

func TestHeaderParams(t *testing.T) {
	for in, want := range map[string]string{
		`{}`: "[]", `true`: "[]", ``: "[]",
		`{"properties":{"a":{"type":"string","x-mcp-header":"Region"},"b":{"properties":{"c":{"type":"integer","x-mcp-header":"Zone"}}}}}`: "[{Region [a]} {Zone [b c]}]",
		`{"properties":{"x-mcp-header":{"type":"string"}}}`:                                                  "[]",
		`{"properties":{"a":{"type":"string","x-mcp-header":"A"},"b":{"type":"string","x-mcp-header":"a"}}}`: `"a" occurs twice`,
		`{"properties":{"a":{"type":"string","x-mcp-header":"no space"}}}`:                                   "is no header name",
		`{"properties":{"a":{"type":"string","x-mcp-header":7}}}`:                                            "is no header name",
		`{"properties":{"a":{"type":"number","x-mcp-header":"A"}}}`:                                          `stands on type "number"`,
		`{"properties":{"a":{"type":"object","x-mcp-header":"A"}}}`:                                          `stands on type "object"`,
		`{"properties":{"a":{"items":{"type":"string","x-mcp-header":"A"}}}}`:                                `stands below "items"`,
		`{"anyOf":[{"properties":{"a":{"type":"string","x-mcp-header":"A"}}}]}`:                              `stands below "anyOf"`,
		`{"$defs":{"d":{"type":"string","x-mcp-header":"A"}}}`:                                               `stands below "$defs"`,
	} {
		params, err := HeaderParams([]byte(in))
		got := fmt.Sprint(params)
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}

func TestParseURL(t *testing.T) {
	for in, want := range map[string]string{
		"http://localhost:8080/mcp#x": "http://localhost:8080/mcp", "https://[::1]/": "https://[::1]/",
		"ftp://x": "no address over HTTP", "http://": "names no host", "http://u:p@x/": "a name and password", "http://x:port/": "is no address", "http://a b/": "is no address",
	} {
		u, err := ParseURL(in)
		got := fmt.Sprint(u)
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}

func TestHTTPErrorTexts(t *testing.T) {
	for want, e := range map[string]HTTPError{
		"tools/call (id 3): 502 Bad Gateway at http://x/; it says: gone":                            {Method: "tools/call", ID: "3", URL: "http://x/", Status: 502, Body: []byte(" gone\n")},
		"400 Bad Request at http://x/; it says: no session":                                         {URL: "http://x/", Status: 400, Body: []byte(`{"error":{"message":"no session"}}`)},
		"401 Unauthorized, no WWW-Authenticate header, at http://x/; it says: an HTML page":         {URL: "http://x/", Status: 401, Kind: "text/html", Body: []byte("<p")},
		"the session has expired: 404 at http://x/":                                                 {URL: "http://x/", Status: 404, Expired: true},
		"500 Internal Server Error at http://x/; it says: \ufffd" + strings.Repeat("é", 98) + "...": {URL: "http://x/", Status: 500, Body: []byte("\xff" + strings.Repeat("é", 200))},
		"500 Internal Server Error at http://x/; it says: an HTML page, Bad & worse":                {URL: "http://x/", Status: 500, Kind: "text/html", Body: []byte("<html>\n<style></style><h1>\nBad &amp;\n worse</h1>")},
		"500 Internal Server Error at http://x/; it says: an HTML page, the title":                  {URL: "http://x/", Status: 500, Kind: "text/html", Body: []byte("<h1>x</h1><TITLE>the title</TITLE>")},
	} {
		if got := e.Error(); got != want {
			t.Errorf("%s\nwant %s", got, want)
		}
	}
}

// TestProxyRefusals: what a proxy answers in the place of the server says nothing of the server, and that
// it was the proxy.
func TestProxyRefusals(t *testing.T) {
	asks := HTTPError{URL: "http://x/", Proxy: "p:1", Status: 407}
	if got := asks.Error(); !strings.HasSuffix(got, " by the proxy p:1 of the environment (HTTP_PROXY)") {
		t.Error(got)
	}
	if asks.legacy() {
		t.Error("407 is taken for a server of the handshake era")
	}
	for want, e := range map[string]HTTPError{
		"http://NAME:PASSWORD@HOST:PORT": asks,
		"NAME:PASSWORD":                  {URL: "https://x/", Err: fmt.Errorf("x: %w", &proxyError{Host: "p:1", Said: "407 No", Status: 407})},
		"NO_PROXY":                       {URL: "http://x/", Proxy: "p:1", Status: 502},
		"past the proxy: NO_PROXY":       {URL: "https://x/", Err: &proxyError{Host: "p:1", Said: "502 No", Status: 502}},
	} {
		if got := e.Hint(); !strings.Contains(got, want) {
			t.Errorf("%q, want %s", got, want)
		}
	}
	own := HTTPError{URL: "http://x/", Status: 502}
	if got := own.Hint(); got != "" {
		t.Error(got)
	}
}
