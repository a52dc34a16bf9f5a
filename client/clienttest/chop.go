package clienttest

import (
	"io"
	"math/rand/v2"
)

// Chop cuts data into pieces of 1 byte up to a few hundred, by the seed. Short pieces are as
// likely as long ones, so that ends fall into characters, escapes and line ends.
func Chop(data []byte, seed uint64) (pieces [][]byte) {
	r := rand.New(rand.NewPCG(seed, 1))
	for len(data) > 0 {
		n := min(1+r.IntN(1<<r.IntN(9)), len(data))
		pieces = append(pieces, data[:n])
		data = data[n:]
	}
	return pieces
}

// Chopped is a reader of data that returns it in the pieces of Chop.
func Chopped(data []byte, seed uint64) io.Reader { return &chopped{pieces: Chop(data, seed)} }

type chopped struct{ pieces [][]byte }

func (c *chopped) Read(p []byte) (int, error) {
	if len(c.pieces) == 0 {
		return 0, io.EOF
	}
	n := copy(p, c.pieces[0])
	if c.pieces[0] = c.pieces[0][n:]; len(c.pieces[0]) == 0 {
		c.pieces = c.pieces[1:]
	}
	return n, nil
}
