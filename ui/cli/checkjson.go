package cli

import (
	"example.com/mcpinspect/client"
	"example.com/mcpinspect/session/check"
	"example.com/mcpinspect/session/probe"
)

// checkDoc is the document of contract section 3. What is there only with a flag is absent without it.
type checkDoc struct {
	Findings []check.Finding `json:"findings"`
	Summary  check.Summary   `json:"summary"`
	Server   struct {
		Name    string `json:"name"`
		Version string `json:"version"`
		Title   string `json:"title,omitempty"`
	} `json:"server"`
	Protocol struct {
		Revision  string   `json:"revision"`
		Era       string   `json:"era"`
		Why       string   `json:"why"`
		Supported []string `json:"supported,omitempty"`
	} `json:"protocol"`
	Exit      *exitDoc        `json:"exit"`
	Looked    []string        `json:"looked_at,omitempty"`
	Probes    []probe.Verdict `json:"probes,omitempty"`
	Revisions []revisionDoc   `json:"revisions,omitempty"`
	Kept      *keptDoc        `json:"kept,omitempty"`
}

// keptDoc is what became of the file of --against.
type keptDoc struct {
	File    string `json:"file"`
	Updated bool   `json:"updated"`
}

// findingsJSON prints the document; k is nil for a session that was judged by another verb.
func (r *run) findingsJSON(found []check.Finding, k *checking) error {
	if found == nil {
		found = []check.Finding{}
	}
	doc := checkDoc{Findings: found, Summary: check.Sum(found)}
	v := r.sess.Snapshot().Server
	if k != nil && k.server != nil {
		v = k.server
	}
	if v != nil {
		doc.Server.Name, doc.Server.Version, doc.Server.Title = v.Name, v.Version, v.Title
		doc.Protocol.Revision, doc.Protocol.Why, doc.Protocol.Supported = string(v.Revision), v.Why, v.Supported
	}
	doc.Protocol.Era = client.Revision(doc.Protocol.Revision).Era()
	if r.ended {
		doc.Exit = newExitDoc(r.exit)
	}
	if k != nil {
		doc.Looked, doc.Probes, doc.Revisions = r.looked(k), k.probes, k.revisionDocs(found)
		if k.kept != nil {
			doc.Kept = &keptDoc{k.kept.path, k.kept.wrote != ""}
		}
	}
	return r.out.document(doc)
}

// exitDoc is how a server ended, as JSON: a code or a signal.
type exitDoc struct {
	Code   *int    `json:"code"`
	Signal *string `json:"signal"`
	Asked  string  `json:"asked"`
}

func newExitDoc(x client.Exit) *exitDoc {
	d := &exitDoc{Asked: string(x.Asked)}
	if x.Signal != "" {
		d.Signal = &x.Signal
	} else {
		d.Code = &x.Code
	}
	return d
}
