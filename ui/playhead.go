package ui

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"example.com/mcpinspect/session"
	"example.com/mcpinspect/ui/text"
)

// Again makes the session of the recording that is shown anew, and what loads it: a clock goes back
// by reading from the beginning.
type Again func() (*session.Session, func(context.Context) error, error)

// player is the clock of a recording that is played. The zero value shows all of it.
type player struct {
	end     time.Duration      // of the recording; 0 until it was read once
	stop    context.CancelFunc // ends the load of the session that is shown
	opening bool
}

// againMsg is a session that begins anew, to be read to a time.
type againMsg struct {
	sess  *session.Session
	load  func(context.Context) error
	at    time.Duration
	speed float64
	err   error
}

const (
	slowest = 0.01
	fastest = 1e4
)

// playable reports whether the clock can be moved; it says why not.
func (a *app) playable() bool {
	l, recorded := a.sess.Loading()
	switch {
	case !recorded || a.opts.Again == nil:
		a.say("only a recording is played: mcpinspect open FILE")
	case a.startable():
		a.say("a recording that a server can be started into is not played: mcpinspect open FILE alone is")
	case !l.Done && !l.Follows && !a.sess.Pace().Bound, a.player.opening:
		a.say("the recording is still being read")
	default:
		return true
	}
	return false
}

// togglePlay is space: it plays the recording or stands still; from its end it begins anew.
func (a *app) togglePlay() tea.Cmd {
	if !a.playable() {
		return nil
	}
	switch p := a.sess.Pace(); {
	case p.Bound && p.Speed > 0 && !a.over():
		a.pause()
		return nil
	case p.Bound && !a.over():
		return a.play(1)
	}
	a.say("playing from the beginning; space stands still, :at 12.5s goes elsewhere, :play 8 is faster")
	return a.goAt(0, 1)
}

// over reports whether all of the recording is there.
func (a *app) over() bool {
	l, _ := a.sess.Loading()
	return l.Done
}

func (a *app) pause() {
	a.sess.Stand(a.sess.Pace().At)
	a.say("stands; space goes on, :step to the next row")
}

func (a *app) play(speed float64) tea.Cmd {
	if !a.sess.Pace().Bound || a.over() {
		return a.goAt(0, speed)
	}
	a.sess.Play(speed)
	a.say("playing at x%s", strconv.FormatFloat(speed, 'g', -1, 64))
	return nil
}

// playCommand is :play [N], :pause, :step and :at TIME.
func (a *app) playCommand(verb string, rest []string) tea.Cmd {
	if !a.playable() {
		return nil
	}
	a.notice = "" // it may say that the recording plays
	word := strings.Join(rest, " ")
	switch verb {
	case "play":
		speed := 1.0
		if word != "" {
			n, err := strconv.ParseFloat(strings.TrimPrefix(word, "x"), 64)
			if err != nil || !(n >= slowest && n <= fastest) {
				a.say("play takes how many times faster: play 4, play 0.5")
				return nil
			}
			speed = n
		}
		return a.play(speed)
	case "pause":
		l, _ := a.sess.Loading()
		switch {
		case a.sess.Pace().Bound:
			a.pause()
		case l.Follows: // what arrives from now on waits
			a.sess.Stand(a.sess.Now())
			a.say("stands; what arrives waits, space goes on")
		default:
			a.say("all of the recording is shown: space plays it")
		}
	case "step":
		if !a.sess.Pace().Bound {
			return a.goAt(0, 0)
		}
		switch l, _ := a.sess.Loading(); {
		case a.sess.Step():
		case l.Follows:
			a.say("nothing more has arrived so far")
		default:
			a.say("nothing is left to come")
		}
	case "at":
		if l, _ := a.sess.Loading(); word == "end" && l.Follows {
			a.sess.Follow()
			a.say("following what arrives")
			return nil
		}
		if word == "end" {
			return a.goAt(max(a.player.end, a.sess.Now()), 0)
		}
		at, err := time.ParseDuration(word)
		if n, nerr := strconv.ParseFloat(word, 64); nerr == nil && n >= 0 && n < 1e9 { // as the wire shows times
			at, err = time.Duration(n*float64(time.Second)), nil
		}
		if err != nil || at < 0 {
			a.say("at takes a time since the start: at 12.5s, at 2m, at end")
			return nil
		}
		return a.goAt(at, 0)
	}
	return nil
}

// goAt puts the clock at a time and lets it go on at a speed, 0 for not. Back is from the beginning.
func (a *app) goAt(at time.Duration, speed float64) tea.Cmd {
	p := a.sess.Pace()
	if !p.Bound {
		a.player.end = max(a.player.end, a.sess.Now())
	}
	if p.Bound && !a.over() && at >= p.At {
		a.sess.Stand(at)
		if speed > 0 {
			a.sess.Play(speed)
		}
		return nil
	}
	a.player.opening = true
	again := a.opts.Again
	return func() tea.Msg {
		sess, load, err := again()
		return againMsg{sess, load, at, speed, err}
	}
}

// began shows a session that begins anew in place of the one that is shown.
func (a *app) began(m againMsg) tea.Cmd {
	a.player.opening = false
	if m.err != nil {
		a.say("the recording cannot be read again: %v", m.err)
		return nil
	}
	if a.player.stop != nil {
		a.player.stop()
	}
	m.sess.Adopt(a.sess)
	m.sess.Stand(m.at)
	if m.speed > 0 {
		m.sess.Play(m.speed)
	}
	var ctx context.Context
	ctx, a.player.stop = context.WithCancel(a.ctx)
	a.endHunt()
	a.sess, a.snap = m.sess, m.sess.Snapshot()
	a.feeds++
	a.bodies = bodies{log: m.sess.Log()}
	a.detail = detailPane{mode: a.detail.mode, wrap: a.detail.wrap, more: a.detail.more, seq: noRow}
	a.result, a.diff = resultPane{}, compared{}
	a.wire.tell(nil, noRow) // stories, rankings and verdicts are of the log that was shown
	a.wire.sift(noRow)
	a.wire.follow(true)
	return tea.Batch(a.feed(), func() tea.Msg {
		err := m.load(ctx)
		if ctx.Err() != nil {
			err = nil // another took its place
		}
		return connectedMsg{err}
	})
}

// feed parks what tells of the next change of the session that is shown.
func (a *app) feed() tea.Cmd {
	park, n := feed(a.ctx, a.sess.Changed(), a.fed), a.feeds
	return func() tea.Msg {
		if m, ok := park().(changedMsg); ok {
			m.feed = n
			return m
		}
		return nil
	}
}

// played says in the header where the clock stands; empty while all is shown.
func (a *app) played() string {
	p := a.sess.Pace()
	l, _ := a.sess.Loading()
	if !p.Bound {
		return ""
	}
	out := "at " + text.Duration(a.sess.Now())
	if a.player.end > 0 {
		out += " of " + text.Duration(a.player.end)
		if l.Follows {
			out += " so far"
		}
	}
	switch {
	case a.over():
		return out + ", all of it"
	case l.Waiting && !p.Waits:
		out += ", all that has arrived, stands"
	case p.Speed > 0:
		out += fmt.Sprintf(", playing x%s", strconv.FormatFloat(p.Speed, 'g', -1, 64))
	default:
		out += ", stands"
	}
	if p.Waits && p.Behind > 0 {
		out += ", next in " + text.Duration(p.Behind)
	}
	return out
}
