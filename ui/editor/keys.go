package editor

import (
	"slices"
	"strings"

	"example.com/mcpinspect/ui/text"
)

// indent is one level of JSON, as the form writes it.
const indent = "  "

// Key carries out a key that is no text, by the name that Bubble Tea gives it; false when it means
// nothing here. The names are those that text fields of one line know too.
func (e *Editor) Key(name string) bool {
	switch name {
	case "left", "ctrl+b":
		e.horizontal(-1)
	case "right", "ctrl+f":
		e.horizontal(1)
	case "up", "ctrl+p":
		e.vertical(-1)
	case "down", "ctrl+n":
		e.vertical(1)
	case "pgup":
		e.vertical(-max(e.height-1, 1))
	case "pgdown":
		e.vertical(max(e.height-1, 1))
	case "home", "ctrl+a":
		e.col = 0
		e.moved()
	case "end", "ctrl+e":
		e.col = len(e.lines[e.row])
		e.moved()
	case "ctrl+home":
		e.Go(1, 1)
	case "ctrl+end":
		e.row = len(e.lines) - 1
		e.col = len(e.lines[e.row])
		e.moved()
	case "ctrl+left", "alt+left", "alt+b":
		e.col = wordStart(e.lines[e.row], e.col)
		e.moved()
	case "ctrl+right", "alt+right", "alt+f":
		e.col = wordEnd(e.lines[e.row], e.col)
		e.moved()
	case "enter":
		e.breakLine()
	case "tab":
		e.Insert(indent)
	case "backspace", "ctrl+h":
		e.backspace()
	case "delete", "ctrl+d":
		e.delete()
	case "ctrl+w", "alt+backspace":
		e.cut(wordStart(e.lines[e.row], e.col), e.col)
	case "ctrl+u":
		e.cut(0, e.col)
	case "ctrl+k":
		e.cut(e.col, len(e.lines[e.row]))
	case "ctrl+z":
		return e.Undo()
	case "ctrl+y":
		return e.Redo()
	default:
		return false
	}
	return true
}

// horizontal moves by one character, over the ends of lines.
func (e *Editor) horizontal(by int) {
	line := e.lines[e.row]
	switch {
	case by < 0 && e.col > 0:
		e.col = previous(line, e.col)
	case by < 0 && e.row > 0:
		e.row--
		e.col = len(e.lines[e.row])
	case by > 0 && e.col < len(line):
		e.col += next(line[e.col:])
	case by > 0 && e.row < len(e.lines)-1:
		e.row, e.col = e.row+1, 0
	}
	e.moved()
}

// vertical moves by lines and keeps the column of cells, also over shorter lines.
func (e *Editor) vertical(by int) {
	if e.want < 0 {
		e.want = cells(e.lines[e.row][:e.col])
	}
	want := e.want
	e.row = min(max(e.row+by, 0), len(e.lines)-1)
	e.col = at(e.lines[e.row], want)
	e.moved()
	e.want = want
}

// breakLine begins a new line; in JSON it is as deep as the one before, deeper behind a bracket.
func (e *Editor) breakLine() {
	line := e.lines[e.row]
	fill := ""
	if e.JSON {
		fill = line[:len(line)-len(strings.TrimLeft(line, " \t"))]
		fill = fill[:min(len(fill), e.col)]
		if before := strings.TrimRight(line[:e.col], " \t"); strings.HasSuffix(before, "{") || strings.HasSuffix(before, "[") {
			fill += indent
		}
	}
	e.Insert("\n" + fill)
}

func (e *Editor) backspace() {
	switch {
	case e.col > 0:
		e.cut(previous(e.lines[e.row], e.col), e.col)
	case e.row > 0:
		e.row--
		e.col = len(e.lines[e.row])
		e.join()
	}
}

func (e *Editor) delete() {
	line := e.lines[e.row]
	switch {
	case e.col < len(line):
		e.cut(e.col, e.col+next(line[e.col:]))
	case e.row < len(e.lines)-1:
		e.join()
	}
}

// cut takes bytes out of the line of the cursor.
func (e *Editor) cut(from, to int) {
	if from >= to {
		return
	}
	e.step(to-from <= text.CellBytes)
	line := e.lines[e.row]
	e.lines[e.row] = line[:from] + line[to:]
	e.col, e.want = from, -1
}

// join takes the line break at the end of the cursor's line out.
func (e *Editor) join() {
	e.step(false)
	e.lines[e.row] += e.lines[e.row+1]
	e.lines = slices.Delete(e.lines, e.row+1, e.row+2)
	e.want = -1
}

// wordStart and wordEnd are the ends of the word around or beside a column.
func wordStart(s string, col int) int {
	for col > 0 && !letter(s[col-1]) {
		col = previous(s, col)
	}
	for col > 0 && letter(s[col-1]) {
		col = previous(s, col)
	}
	return col
}

func wordEnd(s string, col int) int {
	for col < len(s) && !letter(s[col]) {
		col += next(s[col:])
	}
	for col < len(s) && letter(s[col]) {
		col += next(s[col:])
	}
	return col
}

func letter(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c >= 0x80
}
