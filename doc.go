// Package vop is the toolkit for the video instructions of NVIDIA PTX (PTX ISA
// 9.7.18): vadd, vsub, vabsdiff, vmin, vmax, vshl, vshr, vmad, vset, and the SIMD
// forms vadd2/4 to vset2/4.
//
// One instruction:
//
//	in, err := vop.Parse("vadd4.s32.s32.s32.sat %d, %a, %b, %c;")
//	d := in.Eval(a, b, c)           // one word
//	d = in.As(vop.SM86).Eval(a, b, c) // under the other reading
//	err = in.Apply(dst, a, b, c)    // slices of words, at vector speed
//	fmt.Print(in.Trace(a, b, c))    // the stages, drawn
//	proof, err := in.Prove(ctx, "sm_80")
//	text, err := vop.Emit("c", vop.EmitOptions{}, in)
//
// A file:
//
//	fmt.Print(vop.Check("kernel.ptx", text)) // or a .cu file with inline asm
//	pretty, err := vop.Format("kernel.ptx", text)
//	plain, findings, err := vop.Lower("kernel.ptx", text, vop.LowerOptions{Target: "sm_80"})
//
// A kernel:
//
//	mod, err := vop.Load("kernel.ptx", text)
//	k, err := mod.Kernel("sad16")
//	frame, err := vop.NewBuffer(mod, "frame", pixels)
//	err = k.Launch(ctx, vop.Grid{X: 40, Y: 30}, vop.Block{X: 16, Y: 16}, args...)
//
//	fmt.Println(vop.Values[uint32](vectors))
//
// Package ptxtest has tests of kernels. No package below this one is needed to use it; isa, sem, read/syntax, conform and the
// others are for tools that need a part alone, and docs/architecture.md tells them apart.
package vop
