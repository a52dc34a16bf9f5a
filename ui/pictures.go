package ui

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"io"
	"os"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/ui/picture"
	"example.com/mcpinspect/ui/theme"
)

const (
	// maxPictures is how many pictures of one answer are drawn: what follows is far below the pane.
	maxPictures = 8

	// pictureTime is how long the pictures of one answer may take to be decoded: one of the largest
	// that are allowed takes a quarter of it. What is made to take long is given up.
	pictureTime = 2 * time.Second
)

// colours is what the terminal says that it shows, by its environment; nothing is asked of it.
func colours(out *os.File) picture.Colours {
	switch termenv.NewOutput(out).EnvColorProfile() {
	case termenv.TrueColor:
		return picture.Full
	case termenv.ANSI256:
		return picture.Index
	}
	return picture.None
}

// pictureRows is how high a picture may be in a pane of a height: its description stays above it.
func pictureRows(height int) int { return max(height-2, 3) }

// picturesMsg brings what was decoded for the blocks of an answer.
type picturesMsg struct {
	of  *answer
	all []decoded
}

type decoded struct {
	blob    *blob
	picture *picture.Picture
	undrawn string
}

// deliver takes the pictures over into their blocks.
func (m picturesMsg) deliver() {
	for _, d := range m.all {
		d.blob.picture, d.blob.undrawn = d.picture, d.undrawn
		m.of.drawn++
	}
}

// drawing is the command that decodes the pictures of the answer that is shown, once.
func (p *resultPane) drawing(ctx context.Context, l look) tea.Cmd {
	if p.got == nil || !p.got.ready || p.got.drawing || l.colours == picture.None {
		return nil
	}
	of := p.got
	of.drawing = true
	var all []decoded
	var data [][]byte
	for _, k := range of.blocks {
		if k.blob == nil || k.blob.wrong != "" || picture.Describe(k.blob.head) == "" {
			continue
		}
		d := decoded{blob: k.blob}
		if why := picture.TooLarge(k.blob.head, k.blob.size); why != "" {
			d.undrawn = "a picture " + why + " is not drawn"
		} else if len(all) >= maxPictures {
			d.undrawn = "not drawn: the pictures before it are"
		}
		all, data = append(all, d), append(data, k.data())
	}
	if len(all) == 0 {
		return nil
	}
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(ctx, pictureTime)
		defer cancel()
		for i := range all {
			if all[i].undrawn != "" {
				continue
			}
			made, err := picture.Read(ctx, encoded(data[i]))
			switch {
			case errors.Is(err, context.DeadlineExceeded):
				all[i].undrawn = "not drawn: it took longer than " + pictureTime.String()
			case err != nil:
				all[i].undrawn = "not drawn: " + err.Error()
			default:
				all[i].picture = made
			}
		}
		return picturesMsg{of, all}
	}
}

// encoded reads what a JSON string of base64 stands for.
func encoded(raw []byte) io.Reader {
	if bytes.IndexByte(raw, '\\') >= 0 { // some encoders write \/
		t, _ := client.Text(raw)
		raw = []byte(t)
	}
	return base64.NewDecoder(base64.StdEncoding, bytes.NewReader(bytes.Trim(raw, `"`)))
}

// picture draws what was decoded, below its description.
func (b *lineBuilder) picture(data *blob) {
	if data.undrawn != "" && b.rows > 0 {
		b.wrap(theme.Faint, "", data.undrawn)
	}
	if data.picture == nil || b.rows == 0 {
		return
	}
	said := b.out[len(b.out)-1].copy
	for _, cells := range data.picture.Lines(b.width, b.rows, b.look.colours) {
		b.out = append(b.out, line{cells: cells, copy: said})
	}
}
