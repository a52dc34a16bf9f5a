package text

// Short makes at most w cells of any untrusted text, without padding, in a time that depends on w
// alone: Line for a part of a row.
func (g *Glyphs) Short(s string, w int) string {
	return g.Clip(g.Clean(Cut(s, w+1)), w)
}

// Short is Unicode.Short.
func Short(s string, w int) string { return Unicode.Short(s, w) }
