package lower

import (
	"fmt"
	"strings"

	"github.com/vop-ptx/vop/isa"
)

// Caps names a target and says which operations it has. The plain operations
// on words (Input to Select, but not Logic3) and the wide ones every target has;
// [Form] uses the others only where Caps has them.
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
	// dotIsLong says that Dot is several instructions.
	dotIsLong bool
	// dotWeightsCost says that each weight of a Dot takes an instruction to load.
	dotWeightsCost bool
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

// The targets.
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

	// SM70 and the others are PTX targets as [PTX] gives them for a new enough .version.
	SM70 = PTX(70, newest)
	SM75 = PTX(75, newest)
	SM80 = PTX(80, newest)
	SM86 = PTX(86, newest)
	SM90 = PTX(90, newest)
)

func avx2(name string) Caps {
	c := plain.With(name, span(Add8, CmpGtS16)...).With(name, Perm, DotU8, DotS8, DotS16)
	c.NonNegativeDotS8, c.dotIsLong = true, true
	return c
}

func avx512() Caps {
	c := avx2("avx512").With("avx512", Logic3)
	c.dotIsLong = false
	return c
}

// newest is a PTX version that has everything Form knows of.
var newest = isa.Version{Major: 8}

// gates says from which target and PTX version on an operation is native.
//
// add.sat.s32 and sub.sat.s32, which every target has, are no operations: ptxas 11.8 at -O3
// folds a negation before them wrongly (neg t,a; sub.sat.s32 d,t,b gives 7fffffff for a=-1,
// b=5), for every target and in CUDA as well. The plain operations in their place
// (saturatedWord) are as short as what ptxas makes of them.
var gates = []struct {
	ops     []Op
	sm      int
	version isa.Version
}{
	{[]Op{SadU, SadS}, 10, isa.Version{Major: 1}},
	{[]Op{Perm, PermS}, 20, isa.Version{Major: 2}},                                            // prmt
	{[]Op{Logic3}, 50, isa.Version{Major: 4, Minor: 3}},                                       // lop3
	{[]Op{DotU8, DotS8, DotU16, DotS16}, 61, isa.Version{Major: 5}},                           // dp4a, dp2a
	{[]Op{PackSatS8, PackSatU8, PackSatS16, PackSatU16}, 72, isa.Version{Major: 6, Minor: 5}}, // cvt.pack
	{[]Op{AbsDiffU8, AbsDiffS8, SadU8, SadS8}, 75, isa.Version{Major: 3}},                     // vabsdiff4, which is emulated before
	{[]Op{Add16, MinU16, MaxU16, MinS16, MaxS16}, 90, isa.Version{Major: 8}},                  // add, min, max .s16x2 and .u16x2
}

// PTX returns the capabilities of PTX code with the given .target (80 for sm_80) and .version.
func PTX(sm int, version isa.Version) Caps {
	c := plain.With(fmt.Sprintf("sm_%d", sm))
	c.PTX = true
	c.dotWeightsCost = sm >= 90
	for _, gate := range gates {
		if sm >= gate.sm && !version.Less(gate.version) {
			c = c.With(c.Name, gate.ops...)
		}
	}
	return c
}

// Targets returns every named target's capabilities.
func Targets() []Caps {
	return []Caps{Portable, C, AVX2, AVX512, SM70, SM75, SM80, SM86, SM90}
}

// Target returns the capabilities of the named target: "avx2", or any that PTX knows, with
// a new enough .version: "sm_80", "sm_90a".
func Target(name string) (Caps, error) {
	var others []string // that are not PTX's
	for _, c := range Targets() {
		if c.Name == name {
			return c, nil
		}
		if !c.PTX {
			others = append(others, c.Name)
		}
	}
	sm, err := isa.ParseTarget(name)
	switch near := isa.Nearest(name, others); {
	case err == nil:
		return PTX(sm, newest).With(name), nil
	case len(near) > 0:
		return Caps{}, fmt.Errorf("no target %q: did you mean %s?", name, strings.Join(near, " or "))
	}
	return Caps{}, fmt.Errorf("%w (besides, there are %s)", err, strings.Join(others, ", "))
}
