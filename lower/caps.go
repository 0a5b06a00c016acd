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
