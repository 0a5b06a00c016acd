package service

import "github.com/vop-ptx/vop/read/syntax"

// What is known of instructions that are no video instructions. This file is where the table of
// them, package inst, plugs in: ordinaryMnemonics and ordinaryHover then come from it, and so does
// writesOperand.

// ordinaryMnemonics are the names to complete besides those of the video instructions.
func ordinaryMnemonics() []string { return nil }

// ordinaryHover is what is to say about an instruction, in Markdown; "" for nothing.
func ordinaryHover(*syntax.Instruction) string { return "" }

// withoutResult are the instructions whose first operand is not written.
var withoutResult = map[string]bool{
	"st": true, "red": true, "bar": true, "barrier": true, "membar": true, "fence": true, "bra": true, "brx": true,
	"ret": true, "exit": true, "trap": true, "brkpt": true, "nanosleep": true, "pmevent": true, "prefetch": true, "prefetchu": true,
	"cp": true, "sust": true, "sured": true, "discard": true, "applypriority": true, "setmaxnreg": true, "griddepcontrol": true,
	"stmatrix": true, "tensormap": true, "wgmma": true,
}

// writesOperand reports whether an instruction writes to its operand i.
func writesOperand(in *syntax.Instruction, i int) bool {
	switch {
	case i != 0 || withoutResult[in.Name.Text]:
		return false
	case in.Name.Text == "call":
		return in.Operands[0].Kind == syntax.List && len(in.Operands) > 1
	}
	return true
}
