package vop_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"strings"

	"github.com/vop-ptx/vop"
)

func ExampleParse() {
	in, err := vop.Parse("vadd4.sat.s32.s32.s32 %d, %a, %b, %c;")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(in)
	fmt.Printf("%08x\n", in.Eval(0x7f017f01, 0x01010101, 0))
	// Output:
	// vadd4.s32.s32.s32.sat d, a, b, c;
	// 7f027f02
}

// What is wrong is said at its place, with what is allowed there.
func ExampleInputError() {
	_, err := vop.Parse("vadd.u32.u32.u32 d, a, b.b5;")
	fmt.Println(err)
	if wrong, ok := errors.AsType[*vop.InputError](err); ok {
		fmt.Print(wrong.Findings)
	}
	// Output:
	// instruction:1:25: '.b5' is not a selector of source b [unknown-selector]
	// instruction:1:25: error: '.b5' is not a selector of source b [unknown-selector]
	//     1 | vadd.u32.u32.u32 d, a, b.b5;
	//       |                         ^^^
	//       = note: did you mean .b0, .b1, .b2 or .b3?
	//       = note: allowed here: .b0 .b1 .b2 .b3 .h0 .h1
	//       = note: syntax: vadd.dtype.atype.btype{.sat} d, a{.asel}, b{.bsel}; (9.7.18.1.1)
}

// Where the manual and NVIDIA's compiler disagree, the reading decides.
func ExampleInstruction_As() {
	in, err := vop.Parse("vadd.u32.u32.u32.sat d, a, b;")
	if err != nil {
		log.Fatal(err)
	}
	a, b := uint32(0xffffffff), uint32(1)
	fmt.Printf("%v %08x\n", in.Reading(), in.Eval(a, b, 0))
	fmt.Printf("%v %08x\n", vop.SM86, in.As(vop.SM86).Eval(a, b, 0))
	// Output:
	// isa ffffffff
	// sm_86 00000000
}

func ExampleInstruction_Apply() {
	in, err := vop.Parse("vabsdiff4.u32.u32.u32.add d, a, b, c;")
	if err != nil {
		log.Fatal(err)
	}
	sums := []uint32{0, 1000}
	if err := in.Apply(sums, []uint32{0x01020304, 0xff00ff00}, []uint32{0x04030201, 0x00ff00ff}, sums); err != nil {
		log.Fatal(err)
	}
	fmt.Println(sums)
	// Output:
	// [8 2020]
}

func ExampleInstruction_Trace() {
	in, err := vop.Parse("vsub.s32.u32.u32.sat d.b1, a, b.h1, c;")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(in.Trace(0x200, 0x00010000, 0x11223344))
	// Output:
	// vsub.s32.u32.u32.sat d.b1, a, b.h1, c;
	// PTX ISA 9.7.18.1.1, read as isa
	//
	//   a 00000200    00000000 00000000 00000010 00000000
	//   b 00010000    00000000 00000001 00000000 00000000
	//   c 11223344    00010001 00100010 00110011 01000100
	//
	//   select      ta = a, tb = b.h1
	//               ta              a 00000200
	//               tb               b.h1 0001
	//   extend      ta, tb as .u32, zero-extended
	//               ta                     512
	//               tb                       1
	//   operate     tmp = ta - tb
	//               tmp                    511
	//   clamp       tmp = tmp clamped to -128 .. 127, as .sat says
	//               tmp                  ! 127
	//   merge       d.b1 = tmp, the rest of d is that of c
	//               d     c 1122, tmp 7f, c 44
	//
	//   d 11227f44    00010001 00100010 01111111 01000100
}

// Proofs hold for all operands. Most need z3.
func ExampleInstruction_Prove() {
	in, err := vop.Parse("vabsdiff4.u32.u32.u32 d, a, b, c;")
	if err != nil {
		log.Fatal(err)
	}
	proof, err := in.Prove(context.Background(), "sm_80")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(proof)
	// Output:
	// proved (exhaustive)
}

// The inline asm of a CUDA source is checked where it stands.
func ExampleCheck() {
	findings := vop.Check("blend.cu", `__device__ int blend(int a, int b, int c) {
  int d;
  asm("vadd4.u32.u32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  return d;
}
`)
	fmt.Print(findings)
	fmt.Println(findings.HasErrors(), findings[0].Line, findings[0].Code)
	// Output:
	// blend.cu:3:17: error: vadd4 takes 3 types (dtype, atype, btype), but 2 are given [type-missing]
	//     3 |   asm("vadd4.u32.u32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
	//       |                 ^^^^
	//       = note: syntax: vadd4.dtype.atype.btype{.sat} d{.mask}, a{.asel}, b{.bsel}, c; (9.7.18.2.3)
	// true 3 type-missing
}

func ExampleFormat() {
	pretty, err := vop.Format("k.ptx", ".version 7.8\n.target sm_80\n.address_size 64\n.entry k(){ret;}\n")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(pretty)
	// Output:
	// .version 7.8
	// .target sm_80
	// .address_size 64
	// .entry k()
	// {
	// 	ret;
	// }
}

func ExampleLower() {
	lowered, _, err := vop.Lower("max.ptx", `.version 7.8
.target sm_80
.address_size 64
.visible .entry k()
{
	.reg .b32 %r<5>;
	vmin.s32.s32.s32.max %r4, %r1, %r2, %r3;
	ret;
}
`, vop.LowerOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(lowered)
	// Output:
	// .version 7.8
	// .target sm_80
	// .address_size 64
	// .visible .entry k()
	// {
	// 	.reg .b32 %vop<1>;
	// 	.reg .b32 %r<5>;
	// 	// vmin.s32.s32.s32.max %r4, %r1, %r2, %r3;
	// 	min.s32 %vop0, %r1, %r2;
	// 	max.s32 %r4, %vop0, %r3;
	// 	ret;
	// }
}

func ExampleEmit() {
	in, err := vop.Parse("vmin.s32.s32.s32.max d, a, b, c;")
	if err != nil {
		log.Fatal(err)
	}
	text, err := vop.Emit("go", vop.EmitOptions{}, in)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(text[strings.Index(text, "func "):])
	// Output:
	// func vmin_s32_s32_s32_max(a uint32, b uint32, c uint32) uint32 {
	// 	return uint32(max(min(int32(a), int32(b)), int32(c)))
	// }
}

func ExampleEmitIntrinsics() {
	text, err := vop.EmitIntrinsics("hip", vop.EmitOptions{}, "__vabsdiffu4")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(strings.Contains(text, "#define __vabsdiffu4 vop_vabsdiffu4"))
	// Output:
	// true
}

const add4 = `.version 7.8
.target sm_80
.address_size 64
.visible .entry add4(.param .u64 data, .param .u32 addend)
{
	.reg .b32 %r<4>;
	.reg .b64 %rd<4>;
	ld.param.u64 %rd1, [data];
	ld.param.u32 %r1, [addend];
	mov.u32 %r2, %tid.x;
	mul.wide.u32 %rd2, %r2, 4;
	add.s64 %rd1, %rd1, %rd2;
	ld.global.u32 %r2, [%rd1];
	vadd4.u32.u32.u32.sat %r3, %r2, %r1, %r2;
	st.global.u32 [%rd1], %r3;
	ret;
}
`

// A kernel is loaded and launched on buffers.
func ExampleLoad() {
	module, err := vop.Load("add4.ptx", add4)
	if err != nil {
		log.Fatal(err)
	}
	kernel, err := module.Kernel("add4")
	if err != nil {
		log.Fatal(err)
	}
	data, err := vop.NewBuffer(module, "data", []uint32{0x01020304, 0xf0f0f0f0})
	if err != nil {
		log.Fatal(err)
	}
	if err := kernel.Launch(context.Background(), vop.Grid{X: 1}, vop.Block{X: 2}, data, uint32(0x10101010)); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%08x\n", vop.Values[uint32](data))
	// Output:
	// [11121314 ffffffff]
}

// A fault tells what a thread has done, and where.
func ExampleKernel_Launch() {
	module, err := vop.Load("add4.ptx", add4)
	if err != nil {
		log.Fatal(err)
	}
	kernel, err := module.Kernel("add4")
	if err != nil {
		log.Fatal(err)
	}
	data, err := vop.NewBuffer(module, "data", make([]uint32, 2))
	if err != nil {
		log.Fatal(err)
	}
	err = kernel.Launch(context.Background(), vop.Grid{X: 1}, vop.Block{X: 3}, data, 1)
	fmt.Println(err)
	if fault, ok := errors.AsType[*vop.Fault](err); ok {
		fmt.Println(fault.Kind, "line", fault.Line, "thread", fault.Thread)
	}
	// Output:
	// add4.ptx:13:2: kernel add4: ld.global.u32 of 4 bytes out of bounds at 0x10000008, block (0, 0, 0) thread (2, 0, 0): right behind the end of data (8 bytes at 0x10000000)
	// out of bounds line 13 thread (2, 0, 0)
}

// Options look for mistakes, and count.
func ExampleKernel_With() {
	module, err := vop.Load("add4.ptx", add4)
	if err != nil {
		log.Fatal(err)
	}
	kernel, err := module.Kernel("add4")
	if err != nil {
		log.Fatal(err)
	}
	data, err := vop.NewBuffer(module, "data", make([]uint32, 64))
	if err != nil {
		log.Fatal(err)
	}
	var stats vop.Stats
	checked := kernel.With(vop.LaunchOptions{Check: true, Workers: 1, Stats: &stats})
	fmt.Println(checked.Launch(context.Background(), vop.Grid{X: 1}, vop.Block{X: 64}, data, 1))
	fmt.Println(stats.Warps(), "instructions of warps,", stats.Traffic("global").Loads.Bytes, "bytes read")
	// Output:
	// <nil>
	// 18 instructions of warps, 256 bytes read
}
