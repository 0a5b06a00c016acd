package vm

import (
	"fmt"
	"io"
	"math/bits"
	"os"
	"strings"

	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/rewrite/word"
	"github.com/vop-ptx/vop/run/native"
	"github.com/vop-ptx/vop/run/portable"
	"github.com/vop-ptx/vop/run/simt"
)

// buildCode builds a kernel and all that it calls for package portable: literally, if it is to be observed.
func (k *Kernel) buildCode(o *observedCode) (*portable.Code, error) {
	options := k.options()
	options.Literal = o != nil
	codes := map[*check.Function]*portable.Code{}
	var missing []MissingForm
	var build func(decl *check.Function) *portable.Code
	build = func(decl *check.Function) *portable.Code {
		if c, ok := codes[decl]; ok {
			return c
		}
		codes[decl] = nil // while it is built: it may call itself
		f, lacks := simt.Build(decl, options)
		missing = append(missing, k.missingIn(decl, lacks)...)
		if len(lacks) > 0 {
			return nil
		}
		for b := range f.Blocks {
			if op, ok := f.Blocks[b].End.Aux.(*simt.CallOp); ok {
				for i := range op.Callees {
					build(op.Callees[i].Function)
				}
			}
		}
		if o != nil {
			codes[decl] = o.bind(f, codes)
		} else {
			codes[decl] = k.bind(f, codes)
		}
		return codes[decl]
	}
	code := build(k.decl)
	if len(missing) > 0 {
		return nil, &MissingError{Kernel: k.name, Forms: missing}
	}
	return code, nil
}

// bind makes code of a function: machine code where that is possible.
func (k *Kernel) bind(f *simt.Function, callees map[*check.Function]*portable.Code) *portable.Code {
	if os.Getenv("VOP_NEW") != "" {
		if native.Supported(native.AVX512) {
			return portable.BindFast(f, callees, native.Homes(f), &fast{function: f, options: native.Options{Level: native.AVX512}, variants: map[variant]*native.Kernel{}})
		}
	}
	return portable.Bind(f, callees)
}

// caps are the operations that video instructions become.
func (k *Kernel) caps() word.Caps {
	if os.Getenv("VOP_NEW") != "" {
		return native.Caps(native.AVX512)
	}
	return word.Portable
}

// options says how the kernel's functions are built.
func (k *Kernel) options() *simt.Options {
	m := k.module
	return &simt.Options{
		Module: m.decl, Reading: m.reading, Caps: k.caps(), Locals: m.locals, Code: m.addressOf,
		Place: func(v *check.Variable) (uint64, bool) {
			switch v.Space {
			case check.Global, check.Const:
				b, ok := m.variables[v]
				if !ok {
					return 0, false
				}
				return b.address, true
			case check.Shared:
				if at, ok := k.shared[v]; ok {
					return uint64(at), true
				}
				return uint64(roundUp(k.staticShared, dynamicAlign)), true
			case check.Param:
				at, ok := k.params[v]
				return uint64(at), ok
			}
			return 0, false
		},
		Callees: func() (all []*check.Function) {
			for _, f := range m.decl.Functions {
				if !f.Entry && !f.Extern && m.takesAddress(f) {
					all = append(all, f)
				}
			}
			return all
		},
	}
}

// host is what package portable runs a launch's CTAs on.
type host struct{ launch *launch }

// Window finds an allocation.
func (h host) Window(address uint64, writes bool) (data []byte, base uint64, ok bool) {
	b := find(h.launch.allocations, address)
	if b == nil || b.readOnly && writes {
		return nil, 0, false
	}
	return b.data, b.address, true
}

// InSpace asks which of global and constant memory an address is in.
func (h host) InSpace(space check.Space, address uint64) bool {
	return h.launch.kernel.module.memory.spaceTest(space)(address)
}

// Stopped reports whether the launch is to end.
func (h host) Stopped() bool { return h.launch.stopped.Load() }

// Clock returns the value of a register that changes.
func (h host) Clock(name string, steps uint64) uint64 {
	return clocks[name].read(&machine{steps: steps})
}

// Texture executes a texture instruction for one lane.
func (h host) Texture(op *simt.TextureOp, args, defs []uint64) *portable.Fault {
	t := h.launch.kernel.module.memory.texture(args[0])
	if t == nil {
		return &portable.Fault{Kind: portable.NoTexture, Address: args[0]}
	}
	return t.execute(op, args, defs)
}

// Call executes a function that the host has.
func (h host) Call(w *portable.Warp, lane int, name string, args []uint64) (result uint64, fault *portable.Fault) {
	t := &hostThread{host: h, warp: w, lane: lane}
	var f *Fault
	if name == "vprintf" {
		result, f = t.printFormatted(args)
	} else {
		f = t.assertionFailed(args)
	}
	switch {
	case t.bad != nil:
		return 0, t.bad
	case f != nil:
		return 0, &portable.Fault{Kind: portable.HostFault, Host: f}
	}
	return result, nil
}

// hostThread is a thread that calls a function of the host.
type hostThread struct {
	host host
	warp *portable.Warp
	lane int
	bad  *portable.Fault // a read that has failed
}

func (t *hostThread) readByte(address uint64) (byte, *Fault) {
	b, ok := t.warp.Byte(t.lane, address)
	if !ok {
		t.bad = portable.BadRead(address)
		return 0, &Fault{}
	}
	return b, nil
}

func (t *hostThread) printFormatted(args []uint64) (uint64, *Fault) {
	format, fault := readString(t, args[0])
	if fault != nil {
		return 0, fault
	}
	p := printer{memory: t, next: args[1]}
	text, fault := p.format(format)
	if fault != nil {
		return 0, fault
	}
	t.host.write(text)
	return uint64(p.count), nil
}

func (t *hostThread) assertionFailed(args []uint64) *Fault { return assertion(t, args) }

// runCTAs runs CTAs with package portable until there are none left.
func (l *launch) runCTAs(m *machine, next func() (Dim, bool)) {
	cta := portable.NewCTA(portable.Launch{Kernel: l.code, Block: portable.Dim(l.grid.Block), Grid: portable.Dim(l.grid.Grid),
		Shared: m.shared, DynamicShared: l.grid.Shared, Params: l.params}, host{l})
	sanitizer := l.observeCTA(cta, m)
	for !l.stopped.Load() {
		index, ok := next()
		if !ok {
			return
		}
		m.block = index
		outcome := cta.Run(portable.Dim(index))
		if sanitizer != nil {
			sanitizer.End()
		}
		switch outcome {
		case portable.Failed:
			m.fault = l.fault(cta, m)
			l.stopped.Store(true)
			return
		case portable.Stopped:
			m.stopped = l.stoppedIn(cta, m)
			return
		}
		if l.grid.Ended != nil {
			l.grid.Ended.Add(1)
		}
	}
}

// fault makes the report of a CTA that has failed.
func (l *launch) fault(cta *portable.CTA, m *machine) *Fault {
	from := cta.Fault
	thread := from.Warp*warpSize + from.Lane
	f := &Fault{thread: thread, Detail: from.Detail}
	switch from.Kind {
	case portable.BadAccess:
		f = l.accessFault(cta, m, from.Access, from.Warp, thread, from.Address)
	case portable.BadIndex:
		f.Kind, f.Detail = Trap, fmt.Sprintf("the index is %d, and the list has %d labels", from.Address, from.Limit)
	case portable.BadFunction:
		f.Kind, f.Detail = Trap, fmt.Sprintf("0x%x is not the address of a function with such parameters and results", from.Address)
	case portable.TooDeep:
		f.Kind = RecursionOverflow
	case portable.HostFault:
		f = from.Host.(*Fault)
		f.thread = thread
	case portable.NoTexture:
		f.Kind, f.Access, f.Address, f.Detail = NoTexture, from.Texture.Spelling, from.Address, "no texture is bound there"
		for v, b := range l.kernel.module.variables {
			if b.address == from.Address {
				f.Detail = "no texture is bound to " + v.Name
			}
		}
	case portable.BadSurface:
		f.Kind, f.Access, f.Address = OutOfBounds, from.Texture.Spelling, from.Address
	case portable.Deadlocked:
		f.Kind, f.Detail = Deadlock, l.waits(from.Waits)
	default:
		f.Kind = Trap
	}
	l.locate(f, from.Function, from.At, m.block)
	return f
}

// accessFault makes the report of a thread's access that is not a valid one.
func (l *launch) accessFault(cta *portable.CTA, m *machine, a *simt.Access, warp, thread int, address uint64) *Fault {
	old := &access{space: a.Space, span: a.Span(), size: uint64(a.Size), writes: a.Writes, spelling: a.Spelling}
	m.local = make([]uint32, cta.LocalSize(warp)/4*m.lanes)
	m.accessFault(old, thread, address)
	f := m.fault
	m.fault = nil
	return f
}

// locate fills in where a fault has happened.
func (l *launch) locate(f *Fault, in *simt.Function, at int32, block Dim) {
	f.Kernel, f.Block, f.Thread = l.kernel.name, block, l.grid.Block.at(f.thread)
	f.function, f.at = in.Decl, int(at)
	f.File, f.Line, f.Col, f.Source = l.kernel.module.placeOf(f.function, f.at)
}

// waits says who waits for whom.
func (l *launch) waits(waits []portable.Wait) string {
	type place struct {
		function *simt.Function
		at       int32
		barrier  int
	}
	counts := map[place]int{}
	firsts := map[place]int{}
	var order []place
	for _, w := range waits {
		p := place{w.Function, w.At, w.Barrier}
		if _, ok := counts[p]; !ok {
			order = append(order, p)
			firsts[p] = w.Warp*warpSize + bits.TrailingZeros32(w.Lanes)
		}
		counts[p] += bits.OnesCount32(w.Lanes)
	}
	var all []string
	for _, p := range order {
		at := l.grid.Block.at(firsts[p])
		text := fmt.Sprintf("thread %v waits", at)
		if n := counts[p]; n > 1 {
			text = fmt.Sprintf("%d threads (from thread %v on) wait", n, at)
		}
		_, line, _ := l.kernel.module.place(p.function.Decl.Body[p.at].Tree.Span())
		if p.barrier < 0 {
			text += fmt.Sprintf(" for others of the warp, line %d", line)
		} else {
			text += fmt.Sprintf(" at barrier %d, line %d", p.barrier, line)
		}
		all = append(all, text)
	}
	return strings.Join(all, "; ")
}

// stoppedIn makes the report of a launch whose context has ended.
func (l *launch) stoppedIn(cta *portable.CTA, m *machine) *StoppedError {
	f, block, thread := cta.At()
	e := &StoppedError{Kernel: l.kernel.name, Block: m.block, Thread: l.grid.Block.at(thread)}
	module := l.kernel.module
	head, last := f.LoopText(block)
	e.File, e.Line, e.Col, e.Source = module.placeOf(f.Decl, head)
	if last >= 0 {
		_, e.Last, _, _ = module.placeOf(f.Decl, last)
	}
	return e
}

// write prints a text to the launch's output.
func (h host) write(text string) {
	h.launch.printing.Lock()
	defer h.launch.printing.Unlock()
	if h.launch.grid.Output != nil {
		io.WriteString(h.launch.grid.Output, text)
	}
}
