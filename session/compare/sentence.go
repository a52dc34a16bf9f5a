package compare

import (
	"fmt"
	"strings"

	"example.com/mcpinspect/client"
)

// Sentence says in words what a change of an interface is.
func (c *Change) Sentence() string {
	kind, name, _ := strings.Cut(c.Subject, " ")
	switch {
	case c.Path == "" && c.Was == nil:
		return fmt.Sprintf("the %s %s is new", kind, name)
	case c.Path == "" && c.Now == nil:
		return fmt.Sprintf("the %s %s is gone", kind, name)
	case c.Was == nil:
		return fmt.Sprintf("%s %s has now at %s: %s", kind, name, c.Path, client.Excerpt(c.Now))
	case c.Now == nil:
		return fmt.Sprintf("%s %s has no longer at %s: %s", kind, name, c.Path, client.Excerpt(c.Was))
	}
	return fmt.Sprintf("%s %s has at %s %s, and had %s", kind, name, c.Path, client.Excerpt(c.Now), client.Excerpt(c.Was))
}
