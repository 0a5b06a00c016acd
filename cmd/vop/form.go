package main

import (
	"strings"

	"github.com/vop-ptx/vop"
	"github.com/vop-ptx/vop/isa"
)

// parseForm reads an instruction whose operands may be left out:
// "vadd4.s32.s32.s32.sat".
func parseForm(text string) (isa.Form, error) {
	if bare := strings.TrimSuffix(strings.TrimSpace(text), ";"); !strings.ContainsAny(bare, " \t,%") {
		mnemonic, _, _ := strings.Cut(bare, ".")
		operands := " d, a, b, c"
		if op := isa.ParseOp(mnemonic); op != isa.NoOp && !op.SIMD() && op != isa.Vmad && !strings.Contains(bare, ".add") && !strings.Contains(bare, ".min") && !strings.Contains(bare, ".max") {
			operands = " d, a, b"
		}
		text = bare + operands
	}
	in, err := vop.Parse(text)
	if err != nil {
		return isa.Form{}, err
	}
	return in.Form(), nil
}
