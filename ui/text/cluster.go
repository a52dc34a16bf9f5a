package text

import (
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

const (
	// maxMarks combining marks on one base: Hebrew with vowels and cantillation
	// needs four, stacked noise has dozens and paints over other rows.
	maxMarks = 6
	// maxJoined symbols in one joined emoji: a family or a kiss has four.
	maxJoined = 4
	// maxConjunct letters in one Indic conjunct.
	maxConjunct = 4
)

const (
	joiner     = 0x200d
	textStyle  = 0xfe0e // variation selector 15
	emojiStyle = 0xfe0f // variation selector 16
	keycap     = 0x20e3
	blackFlag  = 0x1f3f4
	tagEnd     = 0xe007f
)

// appendCluster appends what may be drawn of a cluster of several characters, or
// of one with bytes that are no UTF-8; w is its width as measured.
func appendCluster(dst []byte, cluster string, w int) []byte {
	if w == 2 && utf8.ValidString(cluster) && (flag(cluster) || tagged(cluster) || joined(cluster)) {
		return append(dst, cluster...)
	}
	var prev, first rune // the last character kept, the base of what is being built; 0 after an escape
	marks, letters := 0, 0
	for i := 0; i < len(cluster); {
		r, n := utf8.DecodeRuneInString(cluster[i:])
		keep := false
		switch {
		case r == utf8.RuneError && n <= 1:
		case r == textStyle || r == emojiStyle:
			if prev != 0 && prev == first && styled(prev, cluster[i+n:]) {
				first, i = -1, i+n // a second selector is not dropped
				continue
			}
		case prev != 0 && jamoTail(prev, r), prev != 0 && tone(r) && marks == 0 && toned(prev):
			keep = true
		case mark(r):
			marks++
			keep = prev != 0 && marks <= maxMarks
		case i == 0 || prev == 0:
			keep = base(r) && ansi.StringWidth(cluster[i:i+n]) > 0
			first, marks, letters = r, 0, 1
		case unicode.IsLetter(r) && mark(prev): // an Indic conjunct, held together by a virama
			letters++
			keep = letters <= maxConjunct && base(r)
		}
		if keep {
			dst = append(dst, cluster[i:i+n]...)
			prev = r
		} else {
			dst = appendEscape(dst, cluster[i], r, n)
			prev = 0
		}
		i += n
	}
	return dst
}

// base says whether r can stand in a cell of its own. Width is for x/ansi to say.
func base(r rune) bool {
	switch {
	case r < 0xa0:
		return r >= ' ' && r < 0x7f
	case wide(r):
		return true
	case r >= 0x1f1e6 && r <= 0x1f1ff, tone(r): // half a flag, a skin tone without a symbol
		return false
	case r == 0xe33, r == 0xeb3, r == 0xff9e, r == 0xff9f:
		return false // Thai, Lao and halfwidth kana letters that join what stands before them
	case r >= 0x115f && r <= 0x11ff, r == 0x3164, r == 0xffa0, r >= 0xd7b0 && r <= 0xd7ff:
		return false // fillers, vowels and finals that join what stands before them
	case prepended(r), r == 0x2028, r == 0x2029:
		return false
	case unicode.Is(unicode.Co, r):
		return true
	}
	return unicode.IsGraphic(r) && !unicode.Is(unicode.M, r)
}

// wide says that r is one of the common characters that fill two cells everywhere:
// kana, ideographs, Hangul syllables. It saves the tables.
func wide(r rune) bool {
	return r >= 0x4e00 && r <= 0x9fff || r >= 0xac00 && r <= 0xd7a3 ||
		r >= 0x3041 && r <= 0x3096 || r >= 0x30a1 && r <= 0x30fa || r == 0x30fc
}

// alone says whether r keeps its cells whatever stands beside it.
func alone(r rune) bool {
	return base(r) && !(r >= 0x1100 && r <= 0x115e) && !(r >= 0xa960 && r <= 0xa97f)
}

// mark says whether r is a combining mark that draws something.
func mark(r rune) bool {
	switch {
	case r == 0x34f, r == 0x17b4, r == 0x17b5, r >= 0x180b && r <= 0x180f,
		r >= 0xfe00 && r <= 0xfe0f, r >= 0xe0100 && r <= 0xe01ef:
		return false
	}
	return unicode.Is(unicode.M, r)
}

// prepended says whether r is a letter that joins what stands behind it.
func prepended(r rune) bool {
	switch r {
	case 0xd4e, 0x111c2, 0x111c3, 0x113d1, 0x1193f, 0x11941, 0x11a3a, 0x11d46, 0x11f02:
		return true
	}
	return r >= 0x11a84 && r <= 0x11a89
}

// styled says whether a variation selector between r and rest only picks a style.
func styled(r rune, rest string) bool {
	switch {
	case r == '#' || r == '*' || r >= '0' && r <= '9':
		next, _ := utf8.DecodeRuneInString(rest)
		return next == keycap
	case r == 0x203c, r == 0x2049, r == 0x3030: // punctuation that has an emoji
		return true
	}
	return r >= utf8.RuneSelf && unicode.IsSymbol(r)
}

// flag says whether the cluster is a pair of regional indicators.
func flag(cluster string) bool {
	const size = 4
	return len(cluster) == 2*size && regional(cluster) && regional(cluster[size:])
}

func regional(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return r >= 0x1f1e6 && r <= 0x1f1ff
}

// tagged says whether the cluster is the black flag with the name of a region in
// tag characters (Unicode TS 51, emoji tag sequence).
func tagged(cluster string) bool {
	r, n := utf8.DecodeRuneInString(cluster)
	if r != blackFlag {
		return false
	}
	tags := 0
	for _, r := range cluster[n:] {
		switch {
		case r >= 0xe0030 && r <= 0xe0039, r >= 0xe0061 && r <= 0xe007a:
			tags++
		case r == tagEnd:
			return tags >= 3 && tags <= 6 && len(cluster) == n+4*(tags+1)
		default:
			return false
		}
	}
	return false
}

// joined says whether the cluster is a sequence of symbols with joiners between
// them, each with at most one selector or skin tone.
func joined(cluster string) bool {
	symbols, extra, open := 0, 0, true
	for _, r := range cluster {
		switch {
		case open:
			if r < utf8.RuneSelf || !unicode.IsSymbol(r) || tone(r) {
				return false
			}
			symbols, extra, open = symbols+1, 0, false
		case r == joiner:
			open = true
		case (r == emojiStyle || tone(r)) && extra == 0:
			extra++
		default:
			return false
		}
	}
	return !open && symbols > 1 && symbols <= maxJoined
}

func tone(r rune) bool { return r >= 0x1f3fb && r <= 0x1f3ff }

// toned says whether r is a symbol that stays two cells wide under a skin tone.
func toned(r rune) bool {
	return r >= utf8.RuneSelf && unicode.IsSymbol(r) && !tone(r) && ansi.StringWidth(string(r)) == 2
}

// jamoTail says whether next completes the Hangul syllable that prev began.
func jamoTail(prev, next rune) bool {
	vowel := next >= 0x1161 && next <= 0x1175
	final := next >= 0x11a8 && next <= 0x11c2
	switch {
	case prev >= 0x1100 && prev <= 0x1112:
		return vowel
	case prev >= 0x1161 && prev <= 0x1175:
		return final
	case prev >= 0xac00 && prev <= 0xd7a3:
		return final && (prev-0xac00)%28 == 0
	}
	return false
}
