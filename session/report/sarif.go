package report

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/url"
	"path"
	"strings"

	"example.com/mcpinspect/session"
	"example.com/mcpinspect/session/check"
)

type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool struct {
		Driver sarifDriver `json:"driver"`
	} `json:"tool"`
	Invocations []sarifInvocation `json:"invocations"`
	ColumnKind  string            `json:"columnKind"`
	Results     []sarifResult     `json:"results"`
}

type sarifDriver struct {
	Name    string      `json:"name"`
	Version string      `json:"version"`
	Rules   []sarifRule `json:"rules"`
}

type sarifText struct {
	Text string `json:"text"`
}

type sarifLevel struct {
	Level string `json:"level"`
}

type sarifRule struct {
	ID      string     `json:"id"`
	Short   sarifText  `json:"shortDescription"`
	Full    sarifText  `json:"fullDescription"`
	Help    sarifText  `json:"help"`
	HelpURI string     `json:"helpUri"`
	Default sarifLevel `json:"defaultConfiguration"`
}

type sarifInvocation struct {
	Successful    bool                `json:"executionSuccessful"`
	Notifications []sarifNotification `json:"toolExecutionNotifications,omitempty"`
}

type sarifNotification struct {
	Level   string    `json:"level"`
	Message sarifText `json:"message"`
}

type sarifResult struct {
	Rule        string            `json:"ruleId"`
	Index       int               `json:"ruleIndex"`
	Level       string            `json:"level"`
	Message     sarifText         `json:"message"`
	Locations   []sarifLocation   `json:"locations"`
	Count       int               `json:"occurrenceCount"`
	Fingerprint map[string]string `json:"partialFingerprints"`
	Properties  map[string]any    `json:"properties"`
}

type sarifLocation struct {
	Physical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   sarifRegion   `json:"region"`
	} `json:"physicalLocation"`
	Logical []sarifLogical `json:"logicalLocations"`
}

type sarifArtifact struct {
	URI string `json:"uri"`
}

type sarifRegion struct {
	StartLine int `json:"startLine"`
}

type sarifLogical struct {
	Name string `json:"fullyQualifiedName"`
}

// SARIF writes a log of the Static Analysis Results Interchange Format 2.1.0 (OASIS), as code
// scanning takes it. A result is about no line of a file: it points at the first line of Source, and
// says in a logical location what of the protocol it is about.
func SARIF(r *Report) []byte {
	var run sarifRun
	run.Tool.Driver = sarifDriver{Name: r.Tool, Version: r.Version, Rules: []sarifRule{}}
	run.ColumnKind = "unicodeCodePoints"
	run.Results = []sarifResult{}
	done := sarifInvocation{Successful: r.Failed == ""}
	if r.Failed != "" {
		done.Notifications = []sarifNotification{{"error", sarifText{visible(r.Failed, true)}}}
	}
	run.Invocations = []sarifInvocation{done}
	index := map[string]int{}
	for i := range r.Findings {
		f := &r.Findings[i]
		at, known := index[f.Rule]
		if !known {
			at = len(index)
			index[f.Rule] = at
			run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, newSarifRule(f))
		}
		text := visible(sentence(f), true)
		if f.Fix != "" {
			text += "\nfix: " + visible(f.Fix, true)
		}
		res := sarifResult{Rule: f.Rule, Index: at, Level: level(session.Severity(f.Severity)), Message: sarifText{text}, Count: f.Count,
			Fingerprint: map[string]string{"ruleAndSubject/v1": fingerprint(f)},
			Properties:  map[string]any{"subject": visible(f.Subject, false), "row": f.First.Seq, "stream": f.First.Stream, "offset": f.First.Offset, "t": f.First.T}}
		var at1 sarifLocation
		at1.Physical.Artifact.URI, at1.Physical.Region.StartLine = uri(r.Source), 1
		at1.Logical = []sarifLogical{{visible(f.Subject, false)}}
		res.Locations = []sarifLocation{at1}
		run.Results = append(run.Results, res)
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	log := sarifLog{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []sarifRun{run}}
	if err := e.Encode(log); err != nil {
		panic("report: " + err.Error()) // a bytes.Buffer takes everything, and the types can be encoded
	}
	return b.Bytes()
}

// newSarifRule is what the table says of the rule of a finding.
func newSarifRule(f *check.Finding) sarifRule {
	rule := sarifRule{ID: f.Rule, Short: sarifText{f.Rule}, Full: sarifText{f.Rule}, Help: sarifText{f.Fix}, HelpURI: pageURL(f.Spec), Default: sarifLevel{level(session.Severity(f.Severity))}}
	if known, ok := check.Find(f.Rule); ok {
		rule.Short, rule.Full, rule.Default.Level = sarifText{known.Title}, sarifText{known.Why}, level(known.Severity)
	}
	return rule
}

func level(s session.Severity) string {
	switch s {
	case session.Error:
		return "error"
	case session.Warning:
		return "warning"
	}
	return "note"
}

// fingerprint is the same for the same finding of a later check, whatever its row and its text.
func fingerprint(f *check.Finding) string {
	sum := sha256.Sum256([]byte(f.Rule + "\x00" + f.Subject))
	return hex.EncodeToString(sum[:16])
}

// uri is a path as a reference of RFC 3986; two slashes would begin the name of a host.
func uri(file string) string {
	u := url.URL{Path: path.Clean(strings.ToValidUTF8(file, "\uFFFD"))}
	return u.String()
}
