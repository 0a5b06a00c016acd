package lower

// Caps names a target and says which operations it has. The plain operations
// on words (Input to Select but Logic3) and the wide ones every target has;
// [Form] uses the others only where Caps has them.
//
// Caps are comparable: equal ones give equal programs.
type Caps struct {
	Name string
	ops  [2]uint64 // bit n is Op n

	// NonNegativeDotS8 restricts DotS8 to weights 0 to 127: vpdpbusd multiplies
	// unsigned bytes by signed ones, so the weights must be the unsigned side.
	NonNegativeDotS8 bool
	// SelectsOne says that Select is as cheap as a logic operation, and a
	// comparison that is only selected on needs no mask, so 1 or 0 is better
	// selected than masked out.
	SelectsOne bool
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
var plain = Caps{}.With("", span(Input, Select)...).With("", span(WideConst, Lo)...).without(Logic3)

func (c Caps) without(op Op) Caps {
	c.ops[op/64] &^= 1 << (op % 64)
	return c
}

// The targets.
var (
	// Portable has the plain operations only: packed ones are made of them.
	Portable = plain.With("portable")
	// C is what C, Go and OpenCL functions are printed from.
	C = plain.With("c")

	// AVX2 has the packed operations but AbsDiffU8 and SadU8. Perm costs it up to three
	// instructions (vpshufb, vpshufb, vpor), one if y is a constant 0; DotU8 and DotS8
	// three (vpmaddubsw, vpmaddwd, vpaddd), DotS16 two.
	AVX2 = avx2("avx2")
	// AVX512 is AVX-512 F, BW, VL, VBMI and VNNI: Perm (vpermt2b, vpshufb), DotU8,
	// DotS8 (vpdpbusd) and DotS16 (vpdpwssd) are one instruction, and so is Logic3.
	AVX512 = avx2("avx512").With("avx512", Logic3)

	// SM70 to SM90 are PTX targets: lop3, prmt with sign replication, add.sat, sad, dp4a and dp2a.
	SM70 = sm("sm_70")
	// SM75 adds vabsdiff4.u32.u32.u32 and its .add, native from there on, and cvt.pack.
	SM75 = sm("sm_75").With("sm_75", AbsDiffU8, SadU8, PackSatS8, PackSatU8, PackSatS16, PackSatU16)
	SM80 = SM75.With("sm_80")
	SM86 = SM75.With("sm_86")
	// SM90 adds add, min and max on halves (s16x2, u16x2; PTX ISA 8.0).
	SM90 = SM75.With("sm_90", Add16, MinU16, MaxU16, MinS16, MaxS16)
)

func avx2(name string) Caps {
	c := plain.With(name, span(Add8, CmpGtS16)...).With(name, Perm, DotU8, DotS8, DotS16)
	c.NonNegativeDotS8 = true
	return c
}

func sm(name string) Caps {
	c := plain.With(name, Logic3, Perm, PermS, AddSatS, SubSatS, SadU, SadS, DotU8, DotS8, DotU16, DotS16)
	c.SelectsOne = true
	return c
}

// Targets returns every target's capabilities.
func Targets() []Caps {
	return []Caps{Portable, C, AVX2, AVX512, SM70, SM75, SM80, SM86, SM90}
}

// Target returns the capabilities of the named target: "avx2", "sm_80".
func Target(name string) (Caps, bool) {
	for _, c := range Targets() {
		if c.Name == name {
			return c, true
		}
	}
	return Caps{}, false
}

// cost weighs a program for choosing among several: about the number of machine
// instructions, each wide operation counted twice.
func (c Caps) cost(p *Program) int {
	uses := map[Value]bool{} // comparisons that are used as a mask
	for n := range p.Insts {
		for k, v := range p.Insts[n].args() {
			if isCompare(p.Insts[v].Op) && (p.Insts[n].Op != Select || k > 0) {
				uses[v] = true
			}
		}
	}
	total := 0
	for n := range p.Insts {
		total += c.weight(p, Value(n))
		if c.SelectsOne && uses[Value(n)] {
			total += unit
		}
	}
	return total
}

// unit is the weight of an operation that is one machine instruction.
const unit = 4

// weight returns the cost of one instruction.
func (c Caps) weight(p *Program, n Value) int {
	i := &p.Insts[n]
	switch {
	case i.Op.Args() == 0:
		return 0
	case i.Op.Wide() || i.Op.TakesWide():
		return 2 * unit
	case c.Name == "avx2":
		return avx2Weight(p, i)
	case c.SelectsOne:
		return smWeight(p, n)
	}
	return unit
}

func avx2Weight(p *Program, i *Inst) int {
	switch i.Op {
	case Perm:
		if k, ok := p.ConstOf(i.Arg[1]); ok && k == 0 {
			return unit
		}
		return 3 * unit
	case DotU8, DotS8:
		return 3 * unit
	case DotS16, CmpGtU8, CmpGtU16, CmpLtU:
		return 2 * unit
	}
	return unit
}

// smWeight knows that ptxas joins a constant shift, or a product, with the addition of its
// result, and makes five instructions of a saturating addition of words.
func smWeight(p *Program, n Value) int {
	i := &p.Insts[n]
	switch i.Op {
	case AddSatS, SubSatS:
		return 5 * unit
	case Add:
		for _, v := range i.args() {
			switch term := &p.Insts[v]; term.Op {
			case Mul:
				return 0
			case Shl, ShrU, ShrS:
				if _, ok := p.ConstOf(term.Arg[1]); ok {
					return 0
				}
			}
		}
	}
	return unit
}
