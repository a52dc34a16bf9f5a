package client

import (
	"bytes"
	"fmt"
	"os"
	"strings"
)

// processState says what a process is at, by /proc (proc(5)); empty when it cannot be told.
func processState(pid int) string {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return ""
	}
	i := bytes.LastIndexByte(stat, ')') // the name before it may hold anything
	if i < 0 || i+2 >= len(stat) {
		return ""
	}
	wchan, _ := os.ReadFile(fmt.Sprintf("/proc/%d/wchan", pid))
	return stateSentence(stat[i+2], strings.TrimSpace(string(wchan)))
}
