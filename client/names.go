package client

// The scanner reads member names as they would be decoded: escaped spellings are the same name.

// named ends a member name: it is compared with its siblings and, at message level, with the
// names of JSON-RPC.
func (s *scanner) named() {
	s.state = stColon
	s.nameHigh()
	if s.nested == 0 && len(s.names) < maxNames {
		if s.repeated(len(s.marks)-1) && !s.cur.dup.Present() {
			s.cur.dup = Span{s.nameAt, s.pos + 1}
		}
		s.names = append(s.names, s.hash)
	}
	if s.depth != s.base() {
		return
	}
	s.curName = mOther
	got := s.name[:min(s.nameLen, nameKeep)]
	for m := mJSONRPC; m < memberCount; m++ {
		if len(got) != len(memberNames[m]) {
			continue
		}
		if string(got) == memberNames[m] {
			s.curName = m
			return
		}
		if equalFold(got, memberNames[m]) {
			s.cur.folded = true
			return
		}
	}
	s.cur.extra = true
}

func equalFold(a []byte, lower string) bool {
	for i, c := range a {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != lower[i] {
			return false
		}
	}
	return true
}

// repeated reports whether the current object already has a member of this name.
func (s *scanner) repeated(level int) bool {
	siblings := s.names[s.marks[level]:]
	if len(siblings) < linearNames {
		for _, h := range siblings {
			if h == s.hash {
				return true
			}
		}
		return false
	}
	set := s.large[level]
	if set == nil {
		set = make(map[uint64]struct{}, 4*linearNames)
		for _, h := range siblings {
			set[h] = struct{}{}
		}
		if s.large == nil {
			s.large = map[int]map[uint64]struct{}{}
		}
		s.large[level] = set
	}
	_, seen := set[s.hash]
	set[s.hash] = struct{}{}
	return seen
}

// nameByte adds one decoded byte to the name being read.
func (s *scanner) nameByte(c byte) {
	s.nameHigh()
	s.hash = (s.hash ^ uint64(c)) * hashPrime
	if s.nameLen < nameKeep {
		s.name[s.nameLen] = c
	}
	s.nameLen++
}

// nameRun adds bytes that were not escaped.
func (s *scanner) nameRun(p []byte) {
	if len(p) == 0 {
		return
	}
	s.nameHigh()
	h := s.hash
	for _, c := range p {
		h = (h ^ uint64(c)) * hashPrime
	}
	s.hash = h
	if s.nameLen < nameKeep {
		copy(s.name[s.nameLen:], p)
	}
	s.nameLen += len(p)
}

// nameRune adds an escaped character to the name as its UTF-8 bytes. The first half of a pair of
// surrogates waits for the second.
func (s *scanner) nameRune(r uint32) {
	if s.high != 0 && 0xDC00 <= r && r <= 0xDFFF {
		r = 0x10000 + (s.high-0xD800)<<10 + (r - 0xDC00)
		s.high = 0
	}
	s.nameHigh()
	if 0xD800 <= r && r <= 0xDBFF {
		s.high = r
		return
	}
	s.nameUTF8(r)
}

// nameHigh adds a first half that has no second.
func (s *scanner) nameHigh() {
	if r := s.high; r != 0 {
		s.high = 0
		s.nameUTF8(r)
	}
}

func (s *scanner) nameUTF8(r uint32) {
	var buf [4]byte
	for _, c := range appendRune(buf[:0], r) {
		s.nameByte(c)
	}
}

// appendRune is utf8.AppendRune that keeps surrogates apart from U+FFFD.
func appendRune(dst []byte, r uint32) []byte {
	switch {
	case r < 0x80:
		return append(dst, byte(r))
	case r < 0x800:
		return append(dst, 0xC0|byte(r>>6), 0x80|byte(r&0x3F))
	case r < 0x10000:
		return append(dst, 0xE0|byte(r>>12), 0x80|byte(r>>6&0x3F), 0x80|byte(r&0x3F))
	}
	return append(dst, 0xF0|byte(r>>18), 0x80|byte(r>>12&0x3F), 0x80|byte(r>>6&0x3F), 0x80|byte(r&0x3F))
}

func unescaped(c byte) byte {
	switch c {
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	}
	return c
}

func hexDigit(c byte) byte {
	switch {
	case '0' <= c && c <= '9':
		return c - '0'
	case 'a' <= c && c <= 'f':
		return c - 'a' + 10
	case 'A' <= c && c <= 'F':
		return c - 'A' + 10
	}
	return 0xFF
}
