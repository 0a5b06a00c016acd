package proof

import (
	"context"
	"iter"

	"github.com/vop-ptx/vop/rewrite/prove"
	"github.com/vop-ptx/vop/rewrite/translate/code"
	"github.com/vop-ptx/vop/rewrite/word"
)

// Operations proves every operation that programs in a language may have. Immediates are all there are, but for selectors of
// bytes and weights of sums, which are numbers in the code as well, and are read in every function that is printed ([Function]).
func Operations(ctx context.Context, l *code.Language, o prove.Options) iter.Seq2[word.Op, Result] {
	return func(yield func(word.Op, Result) bool) {
		for _, op := range word.Ops() {
			if op.Args() == 0 || !l.Has(op) {
				continue
			}
			if ctx.Err() != nil || !yield(op, Operation(ctx, l, op, immediates(op), o)) {
				return
			}
		}
	}
}

// immediates are those that an operation is proven with.
func immediates(op word.Op) []uint64 {
	switch op {
	case word.Logic3, word.ShrWideU, word.ShrWideS:
		var all []uint64
		for imm := range op.MaxImm() + 1 {
			all = append(all, imm)
		}
		return all
	case word.Perm:
		return []uint64{0x5410, 0x0000, 0x7632, 0x3210, 0x7654, 0x0123}
	case word.PermS:
		return []uint64{0xba98, 0x4c8f, 0x888c, 0xffff}
	case word.DotU8, word.DotS8:
		return []uint64{0x01010101, 0xffffffff, 0xff80017f, 0x00010000}
	case word.DotU16, word.DotS16:
		return []uint64{0x0101, 0xffff, 0x807f}
	}
	return []uint64{0}
}
