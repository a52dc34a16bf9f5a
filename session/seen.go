package session

import "slices"

// Methods are the methods of the messages of the log, in the order in which they came first. Rows
// that were let go have left theirs.
func (l *Log) Methods() []string {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return slices.Clone(l.methods.all[1:])
}

// Rules are the rules of which something was found, in the order in which it was found first.
func (l *Log) Rules() []string {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return slices.Clone(l.marks.rules)
}

// LatestIDs are different ids of the latest n requests of either side, the newest first: of texts as
// they are between their quotes.
func (l *Log) LatestIDs(n int) (ids []string) {
	calls := l.Rows(Calls)
	seen := map[string]bool{}
	for _, seq := range slices.Backward(calls[max(0, len(calls)-n):]) {
		e, ok := l.Event(int(seq))
		if !ok || e.ID == "" || seen[e.ID] {
			continue
		}
		seen[e.ID] = true
		id := e.ID
		if len(id) > 2 && id[0] == '"' {
			id = id[1 : len(id)-1]
		}
		ids = append(ids, id)
	}
	return ids
}
