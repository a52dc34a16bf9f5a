package session

import (
	"context"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/recordings"
)

// ahead reads a recording beside whoever takes it in: reading lines and deriving messages from them
// go on at the same time. Records come in the order of the file.
type ahead struct {
	full, empty chan *batch
	done        chan struct{} // closed when the reader is not used any more
	stop        context.CancelFunc
	fault       *client.Fault // of the reading; valid once done is closed
	now         *batch
	next        int // of now
}

// batch is some lines that were read, with bytes of its own.
type batch struct {
	records []recordings.Record
	offsets []int64 // of the file, behind each of them
	data    []byte
	err     error // what came behind the last
}

const (
	batchData  = 256 << 10 // stays in the cache from one side to the other
	batchLines = 1024
	batches    = 3 // one is filled, one waits, one is taken in
)

// readAhead begins to read, until the end, an error, that of ctx, or close.
func readAhead(ctx context.Context, r *recordings.Reader) *ahead {
	a := &ahead{full: make(chan *batch, batches+1), empty: make(chan *batch, batches), done: make(chan struct{}), now: &batch{}}
	for range batches - 1 {
		a.empty <- &batch{}
	}
	ctx, a.stop = context.WithCancel(ctx)
	client.Go("reading ahead", func(f *client.Fault) {
		a.fault = f
		a.full <- &batch{err: f} // in its place behind the lines; full has room for all there are
	}, func() { a.read(ctx, r) }, func() { close(a.done) })
	return a
}

// read fills batches.
func (a *ahead) read(ctx context.Context, r *recordings.Reader) {
	for {
		var b *batch
		select {
		case b = <-a.empty:
		case <-ctx.Done():
			return
		}
		b.records, b.offsets, b.data = b.records[:0], b.offsets[:0], b.data[:0]
		for b.err == nil && len(b.data) < batchData && len(b.records) < batchLines {
			var rec recordings.Record
			if rec, b.err = r.Next(); b.err == nil {
				from := len(b.data)
				b.data = append(b.data, rec.Data...)
				rec.Data, rec.Raw = b.data[from:len(b.data):len(b.data)], nil
				b.records, b.offsets = append(b.records, rec), append(b.offsets, r.Offset())
			}
		}
		err := b.err // the batch is the other side's from here on
		a.full <- b
		if err != nil {
			return
		}
	}
}

// Next is the next record, borrowed until the call after that, and the place in the file behind it.
func (a *ahead) Next(ctx context.Context) (rec *recordings.Record, offset int64, err error) {
	for a.next == len(a.now.records) {
		if a.now.err != nil {
			return nil, 0, a.now.err
		}
		if a.next = 0; cap(a.now.data) > 2*batchData { // one long line must not stay
			a.now.data = nil
		}
		a.empty <- a.now
		select {
		case a.now = <-a.full:
		case <-ctx.Done():
			a.now = &batch{err: context.Cause(ctx)}
		}
	}
	a.next++
	return &a.now.records[a.next-1], a.now.offsets[a.next-1], nil
}

// close ends the reading and waits for it. The error is a fault in it.
func (a *ahead) close() error {
	a.stop()
	<-a.done
	if a.fault != nil {
		return a.fault
	}
	return nil
}
