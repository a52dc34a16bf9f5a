package compare

import (
	"fmt"
	"strings"

	"example.com/mcpinspect/client"
)

// Sentence says in words what a change of an interface is.
func (c *Change) Sentence() string {
	switch {
	case c.Rule == "list-order-varies":
		return fmt.Sprintf("place %s of the %s is %s, and was %s", strings.TrimPrefix(c.Path, "/"), c.Subject, client.Excerpt(c.Now), client.Excerpt(c.Was))
	case c.Path == "" && c.Was == nil:
		return fmt.Sprintf("the %s is new", c.Subject)
	case c.Path == "" && c.Now == nil:
		return fmt.Sprintf("the %s is gone", c.Subject)
	case c.Was == nil:
		return fmt.Sprintf("%s has now at %s: %s", c.Subject, c.Path, client.Excerpt(c.Now))
	case c.Now == nil:
		return fmt.Sprintf("%s has no longer at %s: %s", c.Subject, c.Path, client.Excerpt(c.Was))
	}
	return fmt.Sprintf("%s has at %s %s, and had %s", c.Subject, c.Path, client.Excerpt(c.Now), client.Excerpt(c.Was))
}
