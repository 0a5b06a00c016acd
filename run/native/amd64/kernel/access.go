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

// memoryAccess is the state of selecting one access.
type memoryAccess struct {
	*compiler
	*simt.Access
	address.Address
	inst     *simt.Inst
	window   int32 // the offset of its window
	site     int32
	resumes  bool           // it has been said where the code goes on behind a step
	uses     []machine.VReg // what a step needs, if the window is not the right one
	together *together      // the loads that it is looked at with, or nil
	update   *atomic.Update // of an atomic operation
	guarded  warp.Grouped   // the lanes that access, if there is a guard
	parts    [warp.MaxGroups][2]machine.Operand
}

// access selects a load or a store: the window that has been found last is tried, and if not all lanes are in it, a
// step executes the access and finds the window for the next time.
func (k *compiler) access(b simt.BlockID, n int, a address.Address) {
	inst := &k.Blocks[b].Insts[n]
	if k.isParameter(inst, a) {
		k.loadParameter(inst, a)
		return
	}
	m := &memoryAccess{compiler: k, Access: inst.Aux.(*simt.Access), Address: a, inst: inst, window: k.windows, together: k.togetherOf(inst)}
	k.windows += WindowSize
	k.BeginApart()
	m.site = k.site(Site{Kind: AccessSite, Block: b, Inst: int32(n), Window: m.window})
	m.uses = k.roots(append([]simt.ID{inst.Guard}, inst.Args...))
	switch {
	case m.Space == check.Local:
		m.bringOperands()
		m.accessLocal()
	case a.IsScalar():
		m.loadScalar()
	case k.loads.pairs[inst] != nil:
		m.accessPaired(k.loads.pairs[inst])
	case a.Affine != 0:
		m.bringOperands()
		m.accessAffine()
	case !a.Narrow && a.Index != 0 && k.Affines[a.Index] != nil:
		m.bringOperands()
		m.accessAffine()
	default:
		// All that may be used again is brought into registers before the code may leave.
		m.bringOperands()
		m.accessVectors()
	}
	if !m.resumes {
		m.bindResume()
	}
}

// bindResume is where the code goes on when a step has executed the access.
func (m *memoryAccess) bindResume() {
	k, site := m.compiler, m.site
	m.resumes = true
	k.Do(func() {
		k.Bind(k.resumes[site])
		k.sites[site].Resumed = k.At
	})
}

// accessVectors selects an access at addresses in vectors.
func (m *memoryAccess) accessVectors() {
	switch {
	case m.Narrow:
		m.checkNarrow()
	case m.Index != 0:
		m.checkIndexed()
	default:
		m.checkWide()
	}
}

// miss leaves if a condition holds.
func (m *memoryAccess) miss(c encode.Cond) { m.leaveIf(c, m.site, m.uses) }

// inWindow is a number of the access's window.
func (m *memoryAccess) inWindow(offset int32) machine.Operand {
	return machine.Fixed(encode.At(windowsReg, m.window+offset))
}

// sum leaves in RAX the sum of the scalars and the constant.
func (m *memoryAccess) sum() {
	size := encode.Op(encode.S64)
	if m.Narrow {
		size = encode.S32
	}
	if len(m.Scalars) == 0 {
		m.putConstant(rax, m.Disp)
		return
	}
	m.Fixedly(encode.MOV|size, rax, m.General(m.Scalars[0]))
	for _, id := range m.Scalars[1:] {
		m.Fixedly(encode.ADD|size, rax, m.General(id))
	}
	switch d := m.Disp; {
	case m.Narrow && uint32(d) != 0:
		m.Fixedly(encode.ADD|encode.S32, rax, machine.Fixed(encode.Imm(int64(int32(d)))))
	case !m.Narrow && int64(d) == int64(int32(d)) && d != 0:
		m.Fixedly(encode.ADD|encode.S64, rax, machine.Fixed(encode.Imm(int64(d))))
	case !m.Narrow && d != 0:
		m.Fixedly(encode.ADD|encode.S64, rax, machine.Fixed(m.Asm.Const64(d)))
	}
}

func (m *memoryAccess) putConstant(to machine.Operand, bits uint64) {
	if m.Narrow {
		bits = uint64(uint32(bits))
	}
	if bits>>32 == 0 {
		m.Fixedly(encode.MOV|encode.S32, to, machine.Fixed(encode.Imm(int64(bits))))
		return
	}
	m.Fixedly(encode.MOV|encode.S64, to, machine.Fixed(m.Asm.Const64(bits)))
}

// checkAligned leaves if RAX is no multiple of what the access spans.
func (m *memoryAccess) checkAligned() {
	if span := m.Span(); span > 1 {
		m.Fixedly(encode.TEST|encode.S32, rax, machine.Fixed(encode.Imm(int64(span-1))))
		m.miss(encode.CondNE)
	}
}

// bringOperands brings what the access reads into registers.
func (m *memoryAccess) bringOperands() {
	for _, id := range m.Scalars {
		m.General(id)
	}
	for g, s := range m.Groups {
		if m.Index != 0 && !m.Narrow && m.Affines[m.Index] != nil {
			// accessEach makes vectors of it
		} else if m.Index != 0 {
			m.parts[g][0] = s.Value(m.Index).Parts[0]
		} else if m.Wide != 0 {
			m.parts[g] = s.Value(m.Wide).Parts
		}
		if m.inst.Kind == simt.Store {
			for _, id := range m.inst.Args[1:] {
				m.element(s, id)
			}
		}
		if m.inst.Guard != 0 {
			m.guarded[g] = s.GuardedBy(m.inst)
		}
	}
}

// fullOrNot emits a store in two ways, one of which is for all lanes at work: without masks it takes much less.
func (m *memoryAccess) fullOrNot(store func(full bool)) {
	if m.HasMasks() || m.inst.Guard != 0 {
		store(false)
		return
	}
	k := m.compiler
	some, done := k.Asm.NewLabel(), k.Asm.NewLabel()
	k.Do(func() {
		k.Emit(encode.CMP|encode.S32, encode.At(frameReg, FrameLanes), encode.Imm(-1))
		k.JumpIf(encode.CondNE, some)
	})
	store(true)
	k.Do(func() {
		k.Jump(done)
		k.Bind(some)
	})
	store(false)
	k.Do(func() { k.Bind(done) })
}

// lanes returns the lanes of a group that access.
func (m *memoryAccess) lanes(g int) machine.Operand {
	if m.inst.Guard != 0 {
		return m.guarded[g]
	}
	return m.Groups[g].AtWork()
}

// element returns what a store writes, of which more than 32 bits are two vectors.
func (m *memoryAccess) element(s *warp.Group, id simt.ID) [2]machine.Operand {
	if m.Size == 8 && m.Values[id].Type != simt.B64 {
		return [2]machine.Operand{s.HalfOf(id, 0), s.HalfOf(id, 1)}
	}
	v := s.Value(id)
	if m.Size < 8 && m.Values[id].Type == simt.B64 {
		return [2]machine.Operand{s.Pick(v.Parts, 0, false)}
	}
	return v.Parts
}
