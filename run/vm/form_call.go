package vm

import (
	"fmt"

	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/diag"
)

// callForms are the calls of functions (PTX ISA 9.7.12.5).
var callForms = []row{
	{"call{.uni}", callFunction},
}

// maxDepth is how deep calls may nest.
const maxDepth = 1024

// callFunction builds call: arguments and results pass through .param variables, which are
// local memory of caller and callee (PTX ISA 7.1), or are registers and constants.
func callFunction(b *builder) {
	operands := b.current.Operands
	var results, arguments []check.Operand
	if len(operands) > 0 && operands[0].Kind == check.OpList {
		results, operands = operands[0].Elems, operands[1:]
	}
	if len(operands) > 0 && operands[0].Kind == check.OpReg {
		if len(operands) > 1 && operands[1].Kind == check.OpList {
			arguments = operands[1].Elems
		}
		b.callIndirectly(&operands[0], results, arguments)
		return
	}
	if len(operands) == 0 || operands[0].Kind != check.OpFunc {
		b.fail("its target is not a function")
		return
	}
	callee := operands[0].Func
	if len(operands) > 1 && operands[1].Kind == check.OpList {
		arguments = operands[1].Elems
	}
	if len(arguments) != len(callee.Params) || len(results) != len(callee.Returns) {
		b.fail("%s takes %s and returns %d, not %d and %d", callee.Name, diag.Count(len(callee.Params), "parameter"), len(callee.Returns), len(arguments), len(results))
		return
	}
	if callee.Extern {
		b.callBuiltin(callee, results, arguments)
		return
	}
	fn := b.call(callee)
	in := b.passages(arguments, callee.Params)
	out := b.passages(results, callee.Returns)
	uses := []register{}
	for _, p := range in {
		if p.register != noRegister {
			uses = append(uses, p.register)
		}
	}
	at := b.at
	b.transfer(transfer{falls: true, uses: uses, bind: func(f *frame, blk *block) control {
		return &call{caller: f, callee: fn, in: bindPassages(f, in), at: at, next: blk.next}
	}})
	var defs []register
	for _, p := range out {
		if p.register != noRegister {
			defs = append(defs, p.register)
		}
	}
	if len(out) > 0 {
		b.unguarded(func() {
			b.emit(defs, nil, func(f *frame, private bool) step { return &takeResults{f, fn, bindPassages(f, out)} })
		})
	}
}

// passage is the way of an argument or a result between caller and callee.
type passage struct {
	offset   int      // in the caller's local memory, if there is no register
	register register // or noRegister
	column   any      // bound to the register
	inner    *check.Variable
}

// passages pairs operands of a call with the callee's variables.
func (b *builder) passages(operands []check.Operand, variables []*check.Variable) (all []passage) {
	for i := range operands {
		o, v := &operands[i], variables[i]
		p := passage{register: noRegister, inner: v}
		switch at, ok := b.local[o.Var]; {
		case o.Kind == check.OpVar && ok:
			if o.Var.Size < v.Size {
				b.fail("%s has %s, the callee's %s %d", o.Var.Name, diag.Count(o.Var.Size, "byte"), v.Name, v.Size)
			}
			p.offset = at
		case o.Kind == check.OpReg || o.Kind == check.OpImm:
			p.register = b.source(o, classOf(v.Type), v.Type)
		default:
			b.fail("the operand %s", b.name(o))
		}
		all = append(all, p)
	}
	return all
}

func bindPassages(f *frame, all []passage) []passage {
	bound := append([]passage(nil), all...)
	for i := range bound {
		if r := bound[i].register; r != noRegister {
			bound[i].column = f.columns[r]
		}
	}
	return bound
}

// call returns a function that the function calls.
func (b *builder) call(decl *check.Function) *function {
	fn := b.kernel.function(decl)
	if n := len(b.callees); n == 0 || b.callees[n-1] != fn {
		b.callees = append(b.callees, fn)
	}
	return fn
}

// function returns what a function is built to for the kernel, and builds it when it is first
// asked for; it may call itself.
func (k *Kernel) function(decl *check.Function) *function {
	if fn, ok := k.functions[decl]; ok {
		return fn
	}
	fn := &function{}
	k.functions[decl] = fn
	k.missing = append(k.missing, buildFunction(k, decl, fn)...)
	return fn
}

// call is the control that enters a function.
type call struct {
	caller *frame
	callee *function
	in     []passage
	at     int
	next   int
}

func (c *call) run(m *machine, p *path) bool {
	m.lookAt = m.steps // to make a frame and to pass large variables may take long
	f, problem := m.activate(c.callee, c.caller)
	if f == nil {
		m.fault = &Fault{Kind: RecursionOverflow, thread: m.first, Detail: problem}
		m.fault.locate(m, c.caller, c.at)
		return false
	}
	for i := range c.in {
		m.pass(&c.in[i], c.caller, f, true)
	}
	f.back = m.newJoin(c.caller, c.next, p.mask, p.join)
	f.back.callee = f
	p.frame, p.block, p.join = f, 0, f.back
	return true
}

// activate returns a frame for a call of a function, or nil and why there cannot be one: calls are nested too deep.
func (m *machine) activate(fn *function, caller *frame) (f *frame, problem string) {
	base := caller.base + roundUp(caller.fn.local, stackAlign)
	switch {
	case caller.depth+1 >= maxDepth:
		return nil, fmt.Sprintf("calls are nested more than %d deep%s", maxDepth, caller.recursion(fn))
	case base+fn.local > maxLocal:
		return nil, fmt.Sprintf("calls nested %d deep take %d bytes of local memory, a thread has %d%s",
			caller.depth+1, base+fn.local, maxLocal, caller.recursion(fn))
	}
	if free := m.freeFrames[fn]; len(free) > 0 {
		f = free[len(free)-1]
		m.freeFrames[fn] = free[:len(free)-1]
	} else {
		size := fn.size(m.lanes)
		if m.frames+size > maxFrames {
			m.dropFrames()
		}
		if m.frames+size > maxFrames {
			return nil, fmt.Sprintf("calls nested %d deep take %d bytes for the registers of a block, the limit is %d%s",
				caller.depth+1, m.frames+size, maxFrames, caller.recursion(fn))
		}
		f = newFrame(fn, m)
		f.setThreadSpecials(m)
		m.frames += size
	}
	f.depth, f.results = caller.depth+1, nil
	f.place(m, base)
	f.setBlockSpecials(m)
	for _, c := range f.unset {
		setColumn(c, 0)
	}
	return f, ""
}

// dropFrames gives up the frames that are kept for calls to come.
func (m *machine) dropFrames() {
	for _, free := range m.freeFrames {
		for _, f := range free {
			m.frames -= f.size
		}
	}
	clear(m.freeFrames)
}

// recursion says how often a function is among those that the threads of a frame are in, if it is.
func (f *frame) recursion(fn *function) string {
	times, direct := 0, f.fn == fn
	for ; f.back != nil; f = f.back.frame {
		if f.fn == fn {
			times++
		}
	}
	switch {
	case times == 0:
		return ""
	case direct:
		return fmt.Sprintf(": %s calls itself, and has been entered %d times without being left", fn.decl.Name, times)
	}
	return fmt.Sprintf(": %s is called by what it calls, and has been entered %d times without being left", fn.decl.Name, times)
}

// stackAlign is the alignment of a frame in local memory.
const stackAlign = 16

// place gives the frame its part of local memory.
func (f *frame) place(m *machine, base int) {
	f.base = base
	if need := (base + f.fn.local + 3) / 4 * m.lanes; need > len(m.local) {
		if need > cap(m.local) {
			larger := make([]uint32, len(m.local), max(need, min(2*need, maxLocal/4*m.lanes)))
			copy(larger, m.local)
			m.local = larger
		}
		m.local = m.local[:need]
	}
	for _, l := range f.locals {
		setColumn(l.column, uint64(base)+l.offset)
	}
}

// pass copies an argument from caller to callee, or a result back, for the threads at work.
func (m *machine) pass(p *passage, caller, callee *frame, inwards bool) {
	inner := callee.base + callee.fn.places[p.inner]
	size := p.inner.Size
	for t := m.next(m.low); t < m.high && !m.launch.stopped.Load(); t = m.next(t + 1) {
		if p.register != noRegister {
			m.passRegister(p, t, inner, inwards)
			continue
		}
		outer := caller.base + p.offset
		from, to := outer, inner
		if !inwards {
			from, to = inner, outer
		}
		at := 0
		for ; at+4 <= size && (from|to)%4 == 0; at += 4 {
			m.local[(to+at)/4*m.lanes+t] = m.local[(from+at)/4*m.lanes+t]
		}
		for ; at < size; at++ {
			m.storeLocal(t, uint64(to+at), 1, m.loadLocal(t, uint64(from+at), 1))
		}
	}
}

func (m *machine) passRegister(p *passage, thread, inner int, inwards bool) {
	size := uint64(p.inner.Type.Bytes())
	switch c := p.column.(type) {
	case *column[uint32]:
		if inwards {
			m.storeLocal(thread, uint64(inner), size, uint64(c.all()[thread]))
		} else {
			c.update()[thread] = uint32(m.loadLocal(thread, uint64(inner), size))
		}
	case *column[uint64]:
		if inwards {
			m.storeLocal(thread, uint64(inner), size, c.all()[thread])
		} else {
			c.update()[thread] = m.loadLocal(thread, uint64(inner), size)
		}
	}
}

// takeResults copies the results of a call, whose frame has just been left, to the caller.
type takeResults struct {
	caller *frame
	callee *function
	out    []passage
}

func (s *takeResults) run(m *machine) bool {
	left := frame{fn: s.callee, base: s.caller.base + roundUp(s.caller.fn.local, stackAlign)}
	for i := range s.out {
		m.pass(&s.out[i], s.caller, &left, false)
	}
	return true
}

// goBack takes threads of a path out of its function: they go to where it was called.
func (m *machine) goBack(p *path, threads []uint64) {
	back := p.frame.back
	if p.frame.results != nil {
		m.passResults(p.frame, threads)
	}
	for j := p.join; j != back; {
		outer := j.outer
		exclude(j.expected, threads)
		m.open(j)
		j = outer
	}
	include(back.arrived, threads)
	m.open(back)
}
