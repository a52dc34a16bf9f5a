package session

import (
	"bytes"
	"maps"
	"slices"
	"time"

	"example.com/mcpinspect/client"
)

// Phase is where a connection stands.
type Phase uint8

const (
	Idle       Phase = iota // nothing was started
	Connecting              // started, not agreed on a revision
	Ready
	Ended // the server has gone
	Failed
)

func (p Phase) String() string {
	return [...]string{"idle", "connecting", "ready", "ended", "failed"}[p]
}

// Server is who the server says it is, from its discover or initialize result.
type Server struct {
	Name, Version, Title string
	Revision             client.Revision
	Why                  string // the reason for the revision, one sentence
	Supported            []string
	Instructions         string
	Capabilities         []byte // raw
	Offered              []byte // our capabilities, as we sent them
	Result               []byte // the whole result, as sent
	Method               string // server/discover or initialize
	Latency              time.Duration
	Seq                  int // the row of the answer
	TTL                  string
	Scope                string
}

// Call is a request that waits for its answer.
type Call struct {
	ID       string
	Seq      int
	Method   string
	Name     string // of the tool or prompt; the URI of a resource
	Sent     time.Duration
	GivenUp  string        // why we stopped waiting; empty while we do
	Left     time.Duration // when that was
	Progress string        // the latest: "20/100 copying"
	Far      Progress      // what it comes to
	Known    []string      // of why it has no answer, once that was looked at: one sentence each, the first explains most
	Lost     string        // why no answer can come any more, of a server that is no process of ours

	token string // raw progressToken; empty for none
}

// Latest is the latest answered request of a subject.
type Latest struct {
	ID              string // of the request
	Request, Answer int    // rows
	Latency         time.Duration
	Before          time.Duration // of the call before; negative when there was none
	Was             [2]int        // rows of the call before: request and answer; NoPair when there was none
	asked           bool          // the answer asks for input: the same call goes on with another request
}

// Counts are what the header shows.
type Counts struct {
	Out, In, Stray, Stderr int // messages, messages, lines, lines
	Errors, Warnings       int // marks by severity
}

// Worst is the latest of the findings of this run that weigh most, with its row; one without a rule
// stands for none.
type Worst struct {
	Mark
	Seq int
}

// Snapshot is the state at one moment. It is immutable; slices are shared and never changed.
type Snapshot struct {
	Version    uint64
	Phase      Phase
	Reason     string // why it failed
	Run, PID   int
	Path       string
	Started    time.Duration // of this run
	Server     *Server
	Lists      map[string]*List
	Calls      []Call
	Last       map[Subject]Latest
	Lost       map[Subject]Call  // its latest request, when it ended without an answer
	Made       map[Subject][]int // the rows of its requests, oldest first, at most keepMade
	Counts     Counts
	Worst      Worst
	Stray      int // the latest stray row, -1 for none
	Stderr     string
	Box        *BlackBox
	Before     *BlackBox // of the latest run that ended with calls open, once the server was started again
	Waiting    int64     // bytes of an unfinished line on stdout
	Unrecorded int64     // bytes that could not be recorded
	Losing     bool      // nothing can be recorded at the moment
	Notice     string

	Subscriptions []Subscription // what the server was asked to tell of, oldest first
}

// Open is how many requests of ours wait for an answer: those that were given up do not.
func (s *Snapshot) Open() (n int) {
	for i := range s.Calls {
		if s.Calls[i].GivenUp == "" {
			n++
		}
	}
	return n
}

// List returns a list by its kind's name, an empty one when nothing of it came.
func (s *Snapshot) List(name string) *List {
	if l := s.Lists[name]; l != nil {
		return l
	}
	return &List{}
}

// keepMade is how many requests of each subject are remembered: more than anyone steps through.
const keepMade = 100

// state is the reducer: it is fed every event in order, under the door.
type state struct {
	snap  Snapshot
	calls []Call // in order; copied for a snapshot
	said  Said
	out   map[int]int64      // stdout bytes by run
	torn  int64              // bytes of the line that the end of stdout cut, of the current run
	tail  []byte             // its last ones
	prev  map[string]*List   // by kind: the latest complete one before
	tasks map[string]*tasked // by the id of the task

	followed []Subject // oldest first
	made     *Snapshot
}

func newState() *state {
	return &state{snap: Snapshot{Lists: map[string]*List{}, Last: map[Subject]Latest{}, Lost: map[Subject]Call{}, Made: map[Subject][]int{}, Stray: -1}, out: map[int]int64{}, prev: map[string]*List{}}
}

// snapshot returns the current state; the same one while nothing changed.
func (s *state) snapshot(version uint64, waiting int64) *Snapshot {
	if s.made != nil && s.made.Version == version {
		return s.made
	}
	made := s.snap
	made.Version, made.Waiting = version, waiting
	made.Calls = append([]Call(nil), s.calls...)
	made.Lists = make(map[string]*List, len(s.snap.Lists))
	for k, l := range s.snap.Lists {
		cp := *l
		made.Lists[k] = &cp
	}
	made.Last, made.Lost, made.Made = maps.Clone(s.snap.Last), maps.Clone(s.snap.Lost), maps.Clone(s.snap.Made)
	made.Stderr = s.said.last()
	s.made = &made
	return s.made
}

// frame counts a line and remembers stderr.
func (s *state) frame(e *Event, body client.Body) {
	switch {
	case e.Stream == client.Err:
		s.snap.Counts.Stderr++
		s.said.Err(body)
	case e.Stream == client.In:
		s.snap.Counts.Out += e.Count
	case e.Flaws.Has(client.FlawTorn) && e.Count == 0:
		s.torn, s.tail = int64(e.Size), bytes.Clone(body.Slice(max(0, e.Size-halfTail), e.Size))
		fallthrough
	case e.Stray():
		s.snap.Counts.Stray++
		s.snap.Stray = e.Seq
		s.said.Out(body)
	default:
		s.snap.Counts.In += e.Count
	}
}

func (s *state) marks(seq int, marks []Mark) {
	for _, m := range marks {
		if w := &s.snap.Worst; m.Severity > Info && m.Severity >= w.Severity {
			*w = Worst{m, seq}
		}
		switch m.Severity {
		case Error:
			s.snap.Counts.Errors++
		case Warning:
			s.snap.Counts.Warnings++
		}
	}
}

// request notes a request of ours. What is kept of its params and of results is copied: the log
// may give up the bodies.
func (s *state) request(q *openRequest, params []byte) {
	if q.method == client.MethodListen { // it stays open, and nobody waits for its answer
		s.subscribe(Subscription{ID: q.id, Asked: client.ReadInterest(client.Get(params, "notifications")), Since: q.sent})
		return
	}
	s.calls = append(s.calls, Call{ID: q.id, Seq: q.seq, Method: q.method, Name: q.name, Sent: q.sent, token: clip(string(client.Get(params, "_meta", client.MetaProgressToken)), maxKeptID)})
	if of, ok := subject(q.method, q.name); ok {
		s.asked(of, q.seq)
	}
	switch q.method {
	case client.MethodInitialize:
		s.server().Offered = bytes.Clone(client.Get(params, "capabilities"))
	case client.MethodDiscover:
		s.server().Offered = bytes.Clone(client.Get(params, "_meta", client.MetaClientCapabilities))
	}
}

func (s *state) server() *Server {
	if s.snap.Server == nil {
		s.snap.Server = &Server{Seq: -1}
	}
	cp := *s.snap.Server // snapshots share the old one
	s.snap.Server = &cp
	return s.snap.Server
}

func (s *state) drop(id string) (c Call) {
	for i := range s.calls {
		if s.calls[i].ID == id {
			c = s.calls[i]
			s.calls = slices.Delete(s.calls, i, i+1)
			return c
		}
	}
	return c
}

// answer takes in what an answer to a request of ours says.
func (s *state) answer(q *openRequest, in *client.Incoming, e *Event) (failed bool) {
	s.drop(q.id)
	result := in.Raw(in.Result)
	latency := e.T - q.sent
	ok := in.Kind == client.KindResponse
	switch q.method {
	case client.MethodDiscover, client.MethodInitialize:
		if ok {
			s.identity(q.method, bytes.Clone(result), e.Seq, latency)
		}
	case client.MethodToolsCall:
		failed = string(client.Get(result, "isError")) == "true"
		s.handled(q, result)
	case client.MethodTasksGet, client.MethodTasksResult:
		failed = s.outcome(q, e, result)
	case client.MethodListen:
		s.unlisten(q.id)
	case client.MethodSubscribe, client.MethodUnsubscribe:
		if ok {
			s.watched(q.method, q.name, e.T)
		}
	}
	s.answered(q, e, result)
	for _, kind := range client.ListKinds {
		if kind.Method == q.method {
			s.page(kind, q, in, e, latency)
		}
	}
	return failed
}

// lost takes in that the answer to a request of ours cannot be read.
func (s *state) lost(q *openRequest, l *client.Lost, e *Event) {
	s.drop(q.id)
	s.answered(q, e, nil)
	for _, kind := range client.ListKinds {
		if kind.Method == q.method {
			s.refused(kind, q, "the answer cannot be read: "+l.Reason)
		}
	}
}

// notification takes in what the server tells unasked.
func (s *state) notification(method string, in *client.Incoming) {
	params := in.Raw(in.Params)
	switch {
	case method == client.MethodProgress:
		s.progress(params)
	case method == client.MethodTaskStatus, method == client.MethodTaskNews:
		s.pushed(params)
		s.news(method, params)
	case len(s.snap.Subscriptions) > 0:
		s.news(method, params)
	}
}

// note takes in a decision or the start or end of the child. box is set for an exit.
func (s *state) note(n *client.Note, half int64, tail []byte) {
	switch n.What {
	case client.NoteSpawn:
		if box := s.snap.Box; box != nil && len(box.Open) > 0 {
			s.snap.Before = box
		}
		s.snap.Phase, s.snap.Reason, s.snap.Box = Connecting, "", nil
		s.snap.Run, s.snap.PID, s.snap.Path, s.snap.Started = n.Run, 0, "", n.At
		if n.Spawn != nil { // a recording may lack it
			s.snap.PID, s.snap.Path = n.Spawn.PID, n.Spawn.Path
		}
		s.snap.Server, s.snap.Worst = nil, Worst{}
		s.said, s.torn, s.tail = Said{}, 0, nil
		s.calls = nil // of a run whose end is in no recording
		s.snap.Subscriptions, s.tasks = nil, nil
	case client.NoteEra:
		v := s.server()
		v.Why = n.Text
		if r := client.GetText(n.Data, "revision"); r != "" {
			v.Revision = client.Revision(r)
		}
		s.snap.Phase = Ready
	case client.NoteFailed:
		if s.snap.Phase != Ended {
			s.snap.Phase = Failed
		}
		s.snap.Reason = n.Text
	case client.NotePages:
		if kind := client.GetText(n.Data, "list"); kind != "" && s.snap.Lists[kind] != nil && client.Get(n.Data, "cursor") == nil {
			l := *s.snap.Lists[kind]
			l.Stopped = n.Text
			s.snap.Lists[kind] = &l
		}
	case client.NoteHang:
		s.hangs(n)
	case client.NoteCancel:
		s.hangs(n)
		s.unlisten(n.ID)
		s.cancelled(n.ID, n.At)
	case client.NoteTimeout:
		s.hangs(n)
		s.unlisten(n.ID)
		for i := range s.calls {
			if s.calls[i].ID == n.ID && s.calls[i].GivenUp == "" {
				s.calls[i].GivenUp, s.calls[i].Left = n.What, n.At
			}
		}
	case client.NoteTask:
		s.task(n.ID, n.Text, client.Get(n.Data, "final") != nil)
	case client.NoteLost:
		s.unlisten(n.ID)
		s.unanswerable(n.ID, n.Text)
	case client.NoteClosed:
		s.snap.Phase, s.snap.Reason = Ended, n.Text
		s.snap.Subscriptions = nil
		for _, c := range s.calls {
			s.lose(c, n.Text)
		}
		s.calls = nil
	case client.NoteExit:
		if half == 0 {
			half, tail = s.torn, s.tail
		}
		exit := client.Exit{At: n.At}
		if n.Exit != nil {
			exit = *n.Exit
		}
		box := &BlackBox{Exit: exit, Run: n.Run, Started: s.snap.Started, Open: append([]Call(nil), s.calls...), Half: half, HalfEnd: string(tail), Out: s.out[n.Run]}
		for _, c := range s.calls {
			s.lose(c, "")
		}
		s.said.Tell(box)
		s.snap.Box = box
		s.snap.Subscriptions = nil
		s.snap.Phase = Ended
		s.calls = nil
	}
	if n.HTTP == nil { // heads are in the log, they are no news
		s.snap.Notice = n.Text
	}
}

func clip(s string, n int) string {
	if len(s) > n {
		return s[:n] + "…"
	}
	return s
}
