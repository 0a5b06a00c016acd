package check

import (
	"math"
	"slices"

	"github.com/vop-ptx/vop/read/check/constant"
	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/read/syntax"
)

// ordinary checks an instruction that is no video instruction: its modifiers and operands
// against the table of package inst, then what the table does not tell: constants that have a
// range, where a branch goes, what may not be written, and which state space a variable is in.
func (c *checker) ordinary(in *Inst) {
	before := len(c.findings)
	c.suffixes(in, in.Operands)
	switch in.Tree.Name.Text {
	case "lop3":
		c.tableOfLop3(in)
	case "bar", "barrier":
		c.barrier(in)
	case "bra":
		c.branchTarget(in)
	case "cp":
		c.copySize(in)
	case "createpolicy":
		c.policy(in)
	case "st":
		c.parameterStore(in)
		c.constantStore(in)
	case "red", "atom":
		c.constantStore(in)
	}
	if len(c.findings) == before {
		c.judge(in)
	}
	if len(c.findings) == before {
		c.stateSpaces(in)
		c.droppedGuard(in)
	}
}

// has reports whether an instruction has a modifier.
func (in *Inst) has(modifier string) bool {
	return slices.ContainsFunc(in.Tree.Modifiers, func(w syntax.Word) bool { return w.Text == modifier })
}

// constantAt returns operand i if it is an integer constant.
func (in *Inst) constantAt(i int) (o *Operand, ok bool) {
	if i < 0 || i >= len(in.Operands) {
		return nil, false
	}
	o = &in.Operands[i]
	return o, o.Kind == OpImm && o.Float == 0 && o.Tree != nil && o.Tree.Kind != syntax.Name
}

// tableOfLop3 checks the last operand of lop3, a table of 8 bits (PTX ISA 9.7.8.6).
func (c *checker) tableOfLop3(in *Inst) {
	const at, rows = 4, 8
	o, ok := in.constantAt(at)
	if ok && o.Imm >= 1<<rows {
		c.report(diag.ImmediateRange, o.Tree.Span(), "the table of lop3 is "+c.text(o)+", not a number from 0 to 255",
			"it has a bit for each of the 8 values that bits of a, b and c can have")
	}
}

// barrier checks the number of a barrier and how many threads take part in it
// (PTX ISA 9.7.13.1).
func (c *checker) barrier(in *Inst) {
	if in.has(".warp") || in.has(".cluster") {
		return
	}
	number, threads := 0, 1
	if in.has(".red") {
		number, threads = 1, 2
		if len(in.Operands) < 4 {
			threads = -1 // the predicate
		}
	}
	if o, ok := in.constantAt(number); ok && uint32(o.Imm) > 15 {
		c.report(diag.ImmediateRange, o.Tree.Span(), "there is no barrier "+c.text(o), "the barriers of a CTA are 0 to 15")
	}
	// ptxas takes 0 threads, but for those that only arrive, as the manual says (ruling O18).
	if o, ok := in.constantAt(threads); ok && (o.Imm%constant.WarpSize != 0 || uint32(o.Imm) == 0 && in.has(".arrive")) {
		c.report(diag.ImmediateRange, o.Tree.Span(), c.text(o)+" threads cannot meet at a barrier",
			"their number is a multiple of 32, whole warps; without it all threads of the CTA take part")
	}
}

// copySize checks how many bytes cp.async copies, unless it is a bulk copy (PTX ISA 9.7.9.25).
func (c *checker) copySize(in *Inst) {
	if !in.has(".ca") && !in.has(".cg") {
		return
	}
	o, ok := in.constantAt(2)
	switch {
	case !ok || o.Imm == 16 || in.has(".ca") && (o.Imm == 4 || o.Imm == 8):
	case in.has(".ca"):
		c.report(diag.ImmediateRange, o.Tree.Span(), "cp.async.ca copies 4, 8 or 16 bytes, not "+c.text(o))
	default:
		c.report(diag.ImmediateRange, o.Tree.Span(), "cp.async.cg copies 16 bytes, not "+c.text(o))
	}
	if read, given := in.constantAt(3); ok && given && uint64(uint32(read.Imm)) > o.Imm && (len(in.Operands) == 5 || !in.has(".L2::cache_hint")) {
		c.report(diag.ImmediateRange, read.Tree.Span(), "cp.async cannot read "+c.text(read)+" of "+c.text(o)+" bytes",
			"what is not read is filled with zeros; it reads from 0 to "+c.text(o)+" bytes")
	}
}

// policy checks which part of the accesses a policy is for, and how much memory (PTX ISA 9.7.9.18).
func (c *checker) policy(in *Inst) {
	if len(in.Operands) == 2 && in.has(".fractional") {
		o := &in.Operands[1]
		if part, ok := o.real(); ok && !(part > 0 && part <= 1) {
			c.report(diag.ImmediateRange, o.Tree.Span(), c.text(o)+" is no part of the accesses", "it is more than 0.0, and at most 1.0")
		}
	}
	first, known := in.constantAt(2)
	all, given := in.constantAt(3)
	if in.has(".range") && known && given && uint32(first.Imm) > uint32(all.Imm) {
		c.report(diag.ImmediateRange, first.Tree.Span(), c.text(first)+" bytes are more than all "+c.text(all)+" of the range",
			"the first size is that of the part with the primary priority, the second that of the whole range")
	}
}

// real returns the value of a floating-point constant.
func (o *Operand) real() (value float64, ok bool) {
	switch {
	case o.Kind != OpImm || o.Float == 0:
		return 0, false
	case o.Float == 'f':
		return float64(math.Float32frombits(uint32(o.Imm))), true
	}
	return math.Float64frombits(o.Imm), true
}

// branchTarget reports a branch to what is not a label.
func (c *checker) branchTarget(in *Inst) {
	if len(in.Operands) != 1 {
		return
	}
	o := &in.Operands[0]
	what := ""
	switch o.Kind {
	case OpFunc:
		what = "a function: call it"
		if o.Func != nil && o.Func.Entry {
			what = "a kernel"
		}
	case OpVar:
		what = "a variable"
	case OpReg:
		what = "a register"
	case OpSpecial:
		what = "a special register"
	case OpImm:
		what = "a number"
	default:
		return
	}
	c.report(diag.BranchTarget, o.Tree.Span(), "bra goes to a label, and "+quote(c.text(o))+" is "+what,
		"brx.idx goes to one of several labels, by an index")
}

// parameterStore reports a store to a parameter of the kernel, which all its threads share.
func (c *checker) parameterStore(in *Inst) {
	if c.function == nil || !c.function.Entry || len(in.Operands) == 0 {
		return
	}
	o := &in.Operands[0]
	if o.Kind != OpAddress || len(o.Elems) != 1 || o.Elems[0].Kind != OpVar {
		return
	}
	if v := o.Elems[0].Var; slices.Contains(c.function.Params, v) {
		c.report(diag.ParameterWritten, o.Elems[0].Tree.Span(), quote(v.Name)+" is a parameter of the kernel and cannot be written",
			"all threads of a launch share the parameters; only the arguments of a call are stored in .param variables")
	}
}

// constantStore reports a write to constant memory (PTX ISA 5.1.3).
func (c *checker) constantStore(in *Inst) {
	for _, m := range in.Tree.Modifiers {
		if m.Text == ".const" {
			c.report(diag.ConstantWritten, m.Span(), quote(in.Tree.Name.Text)+" has no '.const': constant memory is read-only",
				"the host initialises .const variables; what a kernel writes is in .global memory")
		}
	}
}

// text returns an operand as it is written.
func (c *checker) text(o *Operand) string {
	at := o.Tree.Span()
	return shorten(c.source.Text[at.Start:at.End])
}

// shorten cuts a text that is too long for a message.
func shorten(text string) string {
	const most = 60
	if len(text) <= most {
		return text
	}
	return text[:most-3] + "..."
}
