package level

import (
	"github.com/vop-ptx/vop/rewrite/word"
	"github.com/vop-ptx/vop/run/portable"
	"github.com/vop-ptx/vop/run/simt/build"
)

// Array computes a word program for slices. It may be run by several goroutines at once.
type Array struct {
	Code  *Code           // machine code
	Loops *portable.Array // stands in where there is none: nil if Code is not
}

// Array makes an array of a program, which must pass [word.Program.Check].
func (l Level) Array(p *word.Program) Array {
	if code, err := l.compile(p); err == nil {
		return Array{Code: code}
	}
	return Array{Loops: portable.NewArray(build.Program(p))}
}

// Run computes dst[i] from a[i], b[i] and c[i] for all i. Operands that the program does not read may be nil; the
// others must be at least as long as dst. dst may be one of the operands, or overlap them.
func (a Array) Run(dst, x, y, z []uint32) {
	if a.Code != nil {
		a.Code.Run(dst, x, y, z)
		return
	}
	a.Loops.Run(dst, x, y, z)
}
