// Package words translates between argument words, values and command lines:
// `days=3 'tags:=["a"]' notes=@file` is what people type after `call TOOL`.
package words

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"example.com/mcpinspect/client/schema"
)

// Error says what is wrong with one word. It is a usage error: nothing was
// sent.
type Error struct {
	Word    string
	Problem string
	Hint    string // what to do; may be ""
}

func (e *Error) Error() string {
	text := "argument " + strconv.Quote(short(e.Word)) + ": " + e.Problem
	if e.Hint != "" {
		text += " (" + e.Hint + ")"
	}
	return text
}

// maxShown is how many bytes of a word an error repeats.
const maxShown = 60

func short(word string) string {
	if len(word) <= maxShown {
		return word
	}
	return cutRunes(word, maxShown) + "…"
}

// Reading is how one word was understood.
type Reading struct {
	Word    string
	Pointer string // where the value goes; "" is the whole object
	Value   schema.Value
}

// Parse reads argument words into the arguments object:
//
//	name=text     turned into what the schema wants
//	name:=json    exact JSON
//	name=@file    the text of a file, base64 where the schema wants it
//	name:=@file   a file of JSON
//	name=@@x      the text @x
//	a.b[0].c=x    a place inside; [] is one more row
//	{…} @file -   the whole object, which other words add to
//
// A word is split at its first "="; a name that the schema lists is never
// read as a path. files reads a file, "-" is standard input. Errors are of
// type *Error.
func Parse(words []string, s *schema.Schema, files func(name string) ([]byte, error)) (schema.Value, error) {
	v, _, err := Read(words, s, files)
	return v, err
}

// Read is Parse and tells for each word how it was understood.
func Read(words []string, s *schema.Schema, files func(name string) ([]byte, error)) (schema.Value, []Reading, error) {
	r := reader{schema: s, files: files, args: schema.Obj()}
	for _, word := range words {
		if at := badUTF8(word); at >= 0 {
			return schema.Value{}, nil, &Error{word, fmt.Sprintf("byte 0x%02x at offset %d is no UTF-8, and JSON cannot carry it", word[at], at), "in UTF-8 write it as it should read; the bytes of a file, where the schema wants base64: name=@file"}
		}
	}
	// The whole object comes first, wherever it stands.
	for _, word := range words {
		if isWhole(word) {
			if err := r.whole(word); err != nil {
				return schema.Value{}, nil, err
			}
		}
	}
	for _, word := range words {
		if !isWhole(word) {
			if err := r.word(word); err != nil {
				return schema.Value{}, nil, err
			}
		}
	}
	return r.args, r.readings, nil
}

func isWhole(word string) bool {
	return word == "-" || strings.HasPrefix(word, "{") || strings.HasPrefix(word, "@")
}

type reader struct {
	schema   *schema.Schema
	files    func(name string) ([]byte, error)
	args     schema.Value
	given    []Reading // of the words behind the whole object
	hasWhole bool
	readings []Reading
}

func (r *reader) open(word, name string) ([]byte, error) {
	if r.files == nil {
		return nil, &Error{word, "files cannot be read here", ""}
	}
	content, err := r.files(name)
	if err != nil {
		hint := ""
		if !strings.HasPrefix(word, "@") && word != "-" {
			hint = "for the text @" + short(name) + " write @@" + short(name)
		}
		return nil, &Error{word, err.Error(), hint}
	}
	return content, nil
}

func (r *reader) whole(word string) error {
	if r.hasWhole {
		return &Error{word, "there is a whole object already", "give one, and name=value for the rest"}
	}
	r.hasWhole = true
	content := []byte(word)
	if name, ok := strings.CutPrefix(word, "@"); ok || word == "-" {
		if !ok {
			name = word
		}
		var err error
		if content, err = r.open(word, name); err != nil {
			return err
		}
	}
	v, err := schema.Parse(content)
	if err != nil {
		hint := ""
		if strings.HasPrefix(word, "{") && !strings.Contains(word, `"`) {
			hint = `the shell took the quotes: write '{"a":1}'`
		}
		return &Error{word, "invalid JSON at " + err.Error(), hint}
	}
	if !v.ValidUTF8() {
		return notUTF8(word)
	}
	if v.Kind != schema.Object {
		return &Error{word, "arguments must be an object, this is of type " + v.Kind.String(), `write '{"name":value}'`}
	}
	r.args = v
	r.readings = append(r.readings, Reading{Word: word, Value: v})
	return nil
}

func (r *reader) word(word string) error {
	name, text, ok := strings.Cut(word, "=")
	if !ok {
		return &Error{word, "is not name=value", r.hint(word)}
	}
	name, exact := strings.CutSuffix(name, ":")
	path, err := r.path(name)
	if err != nil {
		return &Error{word, err.Error(), ""}
	}
	pointer := path.pointer(r.args)
	v, err := r.value(word, pointer, text, exact)
	if err != nil {
		return err
	}
	if err := r.contradiction(word, name, pointer); err != nil {
		return err
	}
	args, err := path.put(r.args, v)
	if err != nil {
		return r.noPlace(word, path, err)
	}
	r.args = args
	r.given = append(r.given, Reading{word, pointer, v})
	r.readings = append(r.readings, Reading{word, pointer, v})
	return nil
}

// contradiction is a word whose place an earlier word has filled, or fills a part of: one of the two
// would be lost. A part may be added to a value given before, such as a.b=1 to a:={}.
func (r *reader) contradiction(word, name, pointer string) error {
	for _, g := range r.given {
		switch {
		case g.Pointer == pointer:
			return &Error{word, fmt.Sprintf("%s is given twice, as %q too", name, short(g.Word)), "give one of them"}
		case strings.HasPrefix(g.Pointer, pointer+"/"):
			return &Error{word, fmt.Sprintf("it would replace what %q sets", short(g.Word)), "give one of them"}
		case strings.HasPrefix(pointer, g.Pointer+"/"):
			if _, taken := g.Value.At(pointer[len(g.Pointer):]); taken {
				return &Error{word, fmt.Sprintf("%q sets this place already", short(g.Word)), "give one of them"}
			}
		}
	}
	return nil
}

// noPlace is a word whose path leads through a value of another type, which an earlier word may have
// made.
func (r *reader) noPlace(word string, path path, cause error) error {
	for i, s := range path {
		at := path[:i].pointer(r.args)
		v, ok := r.args.At(at)
		if !ok || v.Kind == schema.Null || v.Kind == schema.Object && s.row == isName || v.Kind == schema.Array && s.row != isName {
			continue
		}
		for _, g := range r.given {
			if g.Pointer == at || strings.HasPrefix(g.Pointer, at+"/") || strings.HasPrefix(at, g.Pointer+"/") {
				return &Error{word, fmt.Sprintf("%v: %q is there", cause, short(g.Word)), "give one of them"}
			}
		}
	}
	return &Error{word, cause.Error(), ""}
}

// notUTF8 is a file of JSON with bytes that would be sent as U+FFFD.
func notUTF8(word string) *Error {
	return &Error{word, "the JSON has bytes that are no UTF-8, which cannot be sent", "convert the file to UTF-8"}
}

// badUTF8 is the offset of the first byte that is no UTF-8; -1 when there is none.
func badUTF8(s string) int {
	for i, r := range s {
		if r == utf8.RuneError && !strings.HasPrefix(s[i:], "\uFFFD") {
			return i
		}
	}
	return -1
}

// hint says how a word without "=" could have been meant.
func (r *reader) hint(word string) string {
	required, optional := r.schema.Names("", r.args)
	all := append(required, optional...)
	for _, name := range all {
		if name == word {
			return "write " + word + "=value"
		}
	}
	if len(required) == 1 || len(all) == 1 {
		return "write " + all[0] + "=" + short(word)
	}
	if near := Near(word, all); len(near) > 0 {
		return "did you mean " + near[0] + "=…?"
	}
	if len(all) > 0 {
		const most = 8
		names := append([]string(nil), all[:min(len(all), most)]...)
		for i := range names {
			names[i] = short(names[i])
		}
		return "it takes " + strings.Join(names, ", ")
	}
	return "it takes no arguments that are known"
}

func (r *reader) value(word, pointer, text string, exact bool) (schema.Value, error) {
	file, isFile := strings.CutPrefix(text, "@")
	if isFile && !exact && strings.HasPrefix(file, "@") {
		text, isFile = file, false
	}
	var content []byte
	if isFile {
		var err error
		if content, err = r.open(word, file); err != nil {
			return schema.Value{}, err
		}
	}
	switch {
	case exact:
		if !isFile {
			content = []byte(text)
		}
		v, err := schema.Parse(content)
		if err != nil {
			return v, &Error{word, "invalid JSON at " + err.Error(), "for text write name=text"}
		}
		if !v.ValidUTF8() {
			return v, notUTF8(word)
		}
		return v, nil
	case isFile:
		v, err := r.schema.ReadBytes(pointer, content, r.args)
		if err != nil {
			return v, &Error{word, err.Error(), ""}
		}
		return v, nil
	}
	v, err := r.schema.ReadWord(pointer, text, r.args)
	if err != nil {
		hint := "the value is JSON here"
		if r.schema.Spec(pointer, r.args).Control == schema.ControlList {
			return v, r.noList(word, pointer, text)
		}
		return v, &Error{word, schema.Place(pointer) + ": " + err.Error(), hint}
	}
	return v, nil
}

// noList says how the list is written that text was meant to be: a,b is a guess, and is only shown.
func (r *reader) noList(word, pointer, text string) error {
	name, _, _ := strings.Cut(word, "=")
	name = strings.TrimSuffix(name, ":")
	const most = 3 // items that are spelled out
	var items, rows []string
	for i, part := range strings.Split(strings.Trim(text, "[] "), ",") {
		if i == most {
			items, rows = append(items, "…"), append(rows, "…")
			break
		}
		part = strings.TrimSpace(part)
		v, err := r.schema.ReadWord(pointer+"/0", part, r.args)
		if err != nil {
			v = schema.Text(part)
		}
		items, rows = append(items, v.JSON()), append(rows, fmt.Sprintf("%s[%d]=%s", name, i, part))
	}
	return &Error{word, fmt.Sprintf("%s is a list, and %q is no JSON", schema.Place(pointer), text),
		fmt.Sprintf("a list is written as JSON: '%s=[%s]', or item by item: %s", name, strings.Join(items, ","), strings.Join(rows, " "))}
}

// String says how the word was understood, for --dry-run: "days is the number
// 3".
func (r Reading) String() string {
	place := schema.Place(r.Pointer)
	if place == "" {
		place = "the whole"
	}
	kind := map[schema.Kind]string{
		schema.Null: "null", schema.Bool: "the value ", schema.Number: "the number ",
		schema.String: "the text ", schema.Array: "the list ", schema.Object: "the object ",
	}[r.Value.Kind]
	if r.Value.Kind == schema.Null {
		return fmt.Sprintf("%s is %s", place, kind)
	}
	return fmt.Sprintf("%s is %s%s", place, kind, short(r.Value.JSON()))
}
