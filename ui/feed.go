package ui

import (
	"context"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// changedMsg says that the session changed; what changed is pulled, never sent.
type changedMsg struct{ feed int } // which session: another may have taken its place

// tickMsg redraws what shows a running time: open calls and a connection in the making.
type tickMsg struct{}

const (
	// feedInterval bounds the redraws under load. The feed reports a change at once when it was
	// quiet, and at most 30 times a second when not.
	feedInterval = 33 * time.Millisecond

	// tickInterval is how often a running time is redrawn: its tenths are readable, its cost is not felt.
	tickInterval = 250 * time.Millisecond
)

// feed waits for the next change. One of these is parked at any time.
func feed(ctx context.Context, changed <-chan struct{}, last time.Time) tea.Cmd {
	return func() tea.Msg {
		select {
		case <-changed:
		case <-ctx.Done():
			return nil
		}
		if wait := feedInterval - time.Since(last); wait > 0 {
			timer := time.NewTimer(wait)
			defer timer.Stop()
			select {
			case <-timer.C:
			case <-ctx.Done():
				return nil
			}
		}
		return changedMsg{}
	}
}

// lookMsg is another look at a session that was busy.
type lookMsg struct{}

func lookAgain() tea.Cmd {
	return tea.Tick(feedInterval, func(time.Time) tea.Msg { return lookMsg{} })
}

func tick() tea.Cmd {
	return tea.Tick(tickInterval, func(time.Time) tea.Msg { return tickMsg{} })
}
