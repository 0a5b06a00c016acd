package sem

import "github.com/vop-ptx/vop/isa"

// The stages of the scalar instructions as ptxas 11.8 compiles them: the
// manual's, but for the rules given. ptxas expands a scalar instruction into
// 64-bit integer operations; nearly every rule is a place where it looks at too
// few or too many of those 64 bits.

// finishCompiled is [finish] as compiled.
func finishCompiled(q ruleSet, f isa.Form, s *stages, c uint32) {
	s.saturated = saturateCompiled(q, f, s.tmp)
	s.t = s.saturated
	if minOrMax(f) {
		s.t, s.tc, s.second = minMaxCompiled(q, f, s, c)
	} else {
		s.second = optSecOp(f.Second, s.t, s.tc)
	}
	s.d = uint32(mergeCompiled(q, f.DSel, s.second, s.tc))
}

// saturateCompiled is [optSaturate] as compiled.
func saturateCompiled(q ruleSet, f isa.Form, tmp int64) int64 {
	if !f.Sat {
		return tmp
	}
	low, high := rangeCompiled(q, f)
	if q.has(unsignedPart) && f.Mode == isa.NoMode && f.DSel != isa.Word {
		return int64(min(uint64(tmp), uint64(high)))
	}
	return clamp(tmp, low, high)
}

// rangeCompiled is [saturationRange] as compiled.
func rangeCompiled(q ruleSet, f isa.Form) (low, high int64) {
	sign := f.DType.Signed()
	shift := f.Mode != isa.NoMode
	part := f.DSel != isa.Word
	low, high = saturationRange(sign, f.DSel.Bits())
	switch {
	case q.has(wholeRange) && shift && part:
		return saturationRange(sign, 32)
	case q.has(unsignedPart) && !shift && part:
		return 0, high
	case q.has(noUpperEnd) && !shift && !part && !sign:
		return 0, 1<<33 - 1 // the highest of 34 bits
	}
	return low, high
}

// minMaxCompiled is [optSecOp] for .min and .max as compiled. It returns also the
// intermediate result and c as they were compared.
func minMaxCompiled(q ruleSet, f isa.Form, s *stages, c uint32) (t, tc, result int64) {
	typ := f.DType
	if q.has(setByA) && f.Op == isa.Vset {
		typ = f.AType
	}
	tc = partSelectSignExtend(c, typ, isa.Word)

	t = s.saturated
	switch f.Op {
	case isa.Vadd, isa.Vsub:
		if q.has(signedSecond) {
			t = int64(int32(t))
		}
	case isa.Vshl, isa.Vshr:
		if q.has(signedSecond) && f.Sat {
			t = int64(int32(t))
		}
		if q.has(allBits) && !f.Sat {
			t = s.exact
		}
	}

	less := t < tc
	if q.has(unsignedSecond) && !typ.Signed() {
		less = uint64(t) < uint64(tc)
	}
	if less == (f.Second == isa.SecondMin) {
		return t, tc, t
	}
	return t, tc, tc
}

// mergeCompiled is [optMerge] as compiled.
func mergeCompiled(q ruleSet, dsel isa.Part, tmp, c int64) int64 {
	if q.has(upperHalf) && dsel == isa.H1 {
		return tmp&0xffff0000 | 0x0000ffff&c
	}
	return optMerge(dsel, tmp, c)
}

// wordType returns the type as which vmad multiplies a or b.
func wordType(q ruleSet, typ isa.Type, sel isa.Part) isa.Type {
	if q.has(signedWords) && sel == isa.Word {
		return isa.S32
	}
	return typ
}
