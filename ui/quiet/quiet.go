// Package quiet keeps Bubble Tea from asking the terminal a question at start-up.
// It is imported for its effect alone:
//
//	import _ "example.com/mcpinspect/ui/quiet"
//
// Bubble Tea v1.3.10 calls lipgloss.HasDarkBackground in a package init
// (tea_init.go). On a terminal that writes OSC 11 and a cursor report request to
// stdout and waits up to five seconds for an answer, in every program that links
// Bubble Tea, even one that only prints JSON. HasDarkBackground asks only while
// nobody has stated the answer, and this package states it first. Nothing else in
// the init of Bubble Tea, Lip Gloss or termenv writes to the terminal: termenv
// reads the colour profile from the environment.
//
// Why it runs first: since Go 1.21 packages are initialised in the order of their
// import paths, each as soon as all its own imports are done (spec, "Program
// initialization"). Bubble Tea and this package both wait for Lip Gloss, so when
// that is done both may be ready, and "example.com/…" sorts before
// "github.com/charmbracelet/bubbletea". Three things keep that true:
//
//   - the module path sorts before "github.com/charmbracelet";
//   - this package imports Lip Gloss and nothing that imports Bubble Tea;
//   - it is linked into every binary that links Bubble Tea.
//
// "Dark" is no decision about colours: the theme resolves them itself and never
// uses Lip Gloss's adaptive ones.
package quiet

import "github.com/charmbracelet/lipgloss"

func init() { lipgloss.SetHasDarkBackground(true) }
