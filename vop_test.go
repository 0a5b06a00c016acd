package vop_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/vop-ptx/vop"
	"github.com/vop-ptx/vop/conform"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/sem"
)

// TestApply compares Apply with Eval on forms from the whole table, spelled and parsed.
func TestApply(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	a, b, c, dst := make([]uint32, 67), make([]uint32, 67), make([]uint32, 67), make([]uint32, 67)
	n := 0
	for f := range isa.Sample(rng) {
		in, err := vop.Parse(f.String())
		if err != nil {
			t.Fatalf("%v: %v", f, err)
		}
		if in.Form() != f {
			t.Fatalf("%v is parsed as %v", f, in.Form())
		}
		for i := range dst {
			a[i], b[i], c[i] = conform.Operands(rng, f)
		}
		if err := in.Apply(dst, a, b, c); err != nil {
			t.Fatal(err)
		}
		for i := range dst {
			if want := in.Eval(a[i], b[i], c[i]); dst[i] != want {
				t.Fatalf("%v a=%08x b=%08x c=%08x: Apply gives %08x, Eval %08x", f, a[i], b[i], c[i], dst[i], want)
			}
		}
		if n++; n == 500 {
			break
		}
	}
}

// TestImmediates checks that numbers in the instruction count, whatever is passed.
func TestImmediates(t *testing.T) {
	for _, c := range []struct {
		text string
		want uint32
	}{
		{"vadd.u32.u32.u32 d, a, 5;", 12},
		{"vadd.s32.s32.s32 d, -3, 5", 2},
		{"vshl.u32.u32.u32.clamp.add d, a, 4, 0x100;", 0x170},
		{"vmad.u32.u32.u32 d, a, 2, -1;", 13},
	} {
		in, err := vop.Parse(c.text)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if got := in.Eval(7, 99, 99); got != c.want {
			t.Errorf("%s: Eval gives %d, want %d", c.text, got, c.want)
		}
		dst := []uint32{0}
		if err := in.Apply(dst, []uint32{7}, []uint32{99}, []uint32{99}); err != nil || dst[0] != c.want {
			t.Errorf("%s: Apply gives %d, want %d (%v)", c.text, dst[0], c.want, err)
		}
		if got := in.Trace(7, 99, 99).D; got != c.want {
			t.Errorf("%s: Trace ends with %d, want %d", c.text, got, c.want)
		}
	}
}

// TestApplyLengths checks what may be nil and which lengths fit.
func TestApplyLengths(t *testing.T) {
	in, err := vop.Parse("vadd.u32.u32.u32 d, a, b;")
	if err != nil {
		t.Fatal(err)
	}
	two := []uint32{1, 2}
	if err := in.Apply(two, two, two, nil); err != nil {
		t.Errorf("c is not read and may be nil: %v", err)
	}
	for _, operands := range [][3][]uint32{{nil, two, nil}, {two, two[:1], nil}, {two, two, two[:1]}} {
		if err := in.Apply(two, operands[0], operands[1], operands[2]); err == nil {
			t.Errorf("operands of %d, %d and %d words pass for 2", len(operands[0]), len(operands[1]), len(operands[2]))
		}
	}
	if err := in.Apply(nil, nil, nil, nil); err != nil {
		t.Errorf("no words at all: %v", err)
	}
}

// TestApplyConcurrently runs the first Apply of an instruction, which lowers it,
// from several goroutines.
func TestApplyConcurrently(t *testing.T) {
	in, err := vop.Parse("vmin4.s32.s32.s32.add d, a, b, c;")
	if err != nil {
		t.Fatal(err)
	}
	source := []uint32{0x01ff7f80, 5, 0x80808080}
	var done sync.WaitGroup
	for range 8 {
		done.Go(func() {
			dst := make([]uint32, len(source))
			if err := in.Apply(dst, source, source, source); err != nil {
				t.Error(err)
			}
			for i, x := range source {
				if want := in.Eval(x, x, x); dst[i] != want {
					t.Errorf("Apply gives %08x, Eval %08x", dst[i], want)
				}
			}
		})
	}
	done.Wait()
}

func TestInputError(t *testing.T) {
	_, err := vop.Load("k.ptx", ".version 7.8\n.target sm_80\n.address_size 64\n.entry k() { vadd5 %r1; vadd.u32 %r2; }")
	var input *vop.InputError
	if !errors.As(err, &input) {
		t.Fatalf("Load gives %T: %v", err, err)
	}
	if len(input.Findings) < 2 || !strings.HasPrefix(err.Error(), "k.ptx:4:") || !strings.Contains(err.Error(), "more)") {
		t.Errorf("Load gives %q with %d diagnostics", err, len(input.Findings))
	}
}

// TestApplyUnderReadings compares Apply with Eval under both readings, on the instruction of
// every rule by which they differ.
func TestApplyUnderReadings(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 12))
	for _, rule := range sem.Rules() {
		in, err := vop.Parse(rule.Form)
		if err != nil {
			t.Fatal(err)
		}
		var a, b, c []uint32
		for range 500 {
			x, y, z := conform.Operands(rng, in.Form())
			a, b, c = append(a, x), append(b, y), append(c, z)
		}
		dst := make([]uint32, len(a))
		differ := false
		for _, r := range []vop.Reading{vop.ISA, vop.SM86} {
			if err := in.As(r).Apply(dst, a, b, c); err != nil {
				t.Fatal(err)
			}
			for i := range dst {
				if want := in.As(r).Eval(a[i], b[i], c[i]); dst[i] != want {
					t.Fatalf("%v as %v, a=%08x b=%08x c=%08x: Apply gives %08x, Eval %08x", in, r, a[i], b[i], c[i], dst[i], want)
				}
				differ = differ || dst[i] != in.Eval(a[i], b[i], c[i])
			}
		}
		if !differ {
			t.Errorf("%s: the readings never differ", rule.Name)
		}
	}
}

// BenchmarkApply measures what a call costs, and how little that is of many words.
func BenchmarkApply(b *testing.B) {
	in, err := vop.Parse("vadd4.s32.s32.s32.sat d, a, b, c;")
	if err != nil {
		b.Fatal(err)
	}
	for _, n := range []int{16, 1024} {
		b.Run(fmt.Sprintf("words=%d", n), func(b *testing.B) {
			dst, x, y := make([]uint32, n), make([]uint32, n), make([]uint32, n)
			for i := range dst {
				dst[i], x[i], y[i] = uint32(i), uint32(i)*0x01030507, uint32(i)*0x77553311
			}
			b.ReportAllocs()
			b.SetBytes(int64(4 * n))
			for b.Loop() {
				if err := in.Apply(dst, x, y, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func TestImmediate(t *testing.T) {
	in, err := vop.Parse("vmad.s32.s32.s32 d, a, -5, 0x10;")
	if err != nil {
		t.Fatal(err)
	}
	for operand, want := range []struct {
		word uint32
		ok   bool
	}{{0, false}, {0xffff_fffb, true}, {16, true}} {
		if word, ok := in.Immediate(operand); word != want.word || ok != want.ok {
			t.Errorf("operand %d: %#x, %v", operand, word, ok)
		}
	}
}
