package session

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/recordings"
)

// marked are the markings of a session, as text.
func marked(s *Session) (out []string) {
	for _, m := range s.Log().Markings() {
		out = append(out, fmt.Sprintf("%d %v %q", m.Seq, m.Marked, m.Note))
	}
	return out
}

// reopen reads a recording from its file.
func reopen(t *testing.T, path string, secrets *recordings.Secrets) *Session {
	t.Helper()
	r, err := recordings.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	s := Recorded(r.Head(), Target{File: path}, Options{Notebook: &Notebook{Path: path, Secrets: secrets}})
	if err := s.Load(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	if n := r.Notices(); len(n) > 0 {
		t.Logf("notices: %v", n)
	}
	return s
}

const markedTalk = `{"jsonrpc":"2.0","id":1,"method":"tools/list"}` + "\n"

// live is a session without a server that is recorded in a file, with three rows.
func live(t *testing.T, path string) (*Session, *Recording) {
	t.Helper()
	w, err := recordings.Create(path, false)
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	o := Options{Start: start}
	rec := NewRecording(w, Target{Command: client.Command{Args: []string{"x"}}}, o, "test", start, nil)
	o.Recorder = rec
	s := New(Target{}, o)
	s.door.Note(client.Note{Run: 1, What: client.NoteSpawn, Text: client.SpawnText("x", 1), Spawn: &client.Spawned{PID: 1, Path: "x"}})
	s.door.Chunk(client.Chunk{Run: 1, Stream: client.In, At: 1, Bytes: []byte(markedTalk)})
	s.door.Chunk(client.Chunk{Run: 1, Stream: client.Out, At: 2, Bytes: []byte("stray\n")})
	return s, rec
}

// TestMarksAreRecorded: what a person puts on rows of a live session is there when it is opened,
// and makes no rows; on a recording it goes into the file, behind a line that is torn, too.
func TestMarksAreRecorded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	s, rec := live(t, path)
	rows := s.Log().Len()
	for _, step := range []func() (string, error){
		func() (string, error) { return s.Mark(1, true) },
		func() (string, error) { return s.Mark(2, true) },
		func() (string, error) { return s.PutNote(2, "who prints\nthis?") },
		func() (string, error) { return s.Mark(2, false) },
		func() (string, error) { return s.PutNote(0, "the old build") },
	} {
		if kept, err := step(); err != nil || kept != path {
			t.Fatalf("kept in %q, %v", kept, err)
		}
	}
	if _, err := s.Mark(99, true); err == nil {
		t.Error("a row that is not there was marked")
	}
	want := []string{`0 false "the old build"`, `1 true ""`, `2 false "who prints\nthis?"`}
	if got := marked(s); !slices.Equal(got, want) || s.Log().Len() != rows || !s.Log().Marked(1) || s.Log().Marked(2) {
		t.Fatalf("live %q, %d rows", got, s.Log().Len())
	}
	if e, _ := s.Log().Event(2); e.Noted != "who prints\nthis?" || e.Marked {
		t.Errorf("the event is %+v", e)
	}
	if err := rec.Close(); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	f.WriteString(`{"k":"b","t":3,"ch":"out","d":"tor`)
	f.Close()
	again := reopen(t, path, nil)
	if got := marked(again); !slices.Equal(got, want) || again.Log().Len() != rows {
		t.Errorf("opened %q, %d rows", got, again.Log().Len())
	}
	if kept, err := again.Mark(0, true); err != nil || kept != path {
		t.Errorf("kept in %q, %v", kept, err)
	}
	if kept, err := again.PutNote(2, ""); err != nil || kept != path {
		t.Errorf("kept in %q, %v", kept, err)
	}
	want = []string{`0 true "the old build"`, `1 true ""`}
	if got := marked(reopen(t, path, nil)); !slices.Equal(got, want) {
		t.Errorf("opened again %q", got)
	}
	if _, err := os.Stat(path + recordings.NotesExt); err == nil {
		t.Error("a recording of ours has a file beside it")
	}
}

// TestMarksBesideTheFile: a recording that cannot take them keeps its bytes; the file beside it has
// the marks, without secrets.
func TestMarksBesideTheFile(t *testing.T) {
	dir := t.TempDir()
	secrets := &recordings.Secrets{}
	secrets.Add("TOKEN", "not-a-real-secret")
	cases := map[string]func(path string){
		"of another program": func(path string) {
			os.WriteFile(path, []byte(markedTalk+"banner\n"), 0o600)
		},
		"being recorded": func(path string) {
			_, rec := live(t, path)
			t.Cleanup(func() { rec.Close() })
		},
	}
	for name, make := range cases {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(dir, strings.ReplaceAll(name, " ", "-"))
			make(path)
			was, _ := os.ReadFile(path)
			s := reopen(t, path, secrets)
			last := s.Log().Len() - 1
			if kept, err := s.PutNote(last, "prints not-a-real-secret"); err != nil || kept != path+recordings.NotesExt {
				t.Fatalf("kept in %q, %v", kept, err)
			}
			if _, err := s.Mark(last, true); err != nil {
				t.Fatal(err)
			}
			if now, _ := os.ReadFile(path); string(now) != string(was) {
				t.Error("the file was changed")
			}
			again := reopen(t, path, secrets)
			if got, want := marked(again), []string{fmt.Sprintf("%d true %q", last, "prints ⟦TOKEN⟧")}; !slices.Equal(got, want) {
				t.Errorf("opened %q, want %q", got, want)
			}
			info, err := os.Stat(path + recordings.NotesExt)
			if err != nil || info.Mode().Perm() != 0o600 && os.PathSeparator == '/' {
				t.Errorf("%v, %v", info.Mode(), err)
			}
		})
	}
}

// TestMarksFindTheirRows: a row is known by its bytes, so that its mark stays on it when the file
// counts other rows than the session did.
func TestMarksFindTheirRows(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	s, rec := live(t, path)
	s.door.mu.Lock()
	s.door.remark(1, 3, client.NoteWarning, "the recording has a gap from here on") // no file has it
	s.door.mu.Unlock()
	s.door.Chunk(client.Chunk{Run: 1, Stream: client.Out, At: 4, Bytes: []byte("more\n")})
	s.door.Chunk(client.Chunk{Run: 1, Stream: client.Out, At: 5, Bytes: []byte("other\n")})
	s.Note(client.NoteInfo, "a remark")
	for _, seq := range []int{4, 6} {
		if _, err := s.Mark(seq, true); err != nil {
			t.Fatal(err)
		}
	}
	rec.Close()
	again := reopen(t, path, nil)
	if got, want := marked(again), []string{`3 true ""`, `5 true ""`}; !slices.Equal(got, want) {
		t.Errorf("opened %q, want %q", got, want)
	}
	if e, _ := again.Log().Event(3); string(e.Head) != "more" {
		t.Errorf("row 3 is %q", e.Head)
	}
}

// TestMarksOfAFollowedFile: the file beside one that is still written is read before the rows come.
func TestMarksOfAFollowedFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	_, rec := live(t, path)
	defer rec.Close()
	if _, err := reopen(t, path, nil).Mark(2, true); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	r, err := recordings.Follow(ctx, path, time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	s := Recorded(r.Head(), Target{File: path}, Options{})
	over := make(chan error)
	go func() { over <- s.Load(ctx, r) }()
	for !s.Log().Marked(2) {
		select {
		case <-s.Changed():
		case err := <-over:
			t.Fatal("the mark is not there", err)
		}
	}
	stop()
	<-over
}

// TestOddMarksOfAFile: lines of a file that are no marks of ours are rows or nothing, never a fault.
func TestOddMarksOfAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	head := `{"k":"head","v":1,"start":"2026-09-01T09:30:00Z","target":{}}` + "\n"
	body := `{"k":"b","t":1,"ch":"out","d":"one\n"}
{"k":"ctl","t":2,"what":"mark","data":{"row":0,"run":0,"ch":"out","off":0,"on":true}}
{"k":"ctl","t":2,"what":"mark","data":{"row":-7,"run":0,"ch":"out","off":0,"on":true}}
{"k":"ctl","t":2,"what":"mark","data":{"row":4611686018427387904,"on":true}}
{"k":"ctl","t":2,"what":"mark","data":{"row":"x"}}
{"k":"ctl","t":2,"what":"note","data":[1],"text":"a remark of another version"}
{"k":"ctl","t":2,"what":"note","text":"lost","data":{"row":0,"run":3,"ch":"err","off":9}}
`
	if err := os.WriteFile(path, []byte(head+body), 0o600); err != nil {
		t.Fatal(err)
	}
	s := reopen(t, path, nil)
	if !s.Log().Marked(0) {
		t.Error("the first row has no mark")
	}
	var notes []string
	s.Log().Each(1, func(e Event) bool { notes = append(notes, e.Note.What+" "+e.Note.Text); return true })
	want := []string{"mark ", "note a remark of another version", "warning 2 marks or notes are on rows that this recording does not have"}
	if !slices.Equal(notes, want) {
		t.Errorf("rows %q, want %q", notes, want)
	}
}

func TestMarksWithoutAFile(t *testing.T) {
	s := New(Target{}, Options{})
	s.Note(client.NoteInfo, "a row")
	kept, err := s.Mark(0, true)
	if !errors.Is(err, ErrUnkept) || kept != "" || !s.Log().Marked(0) {
		t.Errorf("kept in %q, %v", kept, err)
	}
	select {
	case <-s.Changed():
	default:
		t.Error("nobody was told")
	}
	if from := s.Log().Touched(); from != 0 {
		t.Errorf("rows from %d on are judged anew", from)
	}
}
