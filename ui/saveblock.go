package ui

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"mime"
	"os"
	"path"
	"path/filepath"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/ui/text"
	"example.com/mcpinspect/ui/words"
)

// Places in a result that are no block of content.
const (
	noBlock         = 0
	structuredBlock = -1
)

// belongs says which block the lines from one on are of.
func (b *lineBuilder) belongs(from, block int) {
	for i := range b.out[from:] {
		b.out[from+i].block = block
	}
}

// openSave asks for the file of the block under the cursor, with a name that suits it.
func (a *app) openSave() tea.Cmd {
	raw, n, err := a.blockUnder()
	if err != nil {
		a.say("%v", err)
		return nil
	}
	cmd := a.prompt.open(promptCommand)
	a.prompt.input.SetValue("save-block " + words.Shell([]string{blockName(raw, n)}))
	a.prompt.input.CursorEnd()
	return cmd
}

// saveCommand is :save-block FILE: the block under the cursor of the result, the first one when the
// cursor is on none. An existing file is not replaced.
func (a *app) saveCommand(rest []string) tea.Cmd {
	if len(rest) != 1 {
		a.say("save-block FILE writes the block under the cursor of the result into a new file")
		return nil
	}
	raw, n, err := a.blockUnder()
	if err != nil {
		a.say("%v", err)
		return nil
	}
	name := rest[0]
	return func() tea.Msg {
		content, err := blockContent(raw, n)
		if err == nil {
			err = writeNew(name, content)
		}
		if err != nil {
			return noticeMsg("not saved: " + err.Error())
		}
		if abs, err := filepath.Abs(name); err == nil {
			name = abs
		}
		return noticeMsg(fmt.Sprintf("saved %s in %s", text.Size(int64(len(content))), name))
	}
}

// blockUnder is the block of content under the cursor of the result, counted from 1.
func (a *app) blockUnder() (raw []byte, n int, err error) {
	last, ok := a.snap.Last[a.subject()]
	if !ok {
		return nil, 0, errors.New("there is no result to save a block of")
	}
	e, ok := a.sess.Log().Event(last.Answer)
	if !ok {
		return nil, 0, errors.New("the answer is no longer in memory")
	}
	body, remark, whole := a.bodies.of(&e)
	if !whole {
		return nil, 0, errors.New(remark)
	}
	in, ok := answerIn(body, last.ID)
	result := in.Raw(in.Result)
	if !ok || result == nil {
		return nil, 0, errors.New("the answer is no result: it has no blocks")
	}
	if l, ok := a.result.lines.current(); ok && a.result.view == viewResult {
		n = l.block
	}
	if n == structuredBlock {
		return client.Get(result, "structuredContent"), n, nil
	}
	i, method := 0, a.subject().Method
	for k := range blocksIn(method, client.Get(result, contentMember(method))) {
		if i++; i == max(n, 1) {
			return k.whole(), i, nil
		}
	}
	if raw := client.Get(result, "structuredContent"); raw != nil {
		return raw, structuredBlock, nil
	}
	return nil, 0, errors.New("the result has no block of content")
}

// blockContent is what a block holds: its text, its decoded data, or the block itself as JSON when it
// is of another kind.
func blockContent(raw []byte, n int) ([]byte, error) {
	if n == structuredBlock {
		return raw, nil
	}
	of := raw
	if client.GetText(raw, "type") == "resource" {
		of = client.Get(raw, "resource")
	}
	for _, name := range []string{"data", "blob"} {
		if t, ok := client.Text(client.Get(of, name)); ok && kindHolds(raw, name) {
			content, err := base64.StdEncoding.DecodeString(t)
			if err != nil {
				return nil, fmt.Errorf("the %s of the block is not valid base64: %w", name, err)
			}
			return content, nil
		}
	}
	if t, ok := client.Text(client.Get(of, "text")); ok && kindHolds(raw, "text") {
		return []byte(t), nil
	}
	return raw, nil
}

// kindHolds reports whether a kind of block has its content in a member.
func kindHolds(raw []byte, member string) bool {
	switch client.GetText(raw, "type") {
	case "text":
		return member == "text"
	case "image", "audio":
		return member == "data"
	case "resource":
		return member != "data"
	}
	return false
}

// blockName proposes a file name: that of the uri, else the kind and number, with an extension that
// suits what it holds.
func blockName(raw []byte, n int) string {
	if n == structuredBlock {
		return "structured.json"
	}
	kind := client.GetText(raw, "type")
	r := client.Get(raw, "resource")
	mimeType := client.GetText(raw, "mimeType")
	if r != nil {
		mimeType = client.GetText(r, "mimeType")
		if base := safeName(path.Base(client.GetText(r, "uri"))); strings.Contains(base, ".") {
			return base
		}
	}
	ext := ".json"
	switch {
	case kind == "text":
		ext = ".txt"
	case kind == "image" || kind == "audio" || kind == "resource":
		if ext = extension(mimeType); ext == "" {
			ext = ".bin"
		}
	}
	if kind = safeName(kind); kind == "" {
		kind = "block"
	}
	return fmt.Sprintf("%s-%d%s", kind, n, ext)
}

// extension is the usual one of a media type; empty when there is none.
func extension(mimeType string) string {
	usual := map[string]string{"image/jpeg": ".jpg", "text/plain": ".txt", "audio/mpeg": ".mp3", "audio/wav": ".wav", "text/markdown": ".md", "image/tiff": ".tif"}
	base, _, err := mime.ParseMediaType(mimeType)
	if err != nil {
		return ""
	}
	if ext := usual[base]; ext != "" {
		return ext
	}
	if list, err := mime.ExtensionsByType(base); err == nil && len(list) > 0 {
		return list[0]
	}
	return ""
}

// safeName keeps of untrusted text what is harmless in a file name.
func safeName(s string) string {
	const most = 60
	s = strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '.', r == '-', r == '_':
			return r
		}
		return -1
	}, s[:min(len(s), most)])
	return strings.TrimLeft(s, ".-")
}

// writeNew writes a file that must not exist.
func writeNew(name string, content []byte) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s exists already", name)
	}
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		os.Remove(name)
	}
	return err
}
