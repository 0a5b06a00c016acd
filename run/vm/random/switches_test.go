package random

import (
	"fmt"
	"regexp"
	"testing"

	"github.com/vop-ptx/vop/internal/long"
	"github.com/vop-ptx/vop/internal/model"
	"github.com/vop-ptx/vop/run/native"
	"github.com/vop-ptx/vop/run/native/amd64"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// switches are ways to make machine code of kernels: each optimisation left out, few registers, short turns.
func switches() map[string]native.Options {
	all := map[string]native.Options{
		"nothing fused":   {Without: amd64.AllFusions},
		"few registers":   {Registers: 10},
		"constants":       {NoHoist: true},
		"careful":         {Careful: true},
		"streamed":        {Stream: 1},
		"short turns":     {Turn: 40},
		"all of it small": {Turn: 40, Registers: 10, NoHoist: true},
	}
	if native.Supported(native.NEON) {
		all["no more than NEON"] = native.Options{Base: true}
	}
	for f := amd64.Fusion(1); f <= amd64.AllFusions; f <<= 1 {
		all["without "+f.String()] = native.Options{Without: f}
	}
	return all
}

// alone are the instructions by which lanes see what others do that are at work with them, and do not wait for others.
var alone = regexp.MustCompile(`\b(activemask|(shfl|vote)\.[^s])`)

// TestSwitches holds random kernels against the model with every switch of machine code, each with others. Launches that
// are watched run no machine code.
func TestSwitches(t *testing.T) {
	all, ways := switches(), onlyPlain(vmtest.MachineLevels(t))
	count := uint64(len(all))
	first, to := vmtest.SeedRange(t, count*long.Seeds[uint64](10, 2))
	seeds := (to - first) / count
	for name, o := range all {
		t.Run(name, func(t *testing.T) {
			defer vmtest.WithMachineCode(o)()
			vmtest.EachSeed(t, first, first+seeds, func(t *testing.T, seed uint64) {
				// Lanes that lose their turns part: which are at work together is another thing then.
				if o.Turn == 0 || !alone.MatchString(model.New(seed).Text()) {
					testModelSeed(t, seed, ways)
				}
			})
		})
		first += seeds
	}
}

// TestShortTurns holds random kernels against the model whose lanes lose their turns after few jumps back, in steps and in machine code:
// loops of random kernels are short.
func TestShortTurns(t *testing.T) {
	for _, turn := range []int{1, 2, 3} {
		t.Run(fmt.Sprint(turn), func(t *testing.T) {
			defer vmtest.WithTurns(turn)()
			defer vmtest.WithMachineCode(native.Options{Turn: 40})()
			from, to := vmtest.SeedRange(t, long.Seeds[uint64](100, 40))
			vmtest.EachSeed(t, from, to, func(t *testing.T, third uint64) {
				seed := 3*third + uint64(turn)
				if !alone.MatchString(model.New(seed).Text()) {
					testModelSeed(t, seed, allModelWays(seed))
				}
			})
		})
	}
}
