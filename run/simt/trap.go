package simt

// Reason is why a trap stops the launch that is none of the text: the word that listings have for it.
type Reason string

// The reasons.
const (
	NoRank    Reason = "norank"    // a CTA of the cluster is named that there is not
	NotShared Reason = "notshared" // a generic address must be one of shared memory, and is not
)

// reasons are what users are told.
var reasons = map[Reason]string{
	NotShared: "the generic address is not one of shared memory",
	NoRank:    "the rank is not 0, and the cluster has one CTA, as every cluster has here",
}

// Text returns what users are told of a reason; ok is false if there is none of that word.
func (r Reason) Text() (text string, ok bool) {
	text, ok = reasons[r]
	return text, ok
}
