package amd64

import (
	"fmt"

	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/simt"
)

// The registers that code for arrays is entered with. It changes them, and RAX. The frame is there
// only if the code needs one.
var (
	arrayDst   = encode.RDI
	arraySrc   = [3]encode.Operand{encode.RSI, encode.RDX, encode.RCX}
	arrayCount = encode.R8
	arrayFrame = encode.R9
)

// Array compiles a function of one block, as [simt.OfProgram] makes them, to code that computes it
// for every word of slices: dst[i] from a[i], b[i] and c[i]. The code is entered with the addresses
// of dst, a, b and c in RDI, RSI, RDX and RCX, the number of words in R8, and the address of a
// frame in R9. It goes from the first word to the last, and reads the sources of a group before it
// writes the results.
//
//	constants
//	loop over as many groups as a turn has
//	the other words group by group; of the last group only the lanes that there are
func Array(f *simt.Function, o Options) (*Code, error) {
	if err := checkArray(f); err != nil {
		return nil, err
	}
	c := newCompiler(f, o)
	if err := c.fuse(&f.Blocks[0], f.Blocks[0].End.Args); err != nil {
		return nil, err
	}
	c.interleave()
	a := &arrayCompiler{compiler: c}
	c.frameBase = arrayFrame
	a.compile()
	if err := c.finish(); err != nil {
		return nil, err
	}
	a.write()
	return c.result()
}

// checkArray holds a function against what arrays have.
func checkArray(f *simt.Function) error {
	switch {
	case len(f.Blocks) != 1 || len(f.Blocks[0].Phis) > 0 || f.Blocks[0].End.Kind != simt.Return || len(f.Blocks[0].End.Args) != 1:
		return fmt.Errorf("native: a function for arrays is one block that returns one value; this one has %d blocks", len(f.Blocks))
	case f.Values[f.Blocks[0].End.Args[0]].Type != simt.B32:
		return fmt.Errorf("native: a function for arrays returns words, not values of type %v", f.Values[f.Blocks[0].End.Args[0]].Type)
	}
	for _, v := range f.Values {
		if v.Kind == simt.Special && (v.Type != simt.B32 || inputNumber(v.Name) < 0) {
			return fmt.Errorf("native: a function for arrays has the operands a, b and c, all words, not %s of type %v", v.Name, v.Type)
		}
	}
	return nil
}

// inputNumber returns 0 to 2 for a to c, or -1.
func inputNumber(name string) int {
	if len(name) == 1 && 'a' <= name[0] && name[0] <= 'c' {
		return int(name[0] - 'a')
	}
	return -1
}

// arrayCompiler makes the loops of one array function. The code before the first mark is a turn of
// the main loop, that up to the second a group of the rest, and up to the third, with AVX2, the
// last lanes.
type arrayCompiler struct {
	*compiler
	groups int
	reads  [3]bool
}

func (a *arrayCompiler) compile() {
	a.groups = a.o.Groups
	if a.groups == 0 {
		a.groups = a.goodGroups()
	}
	for g := range a.groups {
		a.group(int32(g*a.t.bytes), false)
	}
	a.mark()
	if a.t.level == AVX2 {
		a.group(0, false)
		a.mark()
	}
	a.group(0, true)
	a.mark()
}

// goodGroups makes the overhead of the loop small beside the work: three or four additions and a
// jump. The processor looks far enough ahead to overlap groups by itself; more than two were
// measured to be slower where stores are what takes time.
func (a *arrayCompiler) goodGroups() int {
	if len(a.nodes) <= 16 {
		return 2
	}
	return 1
}

// lastLanes is what the code for the last lanes has the mask of them in: a mask register, or with
// AVX2 the last vector register, which is not allocated then.
func (a *arrayCompiler) lastLanes() encode.Operand { return encode.K(reservedMask) }

// group selects the code of a group: loads, nodes, a store.
func (a *arrayCompiler) group(disp int32, masked bool) {
	s := &selection{compiler: a.compiler, values: make([]value, len(a.Values))}
	var lanes operand
	if masked && a.t.level == AVX2 {
		lanes = s.new(encode.VMOVDQU, fixed(encode.AtIndex(encode.RAX, arrayCount, 4, 0)))
	}
	for id := range a.Values {
		v := &a.Values[id]
		if v.Kind != simt.Special || !a.needs(simt.ID(id)) {
			continue
		}
		n := inputNumber(v.Name)
		a.reads[n] = true
		from := fixed(encode.At(arraySrc[n], disp))
		load := instr{op: a.t.move}
		switch {
		case masked && a.t.level == AVX512:
			load.mask, load.zeroing = fixed(a.lastLanes()), true
			s.values[id].parts[0] = s.put(vector, load, []operand{from})
		case masked:
			s.values[id].parts[0] = s.new(encode.VPMASKMOVD, lanes, from)
		default:
			x := s.put(vector, load, []operand{from})
			a.registers[x.v].loaded = fromInput
			s.values[id].parts[0] = x
		}
	}
	for n := range a.nodes {
		s.run(n)
	}
	result := s.value(a.Blocks[0].End.Args[0]).parts[0]
	to := fixed(encode.At(arrayDst, disp))
	store := instr{op: a.t.move, args: [4]operand{to, result}, n: 2}
	switch {
	case masked && a.t.level == AVX512:
		store.mask = fixed(a.lastLanes())
	case masked:
		store = instr{op: encode.VPMASKMOVD | a.t.length, args: [4]operand{to, lanes, result}, n: 3}
	case a.o.Streamed:
		store.op = encode.VMOVNTDQ | a.t.length
	}
	a.code = append(a.code, store)
}

// needs reports whether a node or the result reads a value.
func (a *arrayCompiler) needs(id simt.ID) bool {
	if a.Blocks[0].End.Args[0] == id {
		return true
	}
	for n := range a.nodes {
		for _, arg := range a.nodes[n].args[:a.nodes[n].count] {
			if arg == id {
				return true
			}
		}
	}
	return false
}

// write writes the loops.
func (a *arrayCompiler) write() {
	a.loadConstants()
	if a.t.level == AVX512 {
		a.writeMasked()
	} else {
		a.writeParted()
	}
	if a.o.Streamed {
		a.emit(encode.SFENCE)
	}
	a.emit(encode.VZEROUPPER)
	a.emit(encode.RET)
}

// writeMain writes the main loop, which leaves fewer words than it has in a turn, and jumps to rest
// if there are none.
func (a *arrayCompiler) writeMain(rest encode.Label) {
	words := a.groups * a.t.lanes
	loop, few := a.asm.NewLabel(), a.asm.NewLabel()
	a.emit(encode.SUB|encode.S64, arrayCount, encode.Imm(int64(words)))
	a.jumpIf(encode.CondB, few)
	a.asm.Align(64)
	a.bind(loop)
	a.assemble(0, a.marks[0].at)
	a.advance(a.groups * a.t.bytes)
	a.emit(encode.SUB|encode.S64, arrayCount, encode.Imm(int64(words)))
	a.jumpIf(encode.CondAE, loop)
	a.bind(few)
	a.emit(encode.ADD|encode.S64, arrayCount, encode.Imm(int64(words)))
	a.jumpIf(encode.CondE, rest)
}

// writeMasked writes the loops with AVX-512: the rest under masks, which are full but for the last.
func (a *arrayCompiler) writeMasked() {
	done, rest := a.asm.NewLabel(), a.asm.NewLabel()
	a.writeMain(done)
	a.bind(rest)
	// RAX = the lowest R8 bits of ones: BZHI looks at the lowest 8 bits of the count, which is less
	// than 256.
	a.emit(encode.MOV|encode.S32, encode.RAX, encode.Imm(-1))
	a.emit(encode.BZHI|encode.S32, encode.RAX, encode.RAX, arrayCount)
	a.emit(encode.KMOVWR, a.lastLanes(), encode.RAX)
	a.assemble(a.marks[0].at, a.marks[1].at)
	if a.groups > 1 {
		a.advance(a.t.bytes)
		a.emit(encode.SUB|encode.S64, arrayCount, encode.Imm(int64(a.t.lanes)))
		a.jumpIf(encode.CondA, rest)
	}
	a.bind(done)
}

// writeParted writes the loops with AVX2: whole groups, then the last lanes under a vector.
func (a *arrayCompiler) writeParted() {
	done, rest, last := a.asm.NewLabel(), a.asm.NewLabel(), a.asm.NewLabel()
	a.writeMain(done)
	if a.groups > 1 {
		a.emit(encode.SUB|encode.S64, arrayCount, encode.Imm(int64(a.t.lanes)))
		a.jumpIf(encode.CondB, last)
		a.bind(rest)
		a.assemble(a.marks[0].at, a.marks[1].at)
		a.advance(a.t.bytes)
		a.emit(encode.SUB|encode.S64, arrayCount, encode.Imm(int64(a.t.lanes)))
		a.jumpIf(encode.CondAE, rest)
		a.bind(last)
		a.emit(encode.ADD|encode.S64, arrayCount, encode.Imm(int64(a.t.lanes)))
		a.jumpIf(encode.CondE, done)
	}
	// The table is as many ones as a group has lanes, then as many zeros. R8 lanes are wanted: the
	// table is read from that many before its zeros.
	var table [64]byte
	for i := range 32 {
		table[i] = 0xff
	}
	a.emit(encode.LEA|encode.S64, encode.RAX, a.asm.Const(table[:]))
	a.emit(encode.ADD|encode.S64, encode.RAX, encode.Imm(32))
	a.emit(encode.NEG|encode.S64, arrayCount)
	a.assemble(a.marks[1].at, a.marks[2].at)
	a.bind(done)
}

// advance adds to the addresses. Subtracting -128 is shorter than adding 128.
func (a *arrayCompiler) advance(bytes int) {
	add := func(to encode.Operand) {
		if bytes == 128 {
			a.emit(encode.SUB|encode.S64, to, encode.Imm(-128))
			return
		}
		a.emit(encode.ADD|encode.S64, to, encode.Imm(int64(bytes)))
	}
	for n, reads := range a.reads {
		if reads {
			add(arraySrc[n])
		}
	}
	add(arrayDst)
}
