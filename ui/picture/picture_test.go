package picture

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
)

func encode(t testing.TB, how string, m image.Image) []byte {
	t.Helper()
	var out bytes.Buffer
	err := map[string]func() error{
		"PNG":  func() error { return png.Encode(&out, m) },
		"JPEG": func() error { return jpeg.Encode(&out, m, nil) },
		"GIF":  func() error { return gif.Encode(&out, m, nil) },
	}[how]()
	if err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// flag is red above blue, its last columns transparent.
func flag(w, h, clear int) image.Image {
	m := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w - clear {
			m.Set(x, y, map[bool]color.Color{true: color.NRGBA{255, 0, 0, 255}, false: color.NRGBA{0, 0, 255, 255}}[y < h/2])
		}
	}
	return m
}

func lines(t testing.TB, raw []byte, w, h int, c Colours) []string {
	t.Helper()
	p, err := Read(context.Background(), bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	return p.Lines(w, h, c)
}

func TestLines(t *testing.T) {
	const red, blue = "\x1b[38;2;255;0;0m", "\x1b[38;2;0;0;255m"
	for _, c := range []struct {
		name    string
		m       image.Image
		w, h    int
		colours Colours
		want    []string
	}{
		{"two pixels a cell", flag(2, 2, 0), 9, 9, Full, []string{red + "\x1b[48;2;0;0;255m▀▀\x1b[0m"}},
		{"256 colours", flag(2, 2, 0), 9, 9, Index, []string{"\x1b[38;5;196m\x1b[48;5;21m▀▀\x1b[0m"}},
		{"no colours", flag(2, 2, 0), 9, 9, None, nil},
		{"no room", flag(2, 2, 0), 0, 9, Full, nil},
		{"an odd row is half", flag(1, 1, 0), 9, 9, Full, []string{blue + "▀\x1b[0m"}},
		{"half a cell is transparent", flag(2, 2, 1), 9, 9, Full, []string{red + "\x1b[48;2;0;0;255m▀\x1b[49m \x1b[0m"}},
		{"as wide as the pane", flag(40, 8, 0), 10, 9, Full, []string{red + "\x1b[48;2;0;0;255m" + strings.Repeat("▀", 10) + "\x1b[0m"}},
		{"as high as the pane", flag(8, 40, 0), 10, 1, Full, []string{red + "\x1b[48;2;0;0;255m▀\x1b[0m"}},
		{"a line of pixels", flag(1000, 1, 0), 4, 4, Full, []string{blue + "▀▀▀▀\x1b[0m"}},
	} {
		if got := lines(t, encode(t, "PNG", c.m), c.w, c.h, c.colours); fmt.Sprintf("%q", got) != fmt.Sprintf("%q", c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestFormats: what is drawn of a photograph of a wall is the wall.
func TestFormats(t *testing.T) {
	m := image.NewNRGBA(image.Rect(0, 0, 64, 48))
	for i := range m.Pix {
		m.Pix[i] = []uint8{200, 120, 40, 255}[i%4]
	}
	for _, how := range []string{"PNG", "JPEG", "GIF"} {
		raw := encode(t, how, m)
		if got, want := Describe(raw[:len(raw)-1]), how+" 64x48"; got != want {
			t.Errorf("%q, want %q", got, want)
		}
		p, err := Read(context.Background(), bytes.NewReader(raw))
		if err != nil {
			t.Fatal(err)
		}
		if c := p.at(3, 3); p.w != 64 || p.h != 48 || !c.opaque || far(c, pixel{200, 120, 40, true}) > 3*40*40 {
			t.Errorf("%s: %dx%d of %v", how, p.w, p.h, p.at(3, 3))
		}
	}
	if got := Describe([]byte("<svg/>")); got != "" {
		t.Errorf("%q", got)
	}
}

func TestIndex(t *testing.T) {
	for c, want := range map[pixel]uint8{{0, 0, 0, true}: 16, {255, 255, 255, true}: 231, {8, 8, 8, true}: 232, {238, 238, 238, true}: 255, {128, 128, 128, true}: 244, {255, 0, 0, true}: 196, {95, 135, 175, true}: 67} {
		if got := index(c); got != want {
			t.Errorf("%v: %d, want %d", c, got, want)
		}
	}
}

// header is a PNG that claims a size and has no pixel.
func header(w, h uint32) []byte {
	raw := append([]byte("\x89PNG\r\n\x1a\n\x00\x00\x00\x0d"), "IHDR"...)
	raw = binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(raw, w), h)
	raw = append(raw, 8, 6, 0, 0, 0)
	return binary.BigEndian.AppendUint32(raw, crc32.ChecksumIEEE(raw[12:]))
}

// TestBombs: what claims to be larger than it may be is refused before anything is made for it, and what
// makes a decoder work without end is given up.
func TestBombs(t *testing.T) {
	for _, size := range [][2]uint32{{MaxPixels, 2}, {1 << 30, 1}, {60000, 60000}} {
		raw := header(size[0], size[1])
		if why := TooLarge(raw, int64(len(raw))); why != "of more than 8.4 million pixels" {
			t.Errorf("%v: %q", size, why)
		}
		if _, err := Read(context.Background(), bytes.NewReader(raw)); err == nil {
			t.Errorf("%v was decoded", size)
		}
	}
	if why := TooLarge(header(3840, 2160), 1<<20); why != "" {
		t.Errorf("a screen of 4K is %s", why)
	}
	if why := TooLarge(header(1, 1), MaxBytes+1); why == "" {
		t.Error("a file of any length is decoded")
	}
	if _, err := Read(context.Background(), bytes.NewReader(header(3, 2))); err == nil {
		t.Error("a picture without pixels was drawn")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Read(ctx, bytes.NewReader(encode(t, "PNG", flag(300, 300, 0)))); err != context.Canceled {
		t.Error(err)
	}
	began := time.Now()
	ctx, cancel = context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	const patience = 20 * time.Second // all the scans take minutes
	if _, err := Read(ctx, bytes.NewReader(scans(t, 2048, MaxBytes-1<<16))); !errors.Is(err, context.DeadlineExceeded) || time.Since(began) > patience {
		t.Errorf("%v after %v", err, time.Since(began))
	}
}

// scans is a progressive JPEG whose scans, of a few bytes each, go over all of its pixels again and again.
func scans(t testing.TB, size uint16, length int) []byte {
	t.Helper()
	base := encode(t, "JPEG", image.NewGray(image.Rect(0, 0, 8, 8)))
	sof := bytes.Index(base, []byte{0xff, 0xc0})
	sos := bytes.Index(base, []byte{0xff, 0xda})
	if sof < 0 || sos < 0 {
		t.Fatal("no frame")
	}
	raw := bytes.Clone(base[:sos])
	raw[sof+1] = 0xc2
	binary.BigEndian.PutUint16(raw[sof+5:], size)
	binary.BigEndian.PutUint16(raw[sof+7:], size)
	// One code for AC: of one bit, the end of a band of 2^14 to 2^15-1 blocks.
	raw = append(raw, 0xff, 0xc4, 0, 20, 0x10)
	raw = append(raw, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xe0)
	scan := []byte{0xff, 0xda, 0, 8, 1, 1, 0x00, 1, 63, 0x00, 0x3f, 0xfe, 0x3f, 0xfe, 0x3f, 0xfe, 0x3f, 0xfe}
	for len(raw) < length {
		raw = append(raw, scan...)
	}
	return append(raw, 0xff, 0xd9)
}

func FuzzRead(f *testing.F) {
	for _, how := range []string{"PNG", "JPEG", "GIF"} {
		f.Add(encode(f, how, flag(9, 7, 2)), 5, 4)
	}
	f.Add(header(70000, 3), 5, 4)
	f.Fuzz(func(t *testing.T, raw []byte, w, h int) {
		Describe(raw)
		p, err := Read(context.Background(), bytes.NewReader(raw))
		if err != nil {
			return
		}
		w, h = min(w, 300), min(h, 300)
		for _, c := range []Colours{Index, Full} {
			out := p.Lines(w, h, c)
			if len(out) > max(h, 0) {
				t.Fatalf("%d lines", len(out))
			}
			for _, l := range out {
				if ansi.StringWidth(l) > w || strings.Trim(ansi.Strip(l), "▀▄ ") != "" {
					t.Fatalf("%q", l)
				}
			}
		}
	})
}

func BenchmarkRead(b *testing.B) {
	raw := encode(b, "PNG", flag(3840, 2160, 100))
	b.SetBytes(int64(len(raw)))
	for b.Loop() {
		if _, err := Read(context.Background(), bytes.NewReader(raw)); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkLines(b *testing.B) {
	p, err := Read(context.Background(), bytes.NewReader(encode(b, "PNG", flag(800, 600, 100))))
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		p.Lines(120, 40, Full)
	}
}
