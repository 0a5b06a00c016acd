package kernel

import (
	"math/bits"

	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/affine"
)

// Loads of a block whose addresses are known to be apart by constants: the first looks whether all that any of them reads
// is in its window, so that the others need not. If it is not, each looks for itself.

// together are such loads.
type together struct {
	first     *simt.Inst
	count     int
	low, high int64           // the lowest address of a lane, and the highest, from where the scalar is 0
	window    int32           // the offset of its own window, which the first load finds
	host      machine.Operand // where the lowest address is in memory; 0 if not all are in the window
}

// maxTogether is how many bytes the addresses of such loads may be apart.
const maxTogether = 1 << 12

// kindOfLoad is what loads that are looked at together have in common.
type kindOfLoad struct {
	base   int32
	access simt.Access
}

// findTogether finds the loads that are looked at together, of all blocks.
func (k *compiler) findTogether() {
	k.same.groups = map[*simt.Inst]*together{}
	if k.same.sums == nil {
		return
	}
	for b := range k.Blocks {
		k.findTogetherIn(simt.BlockID(b))
	}
	for inst, g := range k.same.groups {
		if g.count == 1 {
			delete(k.same.groups, inst)
		}
	}
}

func (k *compiler) findTogetherIn(b simt.BlockID) {
	last := map[kindOfLoad]*together{}
	for n := range k.Blocks[b].Insts {
		inst := &k.Blocks[b].Insts[n]
		if inst.Kind != simt.Load {
			continue
		}
		m := &memoryAccess{compiler: k, Access: inst.Aux.(*simt.Access), inst: inst}
		var ok bool
		if m.address, ok = k.native(inst); !ok {
			continue
		}
		base, low, high, ok := m.fromScalar()
		if !ok {
			continue
		}
		kind := kindOfLoad{base, simt.Access{Space: m.Space, Size: m.Size, Elements: m.Elements}}
		g := last[kind]
		if g == nil || max(g.high, high)-min(g.low, low) > maxTogether || (low-g.low)&int64(m.Span()-1) != 0 {
			g = &together{first: inst, low: low, high: high}
			last[kind] = g
		}
		g.low, g.high, g.count = min(g.low, low), max(g.high, high), g.count+1
		k.same.groups[inst] = g
	}
}

// fromScalar returns the base of the scalar of an access's address, and the lowest and the highest address of a lane from
// where that is 0.
func (m *memoryAccess) fromScalar() (base int32, low, high int64, ok bool) {
	var sum affine.Sum
	switch {
	case m.affine != 0:
		a := m.affines[m.affine]
		low, high = a.Bounds()
		if a.Split || !m.regular(*a, low) || high-low > maxTogether {
			return 0, 0, 0, false
		}
		sum, ok = m.sumOf(m.affine)
	case !m.isScalar() || len(m.scalars) > 1:
		return 0, 0, 0, false
	case len(m.scalars) == 0:
		sum, ok = affine.NoScalar, true
	default:
		sum, ok = m.sumOf(m.scalars[0])
	}
	from := sum.Plus + int64(m.disp)
	if m.narrow {
		from = int64(int32(from))
	}
	return sum.Base, from + low, from + high, ok
}

// hostTogether leaves in a register where the lowest address of a load is in memory that is looked at together with others.
// alone finds that out for it alone, and leaves it in RAX; behind it the code goes on at all.
func (m *memoryAccess) hostTogether(low int64, alone func(), all encode.Label) machine.Operand {
	k, otherwise := m.compiler, m.Asm.NewLabel()
	m.lookTogether(low, otherwise)
	_, from, _, _ := m.fromScalar()
	host := k.compute(encode.LEA|encode.S64, machine.MemoryAt(m.together.host, int32(from-m.together.low)))
	k.InCold(func() {
		k.do(func() { k.Bind(otherwise) })
		m.forgetHost()
		alone()
		m.redefine(host, rax)
		k.do(func() { k.jump(all) })
	})
	return host
}

// lookTogether goes to alone if not all that the loads read is in their window. The first of them finds that out.
func (m *memoryAccess) lookTogether(low int64, alone encode.Label) {
	k, g := m.compiler, m.together
	k.same.used = true
	if m.affine != 0 && !m.affines[m.affine].None {
		m.scalarParts(m.affine) // here, not only where the load looks for itself
	}
	if g.first == m.inst {
		_, from, _, _ := m.fromScalar()
		m.startTogether(low, g.low-from, alone)
		return
	}
	k.fixedly(encode.TEST|encode.S64, g.host, g.host)
	k.do(func() { k.JumpIf(encode.CondE, alone) })
}

// forgetHost notes, where the first of the loads looks for itself, that the others have to.
func (m *memoryAccess) forgetHost() {
	if m.together.first == m.inst {
		m.do(func() { m.Emit(encode.XOR|encode.S32, encode.RAX, encode.RAX) })
		m.redefine(m.together.host, rax)
	}
}

// startTogether leaves in a register where the lowest address of a group of loads is in memory, or goes to a label if not
// all that they read is in the window. That address is apart from the load's own, which low is a part of.
func (m *memoryAccess) startTogether(low, apart int64, otherwise encode.Label) {
	k, g := m.compiler, m.together
	g.window = k.windows
	k.windows += WindowSize
	k.sites[m.site].Together, k.sites[m.site].Extends = g.window, g.high-g.low
	if m.affine != 0 {
		m.lowest(*m.affines[m.affine], 0, low+apart)
	} else {
		disp := m.disp
		m.disp += uint64(apart)
		m.sum()
		m.disp = disp
	}
	in := func(offset int32) machine.Operand { return machine.Fixed(encode.At(windowsReg, g.window+offset)) }
	k.fixedly(encode.SUB|encode.S64, rax, in(WindowBase))
	if span := m.Span(); span > 1 {
		k.fixedly(encode.RORX|encode.S64, rcx, rax, machine.Immediate(bits.TrailingZeros64(span)))
		k.fixedly(encode.CMP|encode.S64, rcx, in(WindowSpans))
	} else {
		k.fixedly(encode.CMP|encode.S64, rax, in(WindowRange))
	}
	k.do(func() { k.JumpIf(encode.CondAE, otherwise) })
	k.fixedly(encode.ADD|encode.S64, rax, in(WindowHost))
	g.host = k.compute(encode.MOV|encode.S64, rax)
}
