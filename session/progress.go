package session

import (
	"math"
	"strconv"

	"example.com/mcpinspect/client"
)

// Progress is how far a call is, by what its server tells (basic/patterns/progress). Only a total says how
// much that is of the whole.
type Progress struct {
	Measured bool    // a total is known
	Part     float64 // of the whole, from 0 to 1: the most that was told so far
	Fell     bool    // the server told less than before, which it must not
	latest   float64
	any      bool
}

// told takes in the params of one notification.
func (p *Progress) told(params []byte) {
	now, err := strconv.ParseFloat(string(client.Get(params, "progress")), 64)
	if err != nil || math.IsInf(now, 0) {
		return
	}
	p.Fell = p.Fell || p.any && now < p.latest
	p.latest, p.any = now, true
	total, err := strconv.ParseFloat(string(client.Get(params, "total")), 64)
	if err != nil || !(total > 0) || math.IsInf(total, 0) {
		return
	}
	p.Measured, p.Part = true, max(p.Part, min(max(now/total, 0), 1))
}

// Percent is the part as a person reads it.
func (p *Progress) Percent() string { return strconv.Itoa(int(p.Part*100)) + "%" }

// progress takes in a progress notification: it is of the call whose token it has, which is the id where
// we have made it.
func (s *state) progress(params []byte) {
	token := string(client.Get(params, client.MetaProgressToken))
	if token == "" {
		return
	}
	for i := range s.calls {
		c := &s.calls[i]
		if c.token != token && (c.token != "" || c.ID != token) {
			continue
		}
		c.Progress, c.Known = client.ProgressText(params), nil
		c.Far.told(params)
	}
}
