package ssa

import (
	"slices"

	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/op"
)

// Operands that a constant operand makes an operation not depend on are 0: nobody need compute or keep them.

var (
	permute = op.Must("prmt.b32")
	logic3  = op.Must("lop3.b32")
)

// needed returns the operands of an operation, with 0 for those that it does not depend on.
func (e *Emitter) needed(o op.Op, args []simt.ID) []simt.ID {
	var unused func(n int) bool
	switch o {
	case permute:
		selector, constant := e.ConstOf(args[2])
		if !constant {
			return args
		}
		unused = func(n int) bool { return n < 2 && !permutes(selector, n) }
	case logic3:
		table, constant := e.ConstOf(args[3])
		if !constant {
			return args
		}
		unused = func(n int) bool { return n < 3 && !dependsOn(table, args, args[n]) }
	default:
		return args
	}
	needed := slices.Clone(args)
	for n := range args {
		if unused(n) {
			needed[n] = e.Constant(simt.B32, 0)
		}
	}
	return needed
}

// permutes reports whether a selector of a permutation of bytes takes any of operand n.
func permutes(selector uint64, n int) bool {
	for byte := range 4 {
		if int(selector>>(4*byte+2)&1) == n {
			return true
		}
	}
	return false
}

// dependsOn reports whether the logic of three operands that a table tells depends on one, which may be several of them.
func dependsOn(table uint64, args []simt.ID, on simt.ID) bool {
	for bits := range 8 {
		other := bits
		consistent := true // the same operand has the same bit
		for n := range 3 {
			if args[n] == on {
				other ^= 4 >> n
			}
			for m := range n {
				consistent = consistent && (args[n] != args[m] || bits>>(2-n)&1 == bits>>(2-m)&1)
			}
		}
		if consistent && table>>bits&1 != table>>other&1 {
			return true
		}
	}
	return false
}
