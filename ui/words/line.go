package words

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"example.com/mcpinspect/client/schema"
)

// Line gives the command line that makes the same call: `call TOOL name=text
// name:=json …`, quoted for a POSIX shell. Parse reads it back to the same
// arguments, digit for digit, whatever the schema says.
func Line(tool string, v schema.Value) string {
	args := []string{"call", tool}
	if words, ok := memberWords(v); ok {
		args = append(args, words...)
	} else {
		args = append(args, v.JSON())
	}
	return Shell(args)
}

// memberWords writes one word a member; ok is false when the names do not
// allow it.
func memberWords(v schema.Value) (words []string, ok bool) {
	if v.Kind != schema.Object {
		return nil, false
	}
	seen := map[string]bool{}
	for _, m := range v.Members {
		if seen[m.Name] || !plainName(m.Name) {
			return nil, false
		}
		seen[m.Name] = true
		if m.Value.Kind == schema.String && plainText(m.Value.Text) {
			words = append(words, m.Name+"="+m.Value.Text)
		} else {
			words = append(words, m.Name+":="+m.Value.JSON())
		}
	}
	return words, true
}

func plainName(name string) bool {
	return name != "" && !strings.ContainsAny(name, "=.[\x00") && !strings.ContainsRune("{@-", rune(name[0])) &&
		!strings.HasSuffix(name, ":") && utf8.ValidString(name)
}

// plainText reports whether a string is read as itself under every schema:
// it must not look like JSON or a file.
func plainText(text string) bool {
	if strings.HasPrefix(text, "@") || strings.Contains(text, "\x00") || !utf8.ValidString(text) {
		return false
	}
	_, err := schema.Parse([]byte(text))
	return err != nil
}

// Shell quotes words so that a POSIX shell gives back exactly them.
func Shell(args []string) string {
	quoted := make([]string, len(args))
	for i, arg := range args {
		quoted[i] = shellWord(arg, i == 0)
	}
	return strings.Join(quoted, " ")
}

func shellWord(word string, first bool) string {
	plain := word != ""
	for _, c := range []byte(word) {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', strings.IndexByte("_@%+:,./-", c) >= 0:
		case c == '=' && !first: // first, it would be an assignment
		default:
			plain = false
		}
	}
	if plain {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// Split takes a line apart as a shell does, with quotes and backslashes and
// without any expansion: a dollar or a star is itself.
func Split(line string) ([]string, error) {
	var words []string
	var word []byte
	inWord := false
	for i := 0; i < len(line); i++ {
		switch c := line[i]; c {
		case ' ', '\t', '\n', '\r':
			if inWord {
				words, word, inWord = append(words, string(word)), nil, false
			}
		case '\'':
			end := strings.IndexByte(line[i+1:], '\'')
			if end < 0 {
				return nil, unclosed(line, i)
			}
			word = append(word, line[i+1:i+1+end]...)
			inWord = true
			i += end + 1
		case '"':
			start := i
			for i++; ; i++ {
				if i >= len(line) {
					return nil, unclosed(line, start)
				}
				if line[i] == '"' {
					break
				}
				if line[i] == '\\' && i+1 < len(line) && strings.IndexByte("\"\\$`\n", line[i+1]) >= 0 {
					if i++; line[i] == '\n' {
						continue
					}
				}
				word = append(word, line[i])
			}
			inWord = true
		case '\\':
			if i++; i >= len(line) {
				return nil, fmt.Errorf("the backslash at the end of the line has nothing to escape")
			}
			if line[i] == '\n' {
				continue
			}
			word = append(word, line[i])
			inWord = true
		default:
			word = append(word, c)
			inWord = true
		}
	}
	if inWord {
		words = append(words, string(word))
	}
	return words, nil
}

func unclosed(line string, at int) error {
	return fmt.Errorf("the quote %c at column %d is not closed", line[at], utf8.RuneCountInString(line[:at])+1)
}
