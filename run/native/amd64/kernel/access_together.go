package kernel

import (
	"github.com/vop-ptx/vop/run/native/amd64"
	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/address"
)

// Loads of a block whose addresses are known to be apart by constants: the first looks whether all that any of them reads
// is in its window, so that the others need not. If it is not, each looks for itself.

// together are such loads.
type together struct {
	*address.Together
	window int32           // the offset of its own window, which the first load finds
	host   machine.Operand // where the lowest address is in memory; 0 if not all are in the window
}

// relatedLoads are the loads of a function that are together, and the pairs of them.
type relatedLoads struct {
	together map[*simt.Inst]*address.Together
	groups   map[*address.Together]*together // of them, the registers
	pairs    map[*simt.Inst]*pair            // of loads
	permuted map[simt.ID]*pair               // of what permutes pairs
}

// findTogether finds which loads are together.
func (k *compiler) findTogether() {
	k.addresses = address.Finder{Known: k.Known, Defined: k.defined, Whole: k.Options.Without&amd64.FuseAddress != 0}
	k.loads.together, k.loads.groups = k.addresses.Together(), map[*address.Together]*together{}
}

// togetherOf returns the loads that a load is together with, or nil.
func (k *compiler) togetherOf(inst *simt.Inst) *together {
	loads := k.loads.together[inst]
	if loads == nil {
		return nil
	}
	if k.loads.groups[loads] == nil {
		k.loads.groups[loads] = &together{Together: loads}
	}
	return k.loads.groups[loads]
}

// fromScalar returns the lowest address of a lane from where the scalar of the access is 0.
func (m *memoryAccess) fromScalar() int64 {
	_, from, _, _ := m.addresses.FromScalar(&m.Address, m.Access)
	return from
}

// hostTogether leaves in a register where the lowest address of a load is in memory that is looked at together with others.
// alone finds that out for it alone, and leaves it in RAX; behind it the code goes on at all.
func (m *memoryAccess) hostTogether(low int64, alone func(), all encode.Label) machine.Operand {
	k, otherwise := m.compiler, m.Asm.NewLabel()
	m.lookTogether(low, otherwise)
	from := m.fromScalar()
	host := k.Compute(encode.LEA|encode.S64, machine.MemoryAt(m.together.host, int32(from-m.together.Low)))
	k.InCold(func() {
		k.Do(func() { k.Bind(otherwise) })
		m.forgetHost()
		alone()
		m.redefine(host, rax)
		k.Do(func() { k.Jump(all) })
	})
	return host
}

// lookTogether goes to alone if not all that the loads read is in their window. The first of them finds that out.
func (m *memoryAccess) lookTogether(low int64, alone encode.Label) {
	k, g := m.compiler, m.together
	k.RestOnSums()
	if m.Affine != 0 && !m.Affines[m.Affine].None {
		m.ScalarParts(m.Affine) // here, not only where the load looks for itself
	}
	if g.First == m.inst {
		from := m.fromScalar()
		m.startTogether(low, g.Low-from, alone)
		return
	}
	k.Fixedly(encode.TEST|encode.S64, g.host, g.host)
	k.Do(func() { k.JumpIf(encode.CondE, alone) })
}

// forgetHost notes, where the first of the loads looks for itself, that the others have to.
func (m *memoryAccess) forgetHost() {
	if m.together.First == m.inst {
		m.Do(func() { m.Emit(encode.XOR|encode.S32, encode.RAX, encode.RAX) })
		m.redefine(m.together.host, rax)
	}
}

// startTogether leaves in a register where the lowest address of a group of loads is in memory, or goes to a label if not
// all that they read is in the window. That address is apart from the load's own, which low is a part of.
func (m *memoryAccess) startTogether(low, apart int64, otherwise encode.Label) {
	k, g := m.compiler, m.together
	g.window = k.windows
	k.windows += WindowSize
	k.sites[m.site].Together, k.sites[m.site].Extends = g.window, g.High-g.Low
	if m.Affine != 0 {
		m.lowest(*m.Affines[m.Affine], 0, low+apart)
	} else {
		disp := m.Disp
		m.Disp += uint64(apart)
		m.sum()
		m.Disp = disp
	}
	m.toHost(g.window, false, func(c encode.Cond) { k.Do(func() { k.JumpIf(c, otherwise) }) })
	g.host = k.Compute(encode.MOV|encode.S64, rax)
}
