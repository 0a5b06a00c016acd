package vector

import (
	"fmt"

	"github.com/vop-ptx/vop/run/native/amd64"
	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
	"github.com/vop-ptx/vop/run/native/amd64/vector/emit"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/op"
)

// WarpLanes is how many lanes a warp has.
const WarpLanes = 32

// BlockCode is code that computes a block for one warp.
type BlockCode struct {
	amd64.Code
	// Places are where values are in the frame: the specials that the block reads, and its results.
	// In each the lanes stand in order, 4 or 8 bytes each; a predicate is 4 bytes, one bit a lane.
	Places map[simt.ID]int
	// FrameSize is how many bytes the frame has, with what spilled values need.
	FrameSize int
}

// Block compiles the block of a function that has only one to code for a warp of 32 lanes. The code
// is entered with the address of a frame in RDI, a multiple of 64, finds the special values in it,
// and leaves the arguments of the block's end there.
func Block(f *simt.Function, o amd64.Options) (*BlockCode, error) { return block(f, o, false) }

// FlushingBlock does so for a processor that flushes subnormal floats.
func FlushingBlock(f *simt.Function, o amd64.Options) (*BlockCode, error) { return block(f, o, true) }

// AllowsFlushing reports whether the code of an operation may run so.
func AllowsFlushing(o op.Op) bool { return flushingOf(o) != againstFlushing }

func block(f *simt.Function, o amd64.Options, flushing bool) (*BlockCode, error) {
	if len(f.Blocks) != 1 || len(f.Blocks[0].Phis) > 0 {
		return nil, fmt.Errorf("native: %d blocks, want one without phis", len(f.Blocks))
	}
	// The groups of the warp take turns, since what one waits for the other one can use; if they do
	// not fit into the registers together, one comes after the other.
	c, err := compileBlock(f, o, flushing, true)
	if most, _, _ := c.Pressure(); err == nil && most > c.Vectors() {
		c, err = compileBlock(f, o, flushing, false)
	}
	if err != nil {
		return nil, err
	}
	if err := c.Finish(); err != nil {
		return nil, err
	}
	c.LoadConstants()
	c.Assemble(0, len(c.Code))
	c.Emit(encode.VZEROUPPER)
	c.Emit(encode.RET)
	code, err := c.Result()
	if err != nil {
		return nil, err
	}
	return &BlockCode{Code: *code, Places: c.places, FrameSize: int(c.FrameStart) + c.Frame}, nil
}

// blockCompiler compiles one block for a warp.
type blockCompiler struct {
	*Compiler
	places map[simt.ID]int
}

func compileBlock(f *simt.Function, o amd64.Options, flushing, alternating bool) (*blockCompiler, error) {
	c := &blockCompiler{Compiler: NewCompiler(f, o), places: map[simt.ID]int{}}
	c.Flushing = flushing
	c.FrameBase = encode.RDI
	results := f.Blocks[0].End.Args
	if err := c.Fuse(&f.Blocks[0], results); err != nil {
		return nil, err
	}
	c.layOut(results)
	groups := make([]*Selection, WarpLanes/c.Target.Lanes)
	for g := range groups {
		groups[g] = NewSelection(c.Compiler, make([]Value, len(f.Values)))
	}
	if alternating {
		for g, s := range groups {
			c.load(s, g)
		}
		for n := range c.Nodes {
			for _, s := range groups {
				s.Run(n)
			}
		}
		for g, s := range groups {
			c.store(s, g, results)
		}
		return c, nil
	}
	for g, s := range groups {
		c.load(s, g)
		for n := range c.Nodes {
			s.Run(n)
		}
		c.store(s, g, results)
	}
	return c, nil
}

// layOut gives the special values and the results places in the frame.
func (c *blockCompiler) layOut(results []simt.ID) {
	place := func(id simt.ID) {
		if _, ok := c.places[id]; !ok {
			c.places[id] = int(c.FrameStart)
			c.FrameStart += map[simt.Type]int32{simt.B32: 128, simt.B64: 256, simt.Pred: 64}[c.Values[id].Type]
		}
	}
	for id := range c.Values {
		if c.Values[id].Kind == simt.Special {
			place(simt.ID(id))
		}
	}
	for _, id := range results {
		place(id)
	}
}

// at is where a part of a group of a value is in the frame.
func (c *blockCompiler) at(id simt.ID, group, part int) machine.Operand {
	place := c.places[id]
	switch c.Values[id].Type {
	case simt.B64:
		place += (2*group + part) * c.Target.Bytes
	case simt.Pred:
		place += group * c.Target.Lanes / 8
	default:
		place += group * c.Target.Bytes
	}
	return machine.Fixed(encode.At(encode.RDI, int32(place)))
}

// load loads the special values that a group reads.
func (c *blockCompiler) load(s *Selection, group int) {
	for id := range c.Values {
		v := &c.Values[id]
		if v.Kind != simt.Special {
			continue
		}
		id := simt.ID(id)
		to := &s.Vectors[id]
		if v.Type == simt.Pred {
			to.Parts[0] = s.loadMask(c.at(id, group, 0), group)
			continue
		}
		for part := range 2 {
			x := s.Put(machine.Vector, machine.Instr{Op: c.Target.Move}, []machine.Operand{c.at(id, group, part)})
			c.Registers[x.Reg].Loaded = emit.FromInput
			to.Parts[part] = x
			if v.Type == simt.B32 {
				break
			}
		}
	}
}

// loadMask loads the bits of a group. With AVX2 they become elements: each looks at its own bit.
func (s *Selection) loadMask(at machine.Operand, group int) machine.Operand {
	if s.Target.Level == amd64.AVX512 {
		return s.Put(machine.Mask, machine.Instr{Op: encode.KMOVW}, []machine.Operand{at})
	}
	bits := s.ConstDwords(func(i int) uint32 { return 1 << i })
	return s.New(encode.VPCMPEQD, s.And(s.New(encode.VPBROADCASTB, at), bits), bits)
}

// store stores the results of a group.
func (c *blockCompiler) store(s *Selection, group int, results []simt.ID) {
	for _, id := range results {
		v := s.Value(id)
		if c.Values[id].Type == simt.Pred {
			s.storeMask(c.at(id, group, 0), v.Parts[0])
			continue
		}
		for part := range 2 {
			c.Code = append(c.Code, machine.Instr{Op: c.Target.Move, Args: [4]machine.Operand{c.at(id, group, part), v.Parts[part]}, N: 2})
			if c.Values[id].Type == simt.B32 {
				break
			}
		}
	}
}

func (s *Selection) storeMask(at, x machine.Operand) {
	if s.Target.Level == amd64.AVX512 {
		s.Code = append(s.Code, machine.Instr{Op: encode.KMOVW, Args: [4]machine.Operand{at, x}, N: 2})
		return
	}
	rax := machine.Fixed(encode.RAX)
	s.Code = append(s.Code, machine.Instr{Op: encode.VMOVMSKPS | encode.L256, Args: [4]machine.Operand{rax, x}, N: 2},
		machine.Instr{Op: encode.MOV | encode.S8, Args: [4]machine.Operand{at, rax}, N: 2})
}
