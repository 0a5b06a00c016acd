// Package vop is the toolkit for the video instructions of NVIDIA PTX (PTX ISA
// 9.7.18): vadd, vsub, vabsdiff, vmin, vmax, vshl, vshr, vmad, vset, and the SIMD
// forms vadd2/4 to vset2/4.
//
// One instruction:
//
//	in, err := vop.Parse("vadd4.s32.s32.s32.sat %d, %a, %b, %c;")
//	d := in.Eval(a, b, c)           // one word
//	err = in.Apply(dst, a, b, c)    // slices of words, at vector speed
//	fmt.Print(in.Trace(a, b, c))    // the stages, drawn
//
// A file:
//
//	findings := vop.Check("kernel.ptx", text) // or a .cu file with inline asm
//	pretty, err := vop.Format("kernel.ptx", text)
//
// A kernel:
//
//	mod, err := vop.Load("kernel.ptx", text)
//	k, err := mod.Kernel("sad16")
//	err = k.Launch(ctx, vop.Grid{Grid: vop.Dim{X: 40, Y: 30}, Block: vop.Dim{X: 16, Y: 16}}, args...)
//
// The packages below it (isa, syntax, check, sem, lower, simt, vm ...) are for
// tools that need a part alone; docs/architecture.md tells them apart.
package vop
