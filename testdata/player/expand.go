package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
)

var fillRe = regexp.MustCompile(`\$(fill|lines|b64):(\d+)`)
var envRe = regexp.MustCompile(`\$env:([A-Za-z_][A-Za-z0-9_]*)`)
var idRe = regexp.MustCompile(`"\$id(?::([a-z0-9_]+))?([+-]\d+)?"`)
var paramRe = regexp.MustCompile(`"\$params((?:\.[A-Za-z0-9_/\-]+|\[[^\]"]+\])*)"`)

// expand replaces placeholders in the JSON text of an outgoing message.
func (p *player) expand(s string) string {
	s = idRe.ReplaceAllStringFunc(s, func(m string) string {
		g := idRe.FindStringSubmatch(m)
		src := p.bound
		if g[1] != "" {
			src = p.named[g[1]]
		}
		if src == nil || src.id == nil {
			return "null"
		}
		if g[2] != "" {
			d, _ := strconv.Atoi(g[2])
			if n, err := strconv.Atoi(string(src.id)); err == nil {
				return strconv.Itoa(n + d)
			}
		}
		return string(src.id)
	})
	s = paramRe.ReplaceAllStringFunc(s, func(m string) string {
		path := paramRe.FindStringSubmatch(m)[1]
		if p.bound == nil {
			return "null"
		}
		v, ok := get(p.bound.tree, "params"+path)
		if !ok {
			return "null"
		}
		b, _ := json.Marshal(v)
		return string(b)
	})
	if strings.Contains(s, "$idstr") && p.bound != nil {
		s = strings.ReplaceAll(s, "$idstr", strings.Trim(string(p.bound.id), `"`))
	}
	if strings.Contains(s, "$n") {
		s = strings.ReplaceAll(s, "\"$n#\"", strconv.Itoa(p.n))
		s = strings.ReplaceAll(s, "$n#", strconv.Itoa(p.n))
	}
	if strings.Contains(s, "$argv") {
		b, _ := json.Marshal(p.argv)
		s = strings.ReplaceAll(s, `"$argv"`, string(b))
	}
	if strings.Contains(s, "$cwd") {
		d, _ := os.Getwd()
		b, _ := json.Marshal(d)
		s = strings.ReplaceAll(s, `"$cwd"`, string(b))
	}
	if strings.Contains(s, "$env:") {
		s = envRe.ReplaceAllStringFunc(s, func(m string) string {
			b, _ := json.Marshal(os.Getenv(m[5:]))
			return string(b[1 : len(b)-1])
		})
	}
	if strings.Contains(s, "$") {
		s = fillRe.ReplaceAllStringFunc(s, func(m string) string {
			g := fillRe.FindStringSubmatch(m)
			n, _ := strconv.Atoi(g[2])
			switch g[1] {
			case "b64":
				return base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{0x89, 'P', 'N', 'G'}, (n+3)/4)[:n])
			case "lines":
				var b strings.Builder
				for i := 1; i <= n; i++ {
					fmt.Fprintf(&b, "line %06d of the generated text\\n", i)
				}
				return b.String()
			}
			return strings.Repeat("x", n)
		})
	}
	return s
}

var rawIDRe = regexp.MustCompile(`\$id(str)?(?::([a-z0-9_]+))?`)

// rawExpand is expand for text that need not be JSON: $id stands for the id as
// it was written, $idstr for the same without quotes, $id:name for a named one.
func rawExpand(p *player, t string) string {
	t = rawIDRe.ReplaceAllStringFunc(t, func(m string) string {
		g := rawIDRe.FindStringSubmatch(m)
		src := p.bound
		if g[2] != "" {
			src = p.named[g[2]]
		}
		id := "null"
		if src != nil && src.id != nil {
			id = string(src.id)
		}
		if g[1] != "" {
			id = strings.Trim(id, `"`)
		}
		return id
	})
	return p.expand(t)
}
