package sem

import "github.com/vop-ptx/vop/isa"

// Rule is one cause for which the reading [SM86] departs from [ISA].
type Rule struct {
	Name     string // "Q1", as in docs/rulings.md
	Title    string // one line
	Manual   string // what the manual says
	Compiled string // what the compiled code does instead
	Instead  string // how to write it so that both readings agree
	Form     string // an instruction of which the machine code was read, d, a, b, c its registers
	Code     string // the part of that code that shows the rule: t is the result, t.hi and t.lo its 64 bits

	applies func(f isa.Form) bool // the stage that the rule changes is one of the form's
}

// ruleSet is a set of rules: bit i is rules[i].
type ruleSet uint16

func (q ruleSet) has(r ruleSet) bool { return q&r != 0 }

// The rules, in the order of the list below.
const (
	upperHalf ruleSet = 1 << iota
	unsignedPart
	noUpperEnd
	unsignedSecond
	signedWords
	setByA
	wholeRange
	signedSecond
	allBits
	signedC

	numRules = iota
	allRules = 1<<numRules - 1
)

// rules is the second table of docs/rulings.md. Numbers are never given twice; Q2
// was Q1 seen after Q3.
var rules = [numRules]Rule{
	{
		Name:     "Q1",
		Title:    "a merge into .h1 takes the upper half of the result",
		Manual:   "The lower half of the intermediate result goes to the upper half of d.",
		Compiled: "The upper half goes there: d is (t & 0xffff0000) | (c & 0xffff). After .sat into .h1 that half is mostly 0.",
		Instead:  "Write the result to a register t of its own, without .h1 (with .sat, see Q3 and Q8), then prmt.b32 d, t, c, 0x1054.",
		Form:     "vadd.s32.s32.s32 d.h1, a, b, c;",
		Code:     "PRMT d, t.lo, 0x3254, c (.h0 has 0x7610, .b2 has 0x7054)",
		applies:  func(f isa.Form) bool { return f.DSel == isa.H1 },
	},
	{
		Name:     "Q3",
		Title:    ".sat into a byte or half-word takes a negative result for a huge one",
		Manual:   "A result below the range becomes the lowest value of the range, one above it the highest.",
		Compiled: "The result is clamped as an unsigned number: every negative one becomes 0x7f, 0xff, 0x7fff or 0xffff, the highest value of the range.",
		Instead:  "Saturate with dtype .s32 and no destination selector, then max.s32 and min.s32 with the ends of the range, and merge with prmt.b32 or bfi.b32.",
		Form:     "vsub.s32.s32.s32.sat d.b1, a, b, c;",
		Code:     "ISETP.NE.U32 p, t.hi, RZ; SEL m, RZ, 0xffffffff, !p; LOP3 t, m | t.lo; ISETP.GT.U32 p, t, 0x7f; SEL t, t, 0x7f, !p",
		applies:  func(f isa.Form) bool { return f.Sat && f.DSel != isa.Word && f.Mode == isa.NoMode },
	},
	{
		Name:     "Q4",
		Title:    ".sat to u32 has no upper end",
		Manual:   "A result above 0xffffffff becomes 0xffffffff.",
		Compiled: "A negative result becomes 0, but one above 0xffffffff stays; its lower 32 bits are written.",
		Instead:  "Extend a and b to 64 bits, compute there, and narrow with cvt.sat.u32.s64.",
		Form:     "vadd.u32.u32.u32.sat d, a, b;",
		Code:     "ISETP.GE p, t.hi, RZ; SEL m, RZ, 0xffffffff, !p; LOP3 d, m & t.lo, and no comparison with an upper end",
		applies:  func(f isa.Form) bool { return f.Sat && f.DSel == isa.Word && !f.DType.Signed() && f.Mode == isa.NoMode },
	},
	{
		Name:     "Q5",
		Title:    ".min and .max with dtype u32 take a negative result for a huge one",
		Manual:   "The intermediate result keeps its sign in the second operation.",
		Compiled: "Result and c are compared as unsigned numbers of 64 bits: a negative result is greater than every c.",
		Instead:  "Extend a, b and c to 64 bits, compute and compare there with min.s64 or max.s64, and keep the lower 32 bits.",
		Form:     "vmin.u32.s32.s32.max d, a, b, c;",
		Code:     "ISETP.GT.U32 p, t.lo, c; ISETP.GT.U32.EX p, t.hi, RZ, p; SEL d, t.lo, c, p",
		applies: func(f isa.Form) bool {
			return minOrMax(f) && !f.DType.Signed() && f.Op != isa.Vset && f.Op != isa.Vabsdiff && !minMaxOfUnsigned(f)
		},
	},
	{
		Name:     "Q6",
		Title:    "vmad takes whole words a and b as signed",
		Manual:   "a and b are sign- or zero-extended as their types say.",
		Compiled: "Without a selector, a and b are multiplied as .s32 whatever their types; with one they are extended as the manual says.",
		Instead:  "Multiply with mul.wide.u32, or extend both to 64 bits, and add, shift and saturate there.",
		Form:     "vmad.u32.u32.u32.shr7 d, a, b, c;",
		Code:     "IMAD.WIDE t, a, b, c, where IMAD.WIDE.U32 is meant",
		applies: func(f isa.Form) bool {
			return highBitsOfMad(f) && (f.ASel == isa.Word && !f.AType.Signed() || f.BSel == isa.Word && !f.BType.Signed())
		},
	},
	{
		Name:     "Q7",
		Title:    "vset with atype s32 compares c signed in .min and .max",
		Manual:   "The result of the comparison, and therefore c, are unsigned.",
		Compiled: "Result and c are compared as the type of a says.",
		Instead:  "vset without a second operation, then min.u32 or max.u32 with c.",
		Form:     "vset.s32.u32.eq.max d, a, b, c;",
		Code:     "SHF.R.S32.HI s, RZ, 0x1f, c; ISETP.GT.U32 p, t, c; ISETP.GT.EX p, RZ, s, p; SEL d, t, c, p",
		applies:  func(f isa.Form) bool { return f.Op == isa.Vset && minOrMax(f) && f.AType.Signed() },
	},
	{
		Name:     "Q8",
		Title:    ".sat of a shift into a byte or half-word saturates to 32 bits",
		Manual:   "The range is that of the byte or half-word.",
		Compiled: "The result is clamped to the range of 32 bits, then truncated to the byte or half-word.",
		Instead:  "Shift with dtype .s32, .sat and no destination selector, then max.s32 and min.s32 with the ends of the range, and merge with prmt.b32 or bfi.b32.",
		Form:     "vshr.u32.u32.u32.sat.clamp d.b2, a, b, c;",
		Code:     "SHF.R.S64 t, a, n, RZ; PRMT d, t, 0x7054, c, and no clamp between",
		applies:  func(f isa.Form) bool { return f.Sat && f.DSel != isa.Word && f.Mode != isa.NoMode },
	},
	{
		Name:     "Q9",
		Title:    ".min and .max take the lower 32 bits of the result, as signed",
		Manual:   "The second operation is applied to the intermediate result of 34 bits, or to the saturated one.",
		Compiled: "After vadd and vsub, and after a shift with .sat, the lower 32 bits are sign-extended and compared. With dtype u32 (Q5) a result of 0x80000000 or more is then greater than every c.",
		Instead:  "With dtype .s32, .sat makes both readings agree. Otherwise as for Q5.",
		Form:     "vsub.s32.u32.u32.max d, a, b, c;",
		Code:     "IADD t, a, -b; SHF.R.S32.HI s, RZ, 0x1f, t; ISETP.GT.U32 p, t, c; ISETP.GT.EX p, s, sign(c), p; SEL d, t, c, p",
		applies: func(f isa.Form) bool {
			added := f.Op == isa.Vadd || f.Op == isa.Vsub
			return minOrMax(f) && !(f.DType.Signed() && f.Sat) && (added || f.Mode != isa.NoMode && f.Sat)
		},
	},
	{
		Name:     "Q10",
		Title:    ".min and .max after vshl see 64 bits",
		Manual:   "The intermediate result has 34 bits (ruling R1).",
		Compiled: "Without .sat, c is compared with all 64 bits of the shifted value.",
		Instead:  "Shift with shl.b64 and compare there, or with vshl alone and compare what it writes.",
		Form:     "vshl.u32.u32.u32.clamp.max d, a, b, c;",
		Code:     "SHF.L.U32 t.lo, a, n, RZ; SHF.L.U64.HI t.hi, a, n, RZ; ISETP.GT.U32 p, t.lo, c; ISETP.GT.U32.EX p, t.hi, RZ, p; SEL d, t.lo, c, p",
		applies:  func(f isa.Form) bool { return f.Op == isa.Vshl && minOrMax(f) && !f.Sat },
	},
	{
		Name:     "Q11",
		Title:    "vmad takes c as signed",
		Manual:   "c is zero-extended if a and b are unsigned and nothing is negated.",
		Compiled: "c is always sign-extended.",
		Instead:  "Multiply with mul.wide.u32, or extend both to 64 bits, and add, shift and saturate there.",
		Form:     "vmad.u32.u32.u32.shr7 d, a.h0, b, c;",
		Code:     "SHF.R.S32.HI s, RZ, 0x1f, c; IMAD.WIDE t, a, b, s:c; SHF.R.U64 d, t.lo, 0x7, t.hi",
		applies: func(f isa.Form) bool {
			return highBitsOfMad(f) && !f.AType.Signed() && !f.BType.Signed() && f.NegA == f.NegB && !f.NegC
		},
	},
}

// Rules returns all rules, in the order of their names.
func Rules() []Rule { return rules[:] }

// minOrMax reports whether the second operation is a comparison.
func minOrMax(f isa.Form) bool { return f.Second == isa.SecondMin || f.Second == isa.SecondMax }

// minMaxOfUnsigned reports whether the result is one of two unsigned values.
func minMaxOfUnsigned(f isa.Form) bool {
	return (f.Op == isa.Vmin || f.Op == isa.Vmax) && !f.AType.Signed() && !f.BType.Signed()
}

// highBitsOfMad reports whether more than the lowest 32 bits of vmad's sum matter.
func highBitsOfMad(f isa.Form) bool {
	return f.Op == isa.Vmad && (f.Sat || f.Scale != isa.NoScale)
}
