package kernel

import (
	"github.com/vop-ptx/vop/run/native/arm64"
	"github.com/vop-ptx/vop/run/native/arm64/encode"
	"github.com/vop-ptx/vop/run/simt"
)

// Scalars: each has a place of 8 bytes in the frame. Words have zeros above; predicates are 0 or 1. General registers keep
// some to the end of the block, or to where the code may be entered: they are a cache, through which is written.

// firstGeneral is the first register that has scalars, and numGenerals how many do.
const (
	firstGeneral = 19
	numGenerals  = 9
)

// generals says what the registers have.
type generals struct {
	held  [numGenerals]simt.ID // 0 is nothing
	asked [numGenerals]int     // when each was last asked for
	now   int
}

// forget drops all.
func (g *generals) forget() { *g = generals{now: g.now} }

// find returns the register that has a value.
func (g *generals) find(id simt.ID) (x encode.Operand, ok bool) {
	for n, held := range g.held {
		if held == id {
			g.now++
			g.asked[n] = g.now
			return encode.X(firstGeneral + n), true
		}
	}
	return x, false
}

// take returns the register that has not been asked for longest, to have another value.
func (g *generals) take(id simt.ID) encode.Operand {
	best := 0
	for n := range g.held {
		if g.held[n] == 0 && g.held[best] != 0 || (g.held[n] == 0) == (g.held[best] == 0) && g.asked[n] < g.asked[best] {
			best = n
		}
	}
	g.now++
	g.held[best], g.asked[best] = id, g.now
	return encode.X(firstGeneral + best)
}

// general returns a register that has a scalar or a constant, until others are asked for.
func (k *compiler) general(id simt.ID) encode.Operand {
	if x, ok := k.generals.find(id); ok {
		return x
	}
	x := k.generals.take(id)
	switch v := &k.Values[id]; {
	case v.Kind == simt.Const:
		k.number(x, v.Bits)
	case v.Kind == simt.Special && v.Type == simt.B64:
		k.Access(encode.LDRX, x, homesReg, k.homes.Offset[id])
	case v.Kind == simt.Special:
		k.Access(encode.LDRW, x, homesReg, k.homes.Offset[id])
	default:
		k.Access(encode.LDRX, x, frameReg, k.place[id])
	}
	return x
}

// keep writes a scalar, which is in the register that general or take has given for it, to its place, and home if steps
// read it.
func (k *compiler) keep(id simt.ID, x encode.Operand) {
	k.Access(encode.STRX, x, frameReg, k.place[id])
	if k.stepped[id] {
		k.bringHome(id, x)
	}
}

// bringHome gives all lanes of a scalar's home its value.
func (k *compiler) bringHome(id simt.ID, x encode.Operand) {
	home, vectors, all := k.homes.Offset[id], int32(numGroups), encode.Op(encode.S4)
	switch k.Values[id].Type {
	case simt.Pred:
		k.Emit(encode.NEGW, x3, x)
		k.Access(encode.STRW, x3, homesReg, home)
		return
	case simt.B64:
		vectors, all = 2*numGroups, encode.D2
	}
	k.Emit(encode.DUPW|all, encode.V(0), x)
	for n := range vectors {
		k.Access(encode.STRQ, encode.V(0), homesReg, home+n*arm64.Bytes)
	}
}

// computeScalar writes an operation on scalars. Its result goes to its place only.
func (k *compiler) computeScalar(i *simt.Inst) {
	var x [4]encode.Operand
	for n, id := range i.Args {
		x[n] = k.general(id)
	}
	d := k.generals.take(i.Defs[0])
	scalarTable()[i.Op].emit(&scalarInst{k, d, x, i.Args})
	k.Access(encode.STRX, d, frameReg, k.place[i.Defs[0]])
}

// number brings a number to a register.
func (k *compiler) number(x encode.Operand, bits uint64) {
	first := true
	for shift := 0; shift < 64; shift += 16 {
		part := bits >> shift & 0xffff
		switch {
		case part == 0 && (shift > 0 || bits != 0):
			continue
		case first:
			k.Emit(encode.MOVZ, x, encode.Imm(int64(part)), encode.Imm(int64(shift)))
		default:
			k.Emit(encode.MOVK, x, encode.Imm(int64(part)), encode.Imm(int64(shift)))
		}
		first = false
	}
}

// addNumber adds a number, by means of another register.
func (k *compiler) addNumber(to, x encode.Operand, bits uint64, by encode.Operand) {
	switch {
	case bits < 1<<12:
		k.Emit(encode.ADDI, to, x, encode.Imm(int64(bits)))
	case -bits < 1<<12:
		k.Emit(encode.SUBI, to, x, encode.Imm(int64(-bits)))
	default:
		k.number(by, bits)
		k.Emit(encode.ADDX, to, x, by)
	}
}
