package main

import (
	"strings"

	"github.com/vop-ptx/vop"
	"github.com/vop-ptx/vop/isa"
)

// parseForm reads an instruction whose operands may be left out:
// "vadd4.s32.s32.s32.sat".
func parseForm(text string) (isa.Form, error) {
	in, err := vop.Parse(withOperands(text))
	if err != nil {
		return isa.Form{}, err
	}
	return in.Form(), nil
}

// withOperands adds the operands to an instruction where they have been left out.
func withOperands(text string) string {
	bare := strings.TrimSuffix(strings.TrimSpace(text), ";")
	mnemonic, _, _ := strings.Cut(bare, ".")
	op := isa.ParseOp(mnemonic)
	if op == isa.NoOp || strings.ContainsAny(bare, " \t\r\n,%") {
		return text
	}
	if !op.SIMD() && op != isa.Vmad && !strings.Contains(bare, ".add") && !strings.Contains(bare, ".min") && !strings.Contains(bare, ".max") {
		return bare + " d, a, b"
	}
	return bare + " d, a, b, c"
}
