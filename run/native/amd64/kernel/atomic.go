package kernel

import (
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/native/amd64/atomic"
	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
	"github.com/vop-ptx/vop/run/native/amd64/warp"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/address"
)

// Atomic operations on memory: all lanes are looked at, as those of other accesses are, and then execute the operation one after
// the other. Where one is not in the window, a step executes it for all, which has the same effect: package portable finds the
// fault at the lane that comes first, behind those before it. At one address some operations of all lanes are one.

// nativeAtomic selects an atomic operation. It reports whether there is machine code for it.
func (k *compiler) nativeAtomic(b simt.BlockID, n int) bool {
	inst := &k.Blocks[b].Insts[n]
	access := inst.Aux.(*simt.Access)
	switch access.Space {
	case check.Global, check.Generic, check.Shared:
	default:
		return false
	}
	result := len(inst.Defs) > 0 && inst.Defs[0] != 0 && k.needed[inst.Defs[0]]
	u, ok := atomic.New(&k.Compiler.Compiler, access.Update, access.Space == check.Shared, result)
	if !ok {
		return false
	}
	m := &memoryAccess{compiler: k, Access: access, inst: inst, window: k.windows, update: u}
	m.Address = k.addressOf(inst.Args[0], access.Offset)
	k.windows += WindowSize
	k.BeginApart()
	m.site = k.site(Site{Kind: AccessSite, Block: b, Inst: int32(n), Window: m.window})
	m.uses = k.roots(append([]simt.ID{inst.Guard}, inst.Args...))
	joins := m.IsScalar() && u.CanJoin()
	same := joins && !result && k.Known.IsScalar(inst.Args[1])
	m.bringOperands()
	if same {
		k.General(inst.Args[1])
	} else {
		for _, s := range k.Groups {
			m.element(s, inst.Args[1])
			m.element(s, inst.Args[2])
		}
	}
	if access.Space != check.Shared {
		k.Do(k.writeFence) // others see what has been stored before
	}
	switch {
	case joins:
		m.joinAtomic(same, result)
	case m.IsScalar():
		m.atScalar(func() {
			m.putOperands()
			u.EachAtOne()
		})
	default:
		m.accessVectors()
	}
	if result && !joins {
		for _, s := range k.Groups {
			s.Vectors[inst.Defs[0]].Parts = u.Results(s)
		}
	}
	m.bindResume()
	return true
}

// addressOf is an address that is not taken apart.
func (k *compiler) addressOf(id simt.ID, disp uint64) (a address.Address) {
	a = address.Address{Disp: disp, Narrow: k.Values[id].Type == simt.B32}
	bits, known := k.ConstOf(id)
	switch {
	case known:
		a.Disp += bits
	case k.Scalar[id]:
		a.Scalars = []simt.ID{id}
	case a.Narrow:
		a.Index, a.Scale = id, 1
	default:
		a.Wide = id
	}
	return a
}

// joinAtomic selects an operation of all lanes at one address that is executed once.
func (m *memoryAccess) joinAtomic(same, result bool) {
	m.atScalar(func() {
		if same {
			m.update.Join(m.General(m.inst.Args[1]))
			return
		}
		m.putOperands()
		m.update.Join(machine.Operand{})
	})
	if result {
		for _, s := range m.Groups {
			s.Vectors[m.inst.Defs[0]].Parts = m.update.JoinedResults(s)
		}
	}
}

// atScalar calls f where RAX is the address in memory that all lanes have, and RCX the lanes. Where there are none, nobody
// looks at the address.
func (m *memoryAccess) atScalar(f func()) {
	k, none := m.compiler, m.Asm.NewLabel()
	if m.inst.Guard != 0 {
		m.wordOfLanes()
		k.Fixedly(encode.TEST|encode.S32, rcx, rcx)
		k.Do(func() { k.JumpIf(encode.CondE, none) })
	}
	m.hostScalar()
	m.wordOfLanes()
	f()
	k.Do(func() { k.Bind(none) })
}

// wordOfLanes leaves in RCX the lanes that access.
func (m *memoryAccess) wordOfLanes() {
	if m.inst.Guard != 0 {
		m.WordOf(encode.RCX, m.guarded)
		return
	}
	m.Do(func() { m.WriteWordAtWork(encode.RCX) })
}

// putOperands writes the lanes' operands to where the code of the operation finds them.
func (m *memoryAccess) putOperands() {
	for g, s := range m.Groups {
		m.update.PutOperands(g, m.element(s, m.inst.Args[1]), m.element(s, m.inst.Args[2]))
	}
}

// updateEach selects an operation on elements at offsets from RAX, which are in one vector for each group, or in two.
func (m *memoryAccess) updateEach(offsets [warp.MaxGroups][2]machine.Operand) {
	for g := range m.Groups {
		m.update.PutOffsets(g, offsets[g])
	}
	m.putOperands()
	m.wordOfLanes()
	m.update.Each(!m.Narrow)
}
