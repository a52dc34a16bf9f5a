package filter

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"example.com/mcpinspect/recordings"
)

// Saved is an expression that a person has given a name: @NAME stands for it.
type Saved struct {
	Name   string `json:"name"`
	Filter string `json:"filter"`
}

const (
	savedFile = "filters.jsonl" // in the state directory

	// maxSaved is how many are kept, and maxName how many bytes a name has: nobody remembers more.
	maxSaved = 200
	maxName  = 40
)

// LoadSaved reads the saved filters, by name. None were saved where there is no file; a line that
// cannot be read is passed over.
func LoadSaved() ([]Saved, error) {
	path, err := savedPath()
	if err != nil { // so nothing can have been saved
		return nil, nil
	}
	raw, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("the saved filters cannot be read: %w", err)
	}
	var list []Saved
	lines := bufio.NewScanner(bytes.NewReader(raw))
	lines.Buffer(nil, 2*maxLength)
	for lines.Scan() && len(list) < maxSaved {
		var s Saved
		if json.Unmarshal(lines.Bytes(), &s) == nil && checkName(s.Name) == nil {
			list = put(list, s)
		}
	}
	return list, nil
}

// Save keeps an expression under a name, in place of what had it, and returns all that are saved.
func Save(name, expr string) ([]Saved, error) {
	if err := checkName(name); err != nil {
		return nil, err
	}
	if x, err := Parse(expr); err != nil {
		return nil, err
	} else if x.Empty() {
		return nil, errors.New("there is no filter to save: f makes one")
	}
	return rewrite(func(list []Saved) ([]Saved, error) {
		if list = put(list, Saved{name, expr}); len(list) > maxSaved {
			return nil, fmt.Errorf("%d filters are saved already: filter forget NAME", maxSaved)
		}
		return list, nil
	})
}

// Forget deletes a saved filter and returns those that are left.
func Forget(name string) ([]Saved, error) {
	return rewrite(func(list []Saved) ([]Saved, error) {
		left := slices.DeleteFunc(slices.Clone(list), func(s Saved) bool { return s.Name == name })
		if len(left) == len(list) {
			return nil, fmt.Errorf("no filter is saved as %q%s", name, names(list))
		}
		return left, nil
	})
}

// names lists what is saved, for a message.
func names(list []Saved) string {
	if len(list) == 0 {
		return ": none are saved"
	}
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = s.Name
	}
	return "; there are " + strings.Join(out, ", ")
}

// put adds or replaces, in the order of names.
func put(list []Saved, s Saved) []Saved {
	i, found := slices.BinarySearchFunc(list, s.Name, func(x Saved, name string) int { return strings.Compare(x.Name, name) })
	if found {
		list[i] = s
		return list
	}
	return slices.Insert(list, i, s)
}

// checkName says why a name cannot be used.
func checkName(name string) error {
	bad := strings.IndexFunc(name, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '-' && r != '_' && r != '.'
	})
	switch {
	case name == "" || bad >= 0 || len(name) > maxName:
		return fmt.Errorf("a filter is named by letters, digits, - _ and ., at most %d: %q is no name", maxName, name)
	case name == "all" || name == "marked" || name == "shown":
		return fmt.Errorf("@%s has a meaning already: choose another name", name)
	}
	return nil
}

func savedPath() (string, error) {
	dir, err := recordings.StateDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, savedFile), nil
}

// rewrite changes the list and writes it anew, by rename, private to the person.
func rewrite(change func([]Saved) ([]Saved, error)) ([]Saved, error) {
	list, err := LoadSaved()
	if err == nil {
		list, err = change(list)
	}
	if err != nil {
		return nil, err
	}
	path, err := savedPath()
	if err == nil {
		err = write(path, list)
	}
	if err != nil {
		return nil, fmt.Errorf("the filters were not saved: %w", err)
	}
	return list, nil
}

func write(path string, list []Saved) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), ".filters-*") // made 0600
	if err != nil {
		return err
	}
	enc := json.NewEncoder(tmp)
	enc.SetEscapeHTML(false)
	for _, s := range list {
		if err = enc.Encode(s); err != nil {
			break
		}
	}
	if cerr := tmp.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(tmp.Name(), path)
	}
	if err != nil {
		os.Remove(tmp.Name())
	}
	return err
}

// Expand puts saved filters in the place of @NAME wherever that is a word of its own. unknown are the
// names that stand for nothing: they are text like any other.
func Expand(s string, list []Saved) (expanded string, unknown []string) {
	var out strings.Builder
	p := parser{text: s}
	for p.at < len(s) {
		begin := p.at
		switch c := s[p.at]; {
		case c == '"':
			if _, err := p.quoted(); err != nil {
				return s, nil // whoever parses it says so
			}
		case strings.HasPrefix(p.rest(), "re:/"):
			p.at += len("re:")
			if _, err := p.expression(); err != nil {
				return s, nil
			}
		case c == '@':
			name := p.bare()[1:]
			i, found := slices.BinarySearchFunc(list, name, func(x Saved, name string) int { return strings.Compare(x.Name, name) })
			switch {
			case found && len(s) == len(name)+1:
				return list[i].Filter, nil
			case found:
				out.WriteString("(" + list[i].Filter + ")")
				continue
			case checkName(name) == nil:
				unknown = append(unknown, name)
			}
		case c == '(' || c == ')' || c == '-' || unicode.IsSpace(p.next()):
			p.at += utf8.RuneLen(max(p.next(), 0))
		default:
			p.bare()
		}
		p.at = max(p.at, begin+1)
		out.WriteString(s[begin:min(p.at, len(s))])
	}
	return out.String(), unknown
}
