package schema

import "time"

// A schema comes from a server, so it may be built to hurt. Beyond these
// bounds a value is "not checked", and the reason is said.
const (
	// maxNodes is the number of subschemas that are read. The largest schema
	// seen in the wild has about 2,000.
	maxNodes = 20_000
	// maxNesting is how deep subschemas may stand inside each other.
	maxNesting = 200
	// maxEvaluations is how often a subschema may be applied to a part of a
	// value in one check: about one second of the validator. References that
	// fan out (22 levels of allOf with two branches each) and large values end
	// here.
	maxEvaluations = 1_000_000
	// maxExponentLen is how many digits the exponent of a number may have in
	// arithmetic: 1e9999 takes 10,000 digits, 1e9999999 would take megabytes.
	maxExponentLen = 4
	// maxNumberLen is the length of a number that arithmetic is done with.
	maxNumberLen = 10_000
	// maxPatternLen bounds regular expressions; their compiler recurses.
	maxPatternLen = 2_000
	// patternTime is what one match of a pattern may take, patternBudget what
	// all matches of one check that run into their limit may take together.
	patternTime   = 100 * time.Millisecond
	patternBudget = time.Second
	// maxAutoRows is how many rows a form makes without being asked; groups
	// beyond it open on demand.
	maxAutoRows = 2_000
	// maxAutoDepth is the level below which optional groups open on demand.
	maxAutoDepth = 8
	// maxListed is how many alternatives a sentence lists.
	maxListed = 12
	// maxQuoted is how many characters of a value a sentence quotes.
	maxQuoted = 40
)
