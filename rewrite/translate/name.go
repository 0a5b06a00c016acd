package translate

import (
	"strings"

	"github.com/vop-ptx/vop/isa"
)

// FunctionName returns the name of the function that [Emit] writes for a form:
//
//	vadd4.s32.s32.s32.sat d, a, b, c;             vadd4_s32_s32_s32_sat
//	vadd.u32.u32.s32 d.h0, a.b1, b, c;            vadd_u32_u32_s32_dh0_ab1
//	vset4.u32.u32.lt d.b10, a, b.b3333, c;        vset4_u32_u32_lt_db10_bb3333
//	vmad.s32.s32.s32.sat d, -a.h0, b.h1, c;       vmad_s32_s32_s32_sat_nah0_bh1
//
// It is the canonical mnemonic with its modifiers, then a part for each operand
// that has a minus sign or a selector other than the default: n for the sign, the
// operand's letter, the selector. No modifier looks like such a part, so that
// different forms have different names.
func FunctionName(f isa.Form) string {
	parts := strings.Split(f.Mnemonic(), ".")
	operands := strings.TrimSuffix(strings.TrimPrefix(f.String(), f.Mnemonic()), ";")
	for operand := range strings.SplitSeq(operands, ",") {
		operand = strings.TrimSpace(operand)
		if len(operand) > 1 {
			parts = append(parts, strings.NewReplacer("-", "n", ".", "").Replace(operand))
		}
	}
	return strings.Join(parts, "_")
}
