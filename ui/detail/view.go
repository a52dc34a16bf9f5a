package detail

import "context"

// A Mode is a way to look at a body.
type Mode int

const (
	Pretty Mode = iota // indented JSON
	Raw                // every byte visible, wrapped
	Hex                // offset, bytes, ASCII
	Text               // line breaks kept, wrapped: what Pretty becomes without JSON
)

func (m Mode) String() string { return [...]string{"pretty", "raw", "hex", "text"}[m] }

// View is one way to look at one body. Lines are counted from 0.
type View interface {
	// Mode is the mode asked for, or Text where Pretty found no JSON.
	Mode() Mode

	// Lines returns the number of lines, an estimate until the end was seen.
	Lines() (n int, exact bool)

	// Count walks to the end and returns the number of lines.
	Count(ctx context.Context) (int, error)

	// Window returns up to n lines from a line on, fewer at the end. They are
	// clean and not coloured. Lines of Raw, Hex and Text fit the width of the view;
	// those of Pretty are as long as they are, up to some kilobytes, to be moved
	// sideways by text.Window.
	Window(from, n int) []string

	// Find returns the nearest line with the query, from the given line on or,
	// backwards, before it. Searched are the bytes of the body, so text that a
	// line cuts off is found too; lower case finds both cases. A match belongs to
	// the line where it begins.
	Find(ctx context.Context, query string, from int, forward bool) (line int, ok bool)

	// Pointer returns the JSON pointer (RFC 6901) of the value that a line of
	// Pretty shows, whose keys may hold any character; a closing bracket stands for
	// what it closes. ok is false where a line shows no value.
	Pointer(line int) (pointer string, ok bool)

	// Spans returns the bytes of the lines that Window returns: each span ends where
	// the next one begins.
	Spans(from, n int) []Span

	// At returns the line that shows a byte.
	At(ctx context.Context, off int64) int

	// Fold returns a view in which the container of a line of Pretty is folded into
	// one line, or unfolded; false where there is none.
	Fold(line int) (View, bool)

	// Value returns offset and length of that value in the body.
	Value(line int) (off, n int64, ok bool)
}

// minWidth is the narrowest a wrapped view gets: the longest visible form of one
// character fits.
const minWidth = 10

// Open returns a view of the body for lines of width cells. Pretty does not depend
// on the width while it is Pretty.
func Open(body *Body, mode Mode, width int) View {
	width = max(width, minWidth)
	switch mode {
	case Hex:
		return newHex(body, width)
	case Pretty:
		if looksJSON(body) {
			return newPretty(body)
		}
		return newWrapped(body, Text, width)
	}
	return newWrapped(body, mode, width)
}

// noValue is embedded by views that show no JSON values.
type noValue struct{}

func (noValue) Pointer(int) (string, bool)        { return "", false }
func (noValue) Value(int) (off, n int64, ok bool) { return 0, 0, false }
