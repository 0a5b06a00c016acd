package check

import (
	"math"
	"strconv"
	"strings"
	"sync"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/read/check/constant"
	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/read/syntax"
)

// Instruction checks one video instruction by itself. Its registers may have any
// names and need no declaration; the first operand is d, then come a, b and c. The
// form is the zero Form if the list has errors.
func Instruction(in *syntax.Instruction, src *source.File) (isa.Form, diag.List) {
	m := matchers.Get().(*matcher)
	defer matchers.Put(m)
	op := isa.ParseOp(in.Name.Text)
	if op == isa.NoOp {
		c := newChecker(src)
		c.notVideo(in)
		return isa.Form{}, c.findings
	}
	m.read(in, op)
	for i := range m.written.Operands {
		m.written.Operands[i].Kind = argumentKind(&in.Operands[i])
	}
	ok, problems := isa.Match(&m.written, &m.form)
	wide := wideImmediate(in)
	if ok && problems == nil && wide == nil && in.Guard.Name.Text == "" {
		return m.form, nil
	}
	c := newChecker(src)
	if in.Guard.Name.Text != "" {
		c.report(diag.GuardNotAllowed, in.Guard.Name.Span(), "an instruction by itself takes no guard")
		ok = false
	}
	c.explain(in, op, problems)
	if !ok {
		return isa.Form{}, c.findings
	}
	if wide != nil {
		c.truncated(wide)
	}
	return m.form, c.findings
}

// matcher is the memory that matching one instruction takes.
type matcher struct {
	written   isa.Written
	form      isa.Form
	arguments [8]isa.Argument
	modifiers [16]string
}

var matchers = sync.Pool{New: func() any { return new(matcher) }}

// read fills in the written instruction, all but the kinds of its operands.
func (m *matcher) read(in *syntax.Instruction, op isa.Op) {
	m.written = isa.Written{Op: op, Modifiers: m.modifiers[:0], Operands: m.arguments[:0]}
	for i := range in.Modifiers {
		m.written.Modifiers = append(m.written.Modifiers, in.Modifiers[i].Text)
	}
	for i := range in.Operands {
		o := &in.Operands[i]
		m.written.Operands = append(m.written.Operands, isa.Argument{Selector: o.Selector.Text, Negated: o.Neg == '-'})
	}
}

// argumentKind says what an operand is, as far as its tree tells.
func argumentKind(o *syntax.Operand) isa.ArgumentKind {
	switch o.Kind {
	case syntax.Name:
		switch {
		case o.Text == "WARP_SZ":
			return isa.ImmediateArgument
		case o.Neg == '!' || o.Parens > 0 || isSpecial(o.Text):
			return isa.OtherArgument
		}
		return isa.RegisterArgument
	case syntax.Number, syntax.Expr:
		bare := *o
		bare.Selector.Text = ""
		if value, ok := constant.Of(&bare); ok && value.Float == 0 {
			return isa.ImmediateArgument
		}
	}
	return isa.OtherArgument
}

// video finds the form of a video instruction of a module and checks its
// registers and gates.
func (c *checker) video(in *Inst, op isa.Op) {
	t := in.Tree
	if !c.modern {
		c.gates(t, op)
	}
	m := &c.matcher
	m.read(t, op)
	for i := range m.written.Operands {
		m.written.Operands[i].Kind = resolvedKind(&in.Operands[i])
	}
	in.Video = c.videos.One()
	ok, problems := isa.Match(&m.written, &in.Video.Form)
	if problems != nil {
		c.explain(t, op, problems)
	}
	if !ok {
		in.Video = nil
	} else if wide := wideImmediate(t); wide != nil {
		c.truncated(wide)
	}
	for i := range in.Operands {
		if o := &in.Operands[i]; o.Kind == OpReg {
			c.registerType(op, o)
		}
	}
	if c.asm != nil && len(in.Operands) > 0 {
		c.asmWritten(&in.Operands[0])
	}
}

// resolvedKind says what a resolved operand is. A name that is not declared has
// been reported: it passes as a register.
func resolvedKind(o *Operand) isa.ArgumentKind {
	switch o.Kind {
	case OpReg:
		if o.Neg == '!' || o.Tree.Parens > 0 {
			return isa.OtherArgument
		}
		return isa.RegisterArgument
	case OpImm:
		if o.Float == 0 {
			return isa.ImmediateArgument
		}
	case OpUnknown:
		return argumentKind(o.Tree)
	}
	return isa.OtherArgument
}

// wideImmediate returns the first constant among the operands that does not fit 32
// bits, as .s32 or .u32, or nil.
func wideImmediate(in *syntax.Instruction) *syntax.Operand {
	for i := range in.Operands {
		o := &in.Operands[i]
		if o.Kind != syntax.Number && o.Kind != syntax.Expr {
			continue
		}
		if value, ok := constant.Of(o); ok && (int64(value.Bits) < math.MinInt32 || int64(value.Bits) > math.MaxUint32) {
			return o
		}
	}
	return nil
}

// truncated reports a constant that does not fit 32 bits.
func (c *checker) truncated(o *syntax.Operand) {
	word, _ := Immediate(o)
	c.report(diag.ImmediateTruncated, o.Span(), "the constant does not fit 32 bits", "ptxas takes its lower ones, "+strconv.FormatUint(uint64(word), 10))
}

// registerType reports a register that is not of 32 integer bits.
func (c *checker) registerType(op isa.Op, o *Operand) {
	if o.Reg < 0 {
		return
	}
	r := &c.function.Registers[o.Reg]
	switch {
	case r.Vec > 1:
		c.report(diag.OperandKind, nameSpan(o.Tree), quote(o.Tree.Text)+" is a vector register", registerNote)
		return
	case r.Type == B32 || r.Type == U32 || r.Type == S32 || r.Type == F16x2 || r.Type == BF16x2 || r.Type == NoType:
		return
	}
	c.report(diag.RegisterType, nameSpan(o.Tree), quote(o.Tree.Text)+" is a "+r.Type.String()+" register; "+op.String()+" works on 32-bit integers", c.registerNote(o.Reg))
}

const registerNote = "video instructions take registers declared .b32, .u32 or .s32"

// registerNote says which registers are right, in the terms in which this one was made.
func (c *checker) registerNote(register int) string {
	if c.asm == nil || c.asm.constraints[register] == "" {
		return registerNote
	}
	return "the constraint \"" + c.asm.constraints[register] + "\" says so; \"r\" is for 32-bit integers"
}

// nameSpan is the place of the name in an operand, without sign and selector.
func nameSpan(o *syntax.Operand) source.Span {
	return source.Span{Start: o.Pos, End: o.Pos + source.Pos(len(o.Text))}
}

// gates reports an instruction that the module's .version or .target does not
// have yet (ruling R18), once for each mnemonic.
func (c *checker) gates(t *syntax.Instruction, op isa.Op) {
	if c.gated[op] {
		return
	}
	ptx, sm := op.Gate()
	m := c.module
	if m.Version != (isa.Version{}) && m.Version.Less(ptx) {
		c.gated[op] = true
		c.report(diag.VersionTooLow, t.Name.Span(), op.String()+" needs .version "+ptx.String()+"; the module says "+m.Version.String())
	}
	if m.SM != 0 && m.SM < sm {
		c.gated[op] = true
		c.report(diag.TargetTooLow, t.Name.Span(), op.String()+" needs .target sm_"+decimal(sm)+"; the module says "+m.Target)
	}
}

// passesGates reports whether the module's .version and .target are high enough
// for all video instructions.
func (m *Module) passesGates() bool {
	for _, s := range isa.Sections() {
		if m.Version.Less(s.PTX) || m.SM < s.SM {
			return false
		}
	}
	return true
}

// mnemonics are the 23, in the manual's order.
var mnemonics = func() (names []string) {
	for _, op := range isa.Ops() {
		names = append(names, op.String())
	}
	return names
}()

// notVideo reports an instruction that should be one of the 23, and returns the
// one that was meant if that is plain, so that the rest of it can be checked.
func (c *checker) notVideo(t *syntax.Instruction) (meant isa.Op) {
	name := t.Name.Text
	notes := []string{"the video instructions are " + strings.Join(mnemonics, " ")}
	if strings.HasPrefix(name, "varvg") {
		notes = append(notes, "the manual's target notes print varvg2 and varvg4: misprints of vavrg2 and vavrg4 (ruling R14)")
	}
	d := c.report(diag.UnknownInstruction, t.Name.Span(), "there is no video instruction "+quote(name), notes...)
	suggest(d, isa.Nearest(name, mnemonics))
	if d.Suggest == "" || d.Suggest[len(d.Suggest)-1] != name[len(name)-1] {
		return isa.NoOp // another number of lanes: what else is written hardly fits
	}
	return isa.ParseOp(d.Suggest)
}

// likeVideo reports whether an instruction that does not exist must have been meant to be one
// of the 23, in whatever case: but for vote all that begin with v are.
func likeVideo(name string) bool { return name[0]|0x20 == 'v' }
