package word

// Caps names a target and says which operations it has. The plain operations
// on words (Input to Select, but not Logic3) and the wide ones every target has;
// package lower uses the others only where Caps has them.
//
// Caps are comparable: equal ones give equal programs.
type Caps struct {
	Name string
	ops  [2]uint64 // bit n is Op n

	// NonNegativeDotS8 restricts DotS8 to weights 0 to 127: vpdpbusd multiplies
	// unsigned bytes by signed ones, so the weights must be the unsigned side.
	NonNegativeDotS8 bool
	// PTX says that ptxas assembles the program: it joins shifts and products with
	// additions, selects with predicates for nothing, and has three-input additions.
	PTX bool
	// Compute is the compute capability that PTX is for, 80 for 8.0: it decides what issues how fast.
	Compute int
	// DotIsLong says that Dot is several instructions.
	DotIsLong bool

	cost cost
}

// Has reports whether the target has an operation.
func (c Caps) Has(op Op) bool { return c.ops[op/64]>>(op%64)&1 != 0 }

// With returns c with more operations, under another name.
func (c Caps) With(name string, ops ...Op) Caps {
	c.Name = name
	for _, op := range ops {
		c.ops[op/64] |= 1 << (op % 64)
	}
	return c
}

// span returns the operations first to last.
func span(first, last Op) []Op {
	var all []Op
	for op := first; op <= last; op++ {
		all = append(all, op)
	}
	return all
}

// plain are the operations of every target.
var plain = Caps{}.With("", span(Input, AndNot)...).With("", span(Add, Select)...).With("", span(WideConst, Lo)...)

// The targets that are not PTX.
var (
	// Portable has the plain operations only: packed ones are made of them.
	Portable = plain.With("portable")
	// C is what C, Go and OpenCL functions are printed from.
	C = plain.With("c")

	// AVX2 has the packed operations but AbsDiffU8 and its kin. Perm costs it up to three
	// instructions (vpshufb, vpshufb, vpor), one if y is a constant 0; DotU8 and DotS8
	// three (vpmaddubsw, vpmaddwd, vpaddd), DotS16 two.
	AVX2 = avx2("avx2")
	// AVX512 is AVX-512 F, BW, VL, VBMI and VNNI: Perm (vpermt2b, vpshufb), DotU8,
	// DotS8 (vpdpbusd) and DotS16 (vpdpwssd) are one instruction, and so is Logic3.
	AVX512 = avx512()
	// NEON is Advanced SIMD of 64-bit Arm, with or without FEAT_DotProd. It has the packed operations, and absolute
	// differences. Perm is two instructions (tbl, tbx), one if x or y is a constant 0; a sum of bytes two (uaddlp, uadalp),
	// or one with FEAT_DotProd (udot), and a sum of halves one (uadalp).
	NEON = neon()
)

// cost tells which processor's instructions a program is weighed for.
type cost uint8

const (
	onePerOperation cost = iota
	costAVX2
	costNEON
)

func avx2(name string) Caps {
	c := plain.With(name, span(Add8, CmpGtS16)...).With(name, Perm, DotU8, DotS8, DotS16)
	c.NonNegativeDotS8, c.DotIsLong, c.cost = true, true, costAVX2
	return c
}

func avx512() Caps {
	c := avx2("avx512").With("avx512", Logic3)
	c.DotIsLong, c.cost = false, onePerOperation
	return c
}

func neon() Caps {
	c := plain.With("neon", span(Add8, DotS16)...).With("neon", SadU, SadS, Perm, AbsDiffS8, SadS8)
	c.cost = costNEON
	return c
}
