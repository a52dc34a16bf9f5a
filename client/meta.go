package client

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
)

// The keys of a request's _meta (basic/index, 2026-07-28).
const (
	MetaPrefix             = "io.modelcontextprotocol/"
	MetaProtocolVersion    = MetaPrefix + "protocolVersion"
	MetaClientCapabilities = MetaPrefix + "clientCapabilities"
	MetaClientInfo         = MetaPrefix + "clientInfo"
	MetaServerInfo         = MetaPrefix + "serverInfo"
	MetaProgressToken      = "progressToken"
)

// MetaKey overrides one key of _meta for a call: with Value it is sent as that JSON, without one
// it is left out, also when it is required.
type MetaKey struct {
	Key   string
	Value []byte // raw JSON; empty leaves the key out
}

// ParseMeta reads a --meta word: KEY=JSON, or KEY- to leave a key out. A value that is no JSON
// is an error, since a forgotten quote would otherwise change the type in silence.
func ParseMeta(word string) (MetaKey, error) {
	key, value, ok := strings.Cut(word, "=")
	if !ok {
		if key, left := strings.CutSuffix(word, "-"); left && key != "" {
			return MetaKey{Key: key}, nil
		}
		return MetaKey{}, fmt.Errorf("malformed _meta override %q: write KEY=JSON, or KEY- to leave a key out", word)
	}
	if key == "" {
		return MetaKey{}, fmt.Errorf("malformed _meta override %q: the key is empty", word)
	}
	if !utf8.ValidString(word) {
		return MetaKey{}, fmt.Errorf("malformed _meta override %q: it has bytes that are no UTF-8, and JSON cannot carry them", word)
	}
	if !ValidJSON([]byte(value)) {
		return MetaKey{}, fmt.Errorf("the value of _meta key %q is no JSON: %s; text needs quotes: '%s=\"…\"'", key, value, key)
	}
	return MetaKey{Key: key, Value: []byte(value)}, nil
}

// ReservedMeta reports whether a _meta key lies under a prefix that is reserved for the
// specification: its second label is modelcontextprotocol or mcp (2511 and later).
func ReservedMeta(key string) bool {
	prefix, _, ok := strings.Cut(key, "/")
	if !ok {
		return false
	}
	labels := strings.Split(prefix, ".")
	return len(labels) >= 2 && (labels[1] == "modelcontextprotocol" || labels[1] == "mcp")
}

// reservedUnknown reports whether a key is reserved and none of those that a request may carry.
func reservedUnknown(key string) bool {
	switch key {
	case MetaProtocolVersion, MetaClientCapabilities, MetaClientInfo, MetaPrefix + "logLevel":
		return false
	}
	return ReservedMeta(key)
}

// ReservedWarnings says which overrides lie under a reserved prefix without being known.
func ReservedWarnings(keys []MetaKey) (warnings []string) {
	for _, k := range keys {
		if len(k.Value) > 0 && reservedUnknown(k.Key) {
			warnings = append(warnings, fmt.Sprintf("the _meta key %q lies under a prefix that is reserved for the specification; servers may refuse it", k.Key))
		}
	}
	return warnings
}

// metaKeys merges what we send with what the person wants: overrides win, key by key.
func metaKeys(standard, wanted []MetaKey) []MetaKey {
	out := append([]MetaKey(nil), standard...)
next:
	for _, w := range wanted {
		for i := range out {
			if out[i].Key == w.Key {
				out[i].Value = w.Value
				continue next
			}
		}
		out = append(out, w)
	}
	return out
}

// appendParams appends the params member's value: the person's object as it was written, with
// _meta merged in. Keys of a _meta inside params count as wanted; overrides win over them.
// It returns dst unchanged when there is nothing to send.
func appendParams(dst, params []byte, standard, overrides []MetaKey) []byte {
	meta := Get(params, "_meta")
	if len(params) > 0 && !isObject(params) || meta != nil && !isObject(meta) {
		return append(dst, params...) // wrong on purpose: there is no place for our keys
	}
	var own []MetaKey
	for name, value := range Members(meta) {
		key, _ := Text(name)
		own = append(own, MetaKey{key, value})
	}
	keys := metaKeys(metaKeys(standard, own), overrides)
	sent := 0
	for _, k := range keys {
		if len(k.Value) > 0 {
			sent++
		}
	}
	if sent == 0 && len(own) == 0 {
		return append(dst, params...)
	}
	dst = append(dst, '{')
	first := true
	for name, value := range Members(params) {
		if nameIs(name, "_meta") {
			continue
		}
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = append(append(append(dst, name...), ':'), value...)
	}
	if !first {
		dst = append(dst, ',')
	}
	dst = append(dst, `"_meta":{`...)
	first = true
	for _, k := range keys {
		if len(k.Value) == 0 {
			continue
		}
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = append(append(AppendQuote(dst, k.Key), ':'), k.Value...)
	}
	return append(dst, '}', '}')
}

func isObject(b []byte) bool {
	b = bytes.TrimLeft(b, " \t\r\n")
	return len(b) > 0 && b[0] == '{'
}
