package kernel

import (
	"math"
	"math/bits"

	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
	"github.com/vop-ptx/vop/run/native/amd64/warp"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/address"
	"github.com/vop-ptx/vop/run/simt/affine"
)

// Accesses at affine addresses. Where the lanes are is known but for a scalar, so that one comparison of scalars tells
// whether all are in the window, and what is loaded is a vector, or a few that are permuted. If not all are there, be it
// that lanes are not at work, the first and the last that are at work are looked at, or the addresses are made vectors
// and each is.

// accessAffine selects an access at an affine address, or at scalars plus an affine index.
func (m *memoryAccess) accessAffine() {
	k := m.compiler
	a := m.relative()
	low, high := a.Bounds()
	if !address.Regular(&a, m.Access) || high-low > 1<<20 {
		m.accessEach()
		return
	}
	near := high-low <= maxNear && monotone(a.C[:])
	otherwise, all, done := k.Asm.NewLabel(), k.Asm.NewLabel(), k.Asm.NewLabel()
	var bases [2]machine.Operand
	if m.together != nil {
		bases[0] = m.hostTogether(low, func() { m.checkBase(a, 0, low, high, otherwise) }, all)
		bases[1] = bases[0]
	} else {
		bases = m.checkBases(a, low, high, otherwise)
	}
	if near {
		k.InCold(func() {
			k.Do(func() { k.Bind(otherwise) })
			m.checkAtWork(a, low, bases, done)
			k.Do(func() { k.Jump(all) })
		})
	}
	k.Do(func() { k.Bind(all) })
	groups := func(f func(s *warp.Group, base machine.Operand, at []int64)) { m.eachGroup(a, low, bases, f) }
	if m.inst.Kind == simt.Load {
		groups(m.loadRegular)
	} else {
		m.streamOrNot(a, bases, func() {
			groups(m.streamRegular)
		}, func() {
			m.fullOrNot(func(full bool) {
				groups(func(s *warp.Group, base machine.Operand, at []int64) { m.storeRegular(s, base, at, full) })
			})
		})
	}
	if !near {
		k.InCold(func() {
			k.Do(func() { k.Bind(otherwise) })
			m.accessEach()
			k.Do(func() { k.Jump(done) })
		})
	}
	k.Do(func() { k.Bind(done) })
}

// eachGroup calls f for each group of lanes, with where the lowest address is in memory and where the lanes are from there.
func (m *memoryAccess) eachGroup(a affine.Value, low int64, bases [2]machine.Operand, f func(s *warp.Group, base machine.Operand, at []int64)) {
	for g, s := range m.Groups {
		at := make([]int64, s.Target.Lanes)
		for l := range at {
			at[l] = a.C[s.Target.Lanes*g+l] - low
		}
		f(s, bases[s.HalfOfWarp()], at)
	}
}

// relative is what is known of the address: that its scalars are those of the index is told apart.
func (m *memoryAccess) relative() affine.Value {
	if m.Affine != 0 {
		return *m.Affines[m.Affine]
	}
	a := *m.Affines[m.Index]
	for l := range a.C {
		a.C[l] *= int64(m.Scale)
	}
	return a
}

// accessEach is an access at vectors of the address.
func (m *memoryAccess) accessEach() {
	k, id := m.compiler, m.Affine
	if id == 0 {
		id = m.Index
	}
	var before [warp.MaxGroups]operandPair
	if m.inst.Kind == simt.Load {
		for g, s := range m.Groups {
			for e, d := range m.inst.Defs {
				if d != 0 {
					before[g][e] = s.Vectors[d].Parts
				}
			}
		}
	}
	k.Briefly(func() {
		switch {
		case id == m.Index:
		case m.Narrow:
			m.Index, m.Scale = id, 1
		default:
			m.Wide = id
		}
		for g, s := range m.Groups {
			v := s.Value(id)
			m.parts[g] = v.Parts
		}
		m.accessVectors()
		// What has been loaded is where the other way has it.
		if m.inst.Kind == simt.Load {
			for g, s := range m.Groups {
				for e, d := range m.inst.Defs {
					if d == 0 || before[g][e][0].None() {
						continue
					}
					for p, to := range before[g][e] {
						if to.None() {
							continue
						}
						from := s.Vectors[d].Parts[p]
						k.Code = append(k.Code, machine.Instr{Op: k.Target.Move, Args: [4]machine.Operand{to, from}, N: 2, Defines: true, Move: true})
					}
					s.Vectors[d].Parts = before[g][e]
				}
			}
		}
	})
}

// operandPair has the parts of the elements of an access.
type operandPair [8][2]machine.Operand

// checkBases leaves in registers where the lowest address is in memory, of each half of the warp, or goes to a label if
// not all lanes are in the window.
func (m *memoryAccess) checkBases(a affine.Value, low, high int64, each encode.Label) (bases [2]machine.Operand) {
	for g := range bases {
		if g == 1 && !a.Split {
			bases[1] = bases[0]
			break
		}
		m.checkBase(a, g, low, high, each)
		bases[g] = m.Compute(encode.MOV|encode.S64, rax)
	}
	return bases
}

// checkBase leaves in RAX what checkBases does for a half of the warp.
func (m *memoryAccess) checkBase(a affine.Value, g int, low, high int64, each encode.Label) {
	k := m.compiler
	k.sites[m.site].Extent = high - low
	miss := func(c encode.Cond) { k.Do(func() { k.JumpIf(c, each) }) }
	if m.Affine != 0 {
		m.lowest(a, g, low)
	} else {
		m.lowestIndexed(g, low, miss)
	}
	m.toHost(m.window, m.alwaysAligned(a, low), miss)
}

// toHost makes of the lowest address, in RAX, where it is in memory, or misses if not all is in a window, or the address is no
// multiple of what the access spans. aligned says that it always is one.
func (m *memoryAccess) toHost(window int32, aligned bool, miss func(encode.Cond)) {
	in := func(offset int32) machine.Operand { return machine.Fixed(encode.At(windowsReg, window+offset)) }
	// An address before the window is past the largest number, and so is, rotated, one that is no multiple of the span.
	m.Fixedly(encode.SUB|encode.S64, rax, in(WindowBase))
	if span := m.Span(); span > 1 && !aligned {
		m.Fixedly(encode.RORX|encode.S64, rcx, rax, machine.Immediate(bits.TrailingZeros64(span)))
		m.Fixedly(encode.CMP|encode.S64, rcx, in(WindowSpans))
	} else {
		m.Fixedly(encode.CMP|encode.S64, rax, in(WindowRange))
	}
	miss(encode.CondAE)
	m.Fixedly(encode.ADD|encode.S64, rax, in(WindowHost))
}

// alwaysAligned reports whether the lowest address is known to be a multiple of what the access spans.
func (m *memoryAccess) alwaysAligned(a affine.Value, low int64) bool {
	disp := low
	if m.Affine == 0 {
		return false
	}
	disp += int64(m.Disp)
	span := int64(m.Span())
	return disp&(span-1) == 0 && (a.None || 1<<min(a.Zeros, 62) >= span)
}

// lowest leaves in RAX the lowest address of an affine address.
func (m *memoryAccess) lowest(a affine.Value, g int, low int64) {
	size, disp := encode.Op(encode.S64), low+int64(m.Disp)
	if m.Narrow {
		size, disp = encode.S32, int64(int32(disp))
	}
	if a.None {
		m.putConstant(rax, uint64(disp))
		return
	}
	x := m.ScalarParts(m.Affine)[g]
	if disp == int64(int32(disp)) {
		m.Fixedly(encode.LEA|size, rax, machine.MemoryAt(x, int32(disp)))
		return
	}
	m.Fixedly(encode.MOV|encode.S64, rax, machine.Fixed(m.Asm.Const64(uint64(disp))))
	m.Fixedly(encode.ADD|encode.S64, rax, x)
}

// lowestIndexed leaves in RAX the lowest address of scalars plus an affine index, unless its sums wrap around.
func (m *memoryAccess) lowestIndexed(g int, low int64, miss func(encode.Cond)) {
	index := m.Affines[m.Index]
	first, last := index.Bounds()
	x := m.ScalarParts(m.Index)[g]
	inRange := index.Limit >= 0 && first >= 0 && index.Limit+last <= math.MaxInt32
	if m.BySign && !inRange {
		m.Fixedly(encode.MOVSXD|encode.S64, rdx, x)
	} else {
		m.Fixedly(encode.MOV|encode.S32, rdx, x)
	}
	if !inRange {
		m.IfWraps(rdx, first, last, m.BySign, miss)
	}
	m.sum()
	m.Fixedly(encode.LEA|encode.S64, rax, machine.Fixed(encode.AtIndex(encode.RAX, encode.RDX, m.Scale, int32(low))))
}

// step returns by how much the addresses of neighbouring lanes differ, if that is the same for all.
func step(at []int64) (by int64, same bool) {
	by = at[1] - at[0]
	for l := 1; l < len(at); l++ {
		if at[l]-at[l-1] != by {
			return 0, false
		}
	}
	return by, true
}

// extent returns the lowest address and how many bytes there are up to the end of the highest element.
func extent(at []int64, size int) (first, bytes int64) {
	first = at[0]
	last := at[0]
	for _, x := range at {
		first, last = min(first, x), max(last, x)
	}
	return first, last - first + int64(size)
}
