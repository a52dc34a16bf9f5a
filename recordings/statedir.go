package recordings

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
)

// dirMode keeps the state directory to its owner.
const dirMode = 0o700

// StateDir is where this program keeps its state: $XDG_STATE_HOME/mcpinspect where that is set,
// else ~/.local/state/mcpinspect, ~/Library/Application Support/mcpinspect on macOS and
// %LocalAppData%\mcpinspect on Windows. It is made, private to the user, when it is missing.
func StateDir() (string, error) {
	dir, err := stateDir(runtime.GOOS, os.Getenv, os.UserHomeDir)
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(dir, dirMode); err != nil {
		return "", fmt.Errorf("the state directory cannot be made: %w", err)
	}
	return dir, nil
}

func stateDir(goos string, getenv func(string) string, home func() (string, error)) (string, error) {
	const name = "mcpinspect"
	// A relative path is to be ignored (XDG Base Directory Specification 0.8).
	if dir := getenv("XDG_STATE_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, name), nil
	}
	if goos == "windows" {
		if dir := getenv("LocalAppData"); dir != "" {
			return filepath.Join(dir, name), nil
		}
		return "", errors.New("there is no place for the state directory: set LocalAppData")
	}
	dir, err := home()
	if err != nil {
		return "", fmt.Errorf("there is no place for the state directory: set HOME or XDG_STATE_HOME: %w", err)
	}
	if goos == "darwin" {
		return filepath.Join(dir, "Library", "Application Support", name), nil
	}
	return filepath.Join(dir, ".local", "state", name), nil
}
