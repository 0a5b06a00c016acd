package translate

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/conform"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/translate/internal/ptxrun"
	"github.com/vop-ptx/vop/sem"
)

// What lowering makes of instructions as files have them, with constants, registers that come
// twice and guards, is executed here by an interpreter of the tests' own.

var formsFlag = flag.Int("forms", 3000, "number of forms of which TestLoweredEqualsOriginal lowers an instruction")

// immediates are the constants of random instructions: where something changes, and above all
// those with which an operation is none.
var immediates = append(conform.EdgeWords(), 0, 0, 0, 1, 1, 1, 1, 0xffffffff, 0xffffffff, 2, 4, 0x80000000)

// randomInstruction writes a form with registers drawn from some, so that sources and the
// destination often coincide, with constants where they are allowed, and a guard.
func randomInstruction(rng *rand.Rand, f isa.Form, registers []string) string {
	var names [4]string
	for i := range names {
		names[i] = registers[rng.IntN(len(registers))]
		selected := []isa.Part{f.DSel, f.ASel, f.BSel, isa.Word}[i] != isa.Word
		negated := []bool{false, f.NegA, f.NegB, f.NegC}[i]
		if i > 0 && !f.Op.SIMD() && !selected && !negated && rng.IntN(3) == 0 {
			names[i] = spelledConstant(rng, immediates[rng.IntN(len(immediates))])
		}
	}
	text := f.Spell(names[0], names[1], names[2], names[3])
	if !f.TakesC() && rng.IntN(4) == 0 { // ruling R16: c is written and ignored
		text = strings.TrimSuffix(text, ";") + ", " + registers[0] + ";"
	}
	switch rng.IntN(4) {
	case 0:
		return "@%p0 " + text
	case 1:
		return "@!%p1 " + text
	}
	return text
}

// spelledConstant writes a constant in one of the ways that PTX has.
func spelledConstant(rng *rand.Rand, x uint32) string {
	switch rng.IntN(3) {
	case 0:
		return fmt.Sprintf("%#x", x)
	case 1:
		return fmt.Sprint(x)
	}
	return fmt.Sprint(int32(x))
}

// machines are the .version and .target that instructions are lowered for: each lacks other
// operations.
var machines = [][2]string{
	{"8.0", "sm_90a"}, {"7.8", "sm_90"}, {"8.7", "sm_120f"}, {"7.8", "sm_86"}, {"7.8", "sm_80"}, {"6.3", "sm_75"},
	{"6.5", "sm_72"}, {"6.0", "sm_70"}, {"5.0", "sm_61"}, {"7.0", "sm_52"}, {"4.1", "sm_50"}, {"3.0", "sm_30"},
}

// executed lowers an instruction under a reading and runs both texts on some operands. It
// returns what differs, if anything.
func executed(t *testing.T, rng *rand.Rand, f isa.Form, reading isa.Reading, instruction string, machine [2]string) string {
	t.Helper()
	l := lowered(t, "k.ptx", body(machine[0], machine[1], "\t"+instruction+"\n"), LowerOptions{Reading: reading})
	text := instructionsOf(l.Text)
	original := func(f isa.Form, a, b, c uint32) uint32 { return sem.EvalAs(reading, f, a, b, c) }
	for range 12 {
		a, b, c := conform.Operands(rng, f)
		start := func() ptxrun.Registers {
			return ptxrun.Registers{
				"%r0": uint64(a), "%r1": uint64(b), "%r2": uint64(c), "%r3": uint64(a ^ b),
				"%p0": uint64(a & 1), "%p1": uint64(b & 1),
			}
		}
		want, got := start(), start()
		if err := ptxrun.Text(instruction, want, original); err != nil {
			t.Fatal(err)
		}
		if err := ptxrun.Text(text, got, sem.Eval); err != nil { // what the machine has stays: it computes what the manual says
			t.Fatalf("%v\n%s", err, l.Text)
		}
		for name, value := range want {
			if got[name] != value {
				return fmt.Sprintf("%s as %v for %s, .version %s: %s = %#x, want %#x, where a, b and c are drawn from %#x, %#x, %#x; lowered to\n%s",
					instruction, reading, machine[1], machine[0], name, got[name], value, a, b, c, text)
			}
		}
	}
	return ""
}

var fourRegisters = []string{"%r0", "%r1", "%r2", "%r3"}

// TestLoweredEqualsOriginal runs instructions of random forms, as they are by sem, and
// lowered: for every kind of machine, under both readings.
func TestLoweredEqualsOriginal(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	n := 0
	for f := range isa.Sample(rng) {
		if n++; n > *formsFlag {
			break
		}
		reading, machine := isa.Readings()[rng.IntN(2)], machines[rng.IntN(len(machines))]
		if found := executed(t, rng, f, reading, randomInstruction(rng, f, fourRegisters), machine); found != "" {
			t.Fatal(found)
		}
	}
}

// TestLoweredMadEqualsOriginal is TestLoweredEqualsOriginal for vmad with each combination of
// types, signs, .po, .sat and scale.
func TestLoweredMadEqualsOriginal(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 9))
	for f := range isa.Forms(isa.Vmad) {
		if f.ASel != isa.Word || f.BSel != isa.Word {
			continue
		}
		for n := range 1 + *formsFlag/1000 {
			g := f
			if n%2 == 1 {
				g.ASel, g.BSel = isa.Part(rng.IntN(int(isa.H1)+1)), isa.Part(rng.IntN(int(isa.H1)+1))
			}
			reading, machine := isa.Readings()[n/2%2], machines[rng.IntN(len(machines))]
			if found := executed(t, rng, g, reading, randomInstruction(rng, g, fourRegisters), machine); found != "" {
				t.Fatal(found)
			}
		}
	}
}
