package warp

import (
	"strconv"

	"github.com/vop-ptx/vop/run/native/amd64"
	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
	"github.com/vop-ptx/vop/run/native/amd64/vector"
	"github.com/vop-ptx/vop/run/native/listing"
	"github.com/vop-ptx/vop/run/simt"
)

// The registers that a kernel's code has for itself: the frame, the homes of values, and the windows of
// accesses. RAX, RCX and RDX are for short sequences, K6 and K7 are the lanes at work, of both groups of AVX-512. With
// AVX2 the code has the last vector register instead.
var (
	FrameReg   = encode.RDI
	HomesReg   = encode.RBX
	WindowsReg = encode.R15
	lanesRegs  = [2]encode.Operand{encode.K6, encode.K7}

	RAX = machine.Fixed(encode.RAX)
	RCX = machine.Fixed(encode.RCX)
	RDX = machine.Fixed(encode.RDX)
)

// scratch is the vector register that the code has for itself with AVX2.
const scratch = 15

// The machine registers that are allocated, as sets of numbers.
const (
	maskRegs    = 0b111110              // K1 to K5
	generalRegs = 0b0111_1111_0110_0000 // RBP, RSI, R8 to R14
)

// vectorsOf returns the vector registers that are allocated.
func vectorsOf(t *amd64.Target) uint32 {
	all := uint32(1<<t.Vectors - 1)
	if t.Level == amd64.AVX2 {
		all &^= 1 << scratch
	}
	return all
}

// MaxGroups is how many groups of lanes a warp has at most.
const MaxGroups = 4

// Group is what is selected for a group of lanes.
type Group struct {
	*vector.Selection
	Number int // which one
}

// Grouped is an operand for each group.
type Grouped [MaxGroups]machine.Operand

// Compiler compiles for the lanes of warps.
type Compiler struct {
	*vector.Compiler
	Groups []*Group
}

// vectorsMemory is for the vectors of groups.
var vectorsMemory machine.Memory[vector.Value]

// New returns the state at the beginning. Release is to be called at the end.
func New(f *simt.Function, o amd64.Options) Compiler {
	k := Compiler{Compiler: vector.NewCompiler(f, o)}
	k.Free = [machine.NumClasses]uint32{machine.Vector: vectorsOf(k.Target), machine.Mask: maskRegs, machine.General: generalRegs}
	k.Packed, k.FrameBase = true, FrameReg
	for g := range simt.WarpSize / k.Target.Lanes {
		k.Groups = append(k.Groups, &Group{Selection: vector.NewSelection(k.Compiler, vectorsMemory.Take(len(f.Values))), Number: g})
	}
	return k
}

// Release takes what is known of values away, and the code.
func (k *Compiler) Release() {
	for _, s := range k.Groups {
		vectorsMemory.Leave(s.Vectors)
	}
	k.Builder.Release()
}

// BeginApart says that what is emitted from here on is of no node.
func (k *Compiler) BeginApart() {
	for _, s := range k.Groups {
		s.Apart()
	}
}

// Do adds what writes something else than an instruction on registers.
//
//go:noinline
func (k *Compiler) Do(write func()) {
	k.Code = append(k.Code, machine.Instr{Effect: k.Effect(write, nil)})
}

// DoWith is Do for what needs registers, wherever they are.
//
//go:noinline
func (k *Compiler) DoWith(uses []machine.VReg, write func()) {
	k.Code = append(k.Code, machine.Instr{Effect: k.Effect(write, uses)})
}

// Fixedly adds an instruction that defines no virtual register.
//
//go:noinline
func (k *Compiler) Fixedly(op encode.Op, operands ...machine.Operand) {
	i := machine.Instr{Op: k.Groups[0].Sized(op)}
	i.N = uint8(copy(i.Args[:], operands))
	k.Code = append(k.Code, i)
}

// Compute adds an instruction that defines a general register.
//
//go:noinline
func (k *Compiler) Compute(op encode.Op, sources ...machine.Operand) machine.Operand {
	return k.Groups[0].Put(machine.General, machine.Instr{Op: op}, sources)
}

// Change adds an instruction that changes a copy of x.
//
//go:noinline
func (k *Compiler) Change(op encode.Op, x machine.Operand, sources ...machine.Operand) machine.Operand {
	return k.Groups[0].Put(machine.General, machine.Instr{Op: op, Tie: x.Reg}, sources)
}

// InFrame returns the address of something in the frame.
func (k *Compiler) InFrame(offset int32) machine.Operand {
	return machine.Fixed(encode.At(FrameReg, offset))
}

// Jump writes a jump.
func (k *Compiler) Jump(l encode.Label) {
	at := k.Asm.Len()
	k.Asm.Jump(l)
	if k.Options.Listing {
		k.Lines = append(k.Lines, listing.Line{At: at, End: k.Asm.Len(), Text: "jmp ." + strconv.Itoa(int(l))})
	}
}
