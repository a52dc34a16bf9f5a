package schema

import (
	"net/mail"
	"net/netip"
	"net/url"
	"strings"
	"time"
)

// wrongFormat says what a text should be when it does not have its format; ""
// when it does, or when the format is not known. Formats only ever warn.
func wrongFormat(format, text string) (wanted string) {
	ok := true
	switch format {
	case "date":
		_, err := time.Parse(time.DateOnly, text)
		wanted, ok = "a date like 2026-07-28", err == nil
	case "date-time":
		_, err := time.Parse(time.RFC3339, strings.ToUpper(text))
		wanted, ok = "a date and time like 2026-07-28T09:30:00Z", err == nil || leapSecond(text)
	case "time":
		_, err := time.Parse(time.RFC3339, "2026-07-28T"+strings.ToUpper(text))
		wanted, ok = "a time like 09:30:00Z", err == nil || leapSecond("2026-07-28T"+text)
	case "email", "idn-email":
		a, err := mail.ParseAddress(text)
		wanted, ok = "an email address", err == nil && a.Name == "" && strings.Contains(text, "@") && !strings.ContainsAny(text, "<> ")
	case "ipv4":
		a, err := netip.ParseAddr(text)
		wanted, ok = "an IPv4 address", err == nil && a.Is4()
	case "ipv6":
		a, err := netip.ParseAddr(text)
		wanted, ok = "an IPv6 address", err == nil && a.Is6() && a.Zone() == ""
	case "uri", "url":
		u, err := url.Parse(text)
		wanted, ok = "a URI with a scheme", err == nil && u.Scheme != "" && !strings.ContainsAny(text, " \t\n\"<>\\^`{|}")
	case "uri-reference":
		_, err := url.Parse(text)
		wanted, ok = "a URI reference", err == nil && !strings.ContainsAny(text, " \t\n\"<>\\^`{|}")
	case "uuid":
		wanted, ok = "a UUID", isUUID(text)
	case "hostname":
		wanted, ok = "a host name", isHostname(text)
	case "json-pointer":
		_, err := Tokens(text)
		wanted, ok = "a JSON pointer", err == nil
	case "regex":
		m, err := newMatcher(text)
		wanted, ok = "a regular expression", err == nil && m.compile() == nil
	}
	if ok {
		return ""
	}
	return wanted
}

// leapSecond reports a time that is right but for its sixtieth second.
func leapSecond(text string) bool {
	if len(text) < len("2006-01-02T15:04:60") || text[17:19] != "60" {
		return false
	}
	_, err := time.Parse(time.RFC3339, strings.ToUpper(text[:17]+"59"+text[19:]))
	return err == nil
}

func isUUID(text string) bool {
	if len(text) != 36 {
		return false
	}
	for i := range len(text) {
		if i == 8 || i == 13 || i == 18 || i == 23 {
			if text[i] != '-' {
				return false
			}
		} else if !strings.ContainsRune("0123456789abcdefABCDEF", rune(text[i])) {
			return false
		}
	}
	return true
}

func isHostname(text string) bool {
	if text == "" || len(text) > 253 {
		return false
	}
	for _, label := range strings.Split(strings.TrimSuffix(text, "."), ".") {
		if label == "" || len(label) > 63 || label[0] == '-' || label[len(label)-1] == '-' {
			return false
		}
		for _, c := range label {
			if c != '-' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') {
				return false
			}
		}
	}
	return true
}
