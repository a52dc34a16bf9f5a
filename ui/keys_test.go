package ui

import "testing"

// TestKeysDoNotConflict: within the scopes that hold together, a key means one thing.
func TestKeysDoNotConflict(t *testing.T) {
	for p := PaneServer; p < paneEnd; p++ {
		seen := map[string]Binding{}
		for i, s := range scopesOf(p) {
			for _, b := range keyTable {
				if b.Scope != s {
					continue
				}
				for _, k := range b.Keys {
					if was, ok := seen[k]; ok && (was.Scope == s || !shadows(was, b) && i > 0) {
						t.Errorf("pane %s: %q is %s and %s", paneNames[p], k, was.Action, b.Action)
					}
					if _, ok := seen[k]; !ok {
						seen[k] = b
					}
				}
			}
		}
	}
}

// shadows lists where a pane's own key wins over one that holds everywhere, on purpose.
func shadows(own, everywhere Binding) bool {
	return own.Action == actReload || own.Action == actAgain
}

// TestKeysAreReachable: no binding needs alt, a function key, shift+enter or a character that
// keyboard layouts hide behind AltGr.
func TestKeysAreReachable(t *testing.T) {
	for _, b := range keyTable {
		for _, k := range b.Keys {
			switch {
			case len(k) == 1:
				for _, hidden := range `@[]{}\|~#` {
					if rune(k[0]) == hidden {
						t.Errorf("%q needs AltGr on some layouts", k)
					}
				}
			case k == "shift+enter", len(k) > 4 && k[:4] == "alt+", k[0] == 'f' && len(k) <= 3:
				t.Errorf("%q is not on every terminal", k)
			}
		}
	}
}
