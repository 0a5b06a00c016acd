package packed

import (
	"github.com/vop-ptx/vop/rewrite/lower/builder"
	"github.com/vop-ptx/vop/rewrite/word"
)

// PackOps clamp words and pack them.
var PackOps = builder.Signedness{{word.PackSatU8, word.PackSatU16, word.NoOp}, {word.PackSatS8, word.PackSatS16, word.NoOp}}

// Pack clamps signed words to lanes and puts them side by side, the first one lowest.
func (b *Builder) Pack(w builder.Lanes, signed bool, words []word.Value) word.Value {
	var all [4]word.Value
	for i := range all {
		all[i] = b.Con(0)
	}
	copy(all[:], words)
	op := PackOps.Of(signed).At(w)
	switch {
	case w == 16:
		return b.Do(op, all[0], all[1])
	case len(words) > 2:
		return b.Do(op, all[0], all[1], b.Do(op, all[2], all[3], b.Con(0)))
	}
	return b.Do(op, all[0], all[1], b.Con(0))
}
