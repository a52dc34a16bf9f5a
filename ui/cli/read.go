package cli

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/client/template"
	"example.com/mcpinspect/ui/text"
)

func (a *app) readCommand() *cobra.Command {
	into, uri := "", ""
	c := &cobra.Command{Use: "read URI [NAME=VALUE...] [FLAGS] TARGET", Short: "read a resource", Args: cobra.ArbitraryArgs,
		Long:    "Reads a resource and prints what is in it. A URI with {names} is a template (RFC 6570), which\nthe values behind it fill; a value that is a list is given once for each entry.",
		Example: "  mcpinspect read demo://readme --demo\n  mcpinspect read file:///notes.txt -- ./server\n  mcpinspect read 'notes://{id}' id=7 -- ./server\n  mcpinspect read img://logo -o logo.png -- ./server",
		RunE: a.verb(func(_ *cobra.Command, args []string) (err error) {
			if len(args) == 0 {
				return usagef("read needs a URI").hinted("mcpinspect list resources %s shows them", a.where())
			}
			uri, err = expand(args[0], args[1:])
			return err
		}, func(ctx context.Context, r *run, _ []string) error {
			return r.read(ctx, uri, into)
		})}
	a.verbFlags(c)
	c.Flags().StringVarP(&into, "output", "o", "", "write the content to `FILE`, which must not exist")
	return c
}

// expand fills a URI template (RFC 6570) with name=value words; a URI without names takes none.
func expand(uri string, given []string) (string, error) {
	if len(given) == 0 && !strings.Contains(uri, "{") {
		return uri, nil
	}
	t, err := template.Parse(uri)
	if err != nil {
		return "", usagef("%s: %v", uri, err).hinted("RFC 6570 says how they are written")
	}
	var names []string
	for _, v := range t.Variables() {
		names = append(names, v.Name)
	}
	lists := map[string][]string{}
	for _, word := range given {
		name, value, ok := strings.Cut(word, "=")
		if !ok || name == "" {
			return "", usagef("%q is no NAME=VALUE", word)
		}
		if !slices.Contains(names, name) {
			f := usagef("%s has no variable %q", uri, name)
			if len(names) > 0 {
				return "", f.hinted("it has %s", strings.Join(names, ", "))
			}
			return "", f
		}
		lists[name] = append(lists[name], value)
	}
	values := map[string]any{} // what is not given the template leaves out
	for n, v := range lists {
		values[n] = v
		if len(v) == 1 {
			values[n] = v[0]
		}
	}
	if len(lists) == 0 {
		return "", usagef("%s is a template, and no value is given", uri).hinted("it takes %s, as in: read '%s' %s=VALUE", strings.Join(names, ", "), uri, names[0])
	}
	object, err := json.Marshal(values)
	if err != nil {
		return "", err
	}
	out, err := t.Expand(object)
	if err != nil {
		return "", usagef("%s cannot be filled: %v", uri, err)
	}
	return out, nil
}

func (r *run) read(ctx context.Context, uri, into string) error {
	params := append(append([]byte(`{"uri":`), client.Quote(uri)...), '}')
	answer, err := r.sess.Call(ctx, client.Request{Method: client.MethodResourcesRead, Params: params})
	if err != nil {
		return err
	}
	if err := answer.Err(); err != nil {
		return err
	}
	result := answer.ResultRaw()
	contents := client.Get(result, "contents")
	if into != "" {
		if err := save(contents, into); err != nil {
			return err
		}
	}
	if r.json {
		r.out.rawLine(result)
	} else if into == "" {
		r.contents(contents)
	}
	if len(contents) == 0 || contents[0] != '[' {
		return &failure{outcome: protocol, text: "the result of resources/read has no list of contents", hint: "--json shows what it is"}
	}
	return nil
}

// contents prints what a resource holds: text as it is, anything else as one line that says what.
func (r *run) contents(raw []byte) {
	many := 0
	for range client.Elements(raw) {
		many++
	}
	for c := range client.Elements(raw) {
		kind := orWord(cleanLine(client.GetText(c, "mimeType")), "of no type")
		s, isText := client.Text(client.Get(c, "text"))
		if many > 1 || !isText {
			r.out.printf("%s, %s", cleanLine(client.GetText(c, "uri")), kind)
			if blob := client.Get(c, "blob"); blob != nil {
				r.out.printf(", %s; -o FILE saves it", dataSize(blob))
			}
			r.out.printf("\n")
		}
		switch {
		case isText:
			r.out.lines("", s)
		case client.Get(c, "blob") == nil:
			r.out.rawLine(oneLine(c))
		}
	}
}

// save writes the one content of a resource to a new file.
func save(contents []byte, name string) error {
	var all [][]byte
	for c := range client.Elements(contents) {
		all = append(all, c)
	}
	if len(all) != 1 {
		return usagef("-o saves one content, and there are %s", text.Plural(len(all), "content")).hinted("--json prints them all")
	}
	data := []byte(client.GetText(all[0], "text"))
	if blob, ok := client.Text(client.Get(all[0], "blob")); ok {
		var err error
		if data, err = base64.StdEncoding.DecodeString(blob); err != nil {
			return &failure{outcome: protocol, text: "the blob in the result is no base64", hint: "--json prints it as it was sent"}
		}
	}
	f, err := os.OpenFile(name, os.O_CREATE|os.O_WRONLY|os.O_EXCL, 0o600)
	if err != nil {
		return &failure{outcome: usage, text: "-o: " + err.Error(), err: err}
	}
	if _, err = f.Write(data); err == nil {
		err = f.Close()
	} else {
		f.Close()
	}
	if err != nil {
		return &failure{outcome: usage, text: "-o: " + err.Error(), err: err}
	}
	return nil
}
