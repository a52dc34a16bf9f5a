package session

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sort"

	"example.com/mcpinspect/client"
)

// Order is how calls are ranked.
type Order uint8

const (
	ByTime    Order = iota // as they were sent
	ByLatency              // those that wait, then the slowest; those without an answer last
	BySize                 // the largest answer first
	ByName                 // of the tool or prompt, else of the method
)

func (o Order) String() string { return [...]string{"time", "latency", "size", "name"}[o] }

// Ranking keeps calls of a log in an order other than that of time, while calls come and are
// answered. A change takes some microseconds however many calls there are. It belongs to one
// goroutine.
type Ranking struct {
	log    *Log
	order  Order
	words  words
	blocks [][]ranked // none is empty
	starts []int      // how many calls stand before each block; nil when that has changed
	n      int
	next   int // the entry of done that comes next
	first  int // of the log when all of it was ranked
}

// ranked is a call with what it is ranked by.
type ranked struct {
	key int64
	seq int32
}

// words are what the numbers of names and methods mean, as far as keys hold some.
type words struct{ names, methods []string }

// rankBlock is how many calls a block holds when it is made; one of twice as many is split.
const rankBlock = 512

// Rank ranks the calls among rows, which are some of Rows(Calls). A million take about 0.3 s. It
// stops when ctx ends: what it returns then is of no use.
func (l *Log) Rank(ctx context.Context, order Order, rows []int32) *Ranking {
	r := &Ranking{log: l, order: order}
	l.mu.RLock()
	r.next, r.first = l.index.doneFrom+len(l.index.done), l.first
	l.mu.RUnlock()
	all := make([]ranked, 0, len(rows))
	for part := range slices.Chunk(rows, rankBlock) { // the log is held only for short
		if ctx.Err() != nil {
			return r
		}
		all = append(all, r.keyed(part)...)
	}
	slices.SortFunc(all, r.compare)
	for part := range slices.Chunk(all, rankBlock) {
		r.blocks = append(r.blocks, slices.Clone(part))
	}
	r.n = len(all)
	return r
}

// keyed looks up what rows are ranked by now. Those that were let go are left out.
func (r *Ranking) keyed(rows []int32) []ranked {
	out := make([]ranked, 0, len(rows))
	r.log.mu.RLock()
	defer r.log.mu.RUnlock()
	r.words = words{r.log.index.names.all, r.log.methods.all}
	for _, seq := range rows {
		if row := r.log.row(int(seq)); row != nil {
			out = append(out, ranked{r.key(int(seq), row), seq})
		}
	}
	return out
}

// The keys of calls that have no answer.
const (
	keyOpen = math.MinInt64
	keyNone = math.MaxInt64
)

// key is what a row is ranked by; the caller holds the log.
func (r *Ranking) key(seq int, row *row) int64 {
	x := &r.log.index
	switch answered := row.pair != NoPair && row.latency >= 0; {
	case r.order == ByName:
		label := x.labels[searchRows(x.calls, seq)]
		return int64(label)<<16 | int64(row.method)
	case r.order == ByLatency && row.bits&bitOpen != 0:
		return keyOpen
	case r.order == ByLatency && answered:
		return -int64(row.latency)
	case r.order == BySize && answered:
		if a := r.log.row(int(row.pair)); a != nil {
			return -int64(a.size)
		}
	}
	return keyNone
}

func (r *Ranking) compare(a, b ranked) int {
	if r.order == ByName && a.key != b.key {
		return cmp.Or(cmp.Compare(r.words.label(a.key), r.words.label(b.key)), cmp.Compare(a.key&0xffff, b.key&0xffff), cmp.Compare(a.seq, b.seq))
	}
	return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.seq, b.seq))
}

// label is what a call is named by: its tool or prompt, else its method.
func (w *words) label(key int64) string {
	if name := w.names[key>>16]; name != "" {
		return name
	}
	return w.methods[key&0xffff]
}

// place is where a call stands, or would stand: a block, and an index in it.
func (r *Ranking) place(c ranked) (block, i int, ok bool) {
	block = sort.Search(len(r.blocks), func(b int) bool {
		last := r.blocks[b][len(r.blocks[b])-1]
		return r.compare(last, c) >= 0
	})
	if block == len(r.blocks) {
		return block, 0, false
	}
	i, ok = slices.BinarySearchFunc(r.blocks[block], c, r.compare)
	return block, i, ok
}

// Add takes in calls that it does not hold.
func (r *Ranking) Add(rows []int32) {
	for _, c := range r.keyed(rows) {
		r.add(c)
	}
}

func (r *Ranking) add(c ranked) {
	b, i, _ := r.place(c)
	if b == len(r.blocks) {
		if b == 0 {
			r.blocks = append(r.blocks, nil)
		} else {
			b--
		}
		i = len(r.blocks[b])
	}
	r.blocks[b] = slices.Insert(r.blocks[b], i, c)
	if block := r.blocks[b]; len(block) >= 2*rankBlock {
		r.blocks = slices.Insert(r.blocks, b+1, slices.Clone(block[rankBlock:]))
		r.blocks[b] = block[:rankBlock:rankBlock]
	}
	r.starts = nil
	r.n++
}

// Remove takes out calls.
func (r *Ranking) Remove(rows []int32) {
	for _, c := range r.keyed(rows) {
		r.remove(c)
	}
}

// were are the keys that a call may stand under while it has one.
func (r *Ranking) were(key int64) []int64 {
	if r.order == ByName {
		return []int64{key}
	}
	return []int64{key, keyOpen, keyNone}
}

// remove takes a call out, whatever it was ranked by: a call is open, and then done. It reports
// whether it was there.
func (r *Ranking) remove(c ranked) bool {
	for _, key := range r.were(c.key) {
		b, i, ok := r.place(ranked{key, c.seq})
		if !ok {
			continue
		}
		if r.blocks[b] = slices.Delete(r.blocks[b], i, i+1); len(r.blocks[b]) == 0 {
			r.blocks = slices.Delete(r.blocks, b, b+1)
		}
		r.starts = nil
		r.n--
		return true
	}
	return false
}

// rankUpdate is how many calls may be put in another place at once: they take a millisecond.
const rankUpdate = 2048

// Update moves the calls that were done since. It reports whether that was all it takes: when
// there was too much, or rows were let go, the calls have to be ranked anew.
func (r *Ranking) Update() bool {
	r.log.mu.RLock()
	x := &r.log.index
	if r.next < x.doneFrom || len(x.done)-(r.next-x.doneFrom) > rankUpdate || r.first != r.log.first {
		r.log.mu.RUnlock()
		return false
	}
	done := x.done[r.next-x.doneFrom:]
	r.log.mu.RUnlock()
	for _, c := range r.keyed(done) {
		if r.remove(c) {
			r.add(c)
		}
	}
	r.next += len(done)
	return true
}

// Len is how many calls there are.
func (r *Ranking) Len() int { return r.n }

// At is the row of the call at a place.
func (r *Ranking) At(i int) int {
	if i < 0 || i >= r.n {
		return NoPair
	}
	r.count()
	b := sort.SearchInts(r.starts, i+1) - 1
	return int(r.blocks[b][i-r.starts[b]].seq)
}

// count makes starts.
func (r *Ranking) count() {
	if r.starts != nil {
		return
	}
	r.starts = make([]int, 0, len(r.blocks))
	n := 0
	for _, b := range r.blocks {
		r.starts = append(r.starts, n)
		n += len(b)
	}
}

// Find is the place of a call, or 0, and whether it is there.
func (r *Ranking) Find(seq int) (int, bool) {
	r.log.mu.RLock()
	row := r.log.row(seq)
	isCall := row != nil && row.kind == client.KindRequest && row.bits&bitNote == 0
	var key int64
	if isCall {
		r.words = words{r.log.index.names.all, r.log.methods.all}
		key = r.key(seq, row)
	}
	r.log.mu.RUnlock()
	if !isCall {
		return 0, false
	}
	for _, key := range r.were(key) {
		if b, i, ok := r.place(ranked{key, int32(seq)}); ok {
			r.count()
			return r.starts[b] + i, true
		}
	}
	return 0, false
}

// Rows are all calls in their order.
func (r *Ranking) Rows() []int32 {
	out := make([]int32, 0, r.n)
	for _, b := range r.blocks {
		for _, c := range b {
			out = append(out, c.seq)
		}
	}
	return out
}
