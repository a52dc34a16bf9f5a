package ui

import tea "github.com/charmbracelet/bubbletea"

// act carries out an action on the row of the cursor and says why it cannot.
func (p *callPane) act(act Action) (tea.Cmd, string) {
	if p.form == nil {
		return nil, "choose a tool first"
	}
	f := p.form
	if p.move(act) {
		return nil, ""
	}
	defer p.recheck()
	if f.AsJSON() {
		if act == actLeaveOut && f.InDoc() {
			return nil, f.Discard()
		}
		return nil, "that is done on the rows; v goes on to them"
	}
	switch act {
	case actLeaveOut:
		return nil, f.LeaveOut()
	case actNull:
		return nil, f.SetNull()
	case actEmpty:
		return nil, f.SetEmpty()
	case actDefault:
		return nil, f.SetDefault()
	case actExact:
		return f.Exact()
	case actFile:
		return nil, f.FromFile()
	case actAdd:
		return nil, f.Add()
	case actRename:
		return nil, f.Rename()
	case actRemove:
		return nil, f.Remove()
	case actItemUp:
		return nil, f.Move(-1)
	case actItemDown:
		return nil, f.Move(1)
	case actOptional:
		f.ToggleOptional()
	case actLeft:
		return nil, f.Choose(-1)
	case actRight:
		return nil, f.Choose(1)
	}
	return nil, ""
}

// formPage is how many rows a page key moves in a form.
const formPage = 8

// move moves the cursor over rows, or over lines where JSON is shown.
func (p *callPane) move(act Action) bool {
	f := p.form
	switch act {
	case actUp:
		f.Step(-1)
	case actDown:
		f.Step(1)
	case actHome:
		f.Step(-f.Len())
	case actEnd:
		f.Step(f.Len())
	case actPageUp, actHalfUp:
		f.Step(-formPage)
	case actPageDown, actHalfDown:
		f.Step(formPage)
	default:
		return false
	}
	return true
}
