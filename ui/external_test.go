package ui

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

func TestEditorCommand(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	blank := filepath.Join(t.TempDir(), "an editor")
	if runtime.GOOS == "windows" {
		blank += ".bat"
	}
	if err := os.WriteFile(blank, []byte("#!/bin/sh\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		visual, editor string
		want           []string
		why            string
	}{
		{"", "", nil, "set $VISUAL or $EDITOR"},
		{" ", "\t", nil, "set $VISUAL or $EDITOR"},
		{"", self, []string{self}, ""},
		{self, "other", []string{self}, ""},
		{"", "'" + self + `' --wait "a b" $HOME *`, []string{self, "--wait", "a b", "$HOME", "*"}, ""},
		{"", blank, []string{blank}, ""},
		{"", self + " 'open", nil, "$EDITOR cannot be read: the quote ' "},
		{"no-such-editor -w", "", nil, `$VISUAL names "no-such-editor"`},
	} {
		got, err := editorCommand(func(name string) string { return map[string]string{"VISUAL": c.visual, "EDITOR": c.editor}[name] })
		if c.why != "" {
			if err == nil || !strings.Contains(err.Error(), c.why) {
				t.Errorf("%q %q: %v, want %q", c.visual, c.editor, err, c.why)
			}
			continue
		}
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%q %q: %q %v, want %q", c.visual, c.editor, got, err, c.want)
		}
	}
}
