package detail

import (
	"context"
	"fmt"
	"math"
	"strings"
)

// hexView is the View of Hex. A line holds 16 bytes, or 8 or 4 where it must be
// narrower:
//
//	00000010  7b 22 61 22 3a 20 31 7d  0a 1b 5b 33 31 6d ff 00  |{"a": 1}..[31m..|
type hexView struct {
	noValue
	body *Body
	per  int64
}

func newHex(body *Body, width int) *hexView {
	v := &hexView{body: body, per: 16}
	for v.per > 4 && v.cells() > width {
		v.per /= 2
	}
	return v
}

// cells is the width of a line: offset, bytes with a gap after each eight, ASCII.
func (v *hexView) cells() int {
	per := int(v.per)
	return offsetDigits + 2 + 3*per - 1 + (per-1)/8 + 2 + per + 2
}

const offsetDigits = 8 // 4 GB, more than a body can have

func (v *hexView) Mode() Mode { return Hex }

func (v *hexView) Lines() (int, bool) {
	return int(min((v.body.Len()+v.per-1)/v.per, math.MaxInt)), true
}

func (v *hexView) Count(context.Context) (int, error) {
	n, _ := v.Lines()
	return n, nil
}

func (v *hexView) Window(from, n int) []string {
	total, _ := v.Lines()
	from = max(from, 0)
	var lines []string
	for i := from; i < total && i-from < n; i++ {
		lines = append(lines, v.draw(int64(i)*v.per))
	}
	return lines
}

func (v *hexView) draw(off int64) string {
	data := v.body.Bytes(off, v.per)
	var b strings.Builder
	fmt.Fprintf(&b, "%0*x ", offsetDigits, off)
	for i := range int(v.per) {
		if i%8 == 0 && i > 0 {
			b.WriteByte(' ')
		}
		if i < len(data) {
			fmt.Fprintf(&b, " %02x", data[i])
		} else {
			b.WriteString("   ")
		}
	}
	b.WriteString("  |")
	for _, c := range data {
		if c < ' ' || c >= 0x7f {
			c = '.'
		}
		b.WriteByte(c)
	}
	b.WriteByte('|')
	return b.String()
}

func (v *hexView) Find(ctx context.Context, query string, from int, forward bool) (int, bool) {
	hit := find(ctx, v.body, query, int64(max(from, 0))*v.per, forward)
	return int(hit / v.per), hit >= 0
}

// HexWidth is the width of a line with 16 bytes.
const HexWidth = 78

// HexCells are the cells of a line of Hex, given whole, in which the bytes from..to of the line
// stand: as digits, and as text.
func HexCells(line string, from, to int) (digits, ascii [2]int) {
	per := 16
	for per > 4 && strings.IndexByte(line, '|') < (&hexView{per: int64(per)}).cells()-per-2 {
		per /= 2
	}
	at := func(i int) int { return offsetDigits + 2 + 3*i + i/8 }
	text := (&hexView{per: int64(per)}).cells() - per - 1
	return [2]int{at(from), at(to-1) + 2}, [2]int{text + from, text + to}
}
