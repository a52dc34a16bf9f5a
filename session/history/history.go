// Package history keeps the arguments of tool calls over the end of the program: one small file a
// server in the state directory. It is a convenience: a lost or broken file costs what was typed
// once. Whoever calls Begin takes the secrets out before, by Scrub.
package history

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/recordings"
)

const (
	// KeepPerTool is how many calls of a tool are kept: more than anyone steps through.
	KeepPerTool = 50

	// MaxArguments is the largest arguments that are kept, in bytes of JSON.
	MaxArguments = 64 << 10

	// maxFile is when a file is written anew with what is still worth keeping.
	maxFile = 2 << 20

	// maxServers is how many servers have a file; the one that was used least lately goes.
	maxServers = 100

	dirName = "history"
	fileExt = ".jsonl"
)

// Call is one earlier call of a tool.
type Call struct {
	Tool    string
	At      time.Time
	Args    []byte // raw JSON object on one line, without secrets
	Left    int    // how many secrets were left out
	Outcome string // "ok", "tool error", …; empty when it is not known
	Latency time.Duration
}

// Store is what is kept of one server. Its methods may be called from any goroutine; nil keeps and
// knows nothing.
type Store struct {
	path string

	mu    sync.Mutex
	calls []Call // of earlier sessions, oldest first
	size  int    // bytes of the file
}

// record is one line of the file: a call when it is sent, and again with its outcome. Lines that
// cannot be read are skipped: a crash may have torn one.
type record struct {
	Tool    string          `json:"tool"`
	At      time.Time       `json:"t"`
	Args    json.RawMessage `json:"args"`
	Left    int             `json:"left"`
	Outcome string          `json:"end"`
	MS      float64         `json:"ms"`
}

// Open reads what is kept of the server that a command line names, started in a directory. Nothing
// is written before the first Begin.
func Open(command, dir string) (*Store, error) {
	folder, err := folder()
	if err != nil {
		return nil, err
	}
	s := &Store{path: filepath.Join(folder, key(command, dir)+fileExt)}
	raw, err := os.ReadFile(s.path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("the history of arguments cannot be read: %w", err)
	}
	s.calls, s.size = parse(raw), len(raw)
	return s, nil
}

func folder() (string, error) {
	dir, err := recordings.StateDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, dirName), nil
}

// key names a server without telling its command line, which may hold secrets.
func key(command, dir string) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d:%s%s", len(command), command, dir))
	return hex.EncodeToString(sum[:12])
}

// parse reads the lines of a file: the newest KeepPerTool calls of each tool, oldest first.
func parse(raw []byte) (calls []Call) {
	type id struct {
		tool string
		at   int64
	}
	at := map[id]int{}
	lines := bufio.NewScanner(bytes.NewReader(raw))
	lines.Buffer(nil, 2*MaxArguments)
	for lines.Scan() {
		var r record
		if json.Unmarshal(lines.Bytes(), &r) != nil || r.Tool == "" {
			continue
		}
		k := id{r.Tool, r.At.UnixNano()}
		if i, known := at[k]; known {
			calls[i].Outcome, calls[i].Latency = r.Outcome, time.Duration(r.MS*float64(time.Millisecond))
			continue
		}
		// Of the line itself, so that numbers and the order of members stay as they are.
		if args := client.Get(lines.Bytes(), "args"); len(args) > 0 && args[0] == '{' {
			at[k] = len(calls)
			calls = append(calls, Call{Tool: r.Tool, At: r.At, Args: bytes.Clone(args), Left: r.Left})
		}
	}
	n := map[string]int{}
	for i := len(calls) - 1; i >= 0; i-- {
		if n[calls[i].Tool]++; n[calls[i].Tool] > KeepPerTool {
			calls[i].Args = nil
		}
	}
	return slices.DeleteFunc(calls, func(c Call) bool { return c.Args == nil })
}

// Calls are the calls of a tool that were made before this Store was opened, oldest first.
func (s *Store) Calls(tool string) (list []Call) {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.calls {
		if c.Tool == tool {
			list = append(list, c)
		}
	}
	return list
}

// Begin keeps a call that is being sent; its outcome follows by End, of the same tool and time.
// Arguments that are no object, too large, or not on one line are not kept.
func (s *Store) Begin(c Call) error {
	if s == nil || len(c.Args) > MaxArguments || len(c.Args) == 0 || c.Args[0] != '{' || bytes.ContainsAny(c.Args, "\r\n") {
		return nil
	}
	return s.append(c.begin(nil))
}

// End keeps how a call that began went.
func (s *Store) End(c Call) error {
	if s == nil {
		return nil
	}
	return s.append(c.end(nil))
}

// begin appends the line of a call that is sent.
func (c *Call) begin(dst []byte) []byte {
	dst = fmt.Appendf(c.head(dst), `,"args":%s`, c.Args)
	if c.Left > 0 {
		dst = fmt.Appendf(dst, `,"left":%d`, c.Left)
	}
	return append(dst, "}\n"...)
}

// end appends the line of an outcome.
func (c *Call) end(dst []byte) []byte {
	dst = client.AppendQuote(append(c.head(dst), `,"end":`...), c.Outcome)
	return fmt.Appendf(dst, `,"ms":%.3f}`+"\n", float64(c.Latency)/float64(time.Millisecond))
}

func (c *Call) head(dst []byte) []byte {
	dst = client.AppendQuote(append(dst, `{"tool":`...), c.Tool)
	return fmt.Appendf(dst, `,"t":%q`, c.At.UTC().Format(time.RFC3339Nano))
}

// append writes one line in one piece, so that two sessions of one server do not mix theirs.
func (s *Store) append(line []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.size+len(line) > maxFile {
		if err := s.compact(); err != nil {
			return err
		}
	}
	open := func() (*os.File, error) {
		return os.OpenFile(s.path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	}
	f, err := open()
	if errors.Is(err, fs.ErrNotExist) {
		if err = os.MkdirAll(filepath.Dir(s.path), 0o700); err == nil {
			f, err = open()
		}
	}
	if err != nil {
		return fmt.Errorf("the arguments were not kept: %w", err)
	}
	if s.size == 0 {
		_, _ = prune(filepath.Dir(s.path), maxServers) // the next server tries again
	}
	n, err := f.Write(line)
	s.size += n
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return fmt.Errorf("the arguments were not kept: %w", err)
	}
	return nil
}

// compact writes the file anew with the newest calls, at most half of what it may have: by rename,
// so that a reader never sees half of it. The caller holds mu.
func (s *Store) compact() error {
	raw, err := os.ReadFile(s.path)
	if errors.Is(err, fs.ErrNotExist) {
		s.size = 0
		return nil
	}
	if err != nil {
		return fmt.Errorf("the history of arguments cannot be shortened: %w", err)
	}
	var parts [][]byte
	size := 0
	for _, c := range slices.Backward(parse(raw)) {
		part := c.begin(nil)
		if c.Outcome != "" {
			part = c.end(part)
		}
		if size += len(part); size > maxFile/2 {
			break
		}
		parts = append(parts, part)
	}
	slices.Reverse(parts)
	whole := bytes.Join(parts, nil)
	tmp, err := os.CreateTemp(filepath.Dir(s.path), ".history-*") // made 0600
	if err == nil {
		_, err = tmp.Write(whole)
		if cerr := tmp.Close(); err == nil {
			err = cerr
		}
		if err == nil {
			err = os.Rename(tmp.Name(), s.path)
		}
		if err != nil {
			os.Remove(tmp.Name())
		}
	}
	if err != nil {
		return fmt.Errorf("the history of arguments cannot be shortened: %w", err)
	}
	s.size = len(whole)
	return nil
}

// Clear forgets what is kept of this server.
func (s *Store) Clear() error {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls, s.size = nil, 0
	if err := os.Remove(s.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("the history of arguments cannot be deleted: %w", err)
	}
	return nil
}
