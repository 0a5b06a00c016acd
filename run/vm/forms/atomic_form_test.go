package forms

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/run/level"
	"github.com/vop-ptx/vop/run/native"
	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// atomicForm is an atomic operation with the type of its registers.
type atomicForm struct{ operation, typ string }

func (f atomicForm) bytes() int { return map[byte]int{'3': 4, '6': 8}[f.typ[1]] }

func atomicForms() (all []atomicForm) {
	for _, t := range []string{"u32", "s32", "u64", "s64"} {
		for _, o := range []string{"add", "min", "max"} {
			if o != "add" || t != "s64" { // which PTX has not
				all = append(all, atomicForm{o, t})
			}
		}
	}
	for _, t := range []string{"b32", "b64"} {
		for _, o := range []string{"and", "or", "xor", "exch", "cas"} {
			all = append(all, atomicForm{o, t})
		}
	}
	return append(all, atomicForm{"inc", "u32"}, atomicForm{"dec", "u32"}, atomicForm{"add", "f32"}, atomicForm{"add", "f64"})
}

// atomicFormKernel updates elements of a table, in a space, at the indexes of the lanes, under a guard or without, and stores
// what was there. given says which operands are the same for all lanes.
func atomicFormKernel(f atomicForm, space string, guarded, given, result bool) string {
	size := f.bytes()
	b := fmt.Sprintf(".b%d", 8*size)
	third, guard, where := "", "", "%d3"
	if f.operation == "cas" {
		third = ", %c"
	}
	if guarded {
		guard = "@%p "
	}
	from := "%d2"
	if given {
		from = "%d1"
	}
	name := fmt.Sprintf("atom%s.%s.%s %%old, ", space, f.operation, f.typ)
	if !result {
		name = fmt.Sprintf("red%s.%s.%s ", space, f.operation, f.typ)
	}
	shared := space == ".shared"
	copyIn, copyOut := "", ""
	if shared {
		where = "%r3"
		copyIn = "shl.b32 %r4, %r0, 3; mov.b32 %r5, s; add.u32 %r4, %r4, %r5; ld.global.b64 %d5, [%d4]; st.shared.b64 [%r4], %d5; bar.sync 0; add.u32 %r3, %r3, %r5;"
		copyOut = "bar.sync 0; ld.shared.b64 %d5, [%r4]; st.global.b64 [%d4], %d5;"
	}
	return strings.NewReplacer("$b", b, "$size", fmt.Sprint(size)).Replace(vmtest.Header + `
.visible .entry k(.param .u64 table, .param .u64 data, .param .u64 out) {
	.shared .align 8 .b8 s[576]; .reg .b32 %r<6>; .reg .b64 %d<8>; .reg $b %x, %c, %old; .reg .pred %p;
	ld.param.u64 %d0, [table]; ld.param.u64 %d1, [data]; mov.u32 %r0, %tid.x; mul.wide.u32 %d2, %r0, 32; add.u64 %d2, %d2, %d1;
	mul.wide.u32 %d4, %r0, 8; add.u64 %d4, %d4, %d0;
	ld.global.b32 %r1, [%d2]; ld.global.b32 %r2, [%d2+4]; ld.global$b %x, [` + from + `+8]; ld.global$b %c, [` + from + `+16];
	setp.ne.u32 %p, %r2, 0; mul.lo.u32 %r3, %r1, $size; cvt.u64.u32 %d3, %r3; add.u64 %d3, %d3, %d0; mov$b %old, 0;
	` + copyIn + "\n\t" + guard + name + "[" + where + "+$size], %x" + third + ";\n\t" + copyOut + `
	ld.param.u64 %d6, [out]; mul.wide.u32 %d7, %r0, 8; add.u64 %d6, %d6, %d7; st.global$b [%d6], %old;
	ret; }`)
}

// TestAtomicsOnLevels holds every atomic operation against portable's on every level, and without the instructions that only
// some processors have: of elements that several lanes update, of some lanes only, of the same operand in all.
func TestAtomicsOnLevels(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	ways := vmtest.Ways()
	for _, f := range atomicForms() {
		for _, space := range []string{".global", ".shared", ""} {
			for turn := range 4 {
				result := turn != 3 || f.operation == "cas" || f.operation == "exch"
				text := atomicFormKernel(f, space, turn%2 == 1, turn == 2, result)
				k := vmtest.Trial{Text: text, Kernel: "k", Grid: vm.Grid{Block: vm.Dim{X: 72}}, Args: []any{atomicTable(rng, f), atomicData(rng, f), make([]byte, 576)}}
				m, err := k.Checked()
				if err != nil {
					t.Fatalf("%v\n%s", err, text)
				}
				want, err := k.Run(m, vmtest.PlainWay)
				if err != nil {
					t.Fatal(err)
				}
				for _, base := range []bool{false, true} {
					restore := vmtest.WithMachineCode(native.Options{Base: base})
					for _, w := range ways {
						if w.Workers > 1 || base && (w.Level != level.NEON || w.Check) {
							continue // one CTA has one worker, and launches with checks no machine code
						}
						got, err := k.Run(m, w)
						if err != nil {
							t.Fatal(err)
						}
						for n := range want.Buffers {
							if string(got.Buffers[n]) != string(want.Buffers[n]) {
								t.Errorf("%v%s, %v, base %v: buffer %d is %x, want %x\n%s", f, space, w, base, n, got.Buffers[n], want.Buffers[n], text)
							}
						}
					}
					restore()
				}
			}
		}
	}
}

// atomicWords are words at which something changes.
var atomicWords = []uint32{0, 1, 2, 0x7fffffff, 0x80000000, 0xffffffff, 0x3f800000, 0x00000001, 0x80400000, 0x00800000, 0x7f800000, 0xff800000, 0x7fc00001, 0x7ff00000}

func atomicElement(rng *rand.Rand, size int) (b []byte) {
	for range size / 4 {
		b = binary.LittleEndian.AppendUint32(b, atomicWords[rng.IntN(len(atomicWords))])
	}
	return b
}

// atomicTable is what is updated: 72 doublewords, so that there is an element behind those that lanes name.
func atomicTable(rng *rand.Rand, f atomicForm) (b []byte) {
	for len(b) < 576 {
		b = append(b, atomicElement(rng, f.bytes())...)
	}
	return b
}

// atomicData are an index, a guard and two operands for each of 72 threads, so that machine code executes two warps once a step has found the memory. What is compared with is often there.
func atomicData(rng *rand.Rand, f atomicForm) (b []byte) {
	for range 72 {
		b = binary.LittleEndian.AppendUint32(b, uint32(rng.IntN(5)))
		b = binary.LittleEndian.AppendUint32(b, uint32(rng.IntN(2)))
		for range 2 {
			b = append(b, append(atomicElement(rng, f.bytes()), 0, 0, 0, 0)[:8]...)
		}
		b = append(b, make([]byte, 8)...)
	}
	return b
}

// TestAtomicsOnWorkers adds up, counts and exchanges by comparison on several cores, some of which execute steps: the sums
// of all are what one would have.
func TestAtomicsOnWorkers(t *testing.T) {
	const text = vmtest.Header + `
.visible .entry k(.param .u64 out) {
	.reg .b32 %r<6>; .reg .b64 %d<4>; .reg .pred %p, %q; .reg .f32 %f;
	ld.param.u64 %d0, [out]; mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x;
	red.global.add.u32 [%d0], %r0; red.global.max.u32 [%d0+4], %r0; cvt.u64.u32 %d1, %r1; red.global.add.u64 [%d0+8], %d1;
	red.global.inc.u32 [%d0+16], 6; mov.f32 %f, 0f3F800000; red.global.add.f32 [%d0+20], %f; red.add.u32 [%d0+24], 1;
AGAIN:	ld.volatile.global.u32 %r2, [%d0+28]; add.u32 %r3, %r2, 3; atom.global.cas.b32 %r4, [%d0+28], %r2, %r3;
	setp.ne.u32 %p, %r4, %r2; @%p bra AGAIN;
	mov.b32 %r5, 0; red.global.add.noftz.f16x2 [%d0+32], %r5; red.global.xor.b32 [%d0+36], 1;
	ret; }`
	const blocks, threads = 24, 64
	k := vmtest.Trial{Text: text, Kernel: "k", Grid: vm.Grid{Grid: vm.Dim{X: blocks}, Block: vm.Dim{X: threads}}, Args: []any{make([]byte, 40)}}
	var all []vmtest.Way
	for _, l := range level.Levels() {
		all = append(all, vmtest.Way{Level: l, Workers: 4})
	}
	for _, base := range []bool{false, true} {
		restore := vmtest.WithMachineCode(native.Options{Base: base})
		want, err := k.Same(all)
		restore()
		if err != nil {
			t.Fatalf("base %v: %v", base, err)
		}
		if got := binary.LittleEndian.Uint32(want.Buffers[0][28:]); got != 3*blocks*threads {
			t.Fatalf("%d have been added in threes", got)
		}
	}
}
