package amd64

import (
	"fmt"

	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/simt"
)

// WarpLanes is how many lanes a warp has.
const WarpLanes = 32

// BlockCode is code that computes a block for one warp.
type BlockCode struct {
	Code
	// Places are where values are in the frame: the specials that the block reads, and its results.
	// In each the lanes stand in order, 4 or 8 bytes each; a predicate is 4 bytes, one bit a lane.
	Places map[simt.ID]int
	// FrameSize is how many bytes the frame has, with what spilled values need.
	FrameSize int
}

// Block compiles the block of a function that has only one to code for a warp of 32 lanes. The code
// is entered with the address of a frame in RDI, a multiple of 64, finds the special values in it,
// and leaves the arguments of the block's end there.
func Block(f *simt.Function, o Options) (*BlockCode, error) {
	if len(f.Blocks) != 1 || len(f.Blocks[0].Phis) > 0 {
		return nil, fmt.Errorf("native: %d blocks, want one without phis", len(f.Blocks))
	}
	// The groups of the warp take turns, since what one waits for the other one can use; if they do
	// not fit into the registers together, one comes after the other.
	c, err := compileBlock(f, o, true)
	if err == nil && c.pressure() > c.vectors() {
		c, err = compileBlock(f, o, false)
	}
	if err != nil {
		return nil, err
	}
	if err := c.finish(); err != nil {
		return nil, err
	}
	c.loadConstants()
	c.assemble(0, len(c.code))
	c.emit(encode.VZEROUPPER)
	c.emit(encode.RET)
	code, err := c.result()
	if err != nil {
		return nil, err
	}
	return &BlockCode{Code: *code, Places: c.places, FrameSize: int(c.frameStart) + c.frame}, nil
}

// blockCompiler compiles one block for a warp.
type blockCompiler struct {
	*compiler
	places map[simt.ID]int
}

func compileBlock(f *simt.Function, o Options, alternating bool) (*blockCompiler, error) {
	c := &blockCompiler{compiler: newCompiler(f, o), places: map[simt.ID]int{}}
	c.frameBase = encode.RDI
	results := f.Blocks[0].End.Args
	if err := c.fuse(&f.Blocks[0], results); err != nil {
		return nil, err
	}
	c.layOut(results)
	groups := make([]*selection, WarpLanes/c.t.lanes)
	for g := range groups {
		groups[g] = &selection{compiler: c.compiler, values: make([]value, len(f.Values))}
	}
	if alternating {
		for g, s := range groups {
			c.load(s, g)
		}
		for n := range c.nodes {
			for _, s := range groups {
				s.run(n)
			}
		}
		for g, s := range groups {
			c.store(s, g, results)
		}
		return c, nil
	}
	for g, s := range groups {
		c.load(s, g)
		for n := range c.nodes {
			s.run(n)
		}
		c.store(s, g, results)
	}
	return c, nil
}

// layOut gives the special values and the results places in the frame.
func (c *blockCompiler) layOut(results []simt.ID) {
	place := func(id simt.ID) {
		if _, ok := c.places[id]; !ok {
			c.places[id] = int(c.frameStart)
			c.frameStart += map[simt.Type]int32{simt.B32: 128, simt.B64: 256, simt.Pred: 64}[c.Values[id].Type]
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
func (c *blockCompiler) at(id simt.ID, group, part int) operand {
	place := c.places[id]
	switch c.Values[id].Type {
	case simt.B64:
		place += (2*group + part) * c.t.bytes
	case simt.Pred:
		place += group * c.t.lanes / 8
	default:
		place += group * c.t.bytes
	}
	return fixed(encode.At(encode.RDI, int32(place)))
}

// load loads the special values that a group reads.
func (c *blockCompiler) load(s *selection, group int) {
	for id := range c.Values {
		v := &c.Values[id]
		if v.Kind != simt.Special {
			continue
		}
		id := simt.ID(id)
		to := &s.values[id]
		if v.Type == simt.Pred {
			to.parts[0] = s.loadMask(c.at(id, group, 0), group)
			continue
		}
		for part := range 2 {
			x := s.put(vector, instr{op: c.t.move}, []operand{c.at(id, group, part)})
			c.registers[x.v].loaded = fromInput
			to.parts[part] = x
			if v.Type == simt.B32 {
				break
			}
		}
	}
}

// loadMask loads the bits of a group. With AVX2 they become elements: each looks at its own bit.
func (s *selection) loadMask(at operand, group int) operand {
	if s.t.level == AVX512 {
		return s.put(mask, instr{op: encode.KMOVW}, []operand{at})
	}
	bits := s.constDwords(func(i int) uint32 { return 1 << i })
	return s.new(encode.VPCMPEQD, s.and(s.new(encode.VPBROADCASTB, at), bits), bits)
}

// store stores the results of a group.
func (c *blockCompiler) store(s *selection, group int, results []simt.ID) {
	for _, id := range results {
		v := s.value(id)
		if c.Values[id].Type == simt.Pred {
			s.storeMask(c.at(id, group, 0), v.parts[0])
			continue
		}
		for part := range 2 {
			c.code = append(c.code, instr{op: c.t.move, args: [4]operand{c.at(id, group, part), v.parts[part]}, n: 2})
			if c.Values[id].Type == simt.B32 {
				break
			}
		}
	}
}

func (s *selection) storeMask(at, x operand) {
	if s.t.level == AVX512 {
		s.code = append(s.code, instr{op: encode.KMOVW, args: [4]operand{at, x}, n: 2})
		return
	}
	rax := fixed(encode.RAX)
	s.code = append(s.code, instr{op: encode.VMOVMSKPS | encode.L256, args: [4]operand{rax, x}, n: 2},
		instr{op: encode.MOV | encode.S8, args: [4]operand{at, rax}, n: 2})
}
