package client

import "time"

// write hands the queued lines to the transport, one at a time. A server that stops reading
// blocks this goroutine and no other.
func (c *Conn) write() {
	for {
		c.mu.Lock()
		if len(c.queue) == 0 {
			c.busy = false
			c.mu.Unlock()
			select {
			case c.idle <- struct{}{}:
			default:
			}
			select {
			case <-c.wake:
			case <-c.stop:
				return
			}
			continue
		}
		line := c.queue[0]
		c.queue = c.queue[1:]
		c.busy = true
		c.mu.Unlock()
		if err := c.tr.Send(line); err != nil {
			select {
			case <-c.stop: // we closed it ourselves
			default:
				c.note(NoteWrite, "", "writing to the server failed: %v", err)
			}
		}
	}
}

// enqueue records a line and queues it: the order of the log is the order of the pipe.
func (c *Conn) enqueue(line []byte, register func()) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		return c.err
	}
	if register != nil {
		register()
	}
	if !c.exchanges() {
		c.door.Chunk(Chunk{Run: c.run, Stream: In, At: c.door.Now(), Bytes: line})
	}
	c.queue = append(c.queue, line)
	select {
	case c.wake <- struct{}{}:
	default:
	}
	return nil
}

// SendRaw writes bytes as they are: one queue entry, no id, no check.
func (c *Conn) SendRaw(b []byte) error { return c.enqueue(b, nil) }

// Notify sends a notification.
func (c *Conn) Notify(method string, params []byte) error {
	line := append([]byte(`{"jsonrpc":"2.0","method":`), Quote(method)...)
	if len(params) > 0 {
		line = append(append(line, `,"params":`...), params...)
	}
	return c.enqueue(append(oneLine(line), '}', '\n'), nil)
}

// flush waits until every queued line has been handed over, or d has passed.
func (c *Conn) flush(d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	for {
		c.mu.Lock()
		empty := len(c.queue) == 0 && !c.busy
		c.mu.Unlock()
		if empty {
			return
		}
		select {
		case <-c.idle:
		case <-c.gone:
			return
		case <-timer.C:
			return
		}
	}
}
