package cli

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/session"
	"example.com/mcpinspect/ui/text"
)

// maxParallel is how many calls may be open at once: beyond it a server's queue is measured, and a
// goroutine each is no longer cheap.
const maxParallel = 1000

// repeatable checks the flags of call --repeat before a server is started.
func (f *flags) repeatable(given func(name string) bool) error {
	switch {
	case !given("repeat") && f.repeat == 0:
		if given("parallel") {
			return usagef("--parallel is about --repeat N, which is not there")
		}
	case f.repeat < 1:
		return usagef("--repeat %d: it is one call at least", f.repeat)
	case f.parallel < 1 || f.parallel > maxParallel:
		return usagef("--parallel %d: from 1 to %d calls can be open at once", f.parallel, maxParallel)
	case f.dryRun:
		return usagef("--dry-run sends nothing: there is nothing to repeat")
	}
	return nil
}

// tally is what repeated calls came to. Its methods may be called from any goroutine.
type tally struct {
	mu      sync.Mutex
	left    int // calls that nobody has begun
	begun   int
	count   int // calls that came to an end
	times   []time.Duration
	kinds   map[string]int // failures by kind of outcome
	failed  int
	worst   error
	stopped bool // the server has gone
}

// next takes one call out of those that are left.
func (t *tally) next() (first, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.left == 0 || t.stopped {
		return false, false
	}
	t.left--
	t.begun++
	return t.begun == 1, true
}

// add counts a call; its time counts when it was answered.
func (t *tally) add(latency time.Duration, answered bool, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.count++
	if answered {
		t.times = append(t.times, latency)
	}
	if err == nil {
		return
	}
	t.failed++
	if t.kinds == nil {
		t.kinds = map[string]int{}
	}
	t.kinds[outcomeOf(err).kind]++
	t.worst = worst(errors.Join(t.worst, err))
	var gone *client.ClosedError
	t.stopped = t.stopped || errors.As(err, &gone)
}

// repeat makes the same call again and again, several at once on the one connection, and prints
// figures. Being interrupted prints those of the calls that had ended.
func (r *run) repeat(ctx context.Context, name string, it session.Item, request client.Request) error {
	f := &r.line.flags
	if it.Hints().Said && !f.allowDestructive {
		return usagef("%s says that it is destructive; nothing was sent", name).hinted("to call it again and again all the same: --allow-destructive")
	}
	t := &tally{left: f.repeat}
	begun := time.Now()
	var workers sync.WaitGroup
	for range min(f.parallel, f.repeat) {
		workers.Add(1)
		client.Go("repeated call", r.fault, func() {
			for {
				first, ok := t.next()
				if !ok || ctx.Err() != nil {
					return
				}
				warn := func(string, ...any) {}
				if first {
					warn = r.voice.warn
				}
				answer, err := r.sess.CallTool(ctx, request, r.line.flags.task)
				switch {
				case err != nil && ctx.Err() != nil: // given up by us: it says nothing of the server
					return
				case err != nil:
					t.add(0, false, err)
					continue
				}
				if err = answer.Err(); err == nil {
					err = r.judge(name, it, answer.ResultRaw(), warn)
				}
				t.add(answer.Latency, true, err)
			}
		}, workers.Done)
	}
	workers.Wait()
	r.figures(name, t, time.Since(begun))
	var gone *client.ClosedError
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case t.failed == 0:
		return nil
	case errors.As(t.worst, &gone):
		return t.worst
	}
	return &failure{outcome: outcomeOf(t.worst), text: sentence("%d of %s failed, for example: %v", t.failed, text.Plural(t.count, "call"), t.worst), err: t.worst}
}

// figures prints how long the calls took. Percentiles are times that were measured, by nearest rank.
func (r *run) figures(name string, t *tally, took time.Duration) {
	f := &r.line.flags
	slices.Sort(t.times)
	rank := func(p float64) time.Duration { return t.times[int(math.Ceil(p*float64(len(t.times))))-1] }
	o := r.out
	if r.json {
		o.printf(`{"tool":`)
		o.raw(quoteText(name))
		o.printf(`,"repeat":%d,"parallel":%d,"count":%d,"errors":%d,"kinds":{`, f.repeat, f.parallel, t.count, t.failed)
		for i, kind := range slices.Sorted(maps.Keys(t.kinds)) {
			if i > 0 {
				o.printf(",")
			}
			o.printf(`"%s":%d`, kind, t.kinds[kind])
		}
		p50, p95, most := "null", "null", "null"
		if len(t.times) > 0 {
			p50, p95, most = ms(rank(0.5)), ms(rank(0.95)), ms(rank(1))
		}
		o.printf(`},"p50_ms":%s,"p95_ms":%s,"max_ms":%s,"total_ms":%s}`+"\n", p50, p95, most, ms(took))
		return
	}
	o.printf("%s of %s", text.Plural(t.count, "call"), cleanLine(name))
	if t.count < f.repeat {
		o.printf(" (%d were asked for)", f.repeat)
	}
	o.printf(", %d at once, in %s: %s", min(f.parallel, f.repeat), text.Duration(took), text.Plural(t.failed, "error"))
	if t.failed > 0 {
		var parts []string
		for _, kind := range slices.Sorted(maps.Keys(t.kinds)) {
			parts = append(parts, fmt.Sprintf("%d %s", t.kinds[kind], kind))
		}
		o.printf(" (%s)", strings.Join(parts, ", "))
	}
	o.printf("\n")
	if len(t.times) > 0 {
		o.printf("p50 %s, p95 %s, max %s\n", text.Duration(rank(0.5)), text.Duration(rank(0.95)), text.Duration(rank(1)))
	}
}
