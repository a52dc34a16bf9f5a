//go:build race

package filter

// The race detector lets pools lose what they hold at random, so regexps allocate under it.
func init() { raced = true }
