package ui

import (
	tea "github.com/charmbracelet/bubbletea"

	"example.com/mcpinspect/session"
)

// Actions of the wire, the detail and the sheets.
const (
	actOrder       Action = "order"
	actFindings    Action = "findings"
	actStatistics  Action = "stats"
	actStory       Action = "story"
	actTimes       Action = "time-column"
	actOtherSide   Action = "other-side"
	actDiff        Action = "diff"
	actFold        Action = "fold"
	actUnfold      Action = "unfold"
	actByValue     Action = "filter-by-value"
	actCopyCommand Action = "copy-command"
)

// wireAction carries one of them out; false for an action that is none of them.
func (a *app) wireAction(act Action) (done bool, cmd tea.Cmd) {
	switch act {
	case actDiff:
		return true, a.diffMarked()
	case actFindings:
		return true, a.openFindings()
	case actStatistics:
		return true, a.openStatistics()
	case actStory:
		a.followCall()
	case actOrder:
		a.say("%s", a.wire.nextOrder())
	case actTimes:
		a.wire.times = (a.wire.times + 1) % timeColumns
		a.say("%s", a.wire.times.says())
	case actFold:
		if why := a.detail.fold(); why != "" {
			a.say("%s", why)
		}
	case actUnfold:
		if why := a.detail.unfold(); why != "" {
			a.say("%s", why)
		}
	case actByValue:
		expr, why := a.detail.literal()
		if why != "" {
			a.say("%s", why)
			return true, nil
		}
		a.filterBy(expr)
		a.say("only rows with this value; esc shows all")
	case actCopyCommand:
		return true, a.copy("c")
	case actOtherSide:
		if e, ok := a.sess.Log().Event(a.detail.seq); !ok || e.Pair == session.NoPair {
			a.say("this row has no other side")
			return true, nil
		}
		a.detail.other = !a.detail.other
	default:
		return false, nil
	}
	return true, nil
}
