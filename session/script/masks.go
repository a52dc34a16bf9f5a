package script

import (
	"bytes"
	"errors"
	"io"
	"sort"

	"example.com/mcpinspect/recordings"
	"example.com/mcpinspect/session"
)

// Masks are the parts of the streams of a recording that hide secrets, in order, as offsets in
// their stream.
type Masks map[stream][]recordings.Span

// stream is a stream of a run by its name: in, out, err. Every exchange of HTTP has its own.
type stream struct {
	run, exchange int
	name          string
}

// ReadMasks reads a whole recording for what is masked in it. What was masked in several reads that
// follow each other is one span.
func ReadMasks(r *recordings.Reader) (Masks, error) {
	masks := Masks{}
	read := map[stream]int{}
	for {
		rec, err := r.Next()
		if errors.Is(err, io.EOF) {
			return masks, nil
		}
		if err != nil {
			return masks, err
		}
		key := stream{run: rec.Run, name: rec.Ch.String()}
		switch {
		case rec.K == recordings.KindBody && rec.HTTP != nil:
			key.exchange = rec.HTTP.Number
		case rec.K != recordings.KindBytes:
			continue
		}
		for _, sp := range rec.Spans {
			sp.Off += read[key]
			spans := masks[key]
			if n := len(spans); n > 0 && spans[n-1].Off+spans[n-1].Len == sp.Off && spans[n-1].Name == sp.Name {
				spans[n-1].Len += sp.Len
				continue
			}
			masks[key] = append(spans, sp)
		}
		read[key] += len(rec.Data)
	}
}

// Of are the masked parts of the body of a row.
func (m Masks) Of(e *session.Event) (spans []recordings.Span) {
	all := m[stream{e.Run, e.Exchange, e.Stream.String()}]
	first := sort.Search(len(all), func(i int) bool { return int64(all[i].Off+all[i].Len) > e.Offset })
	for _, sp := range all[first:] {
		if int64(sp.Off) >= e.Offset+int64(e.Size) {
			break
		}
		from, end := max(int64(sp.Off)-e.Offset, 0), min(int64(sp.Off+sp.Len)-e.Offset, int64(e.Size))
		if from < end {
			spans = append(spans, recordings.Span{Off: int(from), Len: int(end - from), Name: sp.Name})
		}
	}
	return spans
}

// stars are the spans where a line has nothing but stars: in an event stream the offsets of a
// message are not those of its bytes.
func stars(line []byte, spans []recordings.Span) (kept []recordings.Span) {
	for _, sp := range spans {
		if len(bytes.Trim(line[sp.Off:sp.Off+sp.Len], "*")) == 0 {
			kept = append(kept, sp)
		}
	}
	return kept
}
