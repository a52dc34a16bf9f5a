package recordings

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"
)

const (
	// readBuffer holds most lines whole: a full read of a pipe, twice as long by its escapes.
	readBuffer = 128 << 10

	// maxHeadLine is the longest first line. A command line and its environment stay far below;
	// a file of another kind is not read to its end in search of a line end.
	maxHeadLine = 16 << 20

	// maxRecordLine is the longest line that is read: one write of the longest message kept by
	// default (64 MiB) with every byte escaped, and then some.
	maxRecordLine = 512 << 20

	// keepBuffer is the largest buffer that is kept for the next long line.
	keepBuffer = 4 << 20

	// maxNotices bounds what is told of a file that is damaged all over.
	maxNotices = 1000
)

// NotRecordingError is a file that is no recording, or none that can be read here.
type NotRecordingError struct {
	Path   string // empty when it has no name
	Reason string
}

func (e *NotRecordingError) Error() string {
	name := e.Path
	if name == "" {
		name = "this"
	}
	return fmt.Sprintf("%s is no recording of mcpinspect, and no lines of messages: %s", name, e.Reason)
}

// Record is one line. Which fields are set depends on K, as the table of kinds in the package
// documentation says; whatever the kind, a field that the line has is set.
type Record struct {
	K    string
	Line int           // in the file, from 1
	T    time.Duration // since Head.Start
	Run  int           // the run it belongs to: counts the spawns, 0 before the first

	Ch    Channel
	Data  []byte // of d or d64; borrowed until the next call of Next
	Spans []Span // the masked parts of Data, in order, without overlap

	Head *Head

	Pid  int
	Path string

	Code   *int
	Signal string
	Asked  string

	What string

	N   int64
	Why string

	HTTP *Exchange // of the kinds of HTTP

	Fields map[string]json.RawMessage // what else the line has
	Raw    []byte                     // the line without its end; borrowed until the next call of Next
}

// Text is a field of Fields that is a string, or "".
func (r *Record) Text(field string) (s string) {
	_ = json.Unmarshal(r.Fields[field], &s)
	return s
}

// Notice is something wrong with a file that did not keep the rest from being read.
type Notice struct {
	Line int  // from 1
	Torn bool // the last line ends midway: whatever wrote it was interrupted
	Text string
}

func (n Notice) String() string { return fmt.Sprintf("line %d %s", n.Line, n.Text) }

// Reader reads a recording line by line.
type Reader struct {
	in      *bufio.Reader
	file    io.Closer
	head    *Record // not yet returned by Next
	h       Head
	line    int
	limit   int
	only    Channel // lines with bytes of another one are passed over; None for all
	run     int
	long    []byte // a line that is longer than the buffer of in
	data    []byte // reused for Record.Data
	notices []Notice
	more    int
	pos     int64 // bytes read of the file
	begin   int64 // where the line begins in it
	index   Index
	path    string // empty: there is no file beside it
	notes   notes

	foreign *foreign // of a file that is no recording of ours
	first   *Record  // of such a file, not yet returned by Next
	end     string   // how the line that was read last ends
}

// Index tells where the bytes that Next has returned stand in the file.
func (r *Reader) Index() *Index { return &r.index }

// Open opens a recording: the file at path or, where there is none, the sample of that name. A file
// of another kind is a *NotRecordingError.
func Open(path string) (*Reader, error) {
	if IsSample(path) {
		return OpenSample(path)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("the recording cannot be opened: %w", err)
	}
	if info, err := f.Stat(); err == nil && info.IsDir() {
		f.Close()
		return nil, &NotRecordingError{path, "it is a directory"}
	}
	return read(path, f)
}

// read makes the Reader of an opened file, which it closes when it is no recording.
func read(path string, f io.ReadCloser) (*Reader, error) {
	r, err := NewReader(f)
	if err != nil {
		f.Close()
		if not := (*NotRecordingError)(nil); errors.As(err, &not) {
			not.Path = path
		}
		return nil, err
	}
	r.file, r.path = f, path
	if r.foreign == nil { // bytes are read back from lines of ours only
		r.index.path = path
	}
	if st, ok := f.(interface{ Stat() (fs.FileInfo, error) }); ok && r.foreign != nil {
		if info, err := st.Stat(); err == nil {
			r.h.Start = info.ModTime() // the nearest thing to a time that such a file has
		}
	}
	return r, nil
}

// NewReader reads the first line of a recording and tells by it whether it is one.
func NewReader(in io.Reader) (*Reader, error) {
	r := &Reader{in: newBuffer(in), limit: maxHeadLine}
	line, whole, err := r.next()
	switch {
	case errors.Is(err, io.EOF):
		return nil, &NotRecordingError{Reason: "it is empty"}
	case errors.Is(err, errLong):
		return nil, &NotRecordingError{Reason: "its first line has no end"}
	case err != nil:
		return nil, err
	}
	whence := line
	line = bytes.TrimPrefix(line, []byte("\ufeff")) // an editor was here
	rec, err := r.decode(line)
	if head := bytes.HasPrefix(line, []byte(`{"k":"head"`)); !head && (err != nil || rec.K != KindHead) {
		following, _ := r.in.Peek(r.in.Buffered())
		if isForeign(line, following) {
			r.takeForeign(whence)
			return r, nil
		}
	}
	switch {
	case errors.Is(err, errNoJSON) && !whole && bytes.HasPrefix(line, []byte(`{"k":"head"`)):
		return nil, &NotRecordingError{Reason: "its first line was cut off, and nothing follows"}
	case err != nil:
		return nil, &NotRecordingError{Reason: "its first line " + err.Error()}
	case rec.K != KindHead:
		return nil, &NotRecordingError{Reason: `its first line is no head: it has no "k":"head"`}
	}
	rec.Raw = bytes.Clone(rec.Raw)
	r.head, r.h, r.limit = &rec, *rec.Head, maxRecordLine
	return r, nil
}

// Head is the first line, whether or not Next has returned it.
func (r *Reader) Head() Head { return r.h }

// Next returns the next line, the head first, and io.EOF at the end. Lines that cannot be read
// are skipped and told by Notices. The marks and notes that stand in the file beside the recording
// come behind its lines, or before them where those may never end. Any other error is one of reading the file.
func (r *Reader) Next() (Record, error) {
	if rec := r.head; rec != nil {
		r.head = nil
		return *rec, nil
	}
	if r.Follows() && !r.notes.done { // it has no end that they could stand at
		if rec, err := r.nextNote(); err == nil {
			return rec, nil
		}
	}
	rec, err := r.nextLine()
	if errors.Is(err, io.EOF) {
		return r.nextNote()
	}
	return rec, err
}

// newBuffer is what lines are read through.
func newBuffer(in io.Reader) *bufio.Reader { return bufio.NewReaderSize(in, readBuffer) }

// nextLine is Next in the recording itself.
func (r *Reader) nextLine() (Record, error) {
	if r.foreign != nil {
		return r.nextForeign()
	}
	for {
		line, whole, err := r.next()
		if errors.Is(err, errLong) {
			r.notice(false, "is longer than %d MiB and was skipped", r.limit>>20)
			continue
		}
		if err != nil {
			return Record{}, err
		}
		if r.only != None && r.elsewhere(line) || len(bytes.TrimSpace(line)) == 0 {
			continue // the blank ones are where a torn line was ended
		}
		rec, err := r.decode(line)
		switch {
		case err == nil:
			switch rec.K {
			case KindBytes:
				r.index.line(lane{0, rec.Ch}, int64(len(rec.Data)), r.begin)
			case KindBody:
				r.index.line(lane{rec.HTTP.Number, rec.Ch}, int64(len(rec.Data)), r.begin)
			}
			return rec, nil
		case errors.Is(err, errNoJSON) && !whole:
			r.notice(true, "was cut off: the recording ends inside it")
		default:
			r.notice(false, "was skipped: it %v", err)
		}
	}
}

// Notices are what was wrong so far.
func (r *Reader) Notices() []Notice {
	if r.more == 0 {
		return r.notices
	}
	last := r.notices[len(r.notices)-1]
	return append(r.notices[:len(r.notices):len(r.notices)], Notice{Line: last.Line, Text: fmt.Sprintf("is followed by %d more that are damaged", r.more)})
}

// Torn reports whether the last line was found to end midway.
func (r *Reader) Torn() bool { return len(r.notices) > 0 && r.notices[len(r.notices)-1].Torn }

func (r *Reader) notice(torn bool, format string, args ...any) {
	if len(r.notices) >= maxNotices && !torn {
		r.more++
		return
	}
	r.notices = append(r.notices, Notice{r.line, torn, fmt.Sprintf(format, args...)})
}

// Offset is how many bytes of the file have been read as lines.
func (r *Reader) Offset() int64 { return r.pos }

// Size is how many bytes the file has now; 0 when that is not known.
func (r *Reader) Size() int64 {
	f, ok := r.file.(interface{ Stat() (fs.FileInfo, error) })
	if !ok {
		return 0
	}
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return 0
	}
	return info.Size()
}

// Close closes a file that Open opened.
func (r *Reader) Close() error {
	r.notes.close()
	r.index.Close()
	if r.file == nil {
		return nil
	}
	return r.file.Close()
}

// errLong is a line beyond the limit.
var errLong = errors.New("too long")

// next reads one line without its end, borrowed until the next call; whole is false when the file
// ended before the line did. A line beyond the limit is read over.
func (r *Reader) next() (line []byte, whole bool, err error) {
	r.line++
	if cap(r.long) > keepBuffer {
		r.long = nil
	}
	r.long = r.long[:0]
	r.begin = r.pos
	size := 0
	for {
		part, err := r.in.ReadSlice('\n')
		size += len(part)
		r.pos += int64(len(part))
		switch {
		case err == nil && size > r.limit+1:
			return nil, true, errLong
		case err == nil && len(r.long) == 0:
			return r.trimEnd(part), true, nil
		case err == nil:
			r.long = append(r.long, part...)
			return r.trimEnd(r.long), true, nil
		case errors.Is(err, bufio.ErrBufferFull):
			if size <= r.limit {
				r.long = append(r.long, part...)
			} else if r.limit == maxHeadLine {
				return nil, false, errLong
			}
		case !errors.Is(err, io.EOF):
			return nil, false, fmt.Errorf("reading the recording failed in line %d: %w", r.line, err)
		case size == 0:
			r.line--
			return nil, false, io.EOF
		case size > r.limit:
			return nil, false, errLong
		default:
			r.long = append(r.long, part...)
			r.end = ""
			return r.long, false, nil
		}
	}
}

func (r *Reader) trimEnd(line []byte) []byte {
	line = line[:len(line)-1]
	if r.end = "\n"; bytes.HasSuffix(line, []byte{'\r'}) {
		r.end = "\r\n"
		line = line[:len(line)-1]
	}
	return line
}
