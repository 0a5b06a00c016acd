package array

import (
	"errors"
	"fmt"

	"github.com/vop-ptx/vop/run/native/arm64"
	"github.com/vop-ptx/vop/run/native/arm64/encode"
	"github.com/vop-ptx/vop/run/native/arm64/machine"
	"github.com/vop-ptx/vop/run/native/arm64/vector"
	"github.com/vop-ptx/vop/run/simt"
)

// The general registers that code for arrays is entered with: X0 is dst, X1 to X3 are a, b and c, X4 is the number of words,
// and X5 the frame. The code changes all but the frame.
const (
	destination = 0
	firstSource = 1
)

var count = encode.X(4)

// Compile compiles a function of one block, as package simt/build makes them, to code that computes it for every word of
// slices: dst[i] from a[i], b[i] and c[i]. The code goes from the first word to the last, and reads the sources of a turn
// before it writes the results.
//
//	constants
//	loop over as many groups of four words as a turn has
//	the other groups, one by one
//	two words, if the second bit of the rest is set
//	one word, if the first is
func Compile(f *simt.Function, o arm64.Options) (*arm64.Code, error) {
	if err := f.CheckArray(); err != nil {
		return nil, err
	}
	a := &compiler{Compiler: vector.NewCompiler(f, o)}
	a.result = f.Blocks[0].End.Args[0]
	if err := a.Fuse(&f.Blocks[0], f.Blocks[0].End.Args); err != nil {
		return nil, err
	}
	pieces, err := a.pieces()
	if err != nil {
		return nil, err
	}
	for _, p := range pieces {
		if p.ChangesGeneral() {
			return nil, errGeneral
		}
	}
	if err := a.Allocate(pieces...); err != nil {
		return nil, err
	}
	turn := a.write(pieces)
	code, err := a.Result()
	if err != nil {
		return nil, err
	}
	code.Turn, code.Words = turn, a.groups*arm64.Lanes
	return code, nil
}

// errGeneral says that a function has operations that change general registers: those have the slices here.
var errGeneral = fmt.Errorf("native: no neon code for arrays whose operations need general registers: %w", errors.ErrUnsupported)

// compiler makes the loops of one array function.
type compiler struct {
	*vector.Compiler
	groups int
	result simt.ID
}

// pieces selects the bodies: a turn of the main loop, a group if a turn has more than one, two words, one word.
func (a *compiler) pieces() (all []*machine.Piece, err error) {
	a.groups = a.Options.Groups
	if a.groups == 0 {
		a.groups = a.goodGroups()
	}
	for n, shape := range []struct {
		groups int
		width  int32
	}{{a.groups, 16}, {1, 16}, {1, 8}, {1, 4}} {
		if n == 1 && a.groups == 1 {
			continue
		}
		p := &machine.Piece{Width: shape.width, Advance: int32(shape.groups) * shape.width}
		a.Begin(p)
		for g := 0; g < shape.groups; g += 2 {
			if err := a.group(int32(g*arm64.Bytes), min(2, shape.groups-g)); err != nil {
				return nil, err
			}
		}
		all = append(all, p)
	}
	return all, nil
}

// goodGroups makes the overhead of the loop small beside the work: two groups are loaded and stored by one instruction,
// and processors that execute in order have something to do while one group waits. Four groups of long code would only
// be long.
func (a *compiler) goodGroups() int {
	switch {
	case len(a.Nodes) <= 4:
		return 4
	case len(a.Nodes) <= 16:
		return 2
	}
	return 1
}

// group selects the code of one or two groups next to each other: loads, nodes in turns, stores.
func (a *compiler) group(at int32, groups int) error {
	var s [2]*vector.Selection
	for g := range groups {
		s[g] = a.NewSelection()
	}
	for id := range a.Values {
		v := &a.Values[id]
		if v.Kind != simt.Special || !a.Needs(simt.ID(id), a.Blocks[0].End.Args) {
			continue
		}
		for g := range groups {
			s[g].Vectors[id][0] = a.Load(int32(firstSource+simt.ArrayOperand(v.Name)), at+int32(g*arm64.Bytes))
		}
	}
	for n := range a.Nodes {
		for g := range groups {
			if err := s[g].Run(n); err != nil {
				return err
			}
		}
	}
	for g := range groups {
		a.Store(destination, at+int32(g*arm64.Bytes), s[g].V(a.result))
	}
	return nil
}

// write writes the loops and returns how many instructions the main one has.
func (a *compiler) write(pieces []*machine.Piece) (turn int) {
	done, last := a.Asm.NewLabel(), a.Asm.NewLabel()
	a.LoadConstants()
	turn = a.loop(pieces[0], int64(a.groups*arm64.Lanes), done)
	if a.groups > 1 {
		a.loop(pieces[1], arm64.Lanes, done)
		pieces = pieces[1:]
	}
	a.Emit(encode.TBZ, count, encode.Imm(1), encode.At(last))
	a.Assemble(pieces[1])
	a.Bind(last)
	a.Emit(encode.TBZ, count, encode.Imm(0), encode.At(done))
	a.Assemble(pieces[2])
	a.Bind(done)
	a.Emit(encode.RET)
	return turn
}

// loop writes a loop that leaves fewer words than it has in a turn, and jumps to done if there are none.
func (a *compiler) loop(body *machine.Piece, words int64, done encode.Label) (turn int) {
	loop, few := a.Asm.NewLabel(), a.Asm.NewLabel()
	a.Emit(encode.SUBSI, count, count, encode.Imm(words))
	a.Branch(encode.BLO, few)
	a.Bind(loop)
	from := a.Asm.Len()
	a.Assemble(body)
	a.Emit(encode.SUBSI, count, count, encode.Imm(words))
	a.Branch(encode.BHS, loop)
	turn = (a.Asm.Len() - from) / 4
	a.Bind(few)
	a.Emit(encode.ADDSI, count, count, encode.Imm(words))
	a.Branch(encode.BEQ, done)
	return turn
}
