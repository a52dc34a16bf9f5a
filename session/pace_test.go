package session

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.com/mcpinspect/recordings"
)

// tenLines is a recording with a line at every second from 0 on.
func tenLines(t *testing.T) *recordings.Reader {
	t.Helper()
	var file strings.Builder
	file.WriteString(`{"k":"head","v":1,"start":"2026-01-02T03:04:05Z","target":{}}` + "\n")
	for i := range 10 {
		fmt.Fprintf(&file, `{"k":"b","t":%d,"ch":"err","d":"line %d\n"}`+"\n", time.Duration(i)*time.Second, i)
	}
	r, err := recordings.NewReader(strings.NewReader(file.String()))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestPace: what is shown is what was known at the time of the clock, which stands, goes on at any
// speed, and makes steps.
func TestPace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := tenLines(t)
		s := Recorded(r.Head(), Target{}, Options{})
		s.Stand(2500 * time.Millisecond)
		ctx, stop := context.WithCancel(t.Context())
		over := make(chan error, 1)
		go func() { over <- s.Load(ctx, r) }()
		expect := func(what string, rows int, now time.Duration) {
			t.Helper()
			synctest.Wait()
			if s.Log().Len() != rows || s.Now().Round(10*time.Millisecond) != now {
				t.Errorf("%s: %d rows at %v, want %d at %v; %+v", what, s.Log().Len(), s.Now(), rows, now, s.Pace())
			}
		}
		expect("stands", 3, 2500*time.Millisecond)
		if p := s.Pace(); !p.Waits || p.Behind != 500*time.Millisecond || p.Speed != 0 {
			t.Errorf("%+v", p)
		}
		time.Sleep(time.Hour)
		expect("still stands", 3, 2500*time.Millisecond)
		if !s.Step() {
			t.Error("nothing to step to")
		}
		expect("a step", 4, 3*time.Second)
		s.Play(1)
		time.Sleep(2100 * time.Millisecond)
		expect("played", 6, 5100*time.Millisecond)
		s.Play(4)
		time.Sleep(500 * time.Millisecond)
		expect("played faster", 8, 7100*time.Millisecond)
		s.Stand(s.Pace().At)
		time.Sleep(time.Minute)
		expect("stands again", 8, 7100*time.Millisecond)
		s.Stand(time.Hour)
		if err := <-over; err != nil {
			t.Error(err)
		}
		if l, _ := s.Loading(); !l.Done || s.Log().Len() != 10 || s.Now() != 9*time.Second || s.Step() {
			t.Errorf("%+v, %d rows at %v", l, s.Log().Len(), s.Now())
		}
		stop()
	})
}

// TestPaceEnds: a load that waits for its time ends with its context.
func TestPaceEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := tenLines(t)
		s := Recorded(r.Head(), Target{}, Options{})
		s.Stand(0)
		ctx, stop := context.WithCancel(t.Context())
		over := make(chan error, 1)
		go func() { over <- s.Load(ctx, r) }()
		synctest.Wait()
		stop()
		if err := <-over; err == nil {
			t.Error("no error")
		}
	})
}

func TestAdopt(t *testing.T) {
	one, two := Recorded(tenLines(t).Head(), Target{}, Options{}), Recorded(tenLines(t).Head(), Target{}, Options{})
	if err := one.Load(t.Context(), tenLines(t)); err != nil {
		t.Fatal(err)
	}
	if _, err := one.Mark(7, true); err != ErrUnkept {
		t.Fatal(err)
	}
	two.Adopt(one)
	if !slices.Equal(marked(two), marked(one)) || len(marked(two)) != 1 {
		t.Errorf("%v", marked(two))
	}
}
