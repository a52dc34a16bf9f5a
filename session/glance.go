package session

import "example.com/mcpinspect/client"

// touch wakes whoever watches although no row came.
func (d *door) touch() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.wake()
}

// wake tells whoever watches that something changed; it never blocks.
func (d *door) wake() {
	d.version++
	d.done.Store(int64(d.log.count)) // the door alone writes it
	if d.wanted.Swap(false) {
		d.publish()
	}
	select {
	case d.changed <- struct{}{}:
	default:
	}
}

// snapshot is the state now.
func (d *door) snapshot() *Snapshot {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.publish()
}

// glance is the state now, or while a chunk is taken in, which may be thousands of lines, the one
// before; the end of that chunk then publishes a new one.
func (d *door) glance() (s *Snapshot, fresh bool) {
	if !d.mu.TryLock() {
		d.wanted.Store(true)
		if s = d.latest.Load(); s != nil {
			return s, false
		}
		d.mu.Lock()
	}
	defer d.mu.Unlock()
	return d.publish(), true
}

// publish makes the snapshot of the state as it is; the caller holds mu.
func (d *door) publish() *Snapshot {
	waiting, _ := d.pending(d.state.snap.Run, client.Out)
	s := d.state.snapshot(d.version, waiting)
	d.latest.Store(s)
	return s
}
