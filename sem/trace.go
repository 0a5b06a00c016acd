package sem

import "github.com/vop-ptx/vop/isa"

// Trace is the way from operands to result, stage by stage, as data.
type Trace struct {
	Reading Reading
	Form    isa.Form
	A, B, C uint32

	// Lanes are stages 1 to 3 of each lane, lane 0 (the lowest) first; scalar
	// instructions have one. Empty for vmad.
	Lanes []Lane
	// Mad is vmad's computation; nil for all others.
	Mad *Mad
	// Second is the secondary operation or accumulation; nil if there is none.
	Second *Secondary
	// Merge says where the pieces of D come from, lowest first, if the form
	// merges ([isa.Form.Merges]) or is a SIMD form without .add; nil otherwise.
	Merge []Piece

	D uint32
}

// Extract is a part of an operand, extracted and extended.
type Extract struct {
	Operand   byte     // 'a', 'b' or 'c'
	Low, Bits int      // position of its lowest bit in the operand, and its width
	Raw       uint32   // the bits
	Type      isa.Type // as which it is extended: the form's, but for rule Q6
	Value     int64    // extended as Type says
}

// Lane is stages 1 to 3 of one lane.
type Lane struct {
	A, B Extract
	// Amount is the shift amount after .clamp or .wrap; of vshl and vshr only.
	Amount int64
	// Result is the exact intermediate result (ruling R1 limits it to 34 bits).
	Result int64
	// Saturated is Result after .sat, which has the range Min to Max. Without
	// .sat it is Result, and Min and Max are 0.
	Saturated int64
	Sat       bool
	Min, Max  int64
	// Masked reports whether the lane's result is used: it is in the mask.
	// Always true in scalar forms.
	Masked bool
}

// Clamped reports whether saturation changed the result.
func (l Lane) Clamped() bool { return l.Saturated != l.Result }

// Mad is the computation of vmad.
type Mad struct {
	A, B          Extract
	SignedFinal   bool
	Product       Int128 // ta * tb
	NegateProduct bool
	Negated       Int128 // ~Product if NegateProduct, else Product
	NegateC       bool
	C             uint32 // ~c if NegateC, else c
	C128          Int128
	LSB           int64 // 1 with .po or a negation
	Sum           Int128
	Shift         uint   // 0, 7 or 15
	Scaled        Int128 // Sum after .shr7 or .shr15
	Sat           bool
	Min, Max      int64  // the range of .sat; 0 without
	Result        Int128 // Scaled after .sat; its lowest 32 bits are D
}

// Clamped reports whether saturation changed the result.
func (m Mad) Clamped() bool { return m.Result != m.Scaled }

// Secondary is a secondary operation on an intermediate result and c, or the
// accumulation of the lanes in the mask onto c.
type Secondary struct {
	Op     isa.Second
	T      int64 // the intermediate result as it enters: Saturated, but for rules Q9 and Q10; of lanes the sum
	C      int64 // c, extended as it enters
	Result int64 // of which the lowest 32 bits are D
}

// Piece is a piece of a merged result.
type Piece struct {
	Low, Bits int
	Lane      int    // the lane whose result it is, or -1 if it is from c
	Value     uint32 // the bits
}

// TraceOf evaluates an instruction as [EvalAs] does and returns all stages.
func TraceOf(r Reading, f isa.Form, a, b, c uint32) Trace {
	t := Trace{Reading: r, Form: f, A: a, B: b, C: c}
	q := rulesOf(r)
	switch {
	case f.Op == isa.Vmad:
		t.traceMad(mad(q, f, a, b, c))
	case f.Op == isa.Vset:
		t.traceScalar(set(q, f, a, b, c))
	case f.Op == isa.Vshl, f.Op == isa.Vshr:
		t.traceScalar(shift(q, f, a, b, c))
	case f.Op.Kind() == isa.Set:
		t.traceSIMD(simdSet(f, a, b, c))
	case f.Op.SIMD():
		t.traceSIMD(simd(f, a, b, c))
	default:
		t.traceScalar(scalar(q, f, a, b, c))
	}
	return t
}

func (t *Trace) traceScalar(s stages) {
	f := t.Form
	lane := Lane{
		A:         t.part('a', t.A, f.ASel, f.AType),
		B:         t.part('b', t.B, f.BSel, f.BType),
		Result:    s.tmp,
		Saturated: s.saturated,
		Sat:       f.Sat,
		Masked:    true,
	}
	if f.Mode != isa.NoMode {
		lane.Amount = s.tb
	}
	if f.Sat {
		lane.Min, lane.Max = rangeCompiled(rulesOf(t.Reading), f)
	}
	t.Lanes = []Lane{lane}
	if f.Second != isa.NoSecond {
		t.Second = &Secondary{f.Second, s.t, s.tc, s.second}
	}
	t.D = s.d
	if f.Merges() {
		t.Merge = pieces(s.d, f.DSel)
	}
}

// pieces cuts d into what is below dsel, dsel and what is above it.
func pieces(d uint32, dsel isa.Part) []Piece {
	cut := func(low, bits, lane int) Piece {
		return Piece{low, bits, lane, uint32(signExtend(d>>low, isa.U32, bits))}
	}
	var all []Piece
	if low := dsel.Shift(); low > 0 {
		all = append(all, cut(0, low, -1))
	}
	all = append(all, cut(dsel.Shift(), dsel.Bits(), 0))
	if end := dsel.Shift() + dsel.Bits(); end < 32 {
		all = append(all, cut(end, 32-end, -1))
	}
	return all
}

func (t *Trace) part(operand byte, x uint32, sel isa.Part, typ isa.Type) Extract {
	return Extract{operand, sel.Shift(), sel.Bits(), x >> sel.Shift() & (1<<sel.Bits() - 1), typ, partSelectSignExtend(x, typ, sel)}
}

func (t *Trace) traceSIMD(s simdStages) {
	f, n := t.Form, t.Form.Op.Lanes()
	bits := 32 / n
	low, high := saturationRange(f.DType.Signed(), bits)
	mask := extractMaskBits(f.Mask)
	sum := int64(0)
	for i := range n {
		lane := Lane{
			A:         t.lane(f.ALane.Lane(i), f.AType),
			B:         t.lane(f.BLane.Lane(i), f.BType),
			Result:    int64(s.t[i]),
			Saturated: int64(s.saturated[i]),
			Sat:       f.Sat,
			Masked:    mask[i],
		}
		if f.Sat {
			lane.Min, lane.Max = low, high
		}
		if lane.Masked {
			sum += lane.Saturated
		}
		t.Lanes = append(t.Lanes, lane)
	}
	t.D = s.d
	if f.Second != isa.NoSecond {
		t.Second = &Secondary{f.Second, sum, int64(t.C), int64(t.C) + sum}
		return
	}
	for i := range n {
		from := -1
		if mask[i] {
			from = i
		}
		t.Merge = append(t.Merge, Piece{i * bits, bits, from, uint32(signExtend(s.d>>(i*bits), isa.U32, bits))})
	}
}

// lane describes byte or half-word number k of the pair a, b.
func (t *Trace) lane(k int, typ isa.Type) Extract {
	n := t.Form.Op.Lanes()
	bits := 32 / n
	operand, word := byte('a'), t.A
	if k >= n {
		operand, word = 'b', t.B
	}
	low := k % n * bits
	return Extract{operand, low, bits, word >> low & (1<<bits - 1), typ, signExtend(word>>low, typ, bits)}
}

func (t *Trace) traceMad(s madStages) {
	f, q := t.Form, rulesOf(t.Reading)
	t.Mad = &Mad{
		A:             t.part('a', t.A, f.ASel, wordType(q, f.AType, f.ASel)),
		B:             t.part('b', t.B, f.BSel, wordType(q, f.BType, f.BSel)),
		SignedFinal:   s.signedFinal,
		Product:       s.product,
		NegateProduct: f.NegA != f.NegB,
		Negated:       s.tmp,
		NegateC:       f.NegC,
		C:             s.c,
		C128:          s.c128,
		LSB:           s.lsb,
		Sum:           s.sum,
		Shift:         f.Scale.Shift(),
		Scaled:        s.scaled,
		Sat:           f.Sat,
		Result:        s.result,
	}
	if f.Sat {
		t.Mad.Min, t.Mad.Max = saturationRange(s.signedFinal, 32)
	}
	t.D = s.d
}
