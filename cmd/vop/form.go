package main

import (
	"strings"

	"github.com/vop-ptx/vop"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/read/syntax"
	"github.com/vop-ptx/vop/rewrite/lower"
	"github.com/vop-ptx/vop/rewrite/translate"
)

// parseForm reads an instruction whose operands may be left out:
// "vadd4.s32.s32.s32.sat".
func parseForm(text string) (isa.Form, error) {
	form, _, err := parseInstruction(text)
	return form, err
}

// parseInstruction is parseForm, and returns what the operands show of their values.
func parseInstruction(text string) (isa.Form, lower.Facts, error) {
	text = withOperands(text)
	in, err := vop.Parse(text)
	if err != nil {
		return isa.Form{}, lower.Facts{}, err
	}
	tree, _ := syntax.ParseInstruction(source.New("instruction", text)) // Parse has found no error in it
	return in.Form(), translate.FactsOf(tree.Operands), nil
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
