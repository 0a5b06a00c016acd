package build

import (
	"slices"

	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/build/builder"
)

// callForms are the calls of functions (PTX ISA 9.7.12.5).
var callForms = builder.Table{
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
func callsHost(in *check.Inst) bool {
	_, target, _ := parts(in)
	return target == nil || target.Kind != check.OpReg && (target.Kind != check.OpFunc || target.Func.Extern)
}

// callFunction builds call.
func callFunction(b *builder.Builder) {
	results, target, arguments := parts(b.Inst)
	if target == nil || target.Kind != check.OpReg && target.Kind != check.OpFunc {
		b.Fail("its target is not a function")
		return
	}
	if target.Kind == check.OpReg {
		callIndirectly(b, target, results, arguments)
		return
	}
	callee := target.Func
	if len(arguments) != len(callee.Params) || len(results) != len(callee.Returns) {
		b.Fail("%s takes %s and returns %d, not %d and %d", callee.Name, diag.Count(len(callee.Params), "parameter"), len(callee.Returns), len(arguments), len(results))
		return
	}
	if callee.Extern {
		callHost(b, callee, results, arguments)
		return
	}
	p := passages{b: b}
	c := simt.Callee{Function: callee, In: p.arguments(arguments, callee.Params), Out: p.results(results, callee.Returns)}
	p.finish(&simt.CallOp{Callees: []simt.Callee{c}})
}

// passages collects the arguments and results of a call that are registers.
type passages struct {
	b          *builder.Builder
	args, defs []simt.ID
	operands   []check.Operand // of defs
}

// outer is the end of a passage at the caller, which is memory if ok.
func (p *passages) outer(o *check.Operand, v *check.Variable) (offset int, ok bool) {
	offset, ok = p.b.Offsets[o.Var]
	ok = ok && o.Kind == check.OpVar
	if ok && o.Var.Size < v.Size {
		p.b.Fail("%s has %s, the callee's %s %d", o.Var.Name, diag.Count(o.Var.Size, "byte"), v.Name, v.Size)
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
			p.b.Fail("the operand %s", p.b.Text(o))
			return nil
		}
		if p.vector(o, v) {
			return nil
		}
		all = append(all, simt.Passage{Inner: v, Register: len(p.args)})
		for _, half := range p.halves(o, v) {
			p.args = append(p.args, p.b.Source(&half, simt.TypeOf(v.Type), v.Type))
		}
	}
	return all
}

// vector refuses vectors that are to be passed in registers.
func (p *passages) vector(o *check.Operand, v *check.Variable) bool {
	if !p.b.IsVector(o) && (!v.Formal || v.Vec == 1) {
		return false
	}
	p.b.Lack("the vector %s, which is passed in a register", p.b.Text(o))
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
			p.b.Fail("the operand %s", p.b.Text(o))
			return nil
		}
		if p.vector(o, v) {
			return nil
		}
		all = append(all, simt.Passage{Inner: v, Register: len(p.defs)})
		for _, half := range p.halves(o, v) {
			p.defs = append(p.defs, p.b.Result(simt.TypeOf(v.Type)))
			p.operands = append(p.operands, half)
		}
	}
	return all
}

// halves returns the operands that are the values of a parameter or result.
func (p *passages) halves(o *check.Operand, v *check.Variable) []check.Operand {
	if v.Type == check.B128 && len(v.Dims) == 0 {
		return p.b.Halves(o)
	}
	return []check.Operand{*o}
}

// finish makes the call the end of the block.
func (p *passages) finish(op *simt.CallOp) {
	end := p.b.End()
	end.Args, end.Defs, end.Aux = p.b.List(p.args...), p.b.List(p.defs...), op
	for i := range p.operands {
		p.b.Set(&p.operands[i], p.defs[i])
	}
}

// callHost builds the call of a function without a body.
func callHost(b *builder.Builder, callee *check.Function, results, arguments []check.Operand) {
	parameters, ok := simt.HostParameters(callee.Name)
	if !ok {
		b.Undefine("the function %s has no body: it is declared at %s, and %s", callee.Name, callee.Module.Where(callee.Tree.Name), b.Outside.Module.Missing(callee.Name))
		return
	}
	if len(callee.Params) != parameters || len(callee.Returns) > 1 {
		b.Fail("the built-in %s takes %d parameters and returns one value, not %d and %d", callee.Name, parameters, len(callee.Params), len(callee.Returns))
		return
	}
	for _, v := range slices.Concat(callee.Params, callee.Returns) {
		if len(v.Dims) > 0 || v.Size > 8 || simt.TypeOf(v.Type) == simt.Pred {
			b.Fail("the built-in %s takes and returns numbers of up to 64 bits, which %s is not", callee.Name, v.Name)
			return
		}
	}
	p := passages{b: b}
	op := &simt.HostCall{Name: callee.Name, In: p.arguments(arguments, callee.Params), Out: p.results(results, callee.Returns)}
	b.Effect(simt.Inst{Kind: simt.Host, Args: b.List(p.args...), Defs: b.List(p.defs...), Aux: op})
	for i := range p.operands {
		b.Set(&p.operands[i], p.defs[i])
	}
}

// callIndirectly builds a call through a register (PTX ISA 9.7.12.5): any function may be called whose
// address the module takes somewhere and whose parameters and results have the sizes of those of
// the call.
func callIndirectly(b *builder.Builder, target *check.Operand, results, arguments []check.Operand) {
	for i := range results {
		if o := &results[i]; o.Kind != check.OpVar {
			b.Lack("the result %s of a call through an address, which is no .param variable", b.Text(o))
			return
		}
	}
	op := &simt.CallOp{Indirect: true}
	p := passages{b: b}
	for _, f := range b.Outside.Callees() {
		if !fits(b, arguments, f.Params, false) || !fits(b, results, f.Returns, true) {
			continue
		}
		if !b.AddTargets(1) {
			return
		}
		c := simt.Callee{Function: f, Address: b.Outside.Code(f), In: p.arguments(arguments, f.Params), Out: p.results(results, f.Returns)}
		op.Callees = append(op.Callees, c)
	}
	p.args = append(p.args, b.Source(target, simt.B64, check.U64))
	p.finish(op)
}

// fits reports whether operands can be the arguments or results of variables.
func fits(b *builder.Builder, operands []check.Operand, variables []*check.Variable, results bool) bool {
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
			has, want := b.Decl.Registers[o.Reg].Type, v.Type
			if results || v.Size > 8*simt.Halves(want) || (want == check.Pred) != (has == check.Pred) || simt.Halves(want) != simt.Halves(has) {
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
