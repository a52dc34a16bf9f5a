package ui

import (
	"os"
	"strings"
)

// wantsASCII reports whether the terminal may not draw box characters: no UTF-8 in the locale, or
// the Linux console, whose fonts lack them.
func wantsASCII(getenv func(string) string) bool {
	if getenv("TERM") == "linux" {
		return true
	}
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := getenv(name); v != "" {
			v = strings.ToLower(v)
			return !strings.Contains(v, "utf-8") && !strings.Contains(v, "utf8")
		}
	}
	return os.PathSeparator == '/' // no locale at all is the C locale; Windows terminals are UTF-8
}
