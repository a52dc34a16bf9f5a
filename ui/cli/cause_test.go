package cli

import "testing"

func TestAddressIn(t *testing.T) {
	for line, want := range map[string]string{
		"INFO:     Uvicorn running on http://127.0.0.1:8000 (Press CTRL+C to quit)": "http://127.0.0.1:8000",
		"Server listening on http://localhost:3000/mcp.":                            "http://localhost:3000/mcp",
		`url="http://[::1]:80/"`:                                                    "http://[::1]:80/",
		"see https://example.com/docs":                                              "",
		"http://":                                                                   "",
		"":                                                                          "",
		"listening on \x1b[1mhttps://0.0.0.0:8443\x1b[0m": "https://0.0.0.0:8443",
	} {
		if got := addressIn(line); got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}
