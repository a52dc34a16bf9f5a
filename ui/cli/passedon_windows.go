package cli

// status is the exit status of the server.
func (p *passedOn) status() int { return p.exit.Code }
