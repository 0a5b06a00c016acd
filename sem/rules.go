package sem

import "github.com/vop-ptx/vop/isa"

// Rule is one cause for which the reading [SM86] departs from [ISA].
type Rule struct {
	Name     string // "Q1", as in docs/rulings.md
	Title    string // one line
	Manual   string // what the manual says
	Compiled string // what the compiled code does instead
	Instead  string // how to write it so that both readings agree

	applies func(f isa.Form) bool // the stage that the rule changes is one of the form's
}

// ruleSet is a set of rules: bit i is rules[i].
type ruleSet uint16

func (q ruleSet) has(r ruleSet) bool { return q&r != 0 }

// The rules, in the order of the list below.
const (
	upperHalf ruleSet = 1 << iota
	unsignedPart
	noUpperClamp
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

// rules is the table of docs/rulings.md. Numbers are never given twice; Q2 was Q1
// seen after Q3.
var rules = [numRules]Rule{
	{
		Name:     "Q1",
		Title:    "a merge into .h1 takes the upper half of the result",
		Manual:   "The lower half of the intermediate result goes to the upper half of d.",
		Compiled: "d is (t & 0xffff0000) | (c & 0xffff): the byte permutation that merges takes bytes 3 and 2 of t instead of 1 and 0.",
		Instead:  "Write the result to a register without .h1 and merge it with prmt.b32 d, t, c, 0x1054.",
		applies:  func(f isa.Form) bool { return f.DSel == isa.H1 },
	},
	{
		Name:     "Q3",
		Title:    ".sat into a byte or half-word takes a negative result for a huge one",
		Manual:   "A result below the range becomes the lowest value of the range, one above it the highest.",
		Compiled: "The result is compared with the highest value as an unsigned number, and with no lowest: every negative result becomes 0x7f, 0xff, 0x7fff or 0xffff.",
		Instead:  "Saturate to 32 bits without a destination selector, then clamp with max and min and merge with bfi.b32.",
		applies:  func(f isa.Form) bool { return f.Sat && f.DSel != isa.Word && f.Mode == isa.NoMode },
	},
	{
		Name:     "Q4",
		Title:    ".sat to u32 has no upper end",
		Manual:   "A result above 0xffffffff becomes 0xffffffff.",
		Compiled: "A negative result becomes 0, but one above 0xffffffff stays as it is; its lower 32 bits are written.",
		Instead:  "Add with add.cc.u32 and select 0xffffffff on carry, or use .s32 for dtype where the range allows it.",
		applies:  func(f isa.Form) bool { return f.Sat && f.DSel == isa.Word && !f.DType.Signed() && f.Mode == isa.NoMode },
	},
	{
		Name:     "Q5",
		Title:    ".min and .max with dtype u32 take a negative result for a huge one",
		Manual:   "The intermediate result keeps its sign in the second operation.",
		Compiled: "Result and c are compared as unsigned 64-bit numbers: a negative result is greater than every c.",
		Instead:  "Write the second operation as an instruction of its own.",
		applies:  func(f isa.Form) bool { return minOrMax(f) && !f.DType.Signed() && f.Op != isa.Vset },
	},
	{
		Name:     "Q6",
		Title:    "vmad takes whole words as signed",
		Manual:   "a and b are sign- or zero-extended by their types.",
		Compiled: "a or b without a selector is multiplied as .s32 whatever its type says.",
		Instead:  "Multiply with mad.wide.u32 and saturate or shift the 64-bit result.",
		applies: func(f isa.Form) bool {
			return f.Op == isa.Vmad && (f.ASel == isa.Word && !f.AType.Signed() || f.BSel == isa.Word && !f.BType.Signed())
		},
	},
	{
		Name:     "Q7",
		Title:    "vset.s32 compares c signed in .min and .max",
		Manual:   "The comparison's result, and therefore c, are unsigned.",
		Compiled: "Result and c are compared as the type of a says.",
		Instead:  "Exchange a and b if b is .u32 (and .lt with .gt, .le with .ge), or write the second operation as an instruction of its own.",
		applies:  func(f isa.Form) bool { return f.Op == isa.Vset && minOrMax(f) && f.AType.Signed() },
	},
	{
		Name:     "Q8",
		Title:    ".sat of a shift into a byte or half-word saturates to 32 bits",
		Manual:   "The range is that of the byte or half-word.",
		Compiled: "The result is clamped to the range of 32 bits and then truncated.",
		Instead:  "Shift without a destination selector, then clamp with max and min and merge with bfi.b32.",
		applies:  func(f isa.Form) bool { return f.Sat && f.DSel != isa.Word && f.Mode != isa.NoMode },
	},
	{
		Name:     "Q9",
		Title:    ".min and .max take 32 bits of the result as signed",
		Manual:   "The second operation is applied to the intermediate result of 34 bits, or to the saturated one.",
		Compiled: "After vadd and vsub, and after a shift with .sat, the lower 32 bits of the result are sign-extended and compared.",
		Instead:  "Write the second operation as an instruction of its own; with .s32 throughout, .sat is enough.",
		applies: func(f isa.Form) bool {
			return minOrMax(f) && (f.Op == isa.Vadd || f.Op == isa.Vsub || f.Mode != isa.NoMode && f.Sat)
		},
	},
	{
		Name:     "Q10",
		Title:    ".min and .max after vshl see 64 bits",
		Manual:   "The intermediate result has 34 bits (ruling R1).",
		Compiled: "Without .sat, c is compared with all 64 bits of the shifted value.",
		Instead:  "Write the second operation as an instruction of its own.",
		applies:  func(f isa.Form) bool { return f.Op == isa.Vshl && minOrMax(f) && !f.Sat },
	},
	{
		Name:     "Q11",
		Title:    "vmad takes c as signed",
		Manual:   "c is zero-extended if a and b are unsigned and nothing is negated.",
		Compiled: "c is always sign-extended.",
		Instead:  "Multiply with mad.wide.u32 and saturate or shift the 64-bit result.",
		applies: func(f isa.Form) bool {
			return f.Op == isa.Vmad && !f.AType.Signed() && !f.BType.Signed() && f.NegA == f.NegB && !f.NegC
		},
	},
}

// Rules returns all rules, in the order of their names.
func Rules() []Rule { return rules[:] }

func minOrMax(f isa.Form) bool { return f.Second == isa.SecondMin || f.Second == isa.SecondMax }
