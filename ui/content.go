package ui

import (
	"bytes"
	"fmt"
	"io"
	"iter"
	"mime"
	"strings"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/ui/detail"
	"example.com/mcpinspect/ui/picture"
	"example.com/mcpinspect/ui/text"
	"example.com/mcpinspect/ui/theme"
)

// block is one block of content of an answer: of the result of a tool, of a message of a prompt, or
// one of the contents of a resource that was read.
type block struct {
	raw      []byte
	contents bool   // raw is the contents of a resource, which have no type
	message  bool   // it is the content of a message of a prompt
	role     string // of the message, as sent
	blob     *blob  // what is in its data; nil when it has none
}

// blob is data that came as base64.
type blob struct {
	size  int64
	head  []byte // its first bytes
	wrong string // why it cannot be read

	picture *picture.Picture // what it shows, once it was decoded
	undrawn string           // why it shows nothing
}

// The content of each kind of answer stands in another member of the result.
func contentMember(method string) string {
	switch method {
	case client.MethodResourcesRead:
		return "contents"
	case client.MethodPromptsGet:
		return "messages"
	}
	return "content"
}

// blocksIn are the blocks of the content of an answer to a method.
func blocksIn(method string, content []byte) iter.Seq[block] {
	return func(yield func(block) bool) {
		for raw := range client.Elements(content) {
			switch method {
			case client.MethodResourcesRead:
				if !yield(block{raw: raw, contents: true}) {
					return
				}
			case client.MethodPromptsGet:
				role := client.Get(raw, "role")
				b := block{raw: client.Get(raw, "content"), message: true, role: spelled(role)}
				if role == nil {
					b.role = ""
				}
				if b.raw == nil { // not a message: shown as it is
					b.raw = raw
				}
				if b.raw[0] != '[' {
					if !yield(b) {
						return
					}
					continue
				}
				for one := range client.Elements(b.raw) { // some send a list where one block belongs
					b.raw = one
					if !yield(b) {
						return
					}
				}
			default:
				if !yield(block{raw: raw}) {
					return
				}
			}
		}
	}
}

// read decodes what is in the block's data.
func (k block) read() block {
	if data := k.data(); data != nil {
		k.blob = readBlob(data)
	}
	return k
}

// data is the JSON string of base64 in the block; nil when it has none.
func (k block) data() []byte {
	if kind := client.GetText(k.raw, "type"); !k.contents && (kind == "image" || kind == "audio") {
		return client.Get(k.raw, "data")
	}
	return client.Get(k.resource(), "blob")
}

// resource is the contents of a resource in the block; nil when it holds none.
func (k block) resource() []byte {
	switch {
	case k.contents:
		return k.raw
	case client.GetText(k.raw, "type") == "resource":
		return client.Get(k.raw, "resource")
	}
	return nil
}

// whole is the block as content: the contents of a resource become an embedded one.
func (k block) whole() []byte {
	if !k.contents {
		return k.raw
	}
	return append(append([]byte(`{"type":"resource","resource":`), k.raw...), '}')
}

// blobHead is how much of data is kept: the header of a picture may stand behind 64 KiB of remarks.
const blobHead = 128 << 10

func readBlob(raw []byte) *blob {
	if len(raw) < 2 || raw[0] != '"' {
		return &blob{wrong: "data is missing"}
	}
	in := encoded(raw)
	head, err := io.ReadAll(io.LimitReader(in, blobHead))
	rest := int64(0)
	if err == nil {
		rest, err = io.Copy(io.Discard, in)
	}
	if err != nil {
		return &blob{wrong: fmt.Sprintf("data is not valid base64 (%s of text)", text.Size(int64(len(raw)-2)))}
	}
	return &blob{size: int64(len(head)) + rest, head: head}
}

// block shows one block: text as text, everything else named with its kind and size.
func (b *lineBuilder) block(n int, raw []byte) { b.shown(n, block{raw: raw}.read()) }

func (b *lineBuilder) shown(n int, k block) {
	raw := k.raw
	if k.contents {
		b.resource("", raw, k.blob, "")
		return
	}
	switch kind := client.GetText(raw, "type"); kind {
	case "text":
		token := client.Get(raw, "text")
		if len(token) == 0 || token[0] != '"' {
			_, _, what := client.JudgeBlock(raw)
			b.wrap(theme.Odd, "", fmt.Sprintf("block %d %s:", n+1, what))
			b.json(raw)
			return
		}
		b.text("", "", token)
	case "image", "audio":
		b.blob(kind+" "+client.GetText(raw, "mimeType"), k.blob)
	case "resource_link":
		b.link(raw)
	case "resource":
		b.resource("embedded ", client.Get(raw, "resource"), k.blob, "  ")
	default:
		_, _, what := client.JudgeBlock(raw)
		b.wrap(theme.Odd, "", fmt.Sprintf("block %d %s:", n+1, what))
		b.json(raw)
	}
}

// speaker is the role of a message of a prompt (server/prompts).
func (b *lineBuilder) speaker(role string) {
	switch role {
	case "user", "assistant":
		b.head(role + ":")
	case "":
		b.wrap(theme.Odd, "", "a message without a role")
	default:
		b.wrap(theme.Odd, "", "role "+role+", which no revision knows")
	}
}

// link shows a link to a resource, which enter reads.
func (b *lineBuilder) link(raw []byte) {
	from, uri := len(b.out), client.GetText(raw, "uri")
	b.wrap(theme.Name, "link ", client.GetText(raw, "name")+" "+uri)
	for _, member := range []string{"title", "description"} {
		if s := client.GetText(raw, member); s != "" {
			b.wrap(theme.Plain, "     ", s)
		}
	}
	said := "enter reads it"
	if m := client.GetText(raw, "mimeType"); m != "" {
		said = m + ", " + said
	}
	b.wrap(theme.Faint, "     ", said)
	for i := range b.out[from:] {
		b.out[from+i].link, b.out[from+i].copy = uri, uri
	}
}

// resource shows the contents of a resource (server/resources): what it is, then its text, the
// header of its picture, or its bytes.
func (b *lineBuilder) resource(what string, r []byte, data *blob, indent string) {
	if len(r) == 0 || r[0] != '{' {
		b.wrap(theme.Odd, "", what+"contents that are "+client.JSONType(r)+":")
		b.json(r)
		return
	}
	uri, kind := client.GetText(r, "uri"), client.GetText(r, "mimeType")
	from := len(b.out)
	head := strings.TrimSpace(what + uri + " " + kind)
	token := client.Get(r, "text")
	switch {
	case token != nil && token[0] == '"':
		if data != nil {
			head += ", which has a blob too"
		}
		b.wrap(theme.Name, "", fmt.Sprintf("%s, %s", head, text.Size(decodedSize(token))))
		b.follows(from, what, uri)
		b.text(indent, kind, token)
	case data != nil:
		told := b.blob(head, data)
		b.follows(from, what, uri)
		if !told {
			b.hex(indent, data)
		}
	default:
		b.wrap(theme.Odd, "", head+": neither text nor blob")
		b.json(r)
	}
}

// follows lets enter on the head of an embedded resource read it from the server.
func (b *lineBuilder) follows(from int, what, uri string) {
	if what == "" {
		return // it was just read
	}
	if at := b.out[from:]; len(at) > 0 {
		at[0].link = uri
	}
}

// decodedSize is how many bytes a JSON string stands for.
func decodedSize(token []byte) int64 {
	if bytes.IndexByte(token, '\\') < 0 {
		return int64(len(token) - 2)
	}
	t, _ := client.Text(token)
	return int64(len(t))
}

// text shows a text as its media type suggests: JSON with indent and colour, all else as it is.
func (b *lineBuilder) text(indent, kind string, token []byte) {
	if len(token) > maxPrettyBytes {
		b.wrap(theme.Faint, indent, fmt.Sprintf("text of %s as sent, its beginning:", text.Size(int64(len(token)))))
		b.wrap(theme.Plain, indent, beginning(token))
		b.out[len(b.out)-1].cut = true
		return
	}
	s, _ := client.Text(token)
	switch trimmed := strings.TrimSpace(s); {
	case isJSON(kind) && client.ValidJSON([]byte(trimmed)):
		b.jsonPrefixed(indent, []byte(trimmed))
	case isJSON(kind):
		b.wrap(theme.Odd, indent, "it is no JSON, as its media type says:")
		fallthrough
	default:
		b.wrap(theme.Plain, indent, s)
	}
}

// isJSON reports whether a media type is one of JSON (RFC 6839).
func isJSON(kind string) bool {
	base, _, err := mime.ParseMediaType(kind)
	return err == nil && (base == "application/json" || base == "text/json" || strings.HasSuffix(base, "+json"))
}

// hexLines is how many lines of binary data are shown: enough to see what it is.
const hexLines = 16

// blob describes data; it reports whether that is all that can be done for it, as for a picture.
func (b *lineBuilder) blob(head string, data *blob) (told bool) {
	head = strings.TrimSpace(head)
	if data == nil || data.wrong != "" {
		why := "data is missing"
		if data != nil {
			why = data.wrong
		}
		b.wrap(theme.Odd, "", head+": "+why)
		return true
	}
	said := fmt.Sprintf("%s, %d bytes", head, data.size)
	seen := picture.Describe(data.head)
	if seen != "" {
		said += ", " + seen
	}
	if b.saves && data.size > 0 {
		said += ", s saves it"
	}
	b.wrap(theme.Name, "", said)
	b.picture(data)
	return seen != "" || data.size == 0
}

// hex shows the first bytes of data.
func (b *lineBuilder) hex(indent string, data *blob) {
	view := detail.Open(detail.NewBody(data.head), detail.Hex, max(b.width-len(indent), 1))
	lines := view.Window(0, hexLines)
	for _, l := range lines {
		b.out = append(b.out, line{text: b.look.glyphs.Clean(indent + l), role: theme.Faint})
	}
	if n, _ := view.Lines(); n > len(lines) || data.size > int64(len(data.head)) {
		b.out = append(b.out, line{text: indent + "and more; s saves all of it", role: theme.Faint})
	}
}

// beginning decodes a JSON string, of a very long one its first part only.
func beginning(token []byte) string {
	if len(token) <= maxPrettyBytes {
		t, _ := client.Text(token)
		return t
	}
	cut := token[:maxPrettyBytes]
	const escape = len(`\u0000`)
	if i := bytes.LastIndexByte(cut, '\\'); i > len(cut)-escape {
		cut = cut[:i] // an escape that may be cut in two
		for len(cut) > 0 && cut[len(cut)-1] == '\\' {
			cut = cut[:len(cut)-1]
		}
	}
	t, _ := client.Text(append(bytes.Clone(cut), '"'))
	return t
}
