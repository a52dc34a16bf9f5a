// Package filter is the language that selects rows of a log, wherever something is selected:
//
//	tools/call            words match method, id or text of the line; "quoted text" as one word
//	method:tools/* tool:echo id:7 dir:in dir:out stream:err
//	is:request is:response is:notification is:error is:stray is:pending is:finding is:marked
//	level:warning (and worse)  rule:stray-stdout  >500ms  size>1k  re:/tim(e|ing)/
//	@marked (is:marked)   @all
//	and (a space is "and")   or   not (or a leading -)   ( )
//
// Nothing but re distinguishes the case of ASCII letters. In the values of method, tool, id and
// rule a * stands for any text. An expression reads no clock and keeps no state: a row that has
// not changed gets the same verdict again.
package filter

import (
	"example.com/mcpinspect/client"
	"example.com/mcpinspect/session"
)

// Rows is where an expression finds what an event does not carry; a *session.Log is one.
type Rows interface {
	Event(seq int) (session.Event, bool)
	Body(seq int) client.Body
	Line(seq int) []byte // read back where memory has its beginning only
}

// Expr is a parsed expression. It may be used from several goroutines.
type Expr struct {
	source string
	root   node
}

// node is a part of an expression, ready to judge.
type node struct {
	pass    func(*session.Event, Rows) bool
	cost    int  // to judge a row: parts of an "and" are asked cheapest first
	changes bool // the verdict on a row may change after it arrived
	own     bool // of an exchange only the request is asked
}

// What judging a row costs: what the event carries, a look at another row, reading the line.
const (
	cheap = 1 << (iota * 4)
	dear
	dearest
)

// Match judges one row.
func (x *Expr) Match(e *session.Event, rows Rows) bool { return x.root.pass(e, rows) }

// Changes reports whether the verdict on a row may change after it arrived: it is answered, paired
// or marked. It is false where only the bytes and their stream count.
func (x *Expr) Changes() bool { return x.root.changes }

// Empty reports whether the expression says nothing, and so lets every row pass.
func (x *Expr) Empty() bool { return x.root.cost == 0 }

// String is the expression as it was written.
func (x *Expr) String() string { return x.source }

func all(*session.Event, Rows) bool { return true }

func not(n node) node {
	pass := n.pass
	n.pass = func(e *session.Event, rows Rows) bool { return !pass(e, rows) }
	return n
}

// and and or join two or more nodes.
func and(list []node) node {
	n := joined(list)
	n.pass = func(e *session.Event, rows Rows) bool {
		for i := range list {
			if !list[i].pass(e, rows) {
				return false
			}
		}
		return true
	}
	return n
}

func or(list []node) node {
	n := joined(list)
	n.pass = func(e *session.Event, rows Rows) bool {
		for i := range list {
			if list[i].pass(e, rows) {
				return true
			}
		}
		return false
	}
	return n
}
