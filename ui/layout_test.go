package ui

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden compares text with a file under testdata and rewrites it with -update.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs; got:\n%s", path, got)
	}
}

// drawing is a layout in characters: each pane filled with its number, a tenth of the size.
func drawing(l Layout) string {
	const sx, sy = 4, 2
	var out strings.Builder
	for y := 0; y < l.H; y += sy {
		for x := 0; x < l.W; x += sx {
			c := byte('.')
			for p := PaneServer; p < paneEnd; p++ {
				if r := l.Panes[p]; x >= r.X && x < r.X+r.W && y >= r.Y && y < r.Y+r.H {
					c = '0' + byte(p)
				}
			}
			out.WriteByte(c)
		}
		out.WriteByte('\n')
	}
	return out.String()
}

func TestLayoutDrawings(t *testing.T) {
	var out strings.Builder
	for _, size := range [][2]int{{160, 45}, {120, 36}, {80, 24}, {60, 20}, {300, 100}} {
		for _, m := range []Mode{{Focus: PaneTools}, {Focus: PaneCall}, {Focus: PaneWire}, {Focus: PaneDetail, Detail: true}, {Focus: PaneServer, Server: true}, {Focus: PaneResult, Zoom: true}} {
			fmt.Fprintf(&out, "%dx%d %+v\n%s\n", size[0], size[1], m, drawing(Arrange(size[0], size[1], m)))
		}
	}
	golden(t, "layout.txt", out.String())
}

// TestLayoutCovers holds at every size: shown panes tile the body without overlap, the focused
// pane is shown, and so is the wire wherever more than one pane is.
func TestLayoutCovers(t *testing.T) {
	for w := 1; w <= 200; w += 3 {
		for h := 1; h <= 60; h++ {
			for f := PaneServer; f < paneEnd; f++ {
				for _, zoom := range []bool{false, true} {
					m := Mode{Focus: f, Detail: f == PaneDetail, Server: f == PaneServer, Zoom: zoom}
					l := Arrange(w, h, m)
					if l.Tiny {
						continue
					}
					cells, shown := 0, 0
					for p, r := range l.Panes {
						if r.W == 0 {
							continue
						}
						shown++
						cells += r.W * r.H
						if r.X < 0 || r.Y < 1 || r.X+r.W > w || r.Y+r.H > h-2 || r.H < 2 {
							t.Fatalf("%dx%d %+v: pane %d at %+v", w, h, m, p, r)
						}
						for q := p + 1; q < int(paneEnd); q++ {
							o := l.Panes[q]
							if o.W > 0 && r.X < o.X+o.W && o.X < r.X+r.W && r.Y < o.Y+o.H && o.Y < r.Y+r.H {
								t.Fatalf("%dx%d %+v: panes %d and %d overlap", w, h, m, p, q)
							}
						}
					}
					body := w * (h - 3)
					if l.Tabs {
						body -= w
					}
					if cells != body {
						t.Fatalf("%dx%d %+v: %d of %d cells are covered", w, h, m, cells, body)
					}
					if l.Panes[f].W == 0 {
						t.Fatalf("%dx%d %+v: the focused pane is not shown", w, h, m)
					}
					if shown > 1 && l.Panes[PaneWire].W == 0 {
						t.Fatalf("%dx%d %+v: the wire is not shown", w, h, m)
					}
				}
			}
		}
	}
}
