package export

import (
	"bufio"
	"crypto/sha256"
	"encoding/base64"
	"html"

	"example.com/mcpinspect/session"
)

const style = `body{font:15px/1.5 system-ui,sans-serif;max-width:70em;margin:2em auto;padding:0 1em}pre{background:#8881;padding:.7em;overflow:auto;font:13px/1.4 ui-monospace,monospace}th{text-align:left;vertical-align:top;padding-right:1em;font-weight:600;white-space:nowrap}`

// page writes a report as one HTML file that loads nothing and runs nothing: its policy allows its
// own style and no more.
func page(w *bufio.Writer, s *session.Session, o *Options) {
	r := compose(s, o)
	sum := sha256.Sum256([]byte(style))
	w.WriteString("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n" +
		"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'; base-uri 'none'; form-action 'none'\">\n" +
		"<meta name=\"viewport\" content=\"width=device-width\"><title>" + html.EscapeString(r.title) + "</title>\n<style>" + style + "</style></head>\n<body>\n<h1>" + html.EscapeString(r.title) + "</h1>\n")
	for _, sec := range r.sections {
		w.WriteString("<h2>" + html.EscapeString(sec.heading) + "</h2>\n")
		if len(sec.pairs) > 0 {
			w.WriteString("<table>\n")
			for _, p := range sec.pairs {
				w.WriteString("<tr><th>" + html.EscapeString(p[0]) + "</th><td>" + html.EscapeString(p[1]) + "</td></tr>\n")
			}
			w.WriteString("</table>\n")
		}
		if len(sec.items) > 0 {
			w.WriteString("<ul>\n")
			for _, item := range sec.items {
				w.WriteString("<li>" + html.EscapeString(item) + "</li>\n")
			}
			w.WriteString("</ul>\n")
		}
		for _, block := range sec.pre {
			w.WriteString("<pre>" + html.EscapeString(block) + "</pre>\n")
		}
	}
	w.WriteString("</body></html>\n")
}
