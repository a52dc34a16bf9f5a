//go:build !linux

package client

// processState says nothing: the system does not tell it in a way that all versions share.
func processState(int) string { return "" }

func argsOf(int) []string { return nil }
