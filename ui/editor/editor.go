// Package editor is a small text editor over lines: what the JSON of a form and text of several
// lines are typed into. It draws only the lines that are visible. Methods are plain; how a key
// reaches them is the caller's business. An Editor belongs to one goroutine.
package editor

import (
	"slices"
	"strings"
	"unicode/utf8"

	"example.com/mcpinspect/ui/text"
)

// Editor is a text and a cursor. Bytes that were loaded and not typed over stay as they are: a
// carriage return or a byte that is no UTF-8 is drawn as its escape.
type Editor struct {
	JSON bool                // lines are coloured, and a new one is indented
	Mask func(string) string // what of a line is drawn; as long as the line, nil for all of it

	lines []string // never empty
	row   int
	col   int // byte offset in lines[row], at the start of a character
	want  int // the column of cells that up and down keep; -1: that of the cursor

	top, left int // of the window, as it was last drawn
	height    int

	past, future []snapshot
	typing       bool // the last change was typed text: the next joins it in one step of undo
	version      int
}

type snapshot struct {
	lines    []string
	row, col int
}

// undoSteps is how many steps can be taken back; a step holds one string header a line.
const undoSteps = 100

// New makes an editor with the cursor at the start of the text.
func New(s string) *Editor { return &Editor{lines: strings.Split(s, "\n"), want: -1} }

// Text is what it holds.
func (e *Editor) Text() string { return strings.Join(e.lines, "\n") }

// Version changes with the text.
func (e *Editor) Version() int { return e.version }

// Lines is how many there are.
func (e *Editor) Lines() int { return len(e.lines) }

// Line is the text of the line of the cursor.
func (e *Editor) Line() string { return e.lines[e.row] }

// Place is where the cursor stands: line and column in characters, from 1.
func (e *Editor) Place() (line, column int) {
	return e.row + 1, utf8.RuneCountInString(e.lines[e.row][:e.col]) + 1
}

// Go puts the cursor on a line and a column in characters, from 1, or the nearest there is.
func (e *Editor) Go(line, column int) {
	e.row = min(max(line-1, 0), len(e.lines)-1)
	e.col = 0
	for s := e.lines[e.row]; column > 1 && e.col < len(s); column-- {
		_, n := utf8.DecodeRuneInString(s[e.col:])
		e.col += n
	}
	e.moved()
}

// moved ends a step of undo and forgets the column that up and down keep.
func (e *Editor) moved() { e.want, e.typing = -1, false }

// Set replaces the whole text, as one step of undo.
func (e *Editor) Set(s string) {
	e.step(false)
	e.lines, e.row, e.col = strings.Split(s, "\n"), 0, 0
	e.moved()
}

// Insert types or pastes text at the cursor. Line breaks of any kind become line feeds.
func (e *Editor) Insert(s string) {
	if s == "" {
		return
	}
	if strings.Contains(s, "\r") {
		s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
	}
	broken := strings.Contains(s, "\n")
	e.step(!broken)
	e.put(s)
	e.want = -1
}

func (e *Editor) put(s string) {
	line, at := e.lines[e.row], e.col
	parts := strings.Split(line[:at]+s, "\n")
	last := len(parts) - 1
	e.col = len(parts[last])
	parts[last] += line[at:]
	e.lines = slices.Replace(e.lines, e.row, e.row+1, parts...)
	e.row += last
}

// step notes the text before a change. Changes that are typed in one go are one step.
func (e *Editor) step(typing bool) {
	e.version++
	e.future = nil
	if typing && e.typing {
		return
	}
	e.typing = typing
	e.past = append(e.past, e.snapshot())
	e.past = e.past[max(0, len(e.past)-undoSteps):]
}

func (e *Editor) snapshot() snapshot { return snapshot{slices.Clone(e.lines), e.row, e.col} }

// Undo takes the last change back; false when there is none.
func (e *Editor) Undo() bool { return e.swap(&e.past, &e.future) }

// Redo makes a change again that was taken back.
func (e *Editor) Redo() bool { return e.swap(&e.future, &e.past) }

func (e *Editor) swap(from, to *[]snapshot) bool {
	if len(*from) == 0 {
		return false
	}
	*to = append(*to, e.snapshot())
	was := (*from)[len(*from)-1]
	*from = (*from)[:len(*from)-1]
	e.lines, e.row, e.col = was.lines, was.row, was.col
	e.version++
	e.moved()
	return true
}

// Find goes to the next line that passes, round the end; false when there is none.
func (e *Editor) Find(dir int, pass func(string) bool) bool {
	n := len(e.lines)
	for i := 1; i <= n; i++ {
		row := ((e.row+dir*i)%n + n) % n
		if pass(e.lines[row]) {
			e.Go(row+1, 1)
			return true
		}
	}
	return false
}

// next is the length of the character at the start of s.
func next(s string) int {
	var scratch [text.CellBytes]byte
	_, n, _ := text.AppendNext(scratch[:0], s, 0)
	return n
}

// previous is where the character before col begins.
func previous(s string, col int) int {
	at := col
	for at > 0 { // back to an ASCII character, which surely begins one
		at--
		if s[at] < utf8.RuneSelf {
			break
		}
	}
	for {
		n := next(s[at:])
		if at+n >= col {
			return at
		}
		at += n
	}
}
