package vop

import (
	"fmt"

	"github.com/vop-ptx/vop/rewrite/lower"
	"github.com/vop-ptx/vop/run/level"
)

// arrays is an instruction made ready for arrays.
type arrays struct {
	level.Array
	reads [3]bool
	err   error
}

// prepare makes an instruction ready. Goroutines that ask at the same time may all do it; the first one's result is kept.
func (in *Instruction) prepare() *arrays {
	made := in.arrays()
	if !in.ready.CompareAndSwap(nil, made) {
		return in.ready.Load()
	}
	return made
}

func (in *Instruction) arrays() *arrays {
	l, err := level.Default()
	if err != nil {
		return &arrays{err: err}
	}
	program := lower.FormAs(in.reading.known(), in.form, l.Caps(), in.facts())
	made := &arrays{Array: l.Array(program)}
	for i := range made.reads {
		made.reads[i] = program.Reads(i)
	}
	return made
}

// facts are the operands that are written as numbers.
func (in *Instruction) facts() (facts lower.Facts) {
	for i, value := range in.values {
		if value.set {
			facts.Known[i] = lower.Constant(value.word)
		}
	}
	return facts
}

// Apply evaluates the instruction for each element:
// dst[i] from a[i], b[i] and c[i]. All have the length of dst. An operand that does not
// matter may be nil: c of a form that does not read it, and one given as a
// number. dst may be one of the sources. Apply may be called by several goroutines
// at the same time, on different dst.
//
// An error is about the lengths, or that the environment variable VOP_ENGINE asks
// for an engine that this machine does not have.
func (in *Instruction) Apply(dst, a, b, c []uint32) error {
	ready := in.ready.Load()
	if ready == nil {
		ready = in.prepare()
	}
	n := len(dst)
	if ready.err != nil || len(a) != n && (a != nil || ready.reads[0]) || len(b) != n && (b != nil || ready.reads[1]) || len(c) != n && (c != nil || ready.reads[2]) {
		return ready.refuse(n, a, b, c)
	}
	if ready.Code != nil {
		ready.Code.Run(dst, a, b, c)
	} else {
		ready.Loops.Run(dst, a, b, c)
	}
	return nil
}

// refuse says why operands are not computed.
func (r *arrays) refuse(n int, a, b, c []uint32) error {
	if r.err != nil {
		return r.err
	}
	for i, source := range [3][]uint32{a, b, c} {
		if len(source) != n && (source != nil || r.reads[i]) {
			return fmt.Errorf("vop: Apply: %c has %d words, dst has %d", 'a'+i, len(source), n)
		}
	}
	return nil
}
