package questions

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"example.com/mcpinspect/client"
)

// Root is a directory that a server may work in (client/roots).
type Root struct {
	Dir string // absolute
	URI string // file://
}

// NewRoot makes a root of a directory that is there.
func NewRoot(dir string) (Root, error) {
	if dir == "" {
		return Root{}, errors.New("names no directory; . is the one that we are in")
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return Root{}, err
	}
	if st, err := os.Stat(abs); err != nil || !st.IsDir() {
		return Root{}, fmt.Errorf("%s is no directory", dir)
	}
	path := filepath.ToSlash(abs)
	if !strings.HasPrefix(path, "/") { // a drive of Windows
		path = "/" + path
	}
	return Root{Dir: abs, URI: (&url.URL{Scheme: "file", Path: path}).String()}, nil
}

// ListRoots is the result of roots/list.
func ListRoots(roots []Root) []byte {
	b := []byte(`{"roots":[`)
	for i, r := range roots {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(b, `{"uri":`...), client.Quote(r.URI)...)
		b = append(append(append(b, `,"name":`...), client.Quote(filepath.Base(r.Dir))...), '}')
	}
	return append(b, "]}"...)
}
