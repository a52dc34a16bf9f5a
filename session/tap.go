package session

import (
	"fmt"
	"os"
	"time"

	"example.com/mcpinspect/client"
)

// Tap is a session whose client is somebody else: what either side writes is passed on, and taken
// in by the same door as ever, behind a queue that neither side waits for.
type Tap struct {
	sess  *Session
	relay *client.Relayed
	queue *queue
	grace time.Duration
	seen  int  // rows that were looked at
	era   bool // it is known
}

// tapGrace is how long the capture may lag behind when the server has ended: its exit status is
// owed to the client, and a disk that hangs must not keep it back.
const tapGrace = 5 * time.Second

// Tap starts the server for the client at the given ends. Options of requests mean nothing here.
func (s *Session) Tap(ends client.Ends) (*Tap, error) {
	t := &Tap{sess: s, queue: newQueue(s.door, maxQueued), grace: tapGrace}
	s.mu.Lock()
	s.run++
	run := s.run
	s.mu.Unlock()
	client.Go("tap capture", t.failed, func() { t.queue.drain(t.watch) })
	relay, err := client.Relay(s.target.Command, run, t.queue, ends, s.opts.Fault)
	if err != nil {
		t.queue.close()
		<-t.queue.done
		return nil, err
	}
	t.relay = relay
	return t, nil
}

// failed ends the capture after a fault in it; the two sides go on.
func (t *Tap) failed(f *client.Fault) {
	t.queue.fail()
	t.sess.opts.Fault(f)
}

// Signal passes a signal on to the server.
func (t *Tap) Signal(sig os.Signal) { t.relay.Signal(sig) }

// Wait returns how the server ended, once the client has all that it wrote. whole is false when
// the capture could not be finished: the session and its recording may not be touched then.
func (t *Tap) Wait() (exit client.Exit, whole bool) {
	exit = t.relay.Wait()
	t.queue.close()
	timer := time.NewTimer(t.grace)
	defer timer.Stop()
	select {
	case <-t.queue.done:
		return exit, t.queue.complete()
	case <-timer.C:
		return exit, false
	}
}

// watch draws from the rows that are new what a client of ours would have noted: which revision
// was agreed on, and which requests were given up.
func (t *Tap) watch() {
	log := t.sess.door.log
	for end := log.Len(); t.seen < end; t.seen++ {
		e, _ := log.Event(t.seen)
		switch {
		case e.Stream == client.Out && e.Kind == client.KindResponse && e.Pair != NoPair && !t.era:
			t.agreed(&e)
		case e.Stream == client.In && e.Kind == client.KindNotification && e.Method == client.MethodCancelled:
			params := client.Get(log.Body(e.Seq).Bytes(), "params")
			if id := client.Get(params, "requestId"); id != nil {
				t.note(&e, client.NoteCancel, string(id), nil, "the client gave up the request with id %s: %s", id, client.GetText(params, "reason"))
			}
		}
	}
}

// agreed notes the era by the first result.
func (t *Tap) agreed(answer *Event) {
	log := t.sess.door.log
	var rev client.Revision
	text := "the client sends %s with every request"
	if answer.Method == client.MethodInitialize {
		rev = client.Revision(client.GetText(log.Body(answer.Seq).Bytes(), "result", "protocolVersion"))
		text = "the client shook hands, and the server chose %s"
	} else {
		rev = client.Revision(client.GetText(log.Body(answer.Pair).Bytes(), "params", "_meta", client.MetaProtocolVersion))
	}
	if rev == "" {
		return
	}
	t.era = true
	t.note(answer, client.NoteEra, "", append(append([]byte(`{"revision":`), client.Quote(string(rev))...), '}'), text, rev)
}

func (t *Tap) note(e *Event, what, id string, data []byte, format string, args ...any) {
	t.sess.door.Note(client.Note{Run: e.Run, At: e.T, What: what, ID: id, Data: data, Text: fmt.Sprintf(format, args...)})
}
