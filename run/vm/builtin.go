package vm

import (
	"fmt"
	"slices"
	"strings"

	"github.com/vop-ptx/vop/read/check"
)

// builtin is a function that a GPU's driver has. It is called for each thread at work, with the values
// of its arguments.
type builtin struct {
	parameters int
	call       func(m *machine, thread int, arguments []uint64) (result uint64, fault *Fault)
}

var builtins = map[string]builtin{
	"vprintf":      {2, printFormatted},
	"__assertfail": {5, assertionFailed},
}

// callBuiltin builds the call of a function without a body.
func (b *builder) callBuiltin(callee *check.Function, results, arguments []check.Operand) {
	f, ok := builtins[callee.Name]
	if !ok {
		b.lack("the function %s has no body in this module", callee.Name)
		return
	}
	if len(callee.Params) != f.parameters || len(callee.Returns) > 1 {
		b.fail("the built-in %s takes %d parameters and returns one value, not %d and %d", callee.Name, f.parameters, len(callee.Params), len(callee.Returns))
		return
	}
	for _, v := range slices.Concat(callee.Params, callee.Returns) {
		if len(v.Dims) > 0 || v.Size > 8 || classOf(v.Type) == flag {
			b.fail("the built-in %s takes and returns numbers of up to 64 bits, which %s is not", callee.Name, v.Name)
			return
		}
	}
	s := &builtinStep{f: f.call, in: b.passages(arguments, callee.Params), out: b.passages(results, callee.Returns)}
	var defs, uses []register
	for _, p := range s.in {
		if p.register != noRegister {
			uses = append(uses, p.register)
		}
	}
	for _, p := range s.out {
		if p.register != noRegister {
			defs = append(defs, p.register)
		}
	}
	b.emit(defs, uses, func(fr *frame, private bool) step {
		bound := *s
		bound.frame, bound.in, bound.out = fr, bindPassages(fr, s.in), bindPassages(fr, s.out)
		return &bound
	})
}

// builtinStep calls a builtin for each thread in turn.
type builtinStep struct {
	f       func(m *machine, thread int, arguments []uint64) (uint64, *Fault)
	frame   *frame
	in, out []passage
}

func (s *builtinStep) run(m *machine) bool {
	arguments := make([]uint64, len(s.in))
	for t := m.next(m.low); t < m.high; t = m.next(t + 1) {
		if m.launch.stopped.Load() {
			return false
		}
		for i := range s.in {
			arguments[i] = m.argument(&s.in[i], s.frame, t)
		}
		result, fault := s.f(m, t, arguments)
		if fault != nil {
			fault.thread = t
			m.fault = fault
			return false
		}
		for i := range s.out {
			m.setResult(&s.out[i], s.frame, t, result)
		}
	}
	return true
}

// argument returns one thread's value of a scalar argument.
func (m *machine) argument(p *passage, f *frame, thread int) uint64 {
	switch c := p.column.(type) {
	case *column[uint32]:
		return uint64(c.all()[thread])
	case *column[uint64]:
		return c.all()[thread]
	}
	return m.loadLocal(thread, uint64(f.base+p.offset), uint64(p.inner.Size))
}

func (m *machine) setResult(p *passage, f *frame, thread int, value uint64) {
	switch c := p.column.(type) {
	case *column[uint32]:
		c.update()[thread] = uint32(value)
	case *column[uint64]:
		c.update()[thread] = value
	default:
		m.storeLocal(thread, uint64(f.base+p.offset), uint64(p.inner.Size), value)
	}
}

// memoryOf is the access that builtins read memory with.
var memoryOf = access{space: check.Generic, span: 1, size: 1, spelling: "a read by a builtin function"}

// readByte returns the byte at a generic address, as a thread sees it.
func (m *machine) readByte(thread int, address uint64) (byte, bool) {
	if memoryOf.isLocal(address) {
		at := memoryOf.localOffset(address)
		if !m.insideLocal(at, 1) {
			return 0, false
		}
		return byte(m.loadLocal(thread, at, 1)), true
	}
	data, ok := m.inside(&memoryOf, address, 1)
	if !ok {
		return 0, false
	}
	return data[0], true
}

// bytesReader reads memory as one thread sees it.
type bytesReader interface {
	readByte(address uint64) (byte, *Fault)
}

// threadMemory is a thread of a machine as a bytesReader.
type threadMemory struct {
	m      *machine
	thread int
}

func (t threadMemory) readByte(address uint64) (byte, *Fault) {
	c, ok := t.m.readByte(t.thread, address)
	if !ok {
		a := memoryOf
		t.m.accessFault(&a, t.thread, address)
		return 0, t.m.fault
	}
	return c, nil
}

// readString returns the C string at a generic address.
func readString(from bytesReader, address uint64) (string, *Fault) {
	if address == 0 {
		return "(null)", nil
	}
	var s strings.Builder
	for {
		c, fault := from.readByte(address)
		if fault != nil {
			return "", fault
		}
		if c == 0 {
			return s.String(), nil
		}
		if s.Len() == maxText {
			return "", &Fault{Kind: Trap, Detail: fmt.Sprintf("the string that a built-in function reads has no end within %d bytes", maxText)}
		}
		s.WriteByte(c)
		address++
	}
}

// readNumber returns the number of a size at a generic address.
func readNumber(from bytesReader, address uint64, size int) (value uint64, fault *Fault) {
	for i := range size {
		c, fault := from.readByte(address + uint64(i))
		if fault != nil {
			return 0, fault
		}
		value |= uint64(c) << (8 * i)
	}
	return value, nil
}

// assertionFailed is __assertfail(message, file, line, function, size of a character).
func assertionFailed(m *machine, thread int, arguments []uint64) (uint64, *Fault) {
	return 0, assertion(threadMemory{m, thread}, arguments)
}

// assertion returns what a failed assertion says.
func assertion(from bytesReader, arguments []uint64) *Fault {
	var texts [3]string
	for i, at := range []int{0, 1, 3} {
		text, fault := readString(from, arguments[at])
		if fault != nil {
			return fault
		}
		texts[i] = text
	}
	return &Fault{Kind: Assertion, Detail: fmt.Sprintf("%s:%d: %s: Assertion `%s' failed.", texts[1], uint32(arguments[2]), texts[2], texts[0])}
}

// printFormatted is vprintf(format, arguments): it returns the number of arguments, as
// CUDA's printf does.
func printFormatted(m *machine, thread int, arguments []uint64) (uint64, *Fault) {
	format, fault := readString(threadMemory{m, thread}, arguments[0])
	if fault != nil {
		return 0, fault
	}
	p := printer{memory: threadMemory{m, thread}, next: arguments[1]}
	text, fault := p.format(format)
	if fault != nil {
		return 0, fault
	}
	host{m.launch}.write(text)
	return uint64(p.count), nil
}
