package session

import "syscall"

// huge asks for large pages under memory that is about to be filled. Under small ones a server that floods
// costs more in faults of the first touch than in all that is done with its lines. It is a wish: where the
// system does not grant it nothing is different.
func huge(b []byte) {
	const madvHugepage = 14 // madvise(2)
	_ = syscall.Madvise(b[:cap(b)], madvHugepage)
}
