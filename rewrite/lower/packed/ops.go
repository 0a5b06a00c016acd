package packed

import (
	"github.com/vop-ptx/vop/rewrite/lower/builder"
	"github.com/vop-ptx/vop/rewrite/word"
)

// The families.
var (
	plusOps     = builder.Family{word.Add8, word.Add16, word.Add}
	minusOps    = builder.Family{word.Sub8, word.Sub16, word.Sub}
	averageOps  = builder.Family{word.AvgU8, word.AvgU16, word.NoOp}
	EqualOps    = builder.Family{word.CmpEq8, word.CmpEq16, word.CmpEq}
	greaterOps  = builder.Signedness{{word.CmpGtU8, word.CmpGtU16, word.NoOp}, {word.CmpGtS8, word.CmpGtS16, word.NoOp}}
	SmallerOps  = builder.Signedness{{word.MinU8, word.MinU16, word.MinU}, {word.MinS8, word.MinS16, word.MinS}}
	LargerOps   = builder.Signedness{{word.MaxU8, word.MaxU16, word.MaxU}, {word.MaxS8, word.MaxS16, word.MaxS}}
	PlusSatOps  = builder.Signedness{{word.AddSatU8, word.AddSatU16, word.NoOp}, {word.AddSatS8, word.AddSatS16, word.NoOp}}
	MinusSatOps = builder.Signedness{{word.SubSatU8, word.SubSatU16, word.NoOp}, {word.SubSatS8, word.SubSatS16, word.NoOp}}
	distanceOps = builder.Signedness{{word.AbsDiffU8, word.NoOp, word.NoOp}, {word.AbsDiffS8, word.NoOp, word.NoOp}}
)

// Native computes a packed operation if the target has it.
func (b *Builder) Native(w builder.Lanes, f builder.Family, x, y word.Value) (word.Value, bool) {
	op := f.At(w)
	if op == word.NoOp || !b.Caps.Has(op) {
		return 0, false
	}
	return b.Do(op, x, y), true
}
