package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"example.com/mcpinspect/ui/words"
)

// plain is what an error says without the words that only a programmer has for it: of a file that
// could not be used its name once, and why.
func plain(err error) string {
	text := err.Error()
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		before, after, ok := strings.Cut(text, path.Error())
		if !ok {
			return text
		}
		name := path.Path + ": "
		if strings.Contains(before, path.Path) {
			name = ""
		}
		return before + name + path.Err.Error() + after
	case errors.As(err, &link):
		return strings.Replace(text, link.Error(), link.New+": "+link.Err.Error(), 1)
	}
	return text
}

// sentence is fmt.Sprintf for people: errors are in plain words.
func sentence(format string, args ...any) string {
	for i, a := range args {
		if err, ok := a.(error); ok {
			args[i] = plain(err)
		}
	}
	return fmt.Sprintf(format, args...)
}

// flagError is what is wrong with a flag of a command.
func flagError(c *cobra.Command, err error) error {
	var value *pflag.InvalidValueError
	var needs *pflag.ValueRequiredError
	var none *pflag.NotExistError
	f := usagef("%v", err)
	switch {
	case errors.As(err, &value):
		f = wrongValue("--"+value.GetFlag().Name, value.GetFlag(), value.GetValue(), value.Unwrap())
	case errors.As(err, &needs):
		f = usagef("--%s needs a value", needs.GetFlag().Name)
	case errors.As(err, &none):
		var known []string
		c.Flags().VisitAll(func(f *pflag.Flag) { known = append(known, f.Name) })
		if near := words.DidYouMean(none.GetSpecifiedName(), known); near != "" {
			f.hint = strings.Replace(near, "did you mean ", "did you mean --", 1)
		}
	}
	return f
}

// wrongValue is a value that a flag does not take; name is what it was given by.
func wrongValue(name string, flag *pflag.Flag, value string, why error) *failure {
	switch flag.Value.Type() {
	case "int":
		return usagef("%s takes a whole number, not %q", name, value)
	case "float64":
		return usagef("%s takes a number, not %q", name, value)
	case "bool":
		return usagef("%s takes true or false, not %q", name, value)
	case "duration":
		return usagef("%s takes a time, not %q", name, value).hinted("with a unit, as in 500ms, 30s or 2m")
	}
	return usagef("%s: %v", name, why)
}
