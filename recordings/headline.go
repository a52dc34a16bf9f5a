package recordings

import (
	"bytes"
	"encoding/json"
	"time"
)

// headLine is the head as it stands in the file, after its kind.
type headLine struct {
	V        int       `json:"v"`
	Tool     string    `json:"tool,omitempty"`
	Start    time.Time `json:"start"`
	OS       string    `json:"os,omitempty"`
	Target   Target    `json:"target"`
	Options  Options   `json:"options,omitzero"`
	Redacted []string  `json:"redacted,omitempty"`
	Filtered string    `json:"filtered,omitempty"`
}

// compactJSON writes a JSON value on one line.
func compactJSON(text string) ([]byte, error) {
	var b bytes.Buffer
	err := json.Compact(&b, []byte(toValid(text)))
	return b.Bytes(), err
}
