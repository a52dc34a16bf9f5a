package ui

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/ui/picture"
)

// red is a picture of one colour.
func red(t testing.TB, w, h int) string {
	t.Helper()
	m := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			m.Set(x, y, color.NRGBA{255, 0, 0, 255})
		}
	}
	var out bytes.Buffer
	if err := png.Encode(&out, m); err != nil {
		t.Fatal(err)
	}
	return base64.StdEncoding.EncodeToString(out.Bytes())
}

// picturing is a session with one call, whose answer has these blocks.
func picturing(t testing.TB, blocks ...string) *session.Session {
	t.Helper()
	return made(t, `in:{"jsonrpc":"2.0","id":1,"method":"tools/list"}`+"\n",
		`out:{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"draw","inputSchema":{"type":"object"}}]}}`+"\n",
		`in:{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"draw","arguments":{}}}`+"\n",
		`out:{"jsonrpc":"2.0","id":2,"result":{"content":[`+strings.Join(blocks, ",")+`]}}`+"\n")
}

func imageBlock(data string) string {
	return `{"type":"image","mimeType":"image/png","data":"` + data + `"}`
}

// TestPictures: a picture stands below what describes it, as wide as the pane and no higher, and is drawn
// anew for another size; it is neither searched nor copied, and where there are no colours it is not drawn.
func TestPictures(t *testing.T) {
	for _, colours := range []picture.Colours{picture.None, picture.Index, picture.Full} {
		a := appOn(t, picturing(t, imageBlock(red(t, 400, 200)), `{"type":"text","text":"below"}`), "ansi", 160, 45)
		a.look.colours = colours
		_, cmd := a.Update(tickMsg{})
		run(a, cmd)
		for _, size := range [][2]int{{160, 45}, {80, 24}, {300, 100}} {
			a.Update(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
			exact(t, a, size[0], size[1])
			cells := 0
			for i, l := range a.result.lines.lines {
				if l.cells == "" {
					continue
				}
				cells++
				if n := strings.Count(l.cells, "▀"); n > a.inner(PaneResult) || n == 0 || strings.Contains(l.text, "▀") || !strings.HasSuffix(l.copy, " bytes, PNG 400x200, s saves it") {
					t.Errorf("line %d: %d cells in %d, copied %q", i, n, a.inner(PaneResult), l.copy)
				}
			}
			if high := max(a.lay.Panes[PaneResult].body()-2, 3); (cells > 0) != (colours != picture.None) || cells > high {
				t.Errorf("%v at %v: %d lines of %d", colours, size, cells, high)
			}
			if got := a.result.lines.lines[0].text; !strings.HasPrefix(got, "image image/png, ") {
				t.Errorf("%q", got)
			}
		}
		a.focus(PaneResult)
		a.prompt.search = "38;"
		if press(a, "n"); a.result.lines.list.Cursor() != 0 {
			t.Error("the colours of a picture were found")
		}
	}
}

// TestPicturesThatAreNotDrawn say why.
func TestPicturesThatAreNotDrawn(t *testing.T) {
	bomb := base64.StdEncoding.EncodeToString([]byte("\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR\x00\x00\xff\xff\x00\x00\xff\xff\x08\x06\x00\x00\x00\xb6\x05\xd9\x50"))
	cut := red(t, 40, 20)
	raw, _ := base64.StdEncoding.DecodeString(cut)
	var many []string
	for range maxPictures + 1 {
		many = append(many, imageBlock(red(t, 2, 2)))
	}
	for want, blocks := range map[string][]string{
		"a picture of more than 8.4 million pixels is not drawn": {imageBlock(bomb)},
		"not drawn: png: invalid format: not enough pixel data":  {imageBlock(base64.StdEncoding.EncodeToString(raw[:60]))},
		"not drawn: the pictures before it are":                  many,
	} {
		a := appOn(t, picturing(t, blocks...), "ansi", 160, 45)
		a.look.colours = picture.Full
		_, cmd := a.Update(tickMsg{})
		run(a, cmd)
		said := 0
		for _, l := range a.result.lines.lines {
			if l.text == want {
				said++
			}
		}
		if said != 1 {
			t.Errorf("%q is said %d times: %s", want, said, says(a, PaneResult))
		}
	}
}

// TestColours: what a terminal shows is told by its environment.
func TestColours(t *testing.T) {
	tty, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer tty.Close()
	if got := colours(tty); got != picture.None {
		t.Errorf("%v where there is no terminal", got)
	}
}

func FuzzPictureBlock(f *testing.F) {
	f.Add([]byte(imageBlock(red(f, 3, 3))))
	f.Add([]byte(`{"type":"resource","resource":{"blob":"R0lGODlhBAAFAAAAACw=","uri":"x"}}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		if !client.ValidJSON(raw) {
			return
		}
		a := &answer{ready: true, blocks: []block{block{raw: raw}.read()}}
		p := &resultPane{got: a}
		cmd := p.drawing(t.Context(), look{colours: picture.Full})
		if cmd == nil {
			return
		}
		cmd().(picturesMsg).deliver()
		if k := a.blocks[0].blob; (k.picture == nil) == (k.undrawn == "") {
			t.Fatal(fmt.Sprint("neither drawn nor told: ", k.undrawn))
		}
	})
}
