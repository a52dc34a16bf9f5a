package picture

import (
	"strconv"
	"strings"
)

// Colours is what a terminal can show. Pictures in the sixteen colours of a palette that nobody knows
// would be no pictures.
type Colours uint8

const (
	None  Colours = iota
	Index         // the 256 of xterm
	Full          // 24 bits
)

// The half blocks: the colour of the letter and that of its background are the two pixels of a cell.
const (
	upper = "▀"
	lower = "▄"
)

// Lines draws the picture in at most w columns and h rows, never larger than it is. Each line is letters
// and colour sequences and ends without colour; there are none where nothing can be drawn.
func (p *Picture) Lines(w, h int, colours Colours) []string {
	cols, high := within(p.w, p.h, w, 2*h)
	if cols == 0 || colours == None {
		return nil
	}
	s := p.scaled(cols, high)
	out := make([]string, 0, (high+1)/2)
	for y := 0; y < high; y += 2 {
		line := pen{colours: colours}
		for x := range cols {
			top, bottom := s.at(x, y), pixel{}
			if y+1 < high {
				bottom = s.at(x, y+1)
			}
			line.cell(top, bottom)
		}
		out = append(out, line.end())
	}
	return out
}

// pen writes one line and says colours only where they change.
type pen struct {
	colours  Colours
	out      strings.Builder
	fore     pixel
	back     pixel
	coloured bool
}

func (p *pen) cell(top, bottom pixel) {
	letter, fore, back := upper, top, bottom
	switch {
	case !top.opaque && !bottom.opaque:
		letter, fore = " ", p.fore
	case !top.opaque:
		letter, fore, back = lower, bottom, top
	}
	if fore != p.fore && fore.opaque {
		p.out.WriteString("\x1b[38;" + p.code(fore) + "m")
		p.fore, p.coloured = fore, true
	}
	if back != p.back {
		if back.opaque {
			p.out.WriteString("\x1b[48;" + p.code(back) + "m")
		} else {
			p.out.WriteString("\x1b[49m")
		}
		p.back, p.coloured = back, true
	}
	p.out.WriteString(letter)
}

func (p *pen) end() string {
	if p.coloured {
		p.out.WriteString("\x1b[0m")
	}
	return p.out.String()
}

// code is a colour as SGR 38 and 48 take it.
func (p *pen) code(c pixel) string {
	if p.colours == Full {
		return "2;" + decimal(c.r) + ";" + decimal(c.g) + ";" + decimal(c.b)
	}
	return "5;" + decimal(index(c))
}

func decimal(n uint8) string { return strconv.Itoa(int(n)) }

// index is the nearest of xterm's colours: of the cube of 6x6x6 from 16 on, whose steps are 0, 95, 135,
// 175, 215 and 255, or of the 24 greys from 232 on, which are 8, 18 … 238. The sixteen before them are
// the person's own.
func index(c pixel) uint8 {
	r, g, b := step(c.r), step(c.g), step(c.b)
	cube := pixel{level(r), level(g), level(b), true}
	mean := (int(c.r) + int(c.g) + int(c.b)) / 3
	n := min(max((mean-3)/10, 0), 23)
	shade := uint8(8 + 10*n)
	if far(c, pixel{shade, shade, shade, true}) < far(c, cube) {
		return uint8(232 + n)
	}
	return 16 + 36*r + 6*g + b
}

func step(v uint8) uint8 {
	switch {
	case v < 48:
		return 0
	case v < 115:
		return 1
	}
	return (v - 35) / 40
}

func level(step uint8) uint8 {
	if step == 0 {
		return 0
	}
	return 55 + 40*step
}

// far is how far two colours are apart.
func far(a, b pixel) int {
	d := func(x, y uint8) int { return (int(x) - int(y)) * (int(x) - int(y)) }
	return d(a.r, b.r) + d(a.g, b.g) + d(a.b, b.b)
}
