package check

import (
	"strconv"
	"strings"

	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/read/inline"
	"github.com/vop-ptx/vop/read/source"
)

// Asm checks the text of an inline asm statement, its operands taken as registers
// or constants as their constraints say. Names that the text does not declare may
// stand for something around it, and the version and the target are the
// compiler's: nothing is said about either.
func Asm(a *inline.Asm) diag.List {
	_, findings := AsmBody(a)
	return findings
}

// AsmBody is [Asm], and returns the instructions of the text with their operands.
func AsmBody(a *inline.Asm) ([]Inst, diag.List) {
	if a.File == nil {
		return nil, nil
	}
	c := newChecker(a.Text)
	c.asm = &asmState{Asm: a, inputs: map[int]bool{}, constraints: map[int]string{}}
	c.modern = true
	c.function = &functionState{Function: new(Function)}
	c.push()
	c.asmOperands()
	c.asmNVCC()
	c.statements(a.File.Stmts)
	c.findings.Sort()
	return c.function.Body, c.findings
}

// asmState is what is known about an asm statement while its text is read.
type asmState struct {
	*inline.Asm
	inputs      map[int]bool   // registers that the statement must not write
	constraints map[int]string // of the registers that are operands
}

// asmOperands enters %0, %1 ... and %[name].
func (c *checker) asmOperands() {
	list := append(append([]inline.Operand(nil), c.asm.Outputs...), c.asm.Inputs...)
	if c.asm.MoreOperands {
		list = nil // their numbers are not known
	}
	for i, o := range list {
		sym := c.asmOperand(i, list)
		_, err := strconv.Atoi(o.Constraint)
		tied := err == nil // "0": the register of output %0
		if sym.kind == registerSymbol && i >= len(c.asm.Outputs) && o.Constraint != "" && !tied {
			c.asm.inputs[int(sym.index)] = true
		}
		c.scope.enter("%"+strconv.Itoa(i), sym)
		if o.Name != "" {
			c.scope.enter("%["+o.Name+"]", sym)
		}
	}
}

// asmTypes are the registers that constraints stand for ("Inline PTX Assembly in
// CUDA", 1.1.2).
var asmTypes = map[string]Type{"h": B16, "r": B32, "l": B64, "q": B128, "f": F32, "d": F64}

// asmOperand returns what operand i stands for.
func (c *checker) asmOperand(i int, list []inline.Operand) symbol {
	constraint := strings.TrimLeft(list[i].Constraint, "=+&%")
	if n, err := strconv.Atoi(constraint); err == nil && n < len(list) && n >= 0 {
		constraint = strings.TrimLeft(list[n].Constraint, "=+&%") // the same as operand n
	}
	if constraint == "n" || constraint == "i" {
		return symbol{kind: constantSymbol}
	}
	index := c.newRegister("%"+strconv.Itoa(i), asmTypes[constraint], 1)
	c.asm.constraints[int(index)] = constraint
	return symbol{kind: registerSymbol, index: index}
}

// asmUndeclared reports %5 in a statement that has fewer operands.
func (c *checker) asmUndeclared(name string, at source.Span) {
	n, err := strconv.Atoi(strings.TrimPrefix(name, "%"))
	count := len(c.asm.Outputs) + len(c.asm.Inputs)
	if name[0] != '%' || err != nil || n < count || count == 0 || c.asm.MoreOperands {
		return
	}
	c.report(diag.AsmOperand, at, "there is no operand "+quote(name), "the asm statement has "+diag.Count(count, "operand")+numbered(count))
}

// numbered says what the numbers of the operands are.
func numbered(count int) string {
	if count == 1 {
		return ", %0"
	}
	return ", %0 to %" + decimal(count-1)
}

// asmWritten reports a video instruction that writes to an input.
func (c *checker) asmWritten(d *Operand) {
	if d.Kind != OpReg || !c.asm.inputs[d.Reg] {
		return
	}
	c.report(diag.AsmInputWritten, nameSpan(d.Tree), quote(d.Tree.Text)+" is an input and is written to",
		`the compiler takes it to be unchanged; make it an output with "=r" or "+r"`)
}
