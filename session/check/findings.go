package check

import (
	"encoding/json"
	"strings"
	"time"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/session"
)

// Finding is what one rule found about one subject, however often.
type Finding struct {
	Rule     string   `json:"rule"`
	Severity Severity `json:"severity"`
	Count    int      `json:"count"`
	Subject  string   `json:"subject"`
	First    Place    `json:"first"`
	Message  string   `json:"message"` // about the first occurrence
	Fix      string   `json:"fix"`
	Spec     string   `json:"spec"`              // page of the specification, with its revision
	Because  string   `json:"because,omitempty"` // the rule of the finding that this one comes of
	Runs     []int    `json:"-"`                 // of the server, in which it was found
	at       time.Duration
	root     origin
	wide     bool // stray output in UTF-16
}

// Place is where something was found first.
type Place struct {
	Seq    int    `json:"seq"` // row of the log
	T      string `json:"t"`   // since the start of the session: "12.3ms"
	Stream string `json:"stream"`
	Offset int64  `json:"offset"` // bytes from the start of the stream
}

// Severity is a severity that is written as its name.
type Severity session.Severity

func (s Severity) String() string { return session.Severity(s).String() }

// MarshalJSON writes the name.
func (s Severity) MarshalJSON() ([]byte, error) { return json.Marshal(s.String()) }

// Summary counts findings by severity.
type Summary struct {
	Error   int `json:"error"`
	Warning int `json:"warning"`
	Info    int `json:"info"`
}

// Sum counts findings: one for each cause.
func Sum(findings []Finding) (s Summary) {
	for _, f := range findings {
		if f.Because != "" {
			continue
		}
		switch session.Severity(f.Severity) {
		case session.Error:
			s.Error++
		case session.Warning:
			s.Warning++
		default:
			s.Info++
		}
	}
	return s
}

type key struct{ rule, subject, because string }

// maxSubjects is how many subjects of a rule are told apart: a server that invents a method for each
// message has made the point by then. Those beyond are counted as one.
const (
	maxSubjects   = 100
	otherSubjects = "others"
)

// Findings groups the marks of a log by rule and subject, in the order in which they came up, those
// of rows that were let go with them. skip says which rules are switched off; nil for none.
func Findings(log *session.Log, skip func(rule string) bool) []Finding {
	var out []Finding
	at := map[key]int{}
	spoken := map[int]client.Revision{}
	revisions := []client.Revision{}
	subjects := map[string]int{} // by rule
	streams := map[string]bool{} // rules that are about a stream
	spoke := map[int]int{}       // by run: the row of the latest message of the server
	told := -1                   // the latest piece of stray output that was found first, while stderr may tell of it
	end := lastWords{erred: map[int]bool{}}
	add := func(e *session.Event, m session.Mark, n int) {
		if skip != nil && skip(m.Rule) {
			return
		}
		of, known := streams[m.Rule]
		if !known {
			rule, _ := Find(m.Rule)
			of = rule.OfStream
			streams[m.Rule] = of
		}
		k := key{m.Rule, subject(e, &m, of), m.Because}
		if m.Rule == strayStdout.Name && m.Because == "" {
			k.because = end.of(e)
		}
		if _, ok := at[k]; !ok {
			if subjects[m.Rule] >= maxSubjects {
				k.subject = otherSubjects
			}
			subjects[m.Rule]++
		}
		if i, ok := at[k]; ok {
			out[i].Count += n
			if last := len(out[i].Runs) - 1; out[i].Runs[last] != e.Run {
				out[i].Runs = append(out[i].Runs, e.Run)
			}
			out[i].Severity = max(out[i].Severity, Severity(m.Severity))
			return
		}
		at[k] = len(out)
		if m.Rule == strayStdout.Name || m.Rule == messageGlued.Name {
			told = len(out)
		}
		f := first(e, m, k.subject)
		if strings.HasPrefix(k.because, "\x00") {
			f.Because = k.because
		}
		f.Count, f.Runs = n, []int{e.Run}
		out = append(out, f)
		revisions = append(revisions, m.Revision)
	}
	era := func(n *client.Note) {
		if n != nil && n.What == client.NoteEra {
			spoken[n.Run] = client.Revision(client.GetText(n.Data, "revision"))
		}
	}
	gone := log.Gone()
	crlf, stderr := gone.CRLF, gone.Stderr
	for _, n := range gone.Notes {
		era(n)
	}
	for i := range gone.Marks {
		g := &gone.Marks[i]
		add(&g.Event, g.Mark, g.Count)
	}
	const mostBlank = 16       // more of them belong to nothing
	var blanks []session.Event // blank lines, which belong to stray output behind them
	settle := func(because string) {
		for i := range blanks {
			for _, m := range blanks[i].Marks {
				if m.Rule == blankLine.Name && m.Because == "" {
					m.Because = because
				}
				add(&blanks[i], m, 1+m.More)
			}
		}
		blanks = blanks[:0]
	}
	log.Each(gone.Rows, func(e session.Event) bool {
		if len(blanks) > 0 && e.Stream == client.Out && e.Kind != client.KindBlank {
			because := ""
			if e.Stray() && len(e.Marks) > 0 && e.Run == blanks[0].Run {
				if because = e.Marks[0].Because; because == "" {
					because = e.Marks[0].Rule
				}
			}
			settle(because)
		}
		if e.Stream == client.Out {
			if e.Term == client.TermCRLF {
				crlf++
			}
			if e.Kind.IsMessage() {
				spoke[e.Run] = e.Seq
			}
		}
		if e.Stream == client.Err {
			stderr++
			end.erred[e.Run] = true
			if told >= 0 && e.Size > 0 {
				after(&out[told], &e)
				told = -1
			}
		}
		era(e.Note)
		if e.Kind == client.KindBlank && e.Stream == client.Out && len(e.Marks) > 0 {
			if len(blanks) == mostBlank {
				settle("")
			}
			blanks = append(blanks, e)
			return true
		}
		for _, m := range e.Marks {
			add(&e, m, 1+m.More)
		}
		return true
	})
	settle("")
	var last client.Revision
	for _, r := range spoken {
		last = max(last, r)
	}
	for i := range out {
		f := &out[i]
		if strings.HasPrefix(f.Because, "\x00") {
			f.Because = end.because(f, spoke)
		}
		if rule, ok := Find(f.Rule); ok {
			rev := revisions[i]
			if rev == "" {
				rev = spoken[f.Runs[0]]
			}
			if rev == "" {
				rev = last
			}
			if f.Spec = rule.Spec.In(rev); f.Fix == "" {
				f.Fix = rule.Fix
			}
		}
		switch f.Rule { // marked once a run, counted here
		case crlfLines.Name:
			f.Count = crlf
		case stderrOutput.Name:
			f.Count = stderr
		}
	}
	because(out)
	return merged(out)
}

// after adds to a piece of stray output what stderr said behind it, when that was soon.
func after(f *Finding, e *session.Event) {
	if f.Runs[0] == e.Run && e.T-f.at < nearby {
		f.Message += "; stderr said just after: " + client.Excerpt(e.Head)
	}
}

// Cure is what to do about one occurrence: its own cure where it has one, else that of its rule.
func Cure(m session.Mark) string {
	if m.Fix != "" {
		return m.Fix
	}
	rule, _ := Find(m.Rule)
	return rule.Fix
}

func first(e *session.Event, m session.Mark, subject string) Finding {
	return Finding{Rule: m.Rule, Severity: Severity(m.Severity), Count: 1 + m.More, Subject: subject, Message: m.Text, Fix: m.Fix, Because: causeOf(e, m), at: e.T,
		First: Place{Seq: e.Seq, T: e.T.Round(100 * time.Microsecond).String(), Stream: streamOf(e), Offset: e.Offset}}
}
