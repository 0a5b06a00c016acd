package kernel

import (
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/native/amd64"
	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
	"github.com/vop-ptx/vop/run/native/amd64/vector"
	"github.com/vop-ptx/vop/run/simt"
)

// address is the address of an access taken apart: the sum of scalars, of an index of 32 bits times a scale, or
// else of a value of 64 bits that differs from lane to lane, and of a constant.
type address struct {
	scalars []simt.ID
	index   simt.ID // extended to 64 bits, unless narrow
	signed  bool
	scale   int
	wide    simt.ID
	disp    uint64
	narrow  bool    // all is modulo 2^32
	affine  simt.ID // the whole is an affine value, if this is not 0
	depth   int     // of operations that have been taken apart
}

// apartOps are the operations at which addresses are taken apart. What is more than maxLeaves operations is not.
var apartOps = map[string]bool{
	"add.u64": true, "add.s64": true, "mul.wide.u32": true, "mul.wide.s32": true, "mad.wide.u32": true, "mad.wide.s32": true, "widen.64": true,
	"cvt.u64.u32": true, "cvt.s64.s32": true, "cvt.u64.s32": true, "shl.b64": true, "mul.lo.u64": true, "mul.lo.s64": true,
}

const maxLeaves = 16

// leaves are the values that the address is computed from.
func (a *address) leaves() []simt.ID {
	all := a.scalars[:len(a.scalars):len(a.scalars)]
	if a.index != 0 {
		all = append(all, a.index)
	}
	if a.wide != 0 {
		all = append(all, a.wide)
	}
	if a.affine != 0 {
		all = append(all, a.affine)
	}
	return all
}

// isScalar reports whether the address is the same in all lanes.
func (a *address) isScalar() bool { return a.index == 0 && a.wide == 0 && a.affine == 0 }

// native takes the address of an access apart that there is machine code for.
func (k *compiler) native(i *simt.Inst) (a address, ok bool) {
	if i.Kind != simt.Load && i.Kind != simt.Store {
		return a, false
	}
	access := i.Aux.(*simt.Access)
	switch access.Space {
	case check.Global, check.Const, check.Shared, check.Generic, check.Param:
	case check.Local:
		return k.nativeLocal(i), true
	default:
		return a, false
	}
	id := i.Args[0]
	a.disp = access.Offset
	if k.Values[id].Type == simt.B32 {
		a.narrow = true
		if k.affines[id] != nil {
			a.affine = id
		} else if k.isScalarOrConst(id) {
			k.addScalar(&a, id)
		} else {
			a.index, a.scale = id, 1
		}
	} else if k.affines[id] != nil {
		a.affine = id
	} else if !k.isScalarOrConst(id) && k.Options.Without&amd64.FuseAddress != 0 || !k.takeApart(&a, id) {
		a = address{wide: id, disp: access.Offset}
	}
	if a.isScalar() && (i.Kind == simt.Store || i.Guard != 0) {
		a = address{disp: access.Offset, narrow: a.narrow}
		if a.narrow {
			a.index, a.scale = id, 1
		} else {
			a.wide = id
		}
	}
	if a.index != 0 && !a.narrow && a.affine == 0 && a.scale&(int(access.Span())-1) != 0 {
		a = address{wide: id, disp: access.Offset} // it must be looked at whether they are aligned
	}
	return a, true
}

func (k *compiler) isScalarOrConst(id simt.ID) bool {
	return k.scalar[id] || k.Values[id].Kind == simt.Const
}

// addScalar adds a scalar or a constant to an address.
func (k *compiler) addScalar(a *address, id simt.ID) {
	if bits, ok := k.ConstOf(id); ok {
		a.disp += bits
		return
	}
	a.scalars = append(a.scalars, id)
}

// takeApart adds a value of 64 bits to an address. It reports whether there is a place for it.
func (k *compiler) takeApart(a *address, id simt.ID) bool {
	if k.isScalarOrConst(id) {
		k.addScalar(a, id)
		return true
	}
	i := k.defined[id]
	if i == nil || i.Kind != simt.Compute || a.depth >= maxLeaves/4 {
		return k.addWide(a, id)
	}
	before := *a
	a.depth++
	switch i.Op.String() {
	case "add.u64", "add.s64":
		if k.takeApart(a, i.Args[0]) && k.takeApart(a, i.Args[1]) {
			return true
		}
	case "mul.wide.u32", "mul.wide.s32":
		if scale, ok := k.ConstOf(i.Args[1]); ok && k.addIndex(a, i.Args[0], i.Op.String() == "mul.wide.s32", scale) {
			return true
		}
	case "mad.wide.u32", "mad.wide.s32":
		if scale, ok := k.ConstOf(i.Args[1]); ok && k.addIndex(a, i.Args[0], i.Op.String() == "mad.wide.s32", scale) && k.takeApart(a, i.Args[2]) {
			return true
		}
	case "widen.64", "cvt.u64.u32":
		if k.addIndex(a, i.Args[0], false, 1) {
			return true
		}
	case "cvt.s64.s32", "cvt.u64.s32":
		if k.addIndex(a, i.Args[0], true, 1) {
			return true
		}
	case "shl.b64":
		if n, ok := k.ConstOf(i.Args[1]); ok && n < 4 && k.addShifted(a, i.Args[0], uint64(1)<<n) {
			return true
		}
	case "mul.lo.u64", "mul.lo.s64":
		if n, ok := k.ConstOf(i.Args[1]); ok && k.addShifted(a, i.Args[0], n) {
			return true
		}
	}
	*a = before
	return k.addWide(a, id)
}

// addShifted adds a word that is extended to 64 bits, times a scale.
func (k *compiler) addShifted(a *address, id simt.ID, scale uint64) bool {
	i := k.defined[id]
	if i == nil || i.Kind != simt.Compute {
		return false
	}
	switch i.Op.String() {
	case "widen.64", "cvt.u64.u32":
		return k.addIndex(a, i.Args[0], false, scale)
	case "cvt.s64.s32", "cvt.u64.s32":
		return k.addIndex(a, i.Args[0], true, scale)
	}
	return false
}

func (k *compiler) addIndex(a *address, id simt.ID, signed bool, scale uint64) bool {
	if a.index != 0 || a.wide != 0 || k.isScalarOrConst(id) || k.affines[id] != nil && k.affines[id].None || k.Values[id].Type != simt.B32 {
		return false
	}
	switch scale {
	case 1, 2, 4, 8:
		a.index, a.signed, a.scale = id, signed, int(scale)
		return true
	}
	return false
}

func (k *compiler) addWide(a *address, id simt.ID) bool {
	if a.index != 0 || a.wide != 0 {
		return false
	}
	a.wide = id
	return true
}

// memoryAccess is the state of selecting one access.
type memoryAccess struct {
	*compiler
	*simt.Access
	address
	inst    *simt.Inst
	window  int32 // the offset of its window
	site    int32
	uses    []machine.VReg // what a step needs, if the window is not the right one
	guarded grouped        // the lanes that access, if there is a guard
	parts   [maxGroups][2]machine.Operand
}

// access selects a load or a store: the window that has been found last is tried, and if not all lanes are in it, a
// step executes the access and finds the window for the next time.
func (k *compiler) access(b simt.BlockID, n int, a address) {
	inst := &k.Blocks[b].Insts[n]
	m := &memoryAccess{compiler: k, Access: inst.Aux.(*simt.Access), address: a, inst: inst, window: k.windows}
	k.windows += WindowSize
	for _, s := range k.groups { // what is emitted is of no node
		s.Node, s.Temporary = &vector.Node{}, machine.VReg(len(k.Registers))
	}
	m.site = k.site(Site{Kind: AccessSite, Block: b, Inst: int32(n), Window: m.window, resume: k.Asm.NewLabel()})
	m.uses = k.roots(append([]simt.ID{inst.Guard}, inst.Args...))
	switch {
	case m.Space == check.Local:
		m.bringOperands()
		m.accessLocal()
	case a.isScalar():
		m.loadScalar()
	case a.affine != 0:
		m.bringOperands()
		m.accessAffine()
	case !a.narrow && a.index != 0 && k.affines[a.index] != nil:
		m.bringOperands()
		m.accessAffine()
	default:
		// All that may be used again is brought into registers before the code may leave.
		m.bringOperands()
		m.accessVectors()
	}
	site := m.site
	k.do(func() {
		k.Bind(k.sites[site].resume)
		k.sites[site].Resumed = k.At
	})
}

// accessVectors selects an access at addresses in vectors.
func (m *memoryAccess) accessVectors() {
	switch {
	case m.narrow:
		m.checkNarrow()
	case m.index != 0:
		m.checkIndexed()
	default:
		m.checkWide()
	}
}

// miss leaves if a condition holds.
func (m *memoryAccess) miss(c encode.Cond) { m.leaveIf(c, m.site, m.uses) }

// inWindow is a number of the access's window.
func (m *memoryAccess) inWindow(offset int32) machine.Operand {
	return machine.Fixed(encode.At(kernelWindows, m.window+offset))
}

var (
	rax = machine.Fixed(encode.RAX)
	rcx = machine.Fixed(encode.RCX)
	rdx = machine.Fixed(encode.RDX)
)

// sum leaves in RAX the sum of the scalars and the constant.
func (m *memoryAccess) sum() {
	size := encode.Op(encode.S64)
	if m.narrow {
		size = encode.S32
	}
	if len(m.scalars) == 0 {
		m.putConstant(rax, m.disp)
		return
	}
	m.fixedly(encode.MOV|size, rax, m.general(m.scalars[0]))
	for _, id := range m.scalars[1:] {
		m.fixedly(encode.ADD|size, rax, m.general(id))
	}
	switch d := m.disp; {
	case m.narrow && uint32(d) != 0:
		m.fixedly(encode.ADD|encode.S32, rax, machine.Fixed(encode.Imm(int64(int32(d)))))
	case !m.narrow && int64(d) == int64(int32(d)) && d != 0:
		m.fixedly(encode.ADD|encode.S64, rax, machine.Fixed(encode.Imm(int64(d))))
	case !m.narrow && d != 0:
		m.fixedly(encode.ADD|encode.S64, rax, machine.Fixed(m.Asm.Const64(d)))
	}
}

func (m *memoryAccess) putConstant(to machine.Operand, bits uint64) {
	if m.narrow {
		bits = uint64(uint32(bits))
	}
	if bits>>32 == 0 {
		m.fixedly(encode.MOV|encode.S32, to, machine.Fixed(encode.Imm(int64(bits))))
		return
	}
	m.fixedly(encode.MOV|encode.S64, to, machine.Fixed(m.Asm.Const64(bits)))
}

// checkAligned leaves if RAX is no multiple of what the access spans.
func (m *memoryAccess) checkAligned() {
	if span := m.Span(); span > 1 {
		m.fixedly(encode.TEST|encode.S32, rax, machine.Fixed(encode.Imm(int64(span-1))))
		m.miss(encode.CondNE)
	}
}

// loadScalar selects a load from one address.
func (m *memoryAccess) loadScalar() {
	for _, id := range m.scalars {
		m.general(id)
	}
	vectors := !m.scalar[m.firstDef()]
	m.sum()
	m.checkAligned()
	m.fixedly(encode.MOV|encode.S64, rcx, rax)
	m.fixedly(encode.SUB|encode.S64, rcx, m.inWindow(windowBase))
	m.fixedly(encode.CMP|encode.S64, rcx, m.inWindow(windowLimit))
	m.miss(encode.CondAE)
	m.fixedly(encode.ADD|encode.S64, rax, m.inWindow(windowDelta))
	for e, d := range m.inst.Defs {
		if d == 0 {
			continue
		}
		x := m.compute(m.scalarLoad(m.Values[d].Type), machine.MemoryAt(rax, int32(e*m.Size)))
		if !vectors {
			m.generals[d] = x
			continue
		}
		for _, s := range m.groups {
			if m.Values[d].Type == simt.B64 {
				s.Vectors[d].Parts = [2]machine.Operand{s.broadcast(x, true), s.broadcast(x, true)}
			} else {
				s.Vectors[d].Parts[0] = s.broadcast(x, false)
			}
		}
	}
}

// firstDef returns the first element that somebody wants, or 0.
func (m *memoryAccess) firstDef() simt.ID {
	for _, d := range m.inst.Defs {
		if d != 0 {
			return d
		}
	}
	return 0
}

// scalarLoad returns the instruction that loads an element to a general register.
func (m *memoryAccess) scalarLoad(t simt.Type) encode.Op {
	size := encode.Op(encode.S32)
	if m.Signed && t == simt.B64 {
		size = encode.S64
	}
	switch {
	case m.Size == 1 && m.Signed:
		return encode.MOVSX8 | size
	case m.Size == 1:
		return encode.MOVZX8 | encode.S32
	case m.Size == 2 && m.Signed:
		return encode.MOVSX16 | size
	case m.Size == 2:
		return encode.MOVZX16 | encode.S32
	case m.Size == 4 && size == encode.S64:
		return encode.MOVSXD | encode.S64
	case m.Size == 4:
		return encode.MOV | encode.S32
	}
	return encode.MOV | encode.S64
}

// bringOperands brings what the access reads into registers.
func (m *memoryAccess) bringOperands() {
	for _, id := range m.scalars {
		m.general(id)
	}
	for g, s := range m.groups {
		if m.index != 0 && !m.narrow && m.affines[m.index] != nil {
			// accessEach makes vectors of it
		} else if m.index != 0 {
			m.parts[g][0] = s.Value(m.index).Parts[0]
		} else if m.wide != 0 {
			m.parts[g] = s.Value(m.wide).Parts
		}
		if m.inst.Kind == simt.Store {
			for _, id := range m.inst.Args[1:] {
				m.element(s, id)
			}
		}
		if m.inst.Guard != 0 {
			m.guarded[g] = s.guardedBy(m.inst)
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
	k.do(func() {
		k.Emit(encode.CMP|encode.S32, encode.At(kernelFrame, FrameLanes), encode.Imm(-1))
		k.JumpIf(encode.CondNE, some)
	})
	store(true)
	k.do(func() {
		k.jump(done)
		k.Bind(some)
	})
	store(false)
	k.do(func() { k.Bind(done) })
}

// lanes returns the lanes of a group that access.
func (m *memoryAccess) lanes(g int) machine.Operand {
	if m.inst.Guard != 0 {
		return m.guarded[g]
	}
	return m.groups[g].atWork()
}

// element returns what a store writes, of which more than 32 bits are two vectors.
func (m *memoryAccess) element(s *group, id simt.ID) [2]machine.Operand {
	if m.Size == 8 && m.Values[id].Type != simt.B64 {
		return [2]machine.Operand{s.HalfOf(id, 0), s.HalfOf(id, 1)}
	}
	v := s.Value(id)
	if m.Size < 8 && m.Values[id].Type == simt.B64 {
		return [2]machine.Operand{s.Pick(v.Parts, 0, false)}
	}
	return v.Parts
}

// checkNarrow selects an access to memory with addresses of 32 bits.
func (m *memoryAccess) checkNarrow() {
	var offsets grouped
	m.fixedly(encode.MOV|encode.S32, rcx, m.inWindow(windowLimit))
	limit := m.groups[0].broadcast(rcx, false)
	bad := machine.Operand{}
	for g, s := range m.groups {
		offsets[g] = m.parts[g][0]
		if uint32(m.disp) != 0 {
			offsets[g] = s.New(encode.VPADDD, offsets[g], m.Const32(uint32(m.disp)))
		}
		lanes := m.lanes(g)
		bad = s.alsoSet(bad, s.notLess(4, lanes, offsets[g], limit))
		if span := m.Span(); span > 1 {
			bad = s.alsoSet(bad, s.hasBits(4, lanes, offsets[g], m.Const32(uint32(span-1))))
		}
	}
	m.missAny(bad)
	m.fixedly(encode.MOV|encode.S64, rax, m.inWindow(windowDelta))
	m.move32(func(g int) (machine.Operand, uint8) { return offsets[g], 1 })
}

// missAny leaves if a set has a lane.
func (m *memoryAccess) missAny(bad machine.Operand) {
	m.testSet(bad)
	m.miss(encode.CondNE)
}

// checkIndexed selects an access at scalars plus an index of 32 bits times a scale. The indexes that lie in the window
// are from RDX to RCX.
func (m *memoryAccess) checkIndexed() {
	log := map[int]int{1: 0, 2: 1, 4: 2, 8: 3}[m.scale]
	m.sum()
	m.checkAligned()
	m.fixedly(encode.MOV|encode.S64, rdx, rax)
	m.fixedly(encode.SUB|encode.S64, rdx, m.inWindow(windowBase)) // where an index of 0 would be
	m.fixedly(encode.MOV|encode.S64, rcx, m.inWindow(windowLimit))
	m.fixedly(encode.SUB|encode.S64, rcx, machine.Fixed(encode.Imm(1)))
	m.miss(encode.CondB)
	m.fixedly(encode.SUB|encode.S64, rcx, rdx)
	if log > 0 {
		m.fixedly(encode.SAR|encode.S64, rcx, machine.Immediate(log))
		m.fixedly(encode.SAR|encode.S64, rdx, machine.Immediate(log))
	}
	m.fixedly(encode.NEG|encode.S64, rdx)
	// Gathers extend indexes by their sign, so that the largest is 2^31-1.
	highest, lowest := uint64(1<<31-1), uint64(0)
	if m.signed {
		lowest = 1<<64 - 1<<31
	}
	m.fixedly(encode.CMP|encode.S64, rcx, machine.Fixed(encode.Imm(int64(highest))))
	m.fixedly(encode.CMOV.If(encode.CondG)|encode.S64, rcx, machine.Fixed(m.Asm.Const64(highest)))
	m.fixedly(encode.CMP|encode.S64, rdx, machine.Fixed(encode.Imm(int64(lowest))))
	m.fixedly(encode.CMOV.If(encode.CondL)|encode.S64, rdx, machine.Fixed(m.Asm.Const64(lowest)))
	m.fixedly(encode.SUB|encode.S64, rcx, rdx)
	m.miss(encode.CondL)
	s := m.groups[0]
	first, span := s.broadcast(rdx, false), s.broadcast(rcx, false)
	bad := machine.Operand{}
	for g, s := range m.groups {
		bad = s.alsoSet(bad, s.more(m.lanes(g), s.New(encode.VPSUBD, m.parts[g][0], first), span))
	}
	m.missAny(bad)
	m.fixedly(encode.ADD|encode.S64, rax, m.inWindow(windowDelta))
	m.move32(func(g int) (machine.Operand, uint8) { return m.parts[g][0], uint8(m.scale) })
}

// checkWide selects an access at addresses that differ in 64 bits.
func (m *memoryAccess) checkWide() {
	s := m.groups[0]
	m.fixedly(encode.MOV|encode.S64, rcx, m.inWindow(windowBase))
	for _, id := range m.scalars {
		m.fixedly(encode.SUB|encode.S64, rcx, m.general(id))
	}
	if d := m.disp; d != 0 {
		if int64(d) == int64(int32(d)) {
			m.fixedly(encode.SUB|encode.S64, rcx, machine.Fixed(encode.Imm(int64(d))))
		} else {
			m.fixedly(encode.SUB|encode.S64, rcx, machine.Fixed(m.Asm.Const64(d)))
		}
	}
	base := s.broadcast(rcx, true)
	m.fixedly(encode.MOV|encode.S64, rcx, m.inWindow(windowLimit))
	limit := s.broadcast(rcx, true)
	bad := machine.Operand{}
	var offsets, lanes [maxGroups][2]machine.Operand
	for g, s := range m.groups {
		all := m.lanes(g)
		for p := range 2 {
			lanes[g][p] = s.lanesOfHalf(all, p)
			offsets[g][p] = s.New(encode.VPSUBQ, m.parts[g][p], base)
			bad = s.alsoSet(bad, s.notLess(8, lanes[g][p], offsets[g][p], limit))
			if span := m.Span(); span > 1 {
				bad = s.alsoSet(bad, s.hasBits(8, lanes[g][p], offsets[g][p], m.Const64(span-1)))
			}
		}
	}
	m.missAny(bad)
	m.fixedly(encode.MOV|encode.S64, rax, m.inWindow(windowBase))
	m.fixedly(encode.ADD|encode.S64, rax, m.inWindow(windowDelta))
	m.move64(offsets, lanes)
}

// move32 gathers or scatters the elements at RAX plus an index of 32 bits times a scale.
func (m *memoryAccess) move32(index func(g int) (machine.Operand, uint8)) {
	for e, id := range m.elements() {
		if id == 0 {
			continue
		}
		for g, s := range m.groups {
			x, scale := index(g)
			at := machine.Indexed(rax, x, scale, int32(e*m.Size))
			if m.inst.Kind == simt.Store {
				m.store32(s, at, m.element(s, id), m.lanes(g))
			} else {
				m.load32(s, id, at, m.lanes(g))
			}
		}
	}
}

// elements returns the values that are loaded or stored; 0 of those that nobody wants.
func (m *memoryAccess) elements() []simt.ID {
	if m.inst.Kind == simt.Store {
		return m.inst.Args[1:]
	}
	return m.inst.Defs
}

// load32 gathers an element of a group at indexes of 32 bits.
func (m *memoryAccess) load32(s *group, id simt.ID, at, lanes machine.Operand) {
	if m.Size < 8 {
		m.extend(s, id, s.gather(gatherDD, at, lanes))
		return
	}
	var parts [2]machine.Operand
	for p := range parts {
		parts[p] = s.gather(gatherDQ, s.atHalf(at, p), s.lanesOfHalf(lanes, p))
	}
	m.giveWide(s, id, parts)
}

// atHalf is an address of a half of the group, whose indexes stand in the lower half of a vector.
func (s *group) atHalf(at machine.Operand, half int) machine.Operand {
	if half == 1 {
		at.Index = s.Upper(machine.Virtual(at.Index)).Reg
	}
	return at
}

// store32 scatters an element of a group at indexes of 32 bits.
func (m *memoryAccess) store32(s *group, at machine.Operand, data [2]machine.Operand, lanes machine.Operand) {
	switch {
	case m.Size < 4 || !m.HasMasks():
		m.storeEach(s, at, [2]machine.Operand{machine.Virtual(at.Index)}, data, lanes)
	case m.Size == 4:
		m.scatter(encode.VPSCATTERDD, at, data[0], lanes)
	default:
		for p := range data {
			m.scatter(encode.VPSCATTERDQ, s.atHalf(at, p), data[p], s.lanesOfHalf(lanes, p))
		}
	}
}

// move64 gathers or scatters the elements at RAX plus an offset of 64 bits.
func (m *memoryAccess) move64(offsets, lanes [maxGroups][2]machine.Operand) {
	for e, id := range m.elements() {
		if id == 0 {
			continue
		}
		for g, s := range m.groups {
			disp := int32(e * m.Size)
			if m.inst.Kind == simt.Store {
				m.store64(s, offsets[g], disp, m.element(s, id), m.lanes(g), lanes[g])
				continue
			}
			var loaded [2]machine.Operand
			for p := range loaded {
				at := machine.Indexed(rax, offsets[g][p], 1, disp)
				if m.Size == 8 {
					loaded[p] = s.gather(gatherQQ, at, lanes[g][p])
				} else {
					loaded[p] = s.gather(gatherQD, at, s.wordsOfHalf(m.lanes(g), p))
				}
			}
			if m.Size == 8 {
				m.giveWide(s, id, loaded)
			} else {
				m.extend(s, id, s.JoinHalves(loaded))
			}
		}
	}
}

// store64 scatters an element of a group at offsets of 64 bits.
func (m *memoryAccess) store64(s *group, offsets [2]machine.Operand, disp int32, data [2]machine.Operand, all machine.Operand, lanes [2]machine.Operand) {
	if m.Size < 4 || !m.HasMasks() {
		m.storeEach(s, machine.Indexed(rax, offsets[0], 1, disp), offsets, data, all)
		return
	}
	for p := range offsets {
		at := machine.Indexed(rax, offsets[p], 1, disp)
		switch {
		case m.Size == 8:
			m.scatter(encode.VPSCATTERQQ, at, data[p], lanes[p])
		case p == 1:
			m.scatter(encode.VPSCATTERQD, at, s.Upper(data[0]), lanes[p])
		default:
			m.scatter(encode.VPSCATTERQD, at, data[0], lanes[p])
		}
	}
}

// storeEach stores elements one lane after the other, at an address whose indexes are given: there are no instructions
// that scatter all sizes, and with AVX2 there are none at all. Two vectors of indexes are such of 64 bits.
func (m *memoryAccess) storeEach(s *group, at machine.Operand, indexes, data [2]machine.Operand, lanes machine.Operand) {
	m.storeSized(s, at, indexes, data, lanes, m.Size)
}

// storeSized is storeEach for elements of a size.
func (m *memoryAccess) storeSized(s *group, at machine.Operand, indexes, data [2]machine.Operand, lanes machine.Operand, size int) {
	k, wide := m.compiler, !indexes[1].None()
	save := func(x [2]machine.Operand, to int32) {
		for p := range x {
			if !x[p].None() {
				k.fixedly(k.Target.Move, k.inFrame(to+int32(p*k.Target.Bytes)), x[p])
			}
		}
	}
	if at.Reg != 0 {
		k.fixedly(encode.MOV|encode.S64, rax, machine.Virtual(at.Reg))
	}
	save(indexes, frameOffsets)
	save(data, frameData)
	k.wordOfGroup(lanes)
	k.do(func() {
		// RBX is the homes otherwise.
		next, done := k.Asm.NewLabel(), k.Asm.NewLabel()
		k.Emit(encode.TEST|encode.S32, encode.RCX, encode.RCX)
		k.JumpIf(encode.CondE, done)
		k.Bind(next)
		k.Emit(encode.TZCNT|encode.S32, encode.RDX, encode.RCX)
		if size == 8 {
			k.Emit(encode.MOV|encode.S64, encode.RBX, encode.AtIndex(kernelFrame, encode.RDX, 8, frameData))
		} else {
			k.Emit(encode.MOV|encode.S32, encode.RBX, encode.AtIndex(kernelFrame, encode.RDX, 4, frameData))
		}
		if wide {
			k.Emit(encode.MOV|encode.S64, encode.RDX, encode.AtIndex(kernelFrame, encode.RDX, 8, frameOffsets))
		} else {
			k.Emit(encode.MOVSXD|encode.S64, encode.RDX, encode.AtIndex(kernelFrame, encode.RDX, 4, frameOffsets))
		}
		to := encode.AtIndex(encode.RAX, encode.RDX, int(at.Scale), at.Disp)
		k.Emit(encode.MOV|[9]encode.Op{1: encode.S8, 2: encode.S16, 4: encode.S32, 8: encode.S64}[size], to, encode.RBX)
		k.Emit(encode.BLSR|encode.S32, encode.RCX, encode.RCX)
		k.JumpIf(encode.CondNE, next)
		k.Bind(done)
		k.Emit(encode.MOV|encode.S64, kernelHomes, encode.At(kernelFrame, FrameHomes))
	})
}

// gathering is what a gather is with either level. Its two letters are the index and the element.
type gathering struct{ masks, vectors encode.Op }

var (
	gatherDD = gathering{encode.VPGATHERDD, encode.VPGATHERDDV}
	gatherDQ = gathering{encode.VPGATHERDQ, encode.VPGATHERDQV}
	gatherQD = gathering{encode.VPGATHERQD, encode.VPGATHERQDV}
	gatherQQ = gathering{encode.VPGATHERQQ, encode.VPGATHERQQV}
)

// gather loads elements of the lanes, zeros elsewhere. The instruction clears the set of lanes that it has.
func (s *group) gather(op gathering, at, lanes machine.Operand) machine.Operand {
	if s.HasMasks() {
		return s.Put(machine.Vector, machine.Instr{Op: op.masks, Tie: s.Zero().Reg, Mask: s.Test(encode.KMOVW, lanes)}, []machine.Operand{at})
	}
	own := s.Put(machine.Vector, machine.Instr{Op: s.Target.Move, Move: true}, []machine.Operand{lanes})
	return s.Put(machine.Vector, machine.Instr{Op: op.vectors, Tie: s.Zero().Reg}, []machine.Operand{at, own})
}

func (m *memoryAccess) scatter(op encode.Op, at, x, lanes machine.Operand) {
	s := m.groups[0]
	own := s.Test(encode.KMOVW, lanes)
	m.Code = append(m.Code, machine.Instr{Op: s.Sized(op), Args: [4]machine.Operand{at, x}, N: 2, Mask: own})
}

// giveWide sets a value of 64 bits, or the lower halves.
func (m *memoryAccess) giveWide(s *group, id simt.ID, x [2]machine.Operand) {
	if m.Values[id].Type != simt.B64 {
		s.Vectors[id].Parts[0] = s.Pick(x, 0, true)
		return
	}
	s.Vectors[id].Parts = x
}

// extend sets a value to elements that have been read as words.
func (m *memoryAccess) extend(s *group, id simt.ID, x machine.Operand) {
	if shift := 32 - 8*m.Size; shift > 0 {
		if m.Signed {
			x = s.New(encode.VPSRADI, s.New(encode.VPSLLDI, x, machine.Immediate(shift)), machine.Immediate(shift))
		} else {
			x = s.And(x, m.Const32(1<<(8*m.Size)-1))
		}
	}
	switch {
	case m.Values[id].Type != simt.B64:
		s.Vectors[id].Parts[0] = x
	case m.Signed:
		s.Vectors[id].Parts = s.WidenSigned(x)
	default:
		s.Vectors[id].Parts = s.Widen(x)
	}
}
