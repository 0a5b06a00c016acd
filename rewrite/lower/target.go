package lower

import (
	"fmt"
	"strings"

	"github.com/vop-ptx/vop/rewrite/word"

	"github.com/vop-ptx/vop/isa"
)

// The PTX targets, as [PTX] gives them for a new enough .version.
var (
	SM70 = PTX(70, newest)
	SM75 = PTX(75, newest)
	SM80 = PTX(80, newest)
	SM86 = PTX(86, newest)
	SM90 = PTX(90, newest)
)

// newest is a PTX version that has everything Form knows of.
var newest = isa.Version{Major: 8}

// gates says from which target and PTX version on an operation is native.
//
// add.sat.s32 and sub.sat.s32, which every target has, are no operations: ptxas 11.8 at -O3
// folds a negation before them wrongly (neg t,a; sub.sat.s32 d,t,b gives 7fffffff for a=-1,
// b=5), for every target and in CUDA as well. The plain operations in their place
// (saturatedWord) are as short as what ptxas makes of them.
var gates = []struct {
	ops     []word.Op
	sm      int
	version isa.Version
}{
	{[]word.Op{word.SadU, word.SadS}, 10, isa.Version{Major: 1}},
	{[]word.Op{word.Perm, word.PermS}, 20, isa.Version{Major: 2}},                                                      // prmt
	{[]word.Op{word.Logic3}, 50, isa.Version{Major: 4, Minor: 3}},                                                      // lop3
	{[]word.Op{word.DotU8, word.DotS8, word.DotU16, word.DotS16}, 61, isa.Version{Major: 5}},                           // dp4a, dp2a
	{[]word.Op{word.PackSatS8, word.PackSatU8, word.PackSatS16, word.PackSatU16}, 72, isa.Version{Major: 6, Minor: 5}}, // cvt.pack
	{[]word.Op{word.AbsDiffU8, word.AbsDiffS8, word.SadU8, word.SadS8}, 75, isa.Version{Major: 3}},                     // vabsdiff4, which is emulated before
	{[]word.Op{word.Add16, word.MinU16, word.MaxU16, word.MinS16, word.MaxS16}, 90, isa.Version{Major: 8}},             // add, min, max .s16x2 and .u16x2
}

// PTX returns the capabilities of PTX code with the given .target (80 for sm_80) and .version.
func PTX(sm int, version isa.Version) word.Caps {
	c := word.Portable.With(fmt.Sprintf("sm_%d", sm))
	c.PTX, c.Compute = true, sm
	for _, gate := range gates {
		if sm >= gate.sm && !version.Less(gate.version) {
			c = c.With(c.Name, gate.ops...)
		}
	}
	return c
}

// Targets returns every named target's capabilities.
func Targets() []word.Caps {
	return []word.Caps{word.Portable, word.C, word.AVX2, word.AVX512, SM70, SM75, SM80, SM86, SM90}
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
	sm, err := isa.ParseTarget(name)
	switch near := isa.Nearest(name, others); {
	case err == nil:
		return PTX(sm, newest).With(name), nil
	case len(near) > 0:
		return word.Caps{}, fmt.Errorf("no target %q: did you mean %s?", name, strings.Join(near, " or "))
	}
	return word.Caps{}, fmt.Errorf("%w (besides, there are %s)", err, strings.Join(others, ", "))
}
