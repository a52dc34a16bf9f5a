package session

import (
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
	heard overheard
}

// tapGrace is how long the capture may lag behind when the server has ended: its exit status is
// owed to the client, and a disk that hangs must not keep it back.
const tapGrace = 5 * time.Second

// Tap starts the server for the client at the given ends. Options of requests mean nothing here.
func (s *Session) Tap(ends client.Ends) (*Tap, error) {
	t := &Tap{sess: s, queue: newQueue(s.door, maxQueued), grace: tapGrace, heard: overheard{door: s.door}}
	s.mu.Lock()
	s.run++
	run := s.run
	s.mu.Unlock()
	client.Go("tap capture", t.failed, func() { t.queue.drain(t.heard.watch) }, func() { close(t.queue.done) })
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
// the capture could not be finished. Unless that was a fault of ours, which Options.Fault was told,
// it hangs: the session and its recording may not be touched then.
func (t *Tap) Wait() (exit client.Exit, whole bool) {
	exit = t.relay.Wait()
	t.queue.close()
	timer := time.NewTimer(t.grace)
	defer timer.Stop()
	select {
	case <-t.queue.done:
		if whole = t.queue.complete(); !whole { // a fault of ours has taken the end of the queue with it
			t.sess.door.Note(client.Note{Run: t.sess.runNumber(), At: exit.At, What: client.NoteExit, Text: "the server ended: " + exit.String(), Exit: &exit})
		}
		return exit, whole
	case <-timer.C:
		return exit, false
	}
}
