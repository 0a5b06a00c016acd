package lower

import (
	"fmt"
	"strings"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/lower/builder"
	"github.com/vop-ptx/vop/rewrite/word"
)

// The PTX targets, as [PTX] gives them for a new enough .version.
var (
	SM70 = PTX(70, newest)
	SM75 = PTX(75, newest)
	SM80 = PTX(80, newest)
	SM86 = PTX(86, newest)
	SM90 = PTX(90, newest)
	// SM120F stands for the family of sm_120, under its features: sm_120f, sm_120a, sm_121a ...
	SM120F = PTXTarget("sm_120f", newest)
)

// newest is a PTX version that has everything Form knows of.
var newest = isa.Version{Major: 9, Minor: 2}

// A gate says from which target and PTX version on some operations are native.
type gate struct {
	ops     []word.Op
	sm      int
	version isa.Version
	// family says that only targets of sm's family have it, whose names say so: sm_120f and
	// sm_121a for 120.
	family bool
}

// gates are those of the operations that not every target has.
//
// add.sat.s32 and sub.sat.s32, which every target has, are no operations: ptxas 11.8 at -O3
// folds a negation before them wrongly (neg t,a; sub.sat.s32 d,t,b gives 7fffffff for a=-1,
// b=5), for every target and in CUDA as well. The plain operations in their place
// (SaturatedWord) are as short as what ptxas makes of them.
//
// The packed operations on bytes, and the saturating ones on halves, are of PTX ISA 9.2 (9.7.1.1 add, 9.7.1.2 sub,
// 9.7.1.12 min and max) and need features of the family sm_120f: plain sm_120 has not got them.
var gates = []gate{
	{ops: []word.Op{word.SadU, word.SadS}, sm: 10, version: isa.Version{Major: 1}},
	{ops: []word.Op{word.Perm, word.PermS}, sm: 20, version: isa.Version{Major: 2}},                                                                         // prmt
	{ops: []word.Op{word.FunnelL, word.FunnelR}, sm: 32, version: isa.Version{Major: 3, Minor: 1}},                                                          // shf
	{ops: []word.Op{word.Logic3}, sm: 50, version: isa.Version{Major: 4, Minor: 3}},                                                                         // lop3
	{ops: []word.Op{word.DotU8, word.DotS8, word.DotU16, word.DotS16}, sm: 61, version: isa.Version{Major: 5}},                                              // dp4a, dp2a
	{ops: builder.ProductOps, sm: 61, version: isa.Version{Major: 5}},                                                                                       // dp4a, dp2a
	{ops: []word.Op{word.PackSatS8, word.PackSatU8, word.PackSatS16, word.PackSatU16}, sm: 72, version: isa.Version{Major: 6, Minor: 5}},                    // cvt.pack
	{ops: []word.Op{word.AbsDiffU8, word.AbsDiffS8, word.SadU8, word.SadS8}, sm: 75, version: isa.Version{Major: 3}},                                        // vabsdiff4, which is emulated before
	{ops: []word.Op{word.Add16, word.MinU16, word.MaxU16, word.MinS16, word.MaxS16}, sm: 90, version: isa.Version{Major: 8}},                                // add, min, max .s16x2 and .u16x2
	{ops: []word.Op{word.Add8, word.Sub8, word.MinU8, word.MaxU8, word.MinS8, word.MaxS8}, sm: 120, version: isa.Version{Major: 9, Minor: 2}, family: true}, // add, sub, min, max .s8x4 and .u8x4
	{ops: []word.Op{word.AddSatU8, word.AddSatS8, word.SubSatU8, word.SubSatS8}, sm: 120, version: isa.Version{Major: 9, Minor: 2}, family: true},           // add.sat, sub.sat .s8x4 and .u8x4
	{ops: []word.Op{word.AddSatU16, word.AddSatS16}, sm: 120, version: isa.Version{Major: 9, Minor: 2}, family: true},                                       // add.sat .s16x2 and .u16x2
}

// open reports whether a target and a version have what stands behind a gate.
func (g *gate) open(sm int, features bool, version isa.Version) bool {
	if version.Less(g.version) {
		return false
	}
	if g.family {
		return features && sm >= g.sm && sm/10 == g.sm/10
	}
	return sm >= g.sm
}

// PTX returns the capabilities of PTX code with the given .target (80 for sm_80) and .version.
func PTX(sm int, version isa.Version) word.Caps {
	return ptxCaps(fmt.Sprintf("sm_%d", sm), sm, false, version)
}

// PTXTarget is [PTX] for a target by its name, with its suffix: "sm_120f" has the features of
// its family. The target must be one that PTX knows.
func PTXTarget(target string, version isa.Version) word.Caps {
	sm, err := isa.ParseTarget(target)
	if err != nil {
		panic("lower: " + err.Error())
	}
	return ptxCaps(target, sm, strings.HasSuffix(target, "a") || strings.HasSuffix(target, "f"), version)
}

func ptxCaps(name string, sm int, features bool, version isa.Version) word.Caps {
	c := word.Portable.With(name)
	c.PTX, c.Compute = true, sm
	for n := range gates {
		if gates[n].open(sm, features, version) {
			c = c.With(c.Name, gates[n].ops...)
		}
	}
	return c
}

// Targets returns every named target's capabilities.
func Targets() []word.Caps {
	return []word.Caps{word.Portable, word.C, word.AVX2, word.AVX512, word.NEON, SM70, SM75, SM80, SM86, SM90, SM120F}
}

// Target returns the capabilities of the named target: "avx2", or any that PTX knows, with
// a new enough .version: "sm_80", "sm_90a".
func Target(name string) (word.Caps, error) {
	var others []string // that are not PTX's
	for _, c := range Targets() {
		if c.Name == name {
			return c, nil
		}
		if !c.PTX {
			others = append(others, c.Name)
		}
	}
	_, err := isa.ParseTarget(name)
	switch near := isa.Nearest(name, others); {
	case err == nil:
		return PTXTarget(name, newest), nil
	case len(near) > 0:
		return word.Caps{}, fmt.Errorf("no target %q: did you mean %s?", name, strings.Join(near, " or "))
	}
	return word.Caps{}, fmt.Errorf("%w (besides, there are %s)", err, strings.Join(others, ", "))
}
