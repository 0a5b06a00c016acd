package lower_test

import (
	"math/rand/v2"
	"testing"

	"github.com/vop-ptx/vop/internal/long"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/lower"
	"github.com/vop-ptx/vop/rewrite/word"
)

// ofConstants returns an operation of a program all of whose arguments are constants.
func ofConstants(p *word.Program) (v word.Value, found bool) {
	for n := range p.Insts {
		constants := 0
		for _, arg := range p.Insts[n].Args() {
			if op := p.Insts[arg].Op; op == word.Const || op == word.WideConst {
				constants++
			}
		}
		if args := p.Insts[n].Op.Args(); args > 0 && constants == args {
			return word.Value(n), true
		}
	}
	return 0, false
}

// TestConstantsAreFolded: whatever is the same for all operands is a constant of the program, also where a lane is selected twice, where operands
// are one register, and where they are numbers.
func TestConstantsAreFolded(t *testing.T) {
	forms := 20_000
	if !long.Tests() {
		forms = 3000
	}
	rng := rand.New(rand.NewPCG(12, 2))
	targets := lower.Targets()
	bad := 0
	for f := range isa.Sample(rng) {
		for _, facts := range []lower.Facts{
			{}, {SameAB: true}, {SameBC: true}, {SameAC: true, SameAB: true, SameBC: true},
			{Known: [3]lower.Known{1: lower.Constant(rng.Uint32() >> rng.IntN(32))}},
			{Known: [3]lower.Known{2: lower.Constant(0)}, SameAB: true},
		} {
			caps := targets[rng.IntN(len(targets))]
			for _, reading := range isa.Readings() {
				p := lower.FormAs(reading, f, caps, facts)
				if v, found := ofConstants(p); found {
					if t.Errorf("%s as %v for %s: v%d is a constant\n%v", facts.Spell(f), reading, caps.Name, v, p); bad > 10 {
						t.FailNow()
					}
					bad++
				}
			}
		}
		if forms--; forms == 0 {
			return
		}
	}
}
