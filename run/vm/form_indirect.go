package vm

import (
	"fmt"

	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/engine"
)

// callIndirectly builds a call through a register (PTX ISA 9.7.12.5): any function may be called whose address the
// module takes somewhere and whose parameters and results have the sizes of those of the call.
func (b *builder) callIndirectly(target *check.Operand, results, arguments []check.Operand) {
	type candidate struct {
		fn      *function
		in, out []passage
	}
	candidates := map[uint64]candidate{}
	module := b.kernel.module
	var uses []register
	for _, f := range module.decl.Functions {
		if f.Entry || f.Extern || !fits(arguments, f.Params, true) || !fits(results, f.Returns, false) || !module.takesAddress(f) {
			continue
		}
		if b.targets++; b.targets > maxTargets {
			b.fail("the function has more than %d targets of indirect calls and branches", maxTargets)
			return
		}
		c := candidate{b.call(f), b.passages(arguments, f.Params), b.passages(results, f.Returns)}
		for _, p := range c.in {
			if p.register != noRegister {
				uses = append(uses, p.register)
			}
		}
		candidates[module.addressOf(f)] = c
	}
	address := b.source(target, wide, check.U64)
	at := b.at
	// The call is a block of its own: threads that call another function execute it again.
	b.operations = append(b.operations, operation{at: b.at, guard: noRegister, control: &transfer{falls: true,
		bind: func(f *frame, blk *block) control { return jump{blk.next} }}})
	b.transfer(transfer{falls: true, uses: append(uses, address), bind: func(f *frame, blk *block) control {
		s := &indirectCall{address: columnOf[uint64](f, address), callees: map[uint64]*indirectCallee{}, at: at, next: blk.next, set: make(engine.Mask, len(columnOf[uint64](f, address).values)/64+1)}
		for a, c := range candidates {
			s.callees[a] = &indirectCallee{call{caller: f, callee: c.fn, in: bindPassages(f, c.in), at: at, next: blk.next}, bindPassages(f, c.out)}
		}
		return s
	}})
}

// fits reports whether operands can be the arguments or results of variables.
func fits(operands []check.Operand, variables []*check.Variable, registers bool) bool {
	if len(operands) != len(variables) {
		return false
	}
	for i := range operands {
		o := &operands[i]
		if o.Kind == check.OpVar && o.Var.Size != variables[i].Size || o.Kind != check.OpVar && !registers {
			return false
		}
	}
	return true
}

// takesAddress reports whether the module uses the address of a function other than to call it.
func (m *Module) takesAddress(f *check.Function) bool {
	if m.addressed == nil {
		m.addressed = m.findAddressed()
	}
	return m.addressed[f]
}

// findAddressed returns the functions whose addresses initial values and instructions other than calls hold.
func (m *Module) findAddressed() map[*check.Function]bool {
	found := map[*check.Function]bool{}
	for _, v := range m.decl.Variables {
		for _, r := range v.Relocs {
			found[r.Func] = true
		}
	}
	for _, f := range m.decl.Functions {
		for i := range f.Body {
			in := &f.Body[i]
			for j := range in.Operands {
				if o := &in.Operands[j]; o.Kind == check.OpFunc && in.Tree.Name.Text != "call" {
					found[o.Func] = true
				}
			}
		}
	}
	return found
}

// indirectCall is the control that enters one of several functions.
type indirectCall struct {
	address *column[uint64]
	callees map[uint64]*indirectCallee
	at      int
	next    int
	set     engine.Mask
	chosen  *call // of the last run
}

type indirectCallee struct {
	call
	out []passage
}

// group gives set the threads of a path that call what the first of them calls.
func (c *indirectCall) group(m *machine, p *path, set engine.Mask) {
	address := c.address.all()
	clear(set)
	for t := range m.threads {
		if contains(p.mask, t) && address[t] == address[first(p.mask)] {
			set[t/64] |= 1 << (t % 64)
		}
	}
}

func (c *indirectCall) run(m *machine, p *path) bool {
	c.set = c.set[:m.maskWords]
	c.group(m, p, c.set)
	if !covers(c.set, p.mask) {
		p.join = m.meetingAt(p, c.next)
		exclude(p.mask, c.set)
		m.runnable = append(m.runnable, m.newPath(p.frame, p.block, p.mask, p.join))
		copy(p.mask, c.set)
		m.enter(p.mask)
	}
	address := c.address.all()[m.first]
	callee, ok := c.callees[address]
	if !ok {
		m.fault = &Fault{Kind: Trap, thread: m.first, Detail: fmt.Sprintf("0x%x is not the address of a function with such parameters and results", address)}
		m.fault.locate(m, p.frame, c.at)
		return false
	}
	c.chosen = &callee.call
	if !callee.run(m, p) {
		return false
	}
	p.frame.results = callee.out
	return true
}

// passResults copies the results of a function that was called through a register, for threads that leave it.
func (m *machine) passResults(f *frame, threads engine.Mask) {
	m.enter(threads)
	caller := f.back.frame
	for i := range f.results {
		p := &f.results[i]
		m.pass(p, caller, f, false)
	}
}
