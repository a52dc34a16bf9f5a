package cli

import (
	"strings"

	"example.com/mcpinspect/session/check"
	"example.com/mcpinspect/ui/text"
)

// ruleDoc is a rule as JSON.
type ruleDoc struct {
	Rule      string         `json:"rule"`
	Severity  check.Severity `json:"severity"`
	Who       string         `json:"who"`
	Revisions []string       `json:"revisions"`
	About     string         `json:"about"`
	Why       string         `json:"long"`
	Fix       string         `json:"fix"`
	Spec      string         `json:"spec"`
	Example   *exampleDoc    `json:"example,omitempty"`
}

type exampleDoc struct {
	Bad  string `json:"bad"`
	Good string `json:"good,omitempty"`
}

func newRuleDoc(r check.Rule) ruleDoc {
	d := ruleDoc{Rule: r.Name, Severity: check.Severity(r.Severity), Who: r.Who.String(), About: r.Title, Why: r.Why, Fix: r.Fix, Spec: pageOf(r)}
	for _, rev := range r.Revisions.List() {
		d.Revisions = append(d.Revisions, string(rev))
	}
	if r.Bad != "" {
		d.Example = &exampleDoc{r.Bad, r.Good}
	}
	return d
}

// pageOf is the page of a rule in the newest revision that it holds in.
func pageOf(r check.Rule) string {
	if list := r.Revisions.List(); len(list) > 0 {
		return r.Spec.In(list[0])
	}
	return r.Spec.In("")
}

func ruleNames() (names []string) {
	for _, r := range check.Rules() {
		names = append(names, r.Name)
	}
	return names
}

// nameWidth is the column that holds almost every name of a rule.
const nameWidth = 30

func (a *app) printRules() error {
	o := newOutput(a.io.Out, a.line.flags.noColor, nil)
	rules := check.Rules()
	if a.json {
		docs := make([]ruleDoc, len(rules))
		for i, r := range rules {
			docs[i] = newRuleDoc(r)
		}
		return o.document(docs)
	}
	for _, r := range rules {
		o.printf("%-8s %-*s %s\n", r.Severity, nameWidth, r.Name, r.Title)
	}
	return o.flush()
}

func (a *app) printRule(name string) error {
	r, ok := check.Find(name)
	if !ok {
		return noRule(name)
	}
	o := newOutput(a.io.Out, a.line.flags.noColor, nil)
	if a.json {
		return o.document(newRuleDoc(r))
	}
	const column = 76 // of prose that is read in a terminal
	paragraph := func(s string) {
		for _, l := range text.Wrap(s, column) {
			o.printf("%s\n", l)
		}
		o.printf("\n")
	}
	o.printf("%s (%s)\n", o.paint.bold(r.Name), r.Severity)
	paragraph(r.Title)
	paragraph(r.Why)
	paragraph("fix: " + r.Fix)
	if example := r.Example(); example != "" {
		for l := range strings.Lines(example) {
			o.printf("%s\n", cleanLine(strings.TrimSuffix(l, "\n")))
		}
		o.printf("\n")
	}
	o.printf("whose fault: %s; revisions: %s\nsee: %s\n", r.Who, r.Revisions, pageOf(r))
	return o.flush()
}
