package forms

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/vop-ptx/vop/internal/ordinary"
	"github.com/vop-ptx/vop/run/level"
	"github.com/vop-ptx/vop/run/native"
	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// vectorAtomic is an atomic operation on vectors.
type vectorAtomic struct {
	operation, typ string
	count          int
}

func (f vectorAtomic) size() int {
	return map[bool]int{true: 2, false: 4}[f.typ == "f16" || f.typ == "bf16"]
}

func (f vectorAtomic) span() int { return f.count * f.size() }

// form is the form without mnemonic and space.
func (f vectorAtomic) form() string {
	noftz := ".noftz"
	if f.typ == "f32" {
		noftz = ""
	}
	return fmt.Sprintf(".%s%s.v%d.%s", f.operation, noftz, f.count, f.typ)
}

func vectorAtomics() (all []vectorAtomic) {
	for _, n := range []int{2, 4} {
		all = append(all, vectorAtomic{"add", "f32", n})
	}
	for _, operation := range []string{"add", "min", "max"} {
		for _, n := range []int{2, 4, 8} {
			for _, t := range []string{"f16", "bf16", "f16x2", "bf16x2"} {
				if n < 8 || !strings.HasSuffix(t, "x2") {
					all = append(all, vectorAtomic{operation, t, n})
				}
			}
		}
	}
	return all
}

// modelForms are the forms of the model of register instructions.
var modelForms = sync.OnceValue(ordinary.Forms)

// made returns what the model of register instructions makes of an element. In global memory sums of f32 are flushed.
func (f vectorAtomic) made() func(old, b uint64) uint64 {
	name := f.operation + "." + f.typ
	if f.typ == "f32" {
		name = "add.ftz.f32"
	}
	for _, o := range modelForms() {
		if o.Name == name {
			return func(old, b uint64) uint64 { return o.Compute([]uint64{old, b})[0] }
		}
	}
	panic("there is no form " + name)
}

// vectorVariant says how a kernel names what it updates, and what it does with what was there.
type vectorVariant struct{ generic, guarded, same, result, sinks bool }

// text updates vectors of a table at the indexes that lanes have, or all lanes at that of the first, and stores what was there.
func (f vectorAtomic) text(v vectorVariant) string {
	space, guard, own := ".global", "", "%d2"
	if v.generic {
		space = ""
	}
	if v.guarded {
		guard = "@%p "
	}
	if v.same {
		own = "%d1"
	}
	letter := map[int]string{2: "h", 4: "x"}[f.size()]
	var from, to []string
	var loads, stores strings.Builder
	for i := range f.count {
		fmt.Fprintf(&loads, "ld.global.b%d %%%s%d, [%%d2+%d]; mov.b%[1]d %%%[2]s%[5]d, 0; ", 8*f.size(), letter, i, 16+i*f.size(), 8+i)
		from, to = append(from, fmt.Sprintf("%%%s%d", letter, i)), append(to, fmt.Sprintf("%%%s%d", letter, 8+i))
		fmt.Fprintf(&stores, "st.global.b%d [%%d4+%d], %%%s%d; ", 8*f.size(), i*f.size(), letter, 8+i)
	}
	if v.sinks {
		to[0], to[f.count-1] = "_", "_"
	}
	name := "red" + space + f.form() + " "
	if v.result {
		name = "atom" + space + f.form() + " {" + strings.Join(to, ", ") + "}, "
	}
	return ".version 8.1\n.target sm_90\n.address_size 64\n" + `
.visible .entry k(.param .u64 table, .param .u64 data, .param .u64 out) {
	.reg .b16 %h<16>; .reg .b32 %x<16>, %r<4>; .reg .b64 %d<6>; .reg .pred %p;
	ld.param.u64 %d0, [table]; ld.param.u64 %d1, [data]; ld.param.u64 %d4, [out]; mov.u32 %r0, %tid.x;
	mad.wide.u32 %d2, %r0, 32, %d1; mad.wide.u32 %d4, %r0, 16, %d4; ld.global.b32 %r1, [` + own + `]; ld.global.b32 %r2, [%d2+4];
	setp.ne.u32 %p, %r2, 0; mad.wide.u32 %d3, %r1, ` + fmt.Sprint(f.span()) + `, %d0;
	` + loads.String() + "\n\t" + guard + name + fmt.Sprintf("[%%d3+%d], {%s};\n\t", f.span(), strings.Join(from, ", ")) + stores.String() + "\n\tret; }"
}

// element is an element of a buffer.
func (f vectorAtomic) element(data []byte, at int) uint64 {
	return vmtest.Get(data[at:], 0, 8*f.size())
}

// expect executes the operation in one lane after the other.
func (f vectorAtomic) expect(v vectorVariant, table, data []byte, threads int) (changed, out []byte) {
	changed, out = slices.Clone(table), make([]byte, 16*threads)
	made := f.made()
	for lane := range threads {
		own := data[32*lane:]
		if v.guarded && binary.LittleEndian.Uint32(own[4:]) == 0 {
			continue
		}
		index := binary.LittleEndian.Uint32(own)
		if v.same {
			index = binary.LittleEndian.Uint32(data)
		}
		for i := range f.count {
			at := f.span()*int(index+1) + i*f.size()
			old := f.element(changed, at)
			vmtest.Put(changed[at:], 0, 8*f.size(), made(old, f.element(own, 16+i*f.size())))
			if v.result && !(v.sinks && (i == 0 || i == f.count-1)) {
				vmtest.Put(out[16*lane:], i, 8*f.size(), old)
			}
		}
	}
	return changed, out
}

// TestAtomicVectors holds atom and red of vectors against what comes of one element after the other, on all levels: several lanes update a vector, or
// all the same one, or some lanes only, and what was there is stored, or some of it, or none.
func TestAtomicVectors(t *testing.T) {
	const threads = 72 // so that machine code executes two warps once a step has found the memory
	rng := rand.New(rand.NewPCG(17, 18))
	numbers := map[int][]uint32{
		2: {0, 0x8000, 1, 0x8001, 0x3ff, 0x400, 0x3c00, 0xbc00, 0x3c01, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7c01, 0x7fff, 0xffff, 0x7f80, 0xff80, 0x7f81, 0x80, 0x7f, 0x3f80, 0xbf81},
		4: {0, 1 << 31, 1, 1<<31 | 1, 0x7fffff, 0x800000, 0x80800001, 0x3f800000, 0xbf800000, 0x3f800001, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7f800001, 0xffffffff},
	}
	draw := func(f vectorAtomic, n int) (b []byte) {
		for len(b) < n {
			words := numbers[2]
			if f.typ == "f32" {
				words = numbers[4]
			}
			x := words[rng.IntN(len(words))]
			if rng.IntN(2) == 0 {
				x = rng.Uint32() & map[bool]uint32{true: 1<<16 - 1, false: 1<<32 - 1}[f.typ != "f32"]
			}
			if f.typ == "f32" {
				b = binary.LittleEndian.AppendUint32(b, x)
			} else {
				b = binary.LittleEndian.AppendUint16(b, uint16(x))
			}
		}
		return b
	}
	variants := []vectorVariant{
		{result: true}, {generic: true, guarded: true, result: true}, {same: true, result: true, sinks: true}, {same: true, guarded: true},
		{generic: true, sinks: true, result: true}, {guarded: true}, {same: true, guarded: true, result: true},
	}
	for _, f := range vectorAtomics() {
		for _, v := range variants {
			table := draw(f, 16*8)
			var data []byte
			for range threads {
				data = binary.LittleEndian.AppendUint32(data, uint32(rng.IntN(5)))
				data = binary.LittleEndian.AppendUint32(data, uint32(rng.IntN(2)))
				data = append(append(data, make([]byte, 8)...), draw(f, 16)...)
			}
			k := vmtest.Trial{Text: f.text(v), Kernel: "k", Grid: vm.Grid{Block: vm.Dim{X: threads}}, Args: []any{table, data, make([]byte, 16*threads)}}
			m, err := k.Checked()
			if err != nil {
				t.Fatalf("%v\n%s", err, k.Text)
			}
			changed, out := f.expect(v, table, data, threads)
			for _, w := range append(vmtest.Ways(), vmtest.PlainWay) {
				e, err := k.Run(m, w)
				if err != nil {
					t.Fatalf("%v, %v: %v\n%s", f, w, err, k.Text)
				}
				if string(e.Buffers[0]) != string(changed) || string(e.Buffers[2]) != string(out) {
					t.Fatalf("%v, %v, %v: the table is\n%x, want\n%x\nand the results are\n%x, want\n%x\n%s", f, v, w, e.Buffers[0], changed, e.Buffers[2], out, k.Text)
				}
			}
		}
	}
}

// TestAtomicVectorFaults: a vector is as a whole inside of memory, and its address a multiple of its bytes, or nothing is changed.
func TestAtomicVectorFaults(t *testing.T) {
	for _, c := range []struct {
		code, want, detail string
	}{
		{"red.global.add.v4.f32 [%d+8], {%f, %f, %f, %f};", "red.global.add.v4.f32 of 16 bytes misaligned", "offset 8 in buffer is not a multiple of 16"},
		{"atom.global.add.v2.f32 {%g, %f}, [%d+4], {%f, %f};", "atom.global.add.v2.f32 of 8 bytes misaligned", "offset 4 in buffer is not a multiple of 8"},
		{"red.add.noftz.v8.bf16 [%d+4], {%h, %h, %h, %h, %h, %h, %h, %h};", "red.add.noftz.v8.bf16 of 16 bytes misaligned", "offset 4 in buffer is not a multiple of 16"},
		{"red.global.max.noftz.v2.f16 [%d+2], {%h, %h};", "red.global.max.noftz.v2.f16 of 4 bytes misaligned", "offset 2 in buffer is not a multiple of 4"},
		{"red.global.add.v4.f32 [%d+64], {%f, %f, %f, %f};", "out of bounds", "right behind the end of buffer (64 bytes"},
		{"red.global.min.noftz.v4.f16x2 [%d+4096], {%x, %x, %x, %x};", "out of bounds", "4032 bytes beyond the end of buffer"},
		{"@%p red.global.add.v4.f32 [%d+8], {%f, %f, %f, %f};", "", ""},
		{"@%p red.global.add.v4.f32 [0], {%f, %f, %f, %f};", "", ""},
		{"red.global.add.v4.f32 [%d+48], {%f, %f, %f, %f};", "", ""},
	} {
		for _, l := range level.Levels() {
			m := vmtest.LoadOn(t, l, ".version 8.1\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p) {"+
				".reg .b64 %d; .reg .f32 %f, %g; .reg .b16 %h; .reg .b32 %x; .reg .pred %p; ld.param.u64 %d, [p]; mov.f32 %f, 0f3f800000; mov.b16 %h, 1; mov.b32 %x, 1; setp.ne.u32 %p, 0, 0;\n"+c.code+"\nret; }\n")
			buffer, _ := m.Memory().Alloc("buffer", 64)
			err := vmtest.Kernel(t, m, "k").Launch(context.Background(), vm.Grid{Block: vm.Dim{X: 3}}, buffer)
			_, isFault := errors.AsType[*vm.Fault](err)
			if isFault != (c.want != "") || err != nil && (!strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), c.detail) || !strings.Contains(err.Error(), "test.ptx:5:1")) {
				t.Errorf("%v, %s: %v, want %s: %s", l, c.code, err, c.want, c.detail)
			}
			for _, w := range vmtest.Words(buffer) {
				if c.want != "" && w != 0 {
					t.Errorf("%v, %s: the memory has become %x", l, c.code, vmtest.Words(buffer))
					break
				}
			}
		}
	}
}

// TestAtomicVectorsAreAtomic has several workers add to the elements of vectors, and to the elements one by one: nothing is lost.
func TestAtomicVectorsAreAtomic(t *testing.T) {
	const blocks, threads, turns = 16, 64, 20
	text := ".version 8.1\n.target sm_90\n.address_size 64\n" + `
.visible .entry k(.param .u64 out) {
	.reg .b64 %d; .reg .f32 %f<8>; .reg .b32 %i; .reg .b16 %h; .reg .pred %p;
	ld.param.u64 %d, [out]; mov.f32 %f0, 0f3f800000; mov.f32 %f1, 0f40000000; mov.u32 %i, 0; mov.b16 %h, 0x0400;
TURN:	red.global.add.v4.f32 [%d], {%f0, %f1, %f0, %f1}; atom.global.add.v2.f32 {%f2, %f3}, [%d+8], {%f1, %f0}; red.global.add.f32 [%d], %f0;
	red.global.max.noftz.v4.f16 [%d+16], {%h, %h, %h, %h};
	add.u32 %i, %i, 1; setp.lt.u32 %p, %i, 20; @%p bra TURN; ret; }`
	k := vmtest.Trial{Text: text, Kernel: "k", Grid: vm.Grid{Grid: vm.Dim{X: blocks}, Block: vm.Dim{X: threads}}, Args: []any{make([]byte, 32)}}
	m, err := k.Checked()
	if err != nil {
		t.Fatal(err)
	}
	const n = blocks * threads * turns
	for _, l := range level.Levels() {
		for _, base := range []bool{false, true} {
			restore := vmtest.WithMachineCode(native.Options{Base: base})
			e, err := k.Run(m, vmtest.Way{Level: l, Workers: 4})
			restore()
			if err != nil {
				t.Fatal(err)
			}
			for i, want := range []float32{2 * n, 2 * n, 3 * n, 3 * n} {
				if got := math.Float32frombits(binary.LittleEndian.Uint32(e.Buffers[0][4*i:])); got != want {
					t.Errorf("%v, base %v: element %d is %g, want %g", l, base, i, got, want)
				}
			}
			if got := binary.LittleEndian.Uint64(e.Buffers[0][16:]); got != 0x0400040004000400 {
				t.Errorf("%v, base %v: the maxima are %x", l, base, got)
			}
		}
	}
}
