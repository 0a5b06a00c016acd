package build

import (
	"slices"

	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/run/simt"
)

// callForms are the calls of functions (PTX ISA 9.7.12.5).
var callForms = []row{
	{"call{.uni}", callFunction},
}

// parts are a call's operands: the results, the target and the arguments.
func parts(in *check.Inst) (results []check.Operand, target *check.Operand, arguments []check.Operand) {
	operands := in.Operands
	if len(operands) > 0 && operands[0].Kind == check.OpList {
		results, operands = operands[0].Elems, operands[1:]
	}
	if len(operands) > 0 {
		target = &operands[0]
	}
	if len(operands) > 1 && operands[1].Kind == check.OpList {
		arguments = operands[1].Elems
	}
	return results, target, arguments
}

// callsHost reports whether an instruction is a call that does not enter a function of the text.
func (b *builder) callsHost(in *check.Inst) bool {
	_, target, _ := parts(in)
	return target == nil || target.Kind != check.OpReg && (target.Kind != check.OpFunc || target.Func.Extern)
}

// callFunction builds call.
func callFunction(b *builder) {
	results, target, arguments := parts(b.current)
	if target == nil || target.Kind != check.OpReg && target.Kind != check.OpFunc {
		b.fail("its target is not a function")
		return
	}
	if target.Kind == check.OpReg {
		b.callIndirectly(target, results, arguments)
		return
	}
	callee := target.Func
	if len(arguments) != len(callee.Params) || len(results) != len(callee.Returns) {
		b.fail("%s takes %s and returns %d, not %d and %d", callee.Name, diag.Count(len(callee.Params), "parameter"), len(callee.Returns), len(arguments), len(results))
		return
	}
	if callee.Extern {
		b.callHost(callee, results, arguments)
		return
	}
	p := passages{b: b}
	c := simt.Callee{Function: callee, In: p.arguments(arguments, callee.Params), Out: p.results(results, callee.Returns)}
	p.finish(&simt.CallOp{Callees: []simt.Callee{c}})
}

// passages collects the arguments and results of a call that are registers.
type passages struct {
	b          *builder
	args, defs []simt.ID
	operands   []*check.Operand // of defs
}

// outer is the end of a passage at the caller, which is memory if ok.
func (p *passages) outer(o *check.Operand, v *check.Variable) (offset int, ok bool) {
	offset, ok = p.b.Offsets[o.Var]
	ok = ok && o.Kind == check.OpVar
	if ok && o.Var.Size < v.Size {
		p.b.fail("%s has %s, the callee's %s %d", o.Var.Name, diag.Count(o.Var.Size, "byte"), v.Name, v.Size)
	}
	return offset, ok
}

func (p *passages) arguments(operands []check.Operand, variables []*check.Variable) (all []simt.Passage) {
	for i, v := range variables {
		o := &operands[i]
		if offset, ok := p.outer(o, v); ok {
			all = append(all, simt.Passage{Inner: v, Register: -1, Offset: offset})
			continue
		}
		if o.Kind != check.OpReg && o.Kind != check.OpImm {
			p.b.fail("the operand %s", p.b.name(o))
			return nil
		}
		if p.vector(o, v) {
			return nil
		}
		all = append(all, simt.Passage{Inner: v, Register: len(p.args)})
		p.args = append(p.args, p.b.source(o, simt.TypeOf(v.Type), v.Type))
	}
	return all
}

// vector refuses vectors that are to be passed in registers.
func (p *passages) vector(o *check.Operand, v *check.Variable) bool {
	if !p.b.isVector(o) && (!v.Formal || v.Vec == 1) {
		return false
	}
	p.b.lack("the vector %s, which is passed in a register", p.b.name(o))
	return true
}

func (p *passages) results(operands []check.Operand, variables []*check.Variable) (all []simt.Passage) {
	for i, v := range variables {
		o := &operands[i]
		if offset, ok := p.outer(o, v); ok {
			all = append(all, simt.Passage{Inner: v, Register: -1, Offset: offset})
			continue
		}
		if o.Kind != check.OpReg {
			p.b.fail("the operand %s", p.b.name(o))
			return nil
		}
		if p.vector(o, v) {
			return nil
		}
		all = append(all, simt.Passage{Inner: v, Register: len(p.defs)})
		p.defs = append(p.defs, p.b.result(simt.TypeOf(v.Type)))
		p.operands = append(p.operands, o)
	}
	return all
}

// finish makes the call the end of the block.
func (p *passages) finish(op *simt.CallOp) {
	end := p.b.end()
	end.Args, end.Defs, end.Aux = p.b.list(p.args...), p.b.list(p.defs...), op
	for i, o := range p.operands {
		p.b.set(o, p.defs[i])
	}
}

// callHost builds the call of a function without a body.
func (b *builder) callHost(callee *check.Function, results, arguments []check.Operand) {
	parameters, ok := simt.HostParameters(callee.Name)
	if !ok {
		b.failAs(UndefinedName, "the function %s has no body: it is declared at %s, and %s", callee.Name, callee.Module.Where(callee.Tree.Name), b.options.Module.Missing(callee.Name))
		return
	}
	if len(callee.Params) != parameters || len(callee.Returns) > 1 {
		b.fail("the built-in %s takes %d parameters and returns one value, not %d and %d", callee.Name, parameters, len(callee.Params), len(callee.Returns))
		return
	}
	for _, v := range slices.Concat(callee.Params, callee.Returns) {
		if len(v.Dims) > 0 || v.Size > 8 || simt.TypeOf(v.Type) == simt.Pred {
			b.fail("the built-in %s takes and returns numbers of up to 64 bits, which %s is not", callee.Name, v.Name)
			return
		}
	}
	p := passages{b: b}
	op := &simt.HostCall{Name: callee.Name, In: p.arguments(arguments, callee.Params), Out: p.results(results, callee.Returns)}
	b.effect(simt.Inst{Kind: simt.Host, Args: b.list(p.args...), Defs: b.list(p.defs...), Aux: op})
	for i, o := range p.operands {
		b.set(o, p.defs[i])
	}
}

// callIndirectly builds a call through a register (PTX ISA 9.7.12.5): any function may be called whose
// address the module takes somewhere and whose parameters and results have the sizes of those of
// the call.
func (b *builder) callIndirectly(target *check.Operand, results, arguments []check.Operand) {
	for i := range results {
		if o := &results[i]; o.Kind != check.OpVar {
			b.lack("the result %s of a call through an address, which is no .param variable", b.name(o))
			return
		}
	}
	op := &simt.CallOp{Indirect: true}
	p := passages{b: b}
	for _, f := range b.options.Callees() {
		if !b.fits(arguments, f.Params, false) || !b.fits(results, f.Returns, true) {
			continue
		}
		if b.targets++; b.targets > maxTargets {
			b.fail("the function has more than %d targets of indirect calls and branches", maxTargets)
			return
		}
		c := simt.Callee{Function: f, Address: b.options.Code(f), In: p.arguments(arguments, f.Params), Out: p.results(results, f.Returns)}
		op.Callees = append(op.Callees, c)
	}
	p.args = append(p.args, b.source(target, simt.B64, check.U64))
	p.finish(op)
}

// fits reports whether operands can be the arguments or results of variables.
func (b *builder) fits(operands []check.Operand, variables []*check.Variable, results bool) bool {
	if len(operands) != len(variables) {
		return false
	}
	for i, v := range variables {
		switch o := &operands[i]; o.Kind {
		case check.OpVar:
			if o.Var.Size != v.Size {
				return false
			}
		case check.OpReg:
			has, want := simt.TypeOf(b.decl.Registers[o.Reg].Type), simt.TypeOf(v.Type)
			if results || v.Size > 8 || (want == simt.Pred) != (has == simt.Pred) {
				return false
			}
		default:
			if results || v.Type == check.Pred {
				return false
			}
		}
	}
	return true
}
