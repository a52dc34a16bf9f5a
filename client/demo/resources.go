package demo

import (
	"encoding/base64"
	"fmt"
	"net/url"
	"strings"

	"example.com/mcpinspect/client/demo/rpc"
)

const (
	readmeURI  = "demo://readme"
	citiesURI  = "demo://cities.json"
	logoURI    = "demo://logo.png"
	visitsURI  = "demo://visits"
	bundleURI  = "demo://bundle"
	cityPrefix = "demo://city/"
)

const readmeText = "# Demo\n\nA resource of text. The one called *visits* changes when you call the tool `touch`.\n"

// city is what the template demo://city/{name} knows.
type city struct{ name, country, remark string }

func cities() []city {
	return []city{
		{"Basel", "Switzerland", "has a very good paper museum"},
		{"Bergen", "Norway", "rains on two days of three"},
		{"Bern", "Switzerland", "keeps bears"},
		{"Bilbao", "Spain", "built a museum of titanium"},
		{"Kyōto", "Japan", "was the capital for a thousand years"},
		{"Oslo", "Norway", "lies at the end of a fjord"},
		{"São Paulo", "Brazil", "is larger than you think"},
		{"Sevilla", "Spain", "smells of oranges"},
		{"Tōkyō", "Japan", "has the busiest crossing"},
		{"Zürich", "Switzerland", "swims in its river"},
	}
}

// resources lists what can be read, in the words of c's revision.
func (c *call) resources() []rpc.Object {
	entry := func(uri, name, title, about, mime string, size int) rpc.Object {
		o := rpc.Obj("uri", uri, "name", name)
		if c.since(rev2506) {
			o = o.With("title", title)
		}
		o = o.With("description", about).With("mimeType", mime)
		if size > 0 {
			o = o.With("size", size)
		}
		return o
	}
	return []rpc.Object{
		entry(readmeURI, "readme", "Read me", "some Markdown", "text/markdown", len(readmeText)).
			With("annotations", rpc.Obj("audience", []string{"user", "assistant"}, "priority", 1)),
		entry(citiesURI, "cities", "Cities", "the cities that the template knows", "application/json", len(citiesJSON())),
		entry(logoURI, "logo", "Logo", "a picture, so the contents are binary", "image/png", len(picture(32, 32))),
		entry(visitsURI, "visits", "Visits", "changes with every call of the tool touch; subscribe to it", "text/plain", 0),
		entry(bundleURI, "bundle", "Bundle", "several contents in one answer", "application/octet-stream", 0),
	}
}

func (c *call) templates() []rpc.Object {
	o := rpc.Obj("uriTemplate", cityPrefix+"{name}", "name", "city")
	if c.since(rev2506) {
		o = o.With("title", "A city")
	}
	return []rpc.Object{o.With("description", "what there is to say about a city; the name can be completed").With("mimeType", "text/plain")}
}

func citiesJSON() string {
	var list []rpc.Object
	for _, town := range cities() {
		list = append(list, rpc.Obj("name", town.name, "country", town.country, "uri", cityPrefix+url.PathEscape(town.name)))
	}
	b, err := rpc.Encode(list)
	if err != nil {
		return "[]"
	}
	return string(b)
}

func (c *call) readResource() (rpc.Object, *rpc.Error) {
	uri, is := rpc.Text(c.params["uri"])
	if !is {
		return nil, invalid("uri must be a string")
	}
	text := func(uri, mime, text string) rpc.Object { return rpc.Obj("uri", uri, "mimeType", mime, "text", text) }
	logo := rpc.Obj("uri", logoURI, "mimeType", "image/png", "blob", base64.StdEncoding.EncodeToString(picture(32, 32)))
	var contents []rpc.Object
	switch uri {
	case readmeURI:
		contents = append(contents, text(uri, "text/markdown", readmeText))
	case citiesURI:
		contents = append(contents, text(uri, "application/json", citiesJSON()))
	case logoURI:
		contents = append(contents, logo)
	case visitsURI:
		c.server.mu.Lock()
		n := c.server.visits
		c.server.mu.Unlock()
		contents = append(contents, text(uri, "text/plain", fmt.Sprintf("%d visits\n", n)))
	case bundleURI:
		contents = append(contents, text(readmeURI, "text/markdown", readmeText), logo)
	default:
		if town, has := findCity(uri); has {
			contents = append(contents, text(uri, "text/plain", fmt.Sprintf("%s (%s) %s.\n", town.name, town.country, town.remark)))
		}
	}
	if contents == nil {
		fault := &rpc.Error{Code: rpc.ResourceNotFound, Message: "Resource not found", Data: rpc.Obj("uri", uri)}
		if c.modern() {
			fault.Code = rpc.InvalidParams
		}
		return nil, fault
	}
	return rpc.Obj("contents", contents), nil
}

// findCity reads a URI of the template, in which the name is percent-encoded (RFC 6570).
func findCity(uri string) (city, bool) {
	escaped, is := strings.CutPrefix(uri, cityPrefix)
	name, err := url.PathUnescape(escaped)
	if !is || err != nil {
		return city{}, false
	}
	for _, town := range cities() {
		if strings.EqualFold(town.name, name) {
			return town, true
		}
	}
	return city{}, false
}
