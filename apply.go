package vop

import (
	"fmt"
	"sync"

	"github.com/vop-ptx/vop/rewrite/lower"
	"github.com/vop-ptx/vop/run/engine"
)

// arrays is an instruction made ready for arrays: lowered for the engine of this machine.
type arrays struct {
	once   sync.Once
	kernel *engine.Kernel
	reads  [3]bool
	err    error
}

// ready lowers the instruction under a reading, the first time.
func (in *Instruction) ready(as Reading) *arrays {
	r := &in.arrays[as]
	r.once.Do(func() {
		e, err := engine.Default()
		if err != nil {
			r.err = err
			return
		}
		var facts lower.Facts
		for i, value := range in.values {
			if value.set {
				facts.Known[i] = lower.Constant(value.word)
			}
		}
		program := lower.FormAs(as, in.form, e.Caps(), facts)
		r.kernel = e.Compile(program)
		for i := range r.reads {
			r.reads[i] = program.Reads(i)
		}
	})
	return r
}

// Apply evaluates the instruction, as the ISA text says, for each element:
// dst[i] from a[i], b[i] and c[i]. All have the length of dst. An operand that does not
// matter may be nil: c of a form that does not read it, and one given as a
// number. dst may be one of the sources. Apply may be called by several goroutines
// at the same time, on different dst.
//
// An error is about the lengths, or that the environment variable VOP_ENGINE asks
// for an engine that this machine does not have.
func (in *Instruction) Apply(dst, a, b, c []uint32) error { return in.ApplyAs(ISA, dst, a, b, c) }

// ApplyAs is Apply under a reading.
func (in *Instruction) ApplyAs(r Reading, dst, a, b, c []uint32) error {
	ready := in.ready(r)
	if ready.err != nil {
		return ready.err
	}
	for i, source := range [3][]uint32{a, b, c} {
		if len(source) != len(dst) && (source != nil || ready.reads[i]) {
			return fmt.Errorf("vop: Apply: %c has %d words, dst has %d", 'a'+i, len(source), len(dst))
		}
	}
	ready.kernel.Run(dst, a, b, c)
	return nil
}
