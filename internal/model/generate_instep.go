package model

import (
	"strings"

	"github.com/vop-ptx/vop/internal/model/ops"
)

// InStep makes the kernel of a seed for a target before sm_70. The lanes of a warp that have parted
// meet there as soon as they can, and code relies on it: exchanges have no masks, and words in shared
// memory are passed on without barriers.
func InStep(seed uint64) *Kernel {
	return newKernel(seed, 0x696e73746570, subjects{inStep: true})
}

// newer has what came with sm_70, and what is written for it on targets before.
var newer = strings.NewReplacer(
	"ld.relaxed.gpu", "ld.volatile", "ld.acquire.gpu", "ld.volatile", "st.relaxed.gpu", "st.volatile", ".relaxed.gpu", "",
	"fence.acq_rel.gpu", "membar.gl", "nanosleep.u32 1", "membar.cta",
)

// spelled returns an instruction as the target has it.
func (g *generator) spelled(name string) string {
	if g.inStep {
		return newer.Replace(name)
	}
	return name
}

// wordsInStep adds stores of the lanes of a warp to their slots in shared memory, and loads of what
// others have stored that are together with them: the lanes that are not there would be read at a time
// that is not said.
func (g *generator) wordsInStep() {
	defer g.group()()
	offset := uint64(2*slotBytes*g.k.Threads() + 4*g.rng.IntN(slotBytes/4)) // behind what threads have of their own
	own := g.newReg(ops.B32)
	g.do("mov.u32", own, reg(g.tid))
	g.slotOf(own)
	other, here, bit, there := g.newReg(ops.B32), g.newReg(ops.B32), g.newReg(ops.B32), g.newReg(ops.Pred)
	g.emit(&Inst{Op: ops.StoreInStep, Src: []Operand{g.offset(own, offset), reg(g.source(ops.B32))}, Fixed: true})
	for range 1 + g.rng.IntN(3) {
		g.emit(&Inst{Op: ops.Named("activemask.b32"), Dst: []Reg{here}, Fixed: true})
		g.do("xor.b32", other, reg(g.tid), imm(uint64(1+g.rng.IntN(31))))
		g.do("and.b32", bit, reg(other), imm(31))
		g.do("shl.b32", bit, imm(1), reg(bit))
		g.do("and.b32", here, reg(here), reg(bit))
		g.do("setp.ne.u32", there, reg(here), imm(0))
		g.do("selp.b32", other, reg(other), reg(g.tid), reg(there))
		g.slotOf(other)
		d := g.destination(ops.B32, true)
		g.emit(&Inst{Op: ops.LoadInStep, Dst: []Reg{d}, Src: []Operand{g.offset(other, offset)}, Fixed: true})
		if g.chance(0.5) { // as in a sum of all lanes
			g.do("add.u32", d, reg(d), reg(g.source(ops.B32)))
			g.emit(&Inst{Op: ops.StoreInStep, Src: []Operand{g.offset(own, offset), reg(d)}, Fixed: true})
		}
	}
}

// offset returns a register with the address of a word in shared memory that is so far from another.
func (g *generator) offset(from Reg, offset uint64) Operand {
	r := g.newReg(ops.B32)
	g.do("add.u32", r, reg(from), imm(offset))
	return reg(r)
}
