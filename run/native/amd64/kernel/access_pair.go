package kernel

import (
	"slices"

	"github.com/vop-ptx/vop/run/native/amd64"
	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
	"github.com/vop-ptx/vop/run/native/amd64/vector"
	"github.com/vop-ptx/vop/run/simt"
)

// Two words side by side of which prmt takes four bytes, as kernels read words that are not aligned. Where both loads are
// among those that are looked at together, the bytes are loaded at once, and permuted, instead of the words.

// pair is such loads and what permutes them.
type pair struct {
	defines simt.ID                  // what the permutation gives
	second  *simt.Inst               // the later one of the loads: the bytes are loaded in its place
	bytes   [4 * simt.WarpSize]int64 // where the lanes' bytes are, from where the lowest address of the loads is that are looked at together
	node    vector.Node              // permutes the words, where each load looks for itself
	number  int                      // of the node; 0: nobody needs it
}

// findPairs finds the pairs of all blocks.
func (k *compiler) findPairs() {
	k.same.pairs, k.same.permuted = map[*simt.Inst]*pair{}, map[simt.ID]*pair{}
	if len(k.same.groups) == 0 {
		return
	}
	uses := make([]int32, len(k.Values))
	k.CountUses(uses)
	for b := range k.Blocks {
		for n := range k.Blocks[b].Insts {
			inst := &k.Blocks[b].Insts[n]
			if inst.Kind != simt.Compute || inst.Op.String() != "prmt.b32" {
				continue
			}
			if uses[inst.Args[0]] != 1 || uses[inst.Args[1]] != 1 {
				continue
			}
			if p := k.pairOf(k.Blocks[b].Insts[:n], inst); p != nil {
				k.same.pairs[k.defined[inst.Args[0]]], k.same.pairs[k.defined[inst.Args[1]]] = p, p
				k.same.permuted[inst.Defs[0]] = p
			}
		}
	}
}

// pairOf returns the pair that an instruction permutes, or nil. before are the instructions of its block that stand before
// it. Between the loads and the permutation nothing may write, or leave the rest of the block to steps: those would find no
// words.
func (k *compiler) pairOf(before []simt.Inst, permute *simt.Inst) *pair {
	selector, known := k.known.Operand(permute.Args[2])
	if !known || selector == nil || !selector.None {
		return nil
	}
	loads := [2]*simt.Inst{k.defined[permute.Args[0]], k.defined[permute.Args[1]]}
	group := k.same.groups[loads[0]]
	if group == nil || group != k.same.groups[loads[1]] {
		return nil
	}
	p := &pair{defines: permute.Defs[0]}
	var lanes [2][simt.WarpSize]int64
	for at, load := range loads {
		a := k.loadOf(load)
		if a.affine == 0 || a.Size != 4 || a.Elements != 1 || load.Guard != 0 || a.Ordering != (simt.Ordering{}) || k.Values[load.Defs[0]].Type != simt.B32 {
			return nil
		}
		_, from, _, _ := a.fromScalar()
		low, _ := a.affines[a.affine].Bounds()
		for l, c := range a.affines[a.affine].C {
			lanes[at][l] = from - group.low + c - low
		}
	}
	left := 2
	for n := len(before) - 1; left > 0; n-- {
		if n < 0 {
			return nil
		}
		switch i := &before[n]; {
		case i == loads[0] || i == loads[1]:
			if left--; left == 1 {
				p.second = i
			}
		case i.Kind == simt.Load:
		case i.Kind != simt.Compute || k.affines[i.Defs[0]] != nil && mayWrap(i):
			return nil
		}
	}
	for l, c := range selector.C {
		for at := range 4 {
			from := c >> (4 * at) & 15
			if from > 7 { // the sign of a byte
				return nil
			}
			p.bytes[4*l+at] = lanes[from/4][l] + from%4
		}
	}
	for _, s := range k.groups {
		if !k.canPermute(p.of(s)) {
			return nil
		}
	}
	return p
}

// loadOf returns a load as it is selected.
func (k *compiler) loadOf(inst *simt.Inst) *memoryAccess {
	m := &memoryAccess{compiler: k, Access: inst.Aux.(*simt.Access), inst: inst, together: k.same.groups[inst]}
	m.address, _ = k.native(inst)
	return m
}

// of is where the bytes of a group of lanes are.
func (p *pair) of(s *group) []int64 {
	return p.bytes[4*s.Target.Lanes*s.number:][:4*s.Target.Lanes]
}

// canPermute reports whether one load has all bytes of a group of lanes, from where they can be permuted: with AVX2 that
// goes inside 128 bits.
func (k *compiler) canPermute(bytes []int64) bool {
	within := func(bytes []int64, most int64) bool { return slices.Max(bytes)-slices.Min(bytes) < most }
	if k.Target.Level == amd64.AVX512 {
		return within(bytes, 64)
	}
	half := len(bytes) / 2
	return within(bytes[:half], 16) && within(bytes[half:], 16)
}

// loadPair loads the bytes of a group of lanes and permutes them.
func (m *memoryAccess) loadPair(s *group, bytes []int64) machine.Operand {
	at := func(first int64) machine.Operand { return machine.MemoryAt(m.together.host, int32(first)) }
	first := slices.Min(bytes)
	index := func(n int) byte { return byte(bytes[n] - first) }
	if s.Target.Level == amd64.AVX512 {
		load := encode.Op(encode.VMOVDQU32)
		if slices.Max(bytes)-first < 32 {
			load |= encode.L256
		}
		return s.New(encode.VPERMB, m.ConstBytes(index), s.New(load, at(first)))
	}
	half := len(bytes) / 2
	firsts := [2]int64{slices.Min(bytes[:half]), slices.Min(bytes[half:])}
	both := s.New(encode.VINSERTI128, s.New(encode.VMOVDQU|encode.L128, at(firsts[0])), at(firsts[1]), machine.Immediate(1))
	return s.New(encode.VPSHUFB, both, m.ConstBytes(func(n int) byte { return byte(bytes[n] - firsts[n/half]) }))
}

// accessPaired selects a load of a pair. Only where it looks for itself is a word loaded.
func (m *memoryAccess) accessPaired(p *pair) {
	k, a := m.compiler, m.known()
	low, high := a.Bounds()
	alone, otherwise, all, loaded, done := k.Asm.NewLabel(), k.Asm.NewLabel(), k.Asm.NewLabel(), k.Asm.NewLabel(), k.Asm.NewLabel()
	m.lookTogether(low, alone)
	permuted := m.inst == p.second
	var results grouped
	if permuted {
		for g, s := range m.groups {
			results[g] = m.loadPair(s, p.of(s))
			s.Vectors[p.defines].Parts[0] = results[g]
		}
	}
	k.do(func() { k.Bind(done) })
	k.InCold(func() {
		k.do(func() { k.Bind(alone) })
		m.forgetHost()
		m.checkBase(a, 0, low, high, otherwise)
		base := k.compute(encode.MOV|encode.S64, rax)
		k.do(func() { k.Bind(all) })
		m.eachGroup(a, low, [2]machine.Operand{base, base}, m.loadRegular)
		m.bindResume()
		k.do(func() { k.Bind(loaded) })
		if permuted {
			m.permuteWords(p, results)
		}
		k.do(func() {
			k.jump(done)
			k.Bind(otherwise)
		})
		if high-low <= maxNear && monotone(a.C[:]) {
			m.checkAtWork(a, low, [2]machine.Operand{base, base}, loaded)
			k.do(func() { k.jump(all) })
		} else {
			m.accessEach()
			k.do(func() { k.jump(loaded) })
		}
	})
}

// permuteWords permutes words that have been loaded, to where the bytes are otherwise.
func (m *memoryAccess) permuteWords(p *pair, results grouped) {
	k, d := m.compiler, p.defines
	k.noKeep = true
	k.saveCaches(func() {
		for g, s := range m.groups {
			s.Run(p.number)
			from := s.Vectors[d].Parts[0]
			k.Code = append(k.Code, machine.Instr{Op: k.Target.Move, Args: [4]machine.Operand{results[g], from}, N: 2, Defines: true, Move: true})
			s.Vectors[d].Parts[0] = results[g]
		}
	})
	k.noKeep = false
}
