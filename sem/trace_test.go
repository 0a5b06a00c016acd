package sem_test

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/vop-ptx/vop/conform"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/sem"
)

// TestTraceAddsUp: the stages of a trace lead to its result, which is that of EvalAs.
func TestTraceAddsUp(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	n := 0
	for f := range isa.Sample(rng) {
		a, b, c := conform.Operands(rng, f)
		for _, r := range isa.Readings() {
			trace := sem.TraceOf(r, f, a, b, c)
			if want := sem.EvalAs(r, f, a, b, c); trace.D != want {
				t.Fatalf("%v a=%08x b=%08x c=%08x (%v): traced %08x, evaluated %08x", f, a, b, c, r, trace.D, want)
			}
			if got := assembled(trace); got != trace.D {
				t.Fatalf("%v a=%08x b=%08x c=%08x (%v): the stages give %08x, d is %08x\n%+v", f, a, b, c, r, got, trace.D, trace)
			}
		}
		if n++; n == 50_000 {
			return
		}
	}
}

// assembled puts d together from the last stage of a trace.
func assembled(t sem.Trace) uint32 {
	switch {
	case t.Mad != nil:
		return uint32(t.Mad.Result.Lo)
	case t.Second != nil:
		return uint32(t.Second.Result)
	case t.Merge != nil:
		d, end := uint32(0), 0
		for _, p := range t.Merge {
			if p.Low != end {
				return ^t.D // a gap
			}
			d |= p.Value << p.Low
			end += p.Bits
		}
		return d
	}
	return uint32(t.Lanes[0].Saturated)
}

// TestTraceCompiled: under the second reading the trace shows what is compared.
func TestTraceCompiled(t *testing.T) {
	f := isa.Form{Op: isa.Vsub, DType: isa.S32, Second: isa.SecondMax}
	got := sem.TraceOf(sem.SM86, f, 0, 0x80000001, 5)
	want := sem.Secondary{Op: isa.SecondMax, T: 0x7fffffff, C: 5, Result: 0x7fffffff}
	if got.Lanes[0].Saturated != -0x80000001 || *got.Second != want || got.D != 0x7fffffff {
		t.Errorf("%+v, %+v", got, got.Second)
	}
}

// TestTraceCompiledRange: under the second reading the trace shows the range that .sat
// really has.
func TestTraceCompiledRange(t *testing.T) {
	for _, test := range []struct {
		form      isa.Form
		low, high int64
	}{
		{isa.Form{Op: isa.Vadd, DType: isa.S32, Sat: true}, -1 << 31, 1<<31 - 1},
		{isa.Form{Op: isa.Vadd, DType: isa.S32, Sat: true, DSel: isa.B0}, 0, 127},                               // Q3
		{isa.Form{Op: isa.Vadd, Sat: true}, 0, 1<<33 - 1},                                                       // Q4
		{isa.Form{Op: isa.Vshr, DType: isa.S32, Mode: isa.Clamp, Sat: true, DSel: isa.B0}, -1 << 31, 1<<31 - 1}, // Q8
	} {
		lane := sem.TraceOf(sem.SM86, test.form, 1, 2, 3).Lanes[0]
		if lane.Min != test.low || lane.Max != test.high {
			t.Errorf("%v: clamped to %d .. %d, want %d .. %d", test.form, lane.Min, lane.Max, test.low, test.high)
		}
	}
}

func TestTraceScalar(t *testing.T) {
	f := isa.Form{Op: isa.Vsub, DType: isa.S32, AType: isa.S32, Sat: true, ASel: isa.H1, BSel: isa.B2, DSel: isa.B1}
	got := sem.TraceOf(sem.ISA, f, 0xfffe0000, 0x00ff0000, 0x11223344)
	want := sem.Trace{
		Form: f, A: 0xfffe0000, B: 0x00ff0000, C: 0x11223344,
		Lanes: []sem.Lane{{
			A:      sem.Extract{Operand: 'a', Low: 16, Bits: 16, Raw: 0xfffe, Type: isa.S32, Value: -2},
			B:      sem.Extract{Operand: 'b', Low: 16, Bits: 8, Raw: 0xff, Value: 255},
			Result: -257, Saturated: -128, Sat: true, Min: -128, Max: 127, Masked: true,
		}},
		Merge: []sem.Piece{{Low: 0, Bits: 8, Lane: -1, Value: 0x44}, {Low: 8, Bits: 8, Lane: 0, Value: 0x80}, {Low: 16, Bits: 16, Lane: -1, Value: 0x1122}},
		D:     0x11228044,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestTraceSIMD(t *testing.T) {
	f := isa.Form{Op: isa.Vadd2, DType: isa.S32, AType: isa.S32, BType: isa.S32, Sat: true, Mask: 2, ALane: 0x12, BLane: 0x32}
	got := sem.TraceOf(sem.ISA, f, 0x7fff0001, 0x00018000, 0x55556666)
	want := sem.Trace{
		Form: f, A: 0x7fff0001, B: 0x00018000, C: 0x55556666,
		Lanes: []sem.Lane{
			{
				A:      sem.Extract{Operand: 'b', Low: 0, Bits: 16, Raw: 0x8000, Type: isa.S32, Value: -32768},
				B:      sem.Extract{Operand: 'b', Low: 0, Bits: 16, Raw: 0x8000, Type: isa.S32, Value: -32768},
				Result: -65536, Saturated: -32768, Sat: true, Min: -32768, Max: 32767,
			},
			{
				A:      sem.Extract{Operand: 'a', Low: 16, Bits: 16, Raw: 0x7fff, Type: isa.S32, Value: 32767},
				B:      sem.Extract{Operand: 'b', Low: 16, Bits: 16, Raw: 1, Type: isa.S32, Value: 1},
				Result: 32768, Saturated: 32767, Sat: true, Min: -32768, Max: 32767, Masked: true,
			},
		},
		Merge: []sem.Piece{{Low: 0, Bits: 16, Lane: -1, Value: 0x6666}, {Low: 16, Bits: 16, Lane: 1, Value: 0x7fff}},
		D:     0x7fff6666,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestTraceMad(t *testing.T) {
	f := isa.Form{Op: isa.Vmad, AType: isa.U32, BType: isa.U32, NegC: true, Scale: isa.Shr7, Sat: true}
	got := sem.TraceOf(sem.ISA, f, 3, 100, 44)
	want := sem.Mad{
		A:           sem.Extract{Operand: 'a', Bits: 32, Raw: 3, Value: 3},
		B:           sem.Extract{Operand: 'b', Bits: 32, Raw: 100, Value: 100},
		SignedFinal: true,
		Product:     sem.Int128{Lo: 300}, Negated: sem.Int128{Lo: 300},
		NegateC: true, C: ^uint32(44), C128: sem.Int128{Hi: -1, Lo: 0xffffffffffffffd3}, LSB: 1,
		Sum: sem.Int128{Lo: 256}, Shift: 7, Scaled: sem.Int128{Lo: 2},
		Sat: true, Min: -1 << 31, Max: 1<<31 - 1, Result: sem.Int128{Lo: 2},
	}
	if diff := cmp.Diff(want, *got.Mad); diff != "" {
		t.Error(diff)
	}
	if got.D != 2 || got.Lanes != nil || got.Second != nil || got.Merge != nil {
		t.Errorf("%+v", got)
	}
}
