// Package picture draws PNG, JPEG and GIF images as half-block cells: two pixels a cell, one above
// the other, in colours of its own. What comes out are letters and colour sequences made here; no
// byte of the image, and no protocol of terminal graphics, reaches the terminal.
package picture

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
)

const (
	// MaxPixels is how many pixels an image may have to be decoded: a screen of 4K has 8.3 million. The
	// decoders take up to 8 bytes for each, a progressive JPEG 12: about 100 MB, whatever a header claims.
	MaxPixels = 8 << 20

	// MaxBytes is how long an image may be to be decoded. Photographs are shorter; what is longer has
	// hardly been compressed, or repeats itself on purpose.
	MaxBytes = 16 << 20

	// maxWidth and maxHeight bound the pixels that are kept, those of a large terminal.
	maxWidth, maxHeight = 400, 300
)

// kind is a format of images.
type kind struct {
	name   string
	config func(io.Reader) (image.Config, error)
	decode func(io.Reader) (image.Image, error)
}

// kinds are the formats that are known; of a GIF the first frame is the picture.
func kinds() [3]kind {
	return [...]kind{{"PNG", png.DecodeConfig, png.Decode}, {"JPEG", jpeg.DecodeConfig, jpeg.Decode}, {"GIF", gif.DecodeConfig, gif.Decode}}
}

// Describe says what an image is by its header, which may be no more than its first bytes:
// "PNG 64x48". It is empty for what is no image that is known.
func Describe(head []byte) string {
	k, c, ok := known(head)
	if !ok {
		return ""
	}
	return fmt.Sprintf("%s %dx%d", k.name, c.Width, c.Height)
}

func known(head []byte) (kind, image.Config, bool) {
	for _, k := range kinds() {
		if c, err := k.config(bytes.NewReader(head)); err == nil {
			return k, c, true
		}
	}
	return kind{}, image.Config{}, false
}

// TooLarge says why an image with this header, of size bytes in all, is not decoded; empty when it may be.
func TooLarge(head []byte, size int64) string {
	_, c, ok := known(head)
	switch {
	case !ok:
		return ""
	case size > MaxBytes:
		return fmt.Sprintf("of more than %d MiB", MaxBytes>>20)
	case c.Width > 0 && c.Height > MaxPixels/c.Width:
		return fmt.Sprintf("of more than %.1f million pixels", MaxPixels/1e6)
	}
	return ""
}

// pixel is a colour; one that is not opaque lets the terminal's own background through.
type pixel struct {
	r, g, b uint8
	opaque  bool
}

// Picture is an image that was decoded, made small enough to be kept.
type Picture struct {
	w, h   int
	pixels []pixel // row by row
}

func (p *Picture) at(x, y int) pixel { return p.pixels[y*p.w+x] }

// Read decodes an image. It ends soon after ctx does, also where the image makes decoders work for ever;
// images beyond the limits of this package are refused before they are decoded.
func Read(ctx context.Context, in io.Reader) (p *Picture, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			p, err = nil, fmt.Errorf("the decoder failed: %v", cause)
		}
	}()
	raw, err := io.ReadAll(io.LimitReader(in, MaxBytes+1))
	if err != nil {
		return nil, err
	}
	k, c, ok := known(raw)
	if !ok {
		return nil, fmt.Errorf("no PNG, JPEG or GIF")
	}
	if why := TooLarge(raw, int64(len(raw))); why != "" {
		return nil, fmt.Errorf("an image %s", why)
	}
	if c.Width <= 0 || c.Height <= 0 {
		return nil, fmt.Errorf("an image of %dx%d pixels", c.Width, c.Height)
	}
	m, err := k.decode(&watched{ctx, bytes.NewReader(raw)})
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	return reduce(ctx, m)
}

// watched ends a decoder with its context. A piece is small, because a few bytes can make a decoder go
// over all pixels once more.
type watched struct {
	ctx context.Context
	in  io.Reader
}

func (r *watched) Read(p []byte) (int, error) {
	const piece = 512
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.in.Read(p[:min(len(p), piece)])
}

// reduce makes an image small enough to be kept. The frame of a GIF may be smaller than its canvas.
func reduce(ctx context.Context, m image.Image) (*Picture, error) {
	b := m.Bounds()
	w, h := within(b.Dx(), b.Dy(), maxWidth, maxHeight)
	if w == 0 || h == 0 {
		return nil, fmt.Errorf("an image without pixels")
	}
	p := &Picture{w: w, h: h, pixels: make([]pixel, w*h)}
	read, direct := m.(image.RGBA64Image)
	for y := range h {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		y0, y1 := span(y, h, b.Dy())
		for x := range w {
			var s sum
			x0, x1 := span(x, w, b.Dx())
			for sy := b.Min.Y + y0; sy < b.Min.Y+y1; sy++ {
				for sx := b.Min.X + x0; sx < b.Min.X+x1; sx++ {
					if direct {
						c := read.RGBA64At(sx, sy)
						s.add(uint32(c.R), uint32(c.G), uint32(c.B), uint32(c.A))
					} else {
						s.add(m.At(sx, sy).RGBA())
					}
				}
			}
			p.pixels[y*w+x] = s.mean()
		}
	}
	return p, nil
}

// scaled is the picture in another size, not larger than it is.
func (p *Picture) scaled(w, h int) *Picture {
	if w == p.w && h == p.h {
		return p
	}
	out := &Picture{w: w, h: h, pixels: make([]pixel, w*h)}
	for y := range h {
		y0, y1 := span(y, h, p.h)
		for x := range w {
			var s sum
			x0, x1 := span(x, w, p.w)
			for sy := y0; sy < y1; sy++ {
				for sx := x0; sx < x1; sx++ {
					c, a := p.at(sx, sy), uint32(0)
					if c.opaque {
						a = 0xffff
					}
					s.add(uint32(c.r)*0x101*a/0xffff, uint32(c.g)*0x101*a/0xffff, uint32(c.b)*0x101*a/0xffff, a)
				}
			}
			out.pixels[y*w+x] = s.mean()
		}
	}
	return out
}

// span is the part of n old places that place i of m new ones stands for; m is not more than n.
func span(i, m, n int) (from, to int) { return i * n / m, (i + 1) * n / m }

// sum adds colours up that are multiplied by their alpha, of 16 bits each.
type sum struct{ r, g, b, a, n uint64 }

func (s *sum) add(r, g, b, a uint32) {
	s.r, s.g, s.b, s.a, s.n = s.r+uint64(r), s.g+uint64(g), s.b+uint64(b), s.a+uint64(a), s.n+1
}

// mean is the colour in the middle; what is more than half transparent is not drawn.
func (s *sum) mean() pixel {
	if s.n == 0 || s.a/s.n < 0x8000 {
		return pixel{}
	}
	part := func(v uint64) uint8 { return uint8(min(v*0xff/s.a, 0xff)) }
	return pixel{part(s.r), part(s.g), part(s.b), true}
}

// within shrinks a size to fit another one; its proportions stay as long as both are at least 1.
func within(w, h, maxW, maxH int) (int, int) {
	if w <= 0 || h <= 0 || maxW <= 0 || maxH <= 0 {
		return 0, 0
	}
	if w > maxW {
		w, h = maxW, max(h*maxW/w, 1)
	}
	if h > maxH {
		w, h = max(w*maxH/h, 1), maxH
	}
	return w, h
}
