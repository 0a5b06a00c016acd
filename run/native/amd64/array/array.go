package array

import (
	"github.com/vop-ptx/vop/run/native/amd64"
	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
	"github.com/vop-ptx/vop/run/native/amd64/vector"
	"github.com/vop-ptx/vop/run/native/amd64/vector/emit"
	"github.com/vop-ptx/vop/run/simt"
)

// The registers that code for arrays is entered with. It changes them, and RAX. The frame is there
// only if the code needs one.
var (
	dstReg   = encode.RDI
	srcRegs  = [3]encode.Operand{encode.RSI, encode.RDX, encode.RCX}
	countReg = encode.R8
	frameReg = encode.R9
)

// Compile compiles a function of one block, as package simt/build makes them, to code that computes it
// for every word of slices: dst[i] from a[i], b[i] and c[i]. The code is entered with the addresses
// of dst, a, b and c in RDI, RSI, RDX and RCX, the number of words in R8, and the address of a
// frame in R9. It goes from the first word to the last, and reads the sources of a group before it
// writes the results.
//
//	constants
//	loop over as many groups as a turn has
//	the other words group by group; of the last group only the lanes that there are
func Compile(f *simt.Function, o amd64.Options) (*amd64.Code, error) {
	if err := f.CheckArray(); err != nil {
		return nil, err
	}
	c := vector.NewCompiler(f, o)
	if err := c.Fuse(&f.Blocks[0], f.Blocks[0].End.Args); err != nil {
		return nil, err
	}
	c.Interleave()
	c.Reserve(160)
	defer c.Release()
	a := &compiler{Compiler: c}
	c.FrameBase = frameReg
	a.compile()
	if err := c.Finish(); err != nil {
		return nil, err
	}
	a.write()
	return c.Result()
}

// compiler makes the loops of one array function. The code before the first mark is a turn of
// the main loop, that up to the second a group of the rest, and up to the third, with AVX2, the
// last lanes.
type compiler struct {
	*vector.Compiler
	groups int
	reads  [3]bool
}

func (a *compiler) compile() {
	a.groups = a.Options.Groups
	if a.groups == 0 {
		a.groups = a.goodGroups()
	}
	for g := range a.groups {
		a.group(int32(g*a.Target.Bytes), false)
	}
	a.Mark()
	if a.Target.Level == amd64.AVX2 {
		a.group(0, false)
		a.Mark()
	}
	a.group(0, true)
	a.Mark()
}

// goodGroups makes the overhead of the loop small beside the work: three or four additions and a
// jump. The processor looks far enough ahead to overlap groups by itself; more than two were
// measured to be slower where stores are what takes time.
func (a *compiler) goodGroups() int {
	if len(a.Nodes) <= 16 {
		return 2
	}
	return 1
}

// lastLanes is what the code for the last lanes has the mask of them in: a mask register, or with
// AVX2 the last vector register, which is not allocated then.
func (a *compiler) lastLanes() encode.Operand { return encode.K(machine.ReservedMask) }

// group selects the code of a group: loads, nodes, a store.
func (a *compiler) group(disp int32, masked bool) {
	s := vector.NewSelection(a.Compiler, make([]vector.Value, len(a.Values)))
	var lanes machine.Operand
	if masked && a.Target.Level == amd64.AVX2 {
		lanes = s.New(encode.VMOVDQU, machine.Fixed(encode.AtIndex(encode.RAX, countReg, 4, 0)))
	}
	for id := range a.Values {
		v := &a.Values[id]
		if v.Kind != simt.Special || !a.needs(simt.ID(id)) {
			continue
		}
		n := simt.ArrayOperand(v.Name)
		a.reads[n] = true
		from := machine.Fixed(encode.At(srcRegs[n], disp))
		load := machine.Instr{Op: a.Target.Move}
		switch {
		case masked && a.Target.Level == amd64.AVX512:
			load.Mask, load.Zeroing = machine.Fixed(a.lastLanes()), true
			s.Vectors[id].Parts[0] = s.Put(machine.Vector, load, []machine.Operand{from})
		case masked:
			s.Vectors[id].Parts[0] = s.New(encode.VPMASKMOVD, lanes, from)
		default:
			x := s.Put(machine.Vector, load, []machine.Operand{from})
			a.Registers[x.Reg].Loaded = emit.FromInput
			s.Vectors[id].Parts[0] = x
		}
	}
	for n := range a.Nodes {
		s.Run(n)
	}
	result := s.Value(a.Blocks[0].End.Args[0]).Parts[0]
	to := machine.Fixed(encode.At(dstReg, disp))
	store := machine.Instr{Op: a.Target.Move, Args: [4]machine.Operand{to, result}, N: 2}
	switch {
	case masked && a.Target.Level == amd64.AVX512:
		store.Mask = machine.Fixed(a.lastLanes())
	case masked:
		store = machine.Instr{Op: encode.VPMASKMOVD | a.Target.Length, Args: [4]machine.Operand{to, lanes, result}, N: 3}
	case a.Options.Streamed:
		store.Op = encode.VMOVNTDQ | a.Target.Length
	}
	a.Code = append(a.Code, store)
}

// needs reports whether a node or the result reads a value.
func (a *compiler) needs(id simt.ID) bool {
	if a.Blocks[0].End.Args[0] == id {
		return true
	}
	for n := range a.Nodes {
		for _, arg := range a.Nodes[n].Args[:a.Nodes[n].Count] {
			if arg == id {
				return true
			}
		}
	}
	return false
}

// write writes the loops.
func (a *compiler) write() {
	a.LoadConstants()
	if a.Target.Level == amd64.AVX512 {
		a.writeMasked()
	} else {
		a.writeParted()
	}
	if a.Options.Streamed {
		a.Emit(encode.SFENCE)
	}
	a.Emit(encode.VZEROUPPER)
	a.Emit(encode.RET)
}

// writeMain writes the main loop, which leaves fewer words than it has in a turn, and jumps to rest
// if there are none.
func (a *compiler) writeMain(rest encode.Label) {
	words := a.groups * a.Target.Lanes
	loop, few := a.Asm.NewLabel(), a.Asm.NewLabel()
	a.Emit(encode.SUB|encode.S64, countReg, encode.Imm(int64(words)))
	a.JumpIf(encode.CondB, few)
	a.Asm.Align(64)
	a.Bind(loop)
	a.Assemble(0, a.Marks[0].At)
	a.advance(a.groups * a.Target.Bytes)
	a.Emit(encode.SUB|encode.S64, countReg, encode.Imm(int64(words)))
	a.JumpIf(encode.CondAE, loop)
	a.Bind(few)
	a.Emit(encode.ADD|encode.S64, countReg, encode.Imm(int64(words)))
	a.JumpIf(encode.CondE, rest)
}

// writeMasked writes the loops with AVX-512: the rest under masks, which are full but for the last.
func (a *compiler) writeMasked() {
	done, rest := a.Asm.NewLabel(), a.Asm.NewLabel()
	a.writeMain(done)
	a.Bind(rest)
	// RAX = the lowest R8 bits of ones: BZHI looks at the lowest 8 bits of the count, which is less
	// than 256.
	a.Emit(encode.MOV|encode.S32, encode.RAX, encode.Imm(-1))
	a.Emit(encode.BZHI|encode.S32, encode.RAX, encode.RAX, countReg)
	a.Emit(encode.KMOVWR, a.lastLanes(), encode.RAX)
	a.Assemble(a.Marks[0].At, a.Marks[1].At)
	if a.groups > 1 {
		a.advance(a.Target.Bytes)
		a.Emit(encode.SUB|encode.S64, countReg, encode.Imm(int64(a.Target.Lanes)))
		a.JumpIf(encode.CondA, rest)
	}
	a.Bind(done)
}

// writeParted writes the loops with AVX2: whole groups, then the last lanes under a vector.
func (a *compiler) writeParted() {
	done, rest, last := a.Asm.NewLabel(), a.Asm.NewLabel(), a.Asm.NewLabel()
	a.writeMain(done)
	if a.groups > 1 {
		a.Emit(encode.SUB|encode.S64, countReg, encode.Imm(int64(a.Target.Lanes)))
		a.JumpIf(encode.CondB, last)
		a.Bind(rest)
		a.Assemble(a.Marks[0].At, a.Marks[1].At)
		a.advance(a.Target.Bytes)
		a.Emit(encode.SUB|encode.S64, countReg, encode.Imm(int64(a.Target.Lanes)))
		a.JumpIf(encode.CondAE, rest)
		a.Bind(last)
		a.Emit(encode.ADD|encode.S64, countReg, encode.Imm(int64(a.Target.Lanes)))
		a.JumpIf(encode.CondE, done)
	}
	// The table is as many ones as a group has lanes, then as many zeros. R8 lanes are wanted: the
	// table is read from that many before its zeros.
	var table [64]byte
	for i := range 32 {
		table[i] = 0xff
	}
	a.Emit(encode.LEA|encode.S64, encode.RAX, a.Asm.Const(table[:]))
	a.Emit(encode.ADD|encode.S64, encode.RAX, encode.Imm(32))
	a.Emit(encode.NEG|encode.S64, countReg)
	a.Assemble(a.Marks[1].At, a.Marks[2].At)
	a.Bind(done)
}

// advance adds to the addresses. Subtracting -128 is shorter than adding 128.
func (a *compiler) advance(bytes int) {
	add := func(to encode.Operand) {
		if bytes == 128 {
			a.Emit(encode.SUB|encode.S64, to, encode.Imm(-128))
			return
		}
		a.Emit(encode.ADD|encode.S64, to, encode.Imm(int64(bytes)))
	}
	for n, reads := range a.reads {
		if reads {
			add(srcRegs[n])
		}
	}
	add(dstReg)
}
