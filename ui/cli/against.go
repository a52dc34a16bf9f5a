package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/client/definition"
	"example.com/mcpinspect/session/compare"
)

// kept is the file of --against.
type kept struct {
	path   string
	side   compare.Side
	fresh  bool // there is no such file yet
	update bool
	done   bool   // it was compared
	wrote  string // what --update did
}

// readKept reads the file of --against; nil when there is none to compare with.
func (a *app) readKept(path string, update bool) (*kept, error) {
	switch {
	case path == "" && update:
		return nil, usagef("--update is about --against FILE, which is not there")
	case path == "":
		return nil, nil
	}
	k := &kept{path: path, update: update}
	_, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && update:
		k.fresh = true
		return k, nil
	case errors.Is(err, fs.ErrNotExist):
		return nil, usagef("--against %s: there is no such file", path).hinted("to write it: --against %s --update", path)
	}
	if k.side, err = a.side(path); err != nil {
		return nil, fmt.Errorf("--against: %w", err)
	}
	if update && k.side.Log != nil {
		return nil, usagef("--against %s is a recording, which --update would replace by a list", path).hinted("name a file of its own for the list: --against tools.json --update")
	}
	k.side.Log = nil // what was answered then is not asked again
	return k, nil
}

// offer is what a server offered in one run.
type offer struct {
	side     compare.Side
	complete bool   // every list was read to its end
	missing  string // the list that was not
	run      int
	revision client.Revision
	said     compare.Introduction
}

// offered is what the walk of the lists brought. A list that the server does not advertise is empty.
func (r *run) offered(lists []walked) offer {
	snap := r.sess.Snapshot()
	o := offer{complete: true, run: snap.Run, revision: snap.Server.Revision, side: compare.Side{Lists: map[string][][]byte{}},
		said: compare.Introduction{Server: snap.Server.Result, Pages: map[string][]byte{}}}
	for _, k := range client.ListKinds {
		o.side.Lists[k.Name] = [][]byte{}
	}
	for _, l := range lists {
		name := l.kind.Name
		if l.list.Error != "" || l.stop != client.StopNone {
			if l.kind == client.Templates && len(l.list.Pages) == 0 && l.stop == client.StopNone {
				continue // resources without templates
			}
			delete(o.side.Lists, name)
			o.complete, o.missing = false, name
			continue
		}
		for i := range l.list.Items {
			o.side.Lists[name] = append(o.side.Lists[name], l.list.Items[i].Raw)
		}
		if len(l.list.Pages) > 0 {
			o.said.Pages[name] = client.Get(r.sess.Log().Line(l.list.Pages[0].Seq), "result")
		}
	}
	return o
}

// compareKept puts what changed against the kept list into the log, or keeps the new one.
func (r *run) compareKept(k *kept, now offer) error {
	k.done = true
	var changes []definition.Change
	if !k.fresh {
		changes = compare.Compare(k.side, now.side).Interface
	}
	if !k.update {
		r.foundChanges("", changes)
		return nil
	}
	if !now.complete {
		return &failure{outcome: unwritten, text: fmt.Sprintf("%s was not updated: the list of %s could not be read to its end", k.path, now.missing)}
	}
	if err := replaceFile(k.path, listDocument(now.side)); err != nil {
		return &failure{outcome: unwritten, text: sentence("%s was not updated: %v", k.path, err), err: err}
	}
	switch {
	case k.fresh:
		k.wrote = "written"
	case len(changes) == 0:
		k.wrote = "written anew; nothing had changed"
	default:
		k.wrote = fmt.Sprintf("written anew; %d changes are accepted", len(changes))
		if len(changes) == 1 {
			k.wrote = "written anew; 1 change is accepted"
		}
	}
	return nil
}

// mostChanges is how many changes of one comparison become findings: nobody reads further.
const mostChanges = 2000

// foundChanges puts changes into the log as findings; when says of which run they are.
func (r *run) foundChanges(when string, changes []definition.Change) {
	for i := range changes[:min(len(changes), mostChanges)] {
		c := &changes[i]
		r.sess.Found(c.Rule, c.Subject, "%s%s", when, c.Sentence())
	}
	if n := len(changes) - mostChanges; n > 0 {
		r.voice.warn("%d changes more are not listed", n)
	}
}

// listDocument is what list --json prints, an entry a line, so that it can be read in the history of a
// working copy. Entries are as sent.
func listDocument(side compare.Side) []byte {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, kind := range client.ListKinds {
		if i > 0 {
			b.WriteString(",\n")
		}
		b.WriteString(`"` + kind.Name + `":[`)
		for j, raw := range side.Lists[kind.Name] {
			if j > 0 {
				b.WriteByte(',')
			}
			b.WriteByte('\n')
			b.Write(oneLine(validText(raw)))
		}
		b.WriteByte(']')
	}
	b.WriteString("}\n")
	return b.Bytes()
}

// replaceFile writes a file whole or not at all: what was there stays until all of the new is on the
// disk. A link stays a link.
func replaceFile(path string, data []byte) (err error) {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	mode := fs.FileMode(0o644)
	if info, err := os.Stat(path); err == nil {
		if !info.Mode().IsRegular() {
			return fmt.Errorf("%s is no file", path)
		}
		mode = info.Mode().Perm()
	}
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(f.Name())
		}
	}()
	_, err = f.Write(data)
	if err == nil {
		err = f.Chmod(mode)
	}
	if err == nil {
		err = f.Sync()
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	return err
}
