package vop_test

import (
	"context"
	"fmt"

	"github.com/vop-ptx/vop"
)

func ExampleParse() {
	in, err := vop.Parse("vadd4.sat.s32.s32.s32 %d, %a, %b, %c;")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(in)
	fmt.Printf("%08x\n", in.Eval(0x7f017f01, 0x01010101, 0))
	// Output:
	// vadd4.s32.s32.s32.sat d, a, b, c;
	// 7f027f02
}

func ExampleParse_error() {
	_, err := vop.Parse("vadd.u32.u32.u32 d, a, b.b5;")
	fmt.Println(err)
	// Output:
	// instruction:1:25: '.b5' is not a selector of source b [unknown-selector]
}

func ExampleInstruction_Apply() {
	in, err := vop.Parse("vabsdiff4.u32.u32.u32.add d, a, b, c;")
	if err != nil {
		fmt.Println(err)
		return
	}
	sums := []uint32{0, 1000}
	if err := in.Apply(sums, []uint32{0x01020304, 0xff00ff00}, []uint32{0x04030201, 0x00ff00ff}, sums); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(sums)
	// Output:
	// [8 2020]
}

func ExampleInstruction_Trace() {
	in, err := vop.Parse("vsub.s32.u32.u32.sat d.b1, a, b.h1, c;")
	if err != nil {
		fmt.Println(err)
		return
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

// A kernel is loaded, launched and checked as a team would do it in its tests.
func ExampleLoad() {
	module, err := vop.Load("add4.ptx", `
.version 7.8
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
}`)
	if err != nil {
		fmt.Println(err)
		return
	}
	kernel, err := module.Kernel("add4")
	if err != nil {
		fmt.Println(err)
		return
	}
	data, err := vop.NewBuffer(module, "data", []uint32{0x01020304, 0xf0f0f0f0})
	if err != nil {
		fmt.Println(err)
		return
	}
	grid := vop.Grid{Grid: vop.Dim{X: 1}, Block: vop.Dim{X: 2}}
	if err := kernel.Launch(context.Background(), grid, data, uint32(0x10101010)); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%08x\n", vop.Values[uint32](data))

	grid.Block.X = 3
	fmt.Println(kernel.Launch(context.Background(), grid, data, 0) != nil)
	// Output:
	// [11121314 ffffffff]
	// true
}
