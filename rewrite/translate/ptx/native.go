package ptx

import "github.com/vop-ptx/vop/isa"

// Native reports whether the machine code of sm_NN has the form as one
// instruction, so that nothing is gained by rewriting it. Counted with ptxas 11.8:
//
//	below sm_50    every video instruction
//	sm_50 to 62    the scalar ones (two instructions for some that write a higher part
//	               of d), and those below
//	from sm_70 on  vabsdiff4 with dtype .u32 on two sources of one type, with and
//	               without .add, all lanes in their own places
func Native(f isa.Form, sm int) bool {
	switch {
	case sm < 50:
		return true
	case sm < 70 && !f.Op.SIMD():
		return true
	}
	a, b := isa.DefaultLanes(isa.Vabsdiff4)
	return f.Op == isa.Vabsdiff4 && f.DType == isa.U32 && f.AType == f.BType && !f.Sat &&
		f.ALane == a && f.BLane == b && f.Mask == isa.FullMask(f.Op)
}
