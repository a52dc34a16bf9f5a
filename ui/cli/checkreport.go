package cli

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"time"

	"example.com/mcpinspect/session/check"
	"example.com/mcpinspect/session/report"
	"example.com/mcpinspect/ui/words"
)

// reportFile is one --report.
type reportFile struct{ format, path string }

// readReports reads --report words, and looks whether each file can be written: that is worth knowing
// before a server was started.
func readReports(given []string) (files []reportFile, err error) {
	seen := map[string]bool{}
	for _, word := range given {
		format, path, _ := strings.Cut(word, "=")
		known := false
		for _, f := range report.Formats() {
			known = known || f == format
		}
		switch {
		case !known:
			f := usagef("--report %s: there is no format %q", word, format).hinted("one of: %s; as in --report junit=check.xml", strings.Join(report.Formats(), ", "))
			if near := words.DidYouMean(format, report.Formats()); near != "" {
				f.hint = near
			}
			return nil, f
		case path == "":
			return nil, usagef("--report %s names no file", word).hinted("as in: --report %s=FILE", format)
		case seen[path]:
			return nil, usagef("--report: two reports would go to %s", path)
		}
		seen[path] = true
		_, missing := os.Stat(path)
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o666)
		if err != nil {
			return nil, unwritable(format, err)
		}
		if f.Close(); missing != nil {
			os.Remove(path)
		}
		files = append(files, reportFile{format, path})
	}
	return files, nil
}

func unwritable(format string, err error) error {
	return &failure{outcome: unwritten, text: sentence("the %s report cannot be written: %v", format, err), err: err}
}

// newReport is what the files say of a check. Secrets are masked in it: they end in places of others.
func (r *run) newReport(found []check.Finding, k *checking, err error) *report.Report {
	hide := r.hidden.MaskString
	target := r.sess.Target()
	x := &report.Report{Tool: "mcpinspect", Version: Version, Target: hide(target.Label), Took: time.Since(k.begun), Limit: k.limit, Source: k.source}
	x.Server, x.Revision = r.spokenWith(k)
	x.Server, x.Revision = hide(x.Server), hide(x.Revision)
	if r.ended {
		x.End = "ended with " + r.exit.String()
	}
	if err != nil {
		x.Failed = hide(told(r.explain(err)))
	}
	x.Looked = r.looked(k)
	if x.Source != "" {
		x.Source = report.Relative(x.Source, ".")
	} else if x.Source = report.Source(orWord(r.line.flags.cwd, ".")); x.Source == "" {
		x.Source = "mcp-server" // nothing that could be named: a result without a file is refused
	}
	for _, f := range found {
		f.Message, f.Subject = hide(f.Message), hide(f.Subject)
		x.Findings = append(x.Findings, f)
	}
	return x
}

// writeReports writes the files of --report, and tells GitHub Actions where it runs.
func (r *run) writeReports(k *checking, x *report.Report) (err error) {
	for _, f := range k.files {
		var b bytes.Buffer
		werr := report.Write(&b, f.format, x)
		if werr == nil {
			werr = os.WriteFile(f.path, b.Bytes(), 0o666)
		}
		if werr != nil {
			err = errors.Join(err, unwritable(f.format, werr))
		}
	}
	if !onActions() {
		return err
	}
	if r.json || !jobLog(r.io.Out) { // stdout is one document, or a file; who cannot be told is not told that either
		_, _ = r.io.Err.Write(report.Annotations(x))
	} else if werr := r.out.commands(report.Annotations(x)); werr != nil {
		err = errors.Join(err, werr)
	}
	if path := os.Getenv("GITHUB_STEP_SUMMARY"); path != "" {
		if werr := appendFile(path, report.Markdown(x)); werr != nil {
			r.voice.warn("the summary of the job cannot be written: %v", werr)
		}
	}
	return err
}

func appendFile(path string, b []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(b)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	return err
}
