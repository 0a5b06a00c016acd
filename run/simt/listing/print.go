package listing

import (
	"fmt"
	"io"
	"strings"

	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/build"
	"github.com/vop-ptx/vop/run/simt/op"
)

// String prints a function as [Parse] reads it, one instruction a line:
//
//	declare weigh(x b32, table b8[64]) (w b32)
//
//	kernel sum(in u64, n u32), local 64
//	b0: text 0-2
//	  %1:64 = ld.param.u64 [0] @0
//	  jump b1 @none
//	b1: <- b0 b2, loop b1, text 2-8
//	  %2:32 = phi b0 0, b2 %8
//	  %3:p = setp.lt.u32 %2, %tid.x @2
//	  %4:64 = mul.wide.u32 %2, 16 @3
//	  %5:64 = add.u64 %1, %4 @4
//	  _, %6:32 = ld.global.v2.u32 [%5+8] if %3 @5
//	  %7:32 = selp.32 %6, %2, %3 merge
//	  %8:32 = call weigh(%7, [0]), b2 @6
//	b2: <- b1, loop b1
//	  jump b1
//
// A value has its type where it is defined: p, 32 or 64 bits. Constants stand where they are used, of the
// type that is wanted there; :32 or :64 behind one says another than would be expected. Special values have
// their names. "if" is a guard, "merge" marks selections that are not the text's, and @7 is the
// instruction of the text, [simt.Inst.At], that this line and those below it are made of. Square brackets are
// memory: the address of an access, or a place in the caller's local memory that is an argument or a
// result. "in local" behind them names the space if it is another than the form says. What stands behind
// // is not read.
func String(f *simt.Function) string {
	var s strings.Builder
	_ = Print(&s, f, nil) // a Builder takes all
	return s.String()
}

// Print writes a function as [String] does. source, if there is one, returns the text of an
// instruction by its [simt.Inst.At], which is written before the code that it has become.
func Print(w io.Writer, f *simt.Function, source func(at int) string) error {
	p := printer{Function: f, names: f.Names(), source: source}
	p.function()
	_, err := io.WriteString(w, p.Builder.String())
	return err
}

// printer prints one function.
type printer struct {
	*simt.Function
	strings.Builder
	names  []string
	source func(at int) string
	at     int32 // of the line before, in this block
}

func (p *printer) writef(format string, args ...any) { fmt.Fprintf(p, format, args...) }

func (p *printer) function() {
	declared := map[string]bool{}
	declare := func(name string, in, out []*check.Variable) {
		if !declared[name] {
			declared[name] = true
			p.writef("declare %s%s", name, signature(in, out, nil))
			p.WriteByte('\n')
		}
	}
	for b := range p.Blocks {
		for i := range p.Blocks[b].Insts {
			if h, ok := p.Blocks[b].Insts[i].Aux.(*simt.HostCall); ok {
				declare(h.Name, inner(h.In), inner(h.Out))
			}
		}
		if c, ok := p.Blocks[b].End.Aux.(*simt.CallOp); ok {
			for _, callee := range c.Callees {
				declare(callee.Function.Name, callee.Function.Params, callee.Function.Returns)
			}
		}
	}
	if len(declared) > 0 {
		p.WriteByte('\n')
	}
	switch d := p.Decl; {
	case d == nil:
		p.WriteString("array")
	case d.Entry:
		p.writef("kernel %s%s", d.Name, signature(d.Params, d.Returns, nil))
	default:
		p.writef("func %s%s", d.Name, signature(d.Params, d.Returns, p.Offsets))
	}
	if p.Local != 0 {
		p.writef(", local %d", p.Local)
	}
	p.WriteByte('\n')
	for b := range p.Blocks {
		p.block(simt.BlockID(b))
	}
}

// inner returns the callee's variables of passages.
func inner(passages []simt.Passage) (all []*check.Variable) {
	for i := range passages {
		all = append(all, passages[i].Inner)
	}
	return all
}

// signature prints parameters and results; with their places in local memory, if those are given.
func signature(in, out []*check.Variable, offsets map[*check.Variable]int) string {
	list := func(variables []*check.Variable) string {
		words := make([]string, len(variables))
		for i, v := range variables {
			words[i] = v.Name + " " + strings.TrimPrefix(v.Type.String(), ".")
			if one := v.Type.Bytes(); one > 0 && v.Size != one {
				words[i] += fmt.Sprintf("[%d]", v.Size/one)
			}
			if at, ok := offsets[v]; ok {
				words[i] += fmt.Sprintf(" at %d", at)
			}
		}
		return "(" + strings.Join(words, ", ") + ")"
	}
	if len(out) == 0 {
		return list(in)
	}
	return list(in) + " " + list(out)
}

func (p *printer) block(b simt.BlockID) {
	block := &p.Blocks[b]
	p.writef("b%d:", b)
	var facts []string
	if len(block.Preds) > 0 {
		facts = append(facts, "<- "+blocksText(block.Preds))
	}
	if block.Loop != simt.NoBlock {
		facts = append(facts, fmt.Sprintf("loop b%d", block.Loop))
	}
	if block.From != 0 || block.To != 0 {
		facts = append(facts, fmt.Sprintf("text %d-%d", block.From, block.To))
	}
	if len(facts) > 0 {
		p.WriteString(" " + strings.Join(facts, ", "))
	}
	p.WriteByte('\n')
	for i := range block.Phis {
		p.WriteString("  " + p.phi(b, i) + "\n")
	}
	p.at = -1
	for i := range block.Insts {
		p.line(p.instruction(&block.Insts[i]), block.Insts[i].At)
	}
	p.line(p.end(&block.End), block.End.At)
}

// line prints a line that belongs to an instruction of the text.
func (p *printer) line(text string, at int32) {
	if at != p.at {
		if p.source != nil && at >= 0 {
			p.writef("  // %s\n", p.source(int(at)))
		}
		if at >= 0 {
			text += fmt.Sprintf(" @%d", at)
		} else {
			text += " @none"
		}
	}
	p.at = at
	p.WriteString("  " + text + "\n")
}

func (p *printer) phi(b simt.BlockID, i int) string {
	phi, preds := &p.Blocks[b].Phis[i], p.Blocks[b].Preds
	words := make([]string, len(phi.Args))
	for k, arg := range phi.Args {
		words[k] = p.name(arg)
		if k < len(preds) {
			words[k] = fmt.Sprintf("b%d %s", preds[k], words[k])
		}
	}
	return p.definition(phi.Def) + " = phi " + strings.Join(words, ", ")
}

// name returns how a value is printed where its type is clear.
func (p *printer) name(v simt.ID) string {
	if v < 0 || int(v) >= len(p.names) {
		return fmt.Sprintf("%%?%d", v)
	}
	return p.names[v]
}

// use returns how a value is printed where the letter of a shape says what is wanted.
func (p *printer) use(v simt.ID, letter byte) string {
	text := p.name(v)
	if k, ok := p.constant(v); ok && k.Type != simt.Pred && k.Type != expected(letter) {
		text += ":" + k.Type.String()
	}
	return text
}

// uses prints the values of a list.
func (p *printer) uses(ids []simt.ID, letters string) string {
	words := make([]string, len(ids))
	for i, v := range ids {
		letter := byte('i')
		if i < len(letters) {
			letter = letters[i]
		}
		words[i] = p.use(v, letter)
	}
	return strings.Join(words, ", ")
}

// constant returns a value if it is a constant.
func (p *printer) constant(v simt.ID) (k *simt.Value, ok bool) {
	if v <= 0 || int(v) >= len(p.Values) {
		return nil, false
	}
	k = &p.Values[v]
	return k, k.Kind == simt.Const
}

func (p *printer) definition(v simt.ID) string {
	if v <= 0 || int(v) >= len(p.names) {
		return p.name(v)
	}
	return p.names[v] + ":" + p.Values[v].Type.String()
}

func (p *printer) definitions(ids []simt.ID) string {
	words := make([]string, len(ids))
	for i, v := range ids {
		words[i] = p.definition(v)
	}
	return strings.Join(words, ", ")
}

// instruction prints an instruction, but for At.
func (p *printer) instruction(i *simt.Inst) string {
	var s strings.Builder
	if h, ok := i.Aux.(*simt.HostCall); ok {
		s.WriteString(p.results(h.Out, i.Defs))
	} else if len(i.Defs) > 0 {
		s.WriteString(p.definitions(i.Defs) + " = ")
	}
	s.WriteString(p.operation(i))
	if i.Guard != 0 {
		s.WriteString(" if ")
		if i.GuardNot {
			s.WriteString("not ")
		}
		s.WriteString(p.name(i.Guard))
	}
	if i.Merge {
		s.WriteString(" merge")
	}
	return s.String()
}

// operation prints what an instruction does, and with what.
func (p *printer) operation(i *simt.Inst) string {
	if i.Kind == simt.Compute {
		if i.Op == 0 || i.Op >= op.All() {
			return fmt.Sprintf("operation %d", i.Op)
		}
		return joined(i.Op.String(), p.uses(i.Args, i.Op.Shape()[2:]))
	}
	_, letters, err := shapeOf(i)
	if err != nil {
		letters = ""
	}
	switch aux := i.Aux.(type) {
	case *simt.Access:
		return p.access(aux, i.Args, letters)
	case *simt.ExchangeOp:
		args := i.Args
		members := ""
		if n := len(args) - 1; aux.Members && n >= 0 {
			args, members = args[:n], " members "+p.use(args[n], 'i')
		}
		return joined(aux.Name, p.uses(args, letters)) + members
	case *simt.BulkOp:
		return joined(aux.Spelling, p.uses(i.Args, letters))
	case *simt.TextureOp:
		args, offset := i.Args, ""
		if n := len(args) - aux.Dimensions; aux.Offset && n >= 0 && len(letters) == len(args) {
			offset = " offset " + p.uses(args[n:], letters[n:])
			args, letters = args[:n], letters[:n]
		}
		return joined(aux.Spelling, p.uses(args, letters)) + offset
	case *simt.StackOp:
		return joined(aux.String(), p.uses(i.Args, letters))
	case *simt.HostCall:
		return "host " + aux.Name + p.arguments(aux.In, i.Args)
	case string:
		return "clock " + aux
	case simt.Reason:
		return "trap." + string(aux)
	case check.Space:
		return joined("isspacep."+spaceText(aux), p.uses(i.Args, letters))
	}
	return map[simt.Kind]string{simt.Trap: "trap", simt.Fence: "fence", simt.Idle: "idle", simt.Probe: "probe"}[i.Kind]
}

func joined(name, operands string) string {
	if operands == "" {
		return name
	}
	return name + " " + operands
}

// spaceText is the name of a space without its dot.
func spaceText(s check.Space) string { return strings.TrimPrefix(s.String(), ".") }

// access prints an access to memory.
func (p *printer) access(a *simt.Access, args []simt.ID, letters string) string {
	if len(args) == 0 || letters == "" {
		return a.Spelling + " " + p.uses(args, "")
	}
	text := a.Spelling + " [" + p.use(args[0], letters[0])
	if a.Offset != 0 {
		text += fmt.Sprintf("%+d", int64(a.Offset))
	}
	text += "]"
	if said, _ := build.Access(a.Spelling); said.Space != a.Space {
		text += " in " + spaceText(a.Space)
	}
	rest := args[1:]
	if a.Update != "" && a.Elements == 1 && len(rest) == 2 && rest[0] == rest[1] { // but cas, all have one operand
		rest = rest[:1]
	}
	if len(rest) > 0 {
		text += ", " + p.uses(rest, letters[1:])
	}
	return text
}

// arguments prints what is passed to a function.
func (p *printer) arguments(passages []simt.Passage, args []simt.ID) string {
	var words []string
	for i := range passages {
		n, of := passages[i].Register, passages[i].Inner.Type
		if n < 0 {
			words = append(words, fmt.Sprintf("[%d]", passages[i].Offset))
			continue
		}
		for _, arg := range args[min(n, len(args)):min(n+simt.Halves(of), len(args))] {
			words = append(words, p.use(arg, letterOf(simt.TypeOf(of))))
		}
	}
	return "(" + strings.Join(words, ", ") + ")"
}

// results prints where what a function returns goes, and what follows.
func (p *printer) results(passages []simt.Passage, defs []simt.ID) string {
	if len(passages) == 0 {
		return ""
	}
	var words []string
	for i := range passages {
		n, of := passages[i].Register, passages[i].Inner.Type
		if n < 0 {
			words = append(words, fmt.Sprintf("[%d]", passages[i].Offset))
			continue
		}
		for _, def := range defs[min(n, len(defs)):min(n+simt.Halves(of), len(defs))] {
			words = append(words, p.definition(def))
		}
	}
	return strings.Join(words, ", ") + " = "
}

// end prints the end of a block, but for At.
func (p *printer) end(e *simt.End) string {
	var words []string
	add := func(v simt.ID, letter byte) { words = append(words, p.use(v, letter)) }
	name := endNames[min(int(e.Kind), len(endNames)-1)]
	before := ""
	if len(e.Defs) > 0 {
		before = p.definitions(e.Defs) + " = "
	}
	if e.Cond != 0 {
		add(e.Cond, 'i')
	}
	switch aux := e.Aux.(type) {
	case *simt.CallOp:
		before = ""
		if !aux.Indirect && len(aux.Callees) == 1 {
			c := &aux.Callees[0]
			before = p.results(c.Out, e.Defs)
			words = append(words, c.Function.Name+p.arguments(c.In, e.Args))
			break
		}
		words = append(words, p.indirect(aux, e.Args))
	case *simt.BarrierOp:
		if aux.Cluster {
			name += ".cluster"
		}
		if aux.Reduce != "" {
			name += "." + aux.Reduce
		} else if !aux.Waits {
			name += ".arrive"
		}
		for i, v := range e.Args {
			switch {
			case i != 1:
				add(v, 'i')
			case aux.Counted:
				words[0] += " of " + p.use(v, 'i')
			}
		}
	default:
		for _, v := range e.Args {
			add(v, 'i')
		}
	}
	for _, to := range e.To {
		words = append(words, fmt.Sprintf("b%d", to))
	}
	return before + joined(name, strings.Join(words, ", "))
}

// endNames are the words for the ends of blocks.
var endNames = [...]string{"jump", "branch", "branchall", "switch", "barrier", "warpsync", "call", "return", "exit", "end?"}

// indirect prints a call through a register.
func (p *printer) indirect(c *simt.CallOp, args []simt.ID) string {
	words := make([]string, len(c.Callees))
	for i := range c.Callees {
		callee := &c.Callees[i]
		words[i] = fmt.Sprintf("%#x: %s%s%s", callee.Address, p.results(callee.Out, nil), callee.Function.Name, p.arguments(callee.In, args))
	}
	target := "_"
	if len(args) > 0 {
		target = p.use(args[len(args)-1], 'l')
	}
	return target + " {" + strings.Join(words, "; ") + "}"
}
