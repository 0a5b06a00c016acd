package conform

import (
	"fmt"
	"strings"

	"github.com/vop-ptx/vop/isa"
)

// Spelling is an instruction that the grammar of the manual does not settle: written in a way that ptxas
// takes though the syntax lines do not have it, or one that must be rejected.
type Spelling struct {
	Instruction string
	Ruling      string // of docs/rulings.md
	// Means is the form that it computes, on the operands given, where Rejected is not set.
	Means    isa.Form
	Rejected bool
	// B is the value of an operand b that is a number in the instruction.
	B *uint32
}

// constant is an operand b that is a number.
func constant(x uint32) *uint32 { return &x }

var spellings = []struct {
	ruling, instruction, means string
	b                          *uint32
}{
	{"R2", "vadd.u32.u32.u32.add d.b0, a, b, c;", "", nil},
	{"R2", "vset.u32.u32.lt.max d.h1, a, b, c;", "", nil},
	{"R7", "vmad.u32.u32.u32 d, -a, b, -c;", "", nil},
	{"R7", "vmad.s32.s32.s32.po d, -a, b, c;", "", nil},
	{"R13", "vmin4.s32.u32.u32.add d.b00, a.b0000, b.b2222, c;", "", nil},
	{"R13", "vset4.u32.u32.ne.max d, a, b, c;", "", nil},
	{"R14", "varvg2.u32.u32.u32 d, a, b, c;", "", nil},
	{"R14", "varvg4.u32.u32.u32 d, a, b, c;", "", nil},
	{"R15", "vadd4.sat.s32.s32.s32 d, a, b, c;", "vadd4.s32.s32.s32.sat d, a, b, c;", nil},
	{"R15", "vabsdiff4.add.u32.u32.u32 d, a, b, c;", "vabsdiff4.u32.u32.u32.add d, a, b, c;", nil},
	{"R16", "vadd.u32.u32.u32 d, a, b, c;", "vadd.u32.u32.u32 d, a, b;", nil},
	{"R16", "vset.s32.u32.ge d, a, b, c;", "vset.s32.u32.ge d, a, b;", nil},
	{"R17", "vadd.u32.u32.u32 d, a.b0, 5;", "vadd.u32.u32.u32 d, a.b0, b;", constant(5)},
	{"R17", "vshl.u32.u32.u32.clamp.add d, a, 3, c;", "vshl.u32.u32.u32.clamp.add d, a, b, c;", constant(3)},
	{"R17", "vmad.s32.s32.s32 d, a.h1, -7, c;", "vmad.s32.s32.s32 d, a.h1, b, c;", constant(^uint32(6))},
	{"R17", "vadd.u32.u32.u32 d, a, 5.b0;", "", nil},
	{"R17", "vadd4.u32.u32.u32 d, a, 5, c;", "", nil},
	{"R19", "vadd.u32.u32.u32.add d.b01, a, b, c;", "vadd.u32.u32.u32.add d, a, b, c;", nil},
	{"R19", "vadd.u32.u32.u32.add d, a, b, c.b23;", "vadd.u32.u32.u32.add d, a, b, c;", nil},
	{"R19", "vadd.u32.u32.u32.add d.b02, a, b, c;", "", nil},
	{"R19", "vadd.u32.u32.u32 d, a.b01, b;", "", nil},
	{"R20", "vadd4.u32.u32.u32 d, -a, -b, c;", "vadd4.u32.u32.u32 d, a, b, c;", nil},
	{"R20", "vmad.u32.u32.u32.po d, -a, -b, c;", "vmad.u32.u32.u32.po d, a, b, c;", nil},
	{"R20", "vadd.u32.u32.u32 d, -a, b;", "", nil},
}

// Spellings returns the instructions that rulings about the syntax are about. R18 is about whole files: which
// .version and .target they need.
func Spellings() []Spelling {
	all := make([]Spelling, len(spellings))
	for i, s := range spellings {
		all[i] = Spelling{Instruction: s.instruction, Ruling: s.ruling, Rejected: s.means == "", B: s.b}
		if s.means == "" {
			continue
		}
		f, err := ParseForm(s.means)
		if err != nil {
			panic(fmt.Sprintf("conform: spellings: %v", err))
		}
		all[i].Means = f
	}
	return all
}

// Vectors returns vectors of the instruction as it is written, which tell whether the ruling is followed.
func (s Spelling) Vectors(count int, seed uint64) []Tagged {
	if s.Rejected {
		return []Tagged{{Vector{}, []string{s.Ruling}}}
	}
	var all []Tagged
	for _, v := range Pick(s.Means, count, seed) {
		if s.B != nil {
			v.Vector = Of(s.Means, v.A, *s.B, v.C)
		}
		if !strings.HasSuffix(s.Instruction, " c;") && !s.Means.ReadsC() {
			v.C = 0
		} else if !s.Means.ReadsC() {
			v.Vector = Of(s.Means, v.A, v.B, v.A^0x5a5a5a5a)
		}
		all = append(all, Tagged{v.Vector, []string{s.Ruling}})
	}
	return all
}
