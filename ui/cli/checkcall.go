package cli

import (
	"context"
	"errors"
	"strings"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/ui/words"
)

// calling is one --call: a tool and its arguments.
type calling struct {
	tool string
	args []string
}

// readCalling reads TOOL {json} or TOOL a=b …, words as a shell would split them. JSON stands there as
// it is: the shell of the command line has had its quotes already.
func readCalling(word string) (c calling, err error) {
	word = strings.TrimSpace(word)
	if name, _, ok := strings.Cut(word, " {"); ok {
		rest := strings.TrimSpace(strings.TrimPrefix(word, name))
		if head, err := words.Split(name); err == nil && len(head) == 1 && client.ValidJSON([]byte(rest)) {
			return calling{head[0], []string{rest}}, nil
		}
	}
	all, err := words.Split(word)
	switch {
	case err != nil:
		return c, usagef("--call %q: %v", word, err)
	case len(all) == 0:
		return c, usagef("--call needs a tool").hinted("as in: --call 'add a=2 b=3'")
	}
	return calling{all[0], all[1:]}, nil
}

// calling calls a tool and puts into the log what is wrong with how that went. Only a server that is
// gone ends the check.
func (r *run) calling(ctx context.Context, k *checking, c calling) error {
	k.called++
	got := r.callStep(ctx, c.tool, c.args)
	if got.err == nil {
		return nil
	}
	outcome := outcomeOf(worst(got.err))
	cause := r.judgedRow(got.err)
	var slow *client.TimeoutError
	switch {
	case errors.As(got.err, &slow):
		r.sess.FoundBecause("unanswered-request", "call-failed", "tool "+c.tool, "%s", slow)
	case outcome == unreachable || outcome == interrupted || outcome == internal || outcome == auth:
		return got.err
	case got.answer != nil || cause != "":
		r.sess.FoundBecause(cause, "call-failed", "tool "+c.tool, "%s", told(got.err))
	default:
		r.sess.Found("call-not-made", "tool "+c.tool, "%s", told(got.err))
	}
	return nil
}

// told is an error with what is known of it, in one line.
func told(err error) string {
	rep := reportOf(err)
	if rep.hint != "" {
		return rep.line() + "; " + rep.hint
	}
	return rep.line()
}
