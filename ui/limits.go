package ui

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"example.com/mcpinspect/ui/text"
	"example.com/mcpinspect/ui/words"
)

// limitSettings are the settings of how much is kept of a session. What memory loses is read back from the
// recording, as far as there is one.
func limitSettings() []setting {
	return []setting{
		{"max-line", "how much of a line is kept; --max-line of the command line sets it for the whole session", nil, func(a *app) string { return words.Size(a.sess.MaxLine()) }, func(a *app, value string) (tea.Cmd, error) {
			return nil, errors.New("the recording of a session says once how long its lines may be: start with --max-line " + value + ", or open the recording again")
		}},
		{"memory", "how many bytes of messages stay in memory; the oldest beyond them are read back from the recording", nil, func(a *app) string {
			_, bytes := a.sess.Log().Bounds()
			return words.Size(int(bytes))
		}, func(a *app, value string) (tea.Cmd, error) {
			n, err := words.ParseSize(value)
			if err != nil || n < leastMemory {
				return nil, fmt.Errorf("it is a size from %s to %s, as in 512MiB", words.Size(leastMemory), words.Size(words.MaxSize))
			}
			rows, _ := a.sess.Log().Bounds()
			return a.keep(rows, int64(n)), nil
		}},
		{"rows", "how many rows are kept; the oldest beyond them are in the recording only", nil, func(a *app) string {
			rows, _ := a.sess.Log().Bounds()
			return strconv.Itoa(rows)
		}, func(a *app, value string) (tea.Cmd, error) {
			n, err := strconv.Atoi(strings.ReplaceAll(value, ",", ""))
			if err != nil || n < leastRows || n > mostRows {
				return nil, fmt.Errorf("it is a number from %s to %s", text.Count(leastRows), text.Count(mostRows))
			}
			_, bytes := a.sess.Log().Bounds()
			return a.keep(n, bytes), nil
		}},
	}
}

const (
	// leastMemory has room for what the panes show at once, leastRows for some screens of rows.
	leastMemory = 1 << 20
	leastRows   = 10_000

	// mostRows are so many that their numbers alone take some gigabytes.
	mostRows = 50_000_000
)

// keep sets how much is kept, in a command: to let go of much takes a while.
func (a *app) keep(rows int, bytes int64) tea.Cmd {
	log := a.sess.Log()
	return func() tea.Msg {
		log.Bound(rows, bytes)
		return noticeMsg(fmt.Sprintf("kept in memory are at most %s rows, and %s of messages", text.Count(rows), words.Size(int(bytes))))
	}
}
