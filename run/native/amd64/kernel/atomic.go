package kernel

import (
	"slices"

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
	result := slices.ContainsFunc(inst.Defs, func(d simt.ID) bool { return d != 0 && k.needed[d] })
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
	joins := m.IsScalar() && u.CanJoin() && m.Elements == 1
	same := joins && !result && k.Known.IsScalar(inst.Args[1])
	m.bringOperands()
	if same {
		k.General(inst.Args[1])
	} else {
		for _, s := range k.Groups {
			for _, x := range inst.Args[1:] {
				m.element(s, x)
			}
		}
	}
	if access.Space != check.Shared {
		k.Do(k.writeFence) // others see what has been stored before
	}
	switch {
	case joins:
		m.joinAtomic(same, result)
	case m.IsScalar() && m.Elements == 1:
		m.atScalar(func() {
			m.putOperands(0)
			u.EachAtOne()
		})
		m.takeResults(0)
	case m.IsScalar():
		m.hostScalar()
		m.wordOfLanes()
		m.eachElement(u.EachAtOne)
	default:
		m.accessVectors()
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
		m.putOperands(0)
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

// putOperands writes the lanes' operands of an element to where the code of the operation finds them.
func (m *memoryAccess) putOperands(element int) {
	b := m.inst.Args[1+element]
	c := b // which is of cas alone, and that has one element
	if m.Elements == 1 {
		c = m.inst.Args[2]
	}
	for g, s := range m.Groups {
		m.update.PutOperands(g, m.element(s, b), m.element(s, c))
	}
}

// takeResults reads what an element was, if somebody needs that.
func (m *memoryAccess) takeResults(element int) {
	if len(m.inst.Defs) == 0 {
		return
	}
	if d := m.inst.Defs[element]; d != 0 && m.needed[d] {
		for _, s := range m.Groups {
			s.Vectors[d].Parts = m.update.Results(s)
		}
	}
}

// eachElement selects an operation on each element, the first of which is at RAX; RCX has the lanes. Elements of vectors that are aligned
// are the same in two lanes only where all are, so that it does not matter that one lane comes to its second element before another one to its first.
func (m *memoryAccess) eachElement(operation func()) {
	for e := range m.Elements {
		if e > 0 {
			m.update.Next(m.Size)
			m.wordOfLanes()
		}
		m.putOperands(e)
		operation()
		m.takeResults(e)
	}
}

// updateEach selects an operation on elements at offsets from RAX, which are in one vector for each group, or in two.
func (m *memoryAccess) updateEach(offsets [warp.MaxGroups][2]machine.Operand) {
	for g := range m.Groups {
		m.update.PutOffsets(g, offsets[g])
	}
	m.wordOfLanes()
	m.eachElement(func() { m.update.Each(!m.Narrow) })
}
