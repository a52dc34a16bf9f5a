package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
)

const (
	modernVersion = "2026-07-28"
	metaVersion   = "io.modelcontextprotocol/protocolVersion"
	metaCaps      = "io.modelcontextprotocol/clientCapabilities"
	metaServer    = "io.modelcontextprotocol/serverInfo"
)

type header struct {
	Case   string `json:"case"`
	Title  string `json:"title"`
	Source any    `json:"source"`
	Expect any    `json:"expect"`
	Era    string `json:"era"`
}

type defaults struct {
	Name         string                     `json:"name"`
	Versions     []string                   `json:"versions"`     // overrides what the era implies
	Capabilities json.RawMessage            `json:"capabilities"` // overrides the derived capabilities
	Instructions string                     `json:"instructions"`
	Tools        []json.RawMessage          `json:"tools"`
	Page         int                        `json:"page"` // tools per page, 0 = one page
	Results      map[string]json.RawMessage `json:"results"`
	Resources    []json.RawMessage          `json:"resources"`
	Contents     map[string]json.RawMessage `json:"contents"` // uri -> contents array
	Prompts      []json.RawMessage          `json:"prompts"`
	Messages     map[string]json.RawMessage `json:"messages"` // prompt name -> messages array
	Manual       []string                   `json:"manual"`   // methods that are never auto-answered
	Probe        string                     `json:"probe"`    // legacy reaction to server/discover: error|params|silent|exit
	Lenient      bool                       `json:"lenient"`  // accept modern requests without _meta
	Never        []string                   `json:"never"`    // methods the client must not send
	TTL          *int64                     `json:"ttlMs"`
	Scope        string                     `json:"cacheScope"`
	Path         string                     `json:"path"` // HTTP endpoint, default /mcp
	Session      string                     `json:"session"`
	SSE          bool                       `json:"sse"` // HTTP: auto-answers use SSE
}

type step struct {
	line int
	raw  map[string]json.RawMessage

	// kinds; exactly one is set
	Expect    string          `json:"expect"`
	ExpectEOF bool            `json:"expect_eof"`
	On        string          `json:"on"`
	Send      json.RawMessage `json:"send"`
	Reply     json.RawMessage `json:"reply"`
	Error     json.RawMessage `json:"error"`
	Notify    json.RawMessage `json:"notify"`
	Raw       *string         `json:"raw"`
	RawB64    *string         `json:"raw_b64"`
	Stderr    *string         `json:"stderr"`
	SleepMS   *int            `json:"sleep_ms"`
	Exit      *int            `json:"exit"`
	Signal    string          `json:"signal"`
	Loop      bool            `json:"loop"`
	Stop      bool            `json:"stop"`
	Close     string          `json:"close"`
	Ignore    string          `json:"ignore"`
	PauseMS   *int            `json:"pause_read_ms"`
	Child     json.RawMessage `json:"child"`
	Auto      bool            `json:"auto"` // give the bound request to the defaults
	HTTP      *httpStep       `json:"http"`
	Note      string          `json:"note"`

	// modifiers
	Where     map[string]any    `json:"where"`
	Check     map[string]any    `json:"check"`
	Headers   map[string]any    `json:"check_headers"`
	TimeoutMS int               `json:"timeout_ms"`
	Optional  bool              `json:"optional"`
	As        string            `json:"as"`
	Times     int               `json:"times"`
	Steps     []json.RawMessage `json:"steps"`
	Repeat    int               `json:"repeat"`
	Split     []int             `json:"split"`
	Every     int               `json:"every"`
	GapMS     int               `json:"gap_ms"`
	Literal   bool              `json:"literal"`
	Bare      bool              `json:"bare"`
	NoNewline bool              `json:"no_newline"`
	EOL       string            `json:"eol"`
	SSE       bool              `json:"sse"`

	sub []*step
}

type httpStep struct {
	Status  int               `json:"status"`
	Headers map[string]any    `json:"headers"`
	Body    *string           `json:"body"`
	JSON    json.RawMessage   `json:"json"`
	Chunks  []json.RawMessage `json:"chunks"`
	Abort   bool              `json:"abort"` // cut the TCP connection when done
	Hold    int               `json:"hold_ms"`
}

var kinds = []string{"expect", "expect_eof", "on", "send", "reply", "error", "notify", "raw", "raw_b64",
	"stderr", "sleep_ms", "exit", "signal", "loop", "stop", "close", "ignore", "pause_read_ms", "child", "auto", "http", "note"}

func parseStep(b []byte, line int) (*step, error) {
	s := &step{line: line}
	if err := json.Unmarshal(b, &s.raw); err != nil {
		return nil, fmt.Errorf("line %d: %v", line, err)
	}
	dec := json.NewDecoder(bytes.NewReader(b))
	dec.DisallowUnknownFields()
	if err := dec.Decode(s); err != nil {
		return nil, fmt.Errorf("line %d: %v", line, err)
	}
	var have []string
	for _, k := range kinds {
		if _, ok := s.raw[k]; ok {
			have = append(have, k)
		}
	}
	mods := len(s.raw) - len(have)
	switch {
	case len(have) == 0 && mods > 0 && (s.raw["split"] != nil || s.raw["repeat"] != nil || s.raw["every"] != nil):
		// a lone modifier: it applies to the next step, or repeats its own "steps"
	case len(have) == 2 && s.raw["note"] != nil:
	case len(have) != 1:
		return nil, fmt.Errorf("line %d: a step needs exactly one kind, it has %v", line, have)
	}
	for i, r := range s.Steps {
		c, err := parseStep(r, line)
		if err != nil {
			return nil, fmt.Errorf("%v (inner step %d)", err, i+1)
		}
		s.sub = append(s.sub, c)
	}
	return s, nil
}

func (s *step) lone() bool {
	for _, k := range kinds {
		if _, ok := s.raw[k]; ok {
			return false
		}
	}
	return true
}

type scenario struct {
	head  header
	def   defaults
	steps []*step
	rules []*step
}

func load(path string) (*scenario, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	sc := &scenario{}
	first := true
	for i, ln := range strings.Split(string(b), "\n") {
		ln = strings.TrimSpace(ln)
		if ln == "" || strings.HasPrefix(ln, "//") {
			continue
		}
		if first {
			first = false
			if err := json.Unmarshal([]byte(ln), &sc.head); err != nil {
				return nil, fmt.Errorf("line %d: header: %v", i+1, err)
			}
			if sc.head.Case == "" || sc.head.Era == "" {
				return nil, fmt.Errorf("line %d: the header needs case and era", i+1)
			}
			continue
		}
		var probe map[string]json.RawMessage
		if err := json.Unmarshal([]byte(ln), &probe); err != nil {
			return nil, fmt.Errorf("line %d: %v", i+1, err)
		}
		if d, ok := probe["defaults"]; ok {
			dec := json.NewDecoder(bytes.NewReader(d))
			dec.DisallowUnknownFields()
			if err := dec.Decode(&sc.def); err != nil {
				return nil, fmt.Errorf("line %d: defaults: %v", i+1, err)
			}
			continue
		}
		s, err := parseStep([]byte(ln), i+1)
		if err != nil {
			return nil, err
		}
		if s.On != "" {
			sc.rules = append(sc.rules, s)
		} else {
			sc.steps = append(sc.steps, s)
		}
	}
	if first {
		return nil, errors.New("no header line")
	}
	if len(sc.def.Versions) == 0 {
		if sc.head.Era == "both" {
			sc.def.Versions = []string{modernVersion, "2025-11-25", "2025-06-18"}
		} else {
			sc.def.Versions = []string{sc.head.Era}
		}
	}
	if sc.def.Name == "" {
		sc.def.Name = "case-" + sc.head.Case
	}
	if sc.def.Path == "" {
		sc.def.Path = "/mcp"
	}
	return sc, nil
}

func (sc *scenario) modern() bool { return sc.has(modernVersion) }
func (sc *scenario) has(v string) bool {
	for _, x := range sc.def.Versions {
		if x == v {
			return true
		}
	}
	return false
}
func (sc *scenario) legacy() []string {
	var out []string
	for _, v := range sc.def.Versions {
		if v < modernVersion {
			out = append(out, v)
		}
	}
	return out
}
