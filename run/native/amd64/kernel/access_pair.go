package kernel

import (
	"slices"

	"github.com/vop-ptx/vop/run/native/amd64"
	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
	"github.com/vop-ptx/vop/run/native/amd64/vector"
	"github.com/vop-ptx/vop/run/native/amd64/warp"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/address"
)

// Two words side by side of which prmt takes four bytes. Where both loads are among those that are looked at together, the
// bytes are loaded at once, and permuted, in place of the second word. If others read the first one too, that is only done
// where the bytes need not be permuted.

// pair is such loads and what permutes them.
type pair struct {
	*address.Pair
	node   vector.Node // permutes the words, where each load looks for itself
	number int         // of the node; 0: nobody needs it
}

// findPairs finds the pairs of all blocks.
func (k *compiler) findPairs() {
	k.loads.pairs, k.loads.permuted = map[*simt.Inst]*pair{}, map[simt.ID]*pair{}
	all := k.addresses.Pairs(k.loads.together, func(p *address.Pair) bool {
		for _, s := range k.Groups {
			if bytes := (&pair{Pair: p}).of(s); !k.canPermute(bytes) || p.Shared && !sideBySide(bytes) {
				return false
			}
		}
		return true
	})
	for load, p := range all {
		if k.loads.permuted[p.Defines] == nil {
			k.loads.permuted[p.Defines] = &pair{Pair: p}
		}
		k.loads.pairs[load] = k.loads.permuted[p.Defines]
	}
}

// of is where the bytes of a group of lanes are.
func (p *pair) of(s *warp.Group) []int64 {
	return p.Bytes[4*s.Target.Lanes*s.Number:][:4*s.Target.Lanes]
}

// sideBySide reports whether bytes are in order without gaps.
func sideBySide(bytes []int64) bool {
	for n, at := range bytes {
		if at != bytes[0]+int64(n) {
			return false
		}
	}
	return true
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
func (m *memoryAccess) loadPair(s *warp.Group, bytes []int64) machine.Operand {
	at := func(first int64) machine.Operand { return machine.MemoryAt(m.together.host, int32(first)) }
	if sideBySide(bytes) {
		return s.New(m.Target.Move, at(bytes[0]))
	}
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

// accessPaired selects a load of a pair. Only where it looks for itself is a word loaded. That code goes forward only, as
// registers are free behind the last instruction that reads them.
func (m *memoryAccess) accessPaired(p *pair) {
	k, a := m.compiler, m.relative()
	low, high := a.Bounds()
	near := high-low <= maxNear && monotone(a.C[:])
	alone, otherwise, all, loaded, done := k.Asm.NewLabel(), k.Asm.NewLabel(), k.Asm.NewLabel(), k.Asm.NewLabel(), k.Asm.NewLabel()
	m.lookTogether(low, alone)
	permuted := m.inst == p.Second
	var results warp.Grouped
	if permuted {
		for g, s := range m.Groups {
			results[g] = m.loadPair(s, p.of(s))
			s.Vectors[p.Defines].Parts[0] = results[g]
		}
	}
	k.InCold(func() {
		k.Do(func() { k.Bind(alone) })
		m.forgetHost()
		m.checkBase(a, 0, low, high, otherwise)
		base := k.Compute(encode.MOV|encode.S64, rax)
		bases := [2]machine.Operand{base, base}
		if near {
			k.Do(func() {
				k.Jump(all)
				k.Bind(otherwise)
			})
			m.checkAtWork(a, low, bases, loaded)
			k.Do(func() { k.Bind(all) })
		}
		m.eachGroup(a, low, bases, m.loadRegular)
		m.bindResume()
		if !near {
			k.Do(func() {
				k.Jump(loaded)
				k.Bind(otherwise)
			})
			m.accessEach()
		}
		k.Do(func() { k.Bind(loaded) })
		if permuted {
			m.permuteWords(p, results)
		}
		k.Do(func() { k.Jump(done) })
	})
	k.Do(func() { k.Bind(done) })
}

// permuteWords permutes words that have been loaded, to where the bytes are otherwise.
func (m *memoryAccess) permuteWords(p *pair, results warp.Grouped) {
	k, d := m.compiler, p.Defines
	k.Briefly(func() {
		for g, s := range m.Groups {
			s.Run(p.number)
			from := s.Vectors[d].Parts[0]
			k.Code = append(k.Code, machine.Instr{Op: k.Target.Move, Args: [4]machine.Operand{results[g], from}, N: 2, Defines: true, Move: true})
			s.Vectors[d].Parts[0] = results[g]
		}
	})
}
