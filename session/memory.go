package session

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"example.com/mcpinspect/client"
)

// Memory is what earlier connections found out about programs, in one small file: a server that
// stays silent to the probe costs its timeout once, not every time. It is advice, never truth: a
// lost or broken file costs a probe.
type Memory struct{ Path string }

const (
	// memoryLimit is how many programs are remembered.
	memoryLimit = 200
	// memoryAge is how long: an afternoon's work must not wait again, next day's may.
	memoryAge = 24 * time.Hour
)

type remembered struct {
	Revision client.Revision `json:"revision"`
	Seen     time.Time       `json:"seen"`
}

// key names a command and the build of its program: a new build may speak another revision.
func memoryKey(c client.Command) string {
	if len(c.Args) == 0 {
		return ""
	}
	h := sha256.New()
	for _, a := range c.Args {
		fmt.Fprintf(h, "%d:%s,", len(a), a)
		// The program may be an argument of an interpreter: every file that is named counts.
		path := a
		if found, err := exec.LookPath(a); err == nil {
			path = found
		} else if c.Dir != "" && !filepath.IsAbs(a) {
			path = filepath.Join(c.Dir, a)
		}
		if st, err := os.Stat(path); err == nil && st.Mode().IsRegular() {
			fmt.Fprintf(h, "%d/%d;", st.ModTime().UnixNano(), st.Size())
		}
	}
	fmt.Fprintf(h, "dir %s", c.Dir)
	return hex.EncodeToString(h.Sum(nil)[:12])
}

func (m *Memory) load() map[string]remembered {
	all := map[string]remembered{}
	if b, err := os.ReadFile(m.Path); err == nil {
		_ = json.Unmarshal(b, &all) // a broken file is an empty one
	}
	if all == nil { // the file says null
		return map[string]remembered{}
	}
	return all
}

// Recall is the handshake revision that this command spoke the last time; empty when nothing is
// known of it, or what is known is old: a package may have been updated behind the same command.
func (m *Memory) Recall(c client.Command) client.Revision {
	r := m.load()[memoryKey(c)]
	if !r.Revision.Known() || r.Revision.Modern() || time.Since(r.Seen) > memoryAge {
		return ""
	}
	return r.Revision
}

// Keep remembers a revision that took a silent probe or a second start to find.
func (m *Memory) Keep(c client.Command, r client.Revision) {
	m.change(c, func(all map[string]remembered, key string) { all[key] = remembered{r, time.Now().UTC()} })
}

// Forget drops what is remembered of a command.
func (m *Memory) Forget(c client.Command) {
	m.change(c, func(all map[string]remembered, key string) { delete(all, key) })
}

// change rewrites the file by rename, so that readers never see half of it.
func (m *Memory) change(c client.Command, edit func(all map[string]remembered, key string)) {
	all := m.load()
	edit(all, memoryKey(c))
	for len(all) > memoryLimit {
		oldest := ""
		for k, r := range all {
			if oldest == "" || r.Seen.Before(all[oldest].Seen) {
				oldest = k
			}
		}
		delete(all, oldest)
	}
	b, err := json.Marshal(all)
	if err != nil {
		return
	}
	if os.MkdirAll(filepath.Dir(m.Path), 0o700) != nil {
		return
	}
	tmp, err := os.CreateTemp(filepath.Dir(m.Path), ".eras-*")
	if err != nil {
		return
	}
	_, err = tmp.Write(b)
	if cerr := tmp.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(tmp.Name(), m.Path)
	}
	if err != nil {
		os.Remove(tmp.Name())
	}
}
