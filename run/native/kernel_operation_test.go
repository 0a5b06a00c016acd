package native_test

import (
	"encoding/binary"
	"flag"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/vop-ptx/vop/run/native"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/op"
)

var (
	warpsFlag     = flag.Int("warps", 12, "number of warps that TestKernelOperations computes each operation for")
	operationFlag = flag.String("op", "", "the only operations that TestKernelOperations tests: a part of their names")
)

// operation is a kernel that computes one operation, with the homes of its values.
type operation struct {
	f      *simt.Function
	args   []simt.ID // what the operation reads
	given  []simt.ID // the special values that they are, or are computed from
	result simt.ID
	homes  *simt.Homes
	memory []byte
	steps  int
}

var typesOf = map[byte]simt.Type{'i': simt.B32, 'l': simt.B64, 'p': simt.Pred}

// newOperation returns a kernel for an operation on special values, or constants where known has one. Those that are
// the same in all lanes become scalars.
func newOperation(o op.Op, known map[int]uint64, same bool, l native.Level) *operation {
	x := &operation{f: simt.NewFunction(nil)}
	names := []string{"a", "b", "c", "d"} // of which nothing is known
	if same {
		names = []string{"%ctaid.x", "%ctaid.y", "%ctaid.z", "%nctaid.x"}
	}
	var insts []simt.Inst
	define := func(t simt.Type, o op.Op, args ...simt.ID) simt.ID {
		x.f.Values = append(x.f.Values, simt.Value{Type: t, Kind: simt.InstDef})
		id := simt.ID(len(x.f.Values) - 1)
		insts = append(insts, simt.Inst{Kind: simt.Compute, Op: o, Defs: []simt.ID{id}, Args: args, At: -1})
		return id
	}
	for k, letter := range []byte(o.Shape()[2:]) {
		t := typesOf[letter]
		if bits, ok := known[k]; ok {
			id := x.f.Constant(t, bits)
			x.args, x.given = append(x.args, id), append(x.given, 0)
			continue
		}
		word := t
		if t == simt.Pred {
			word = simt.B32
		}
		id := x.f.Special(word, names[k])
		x.given = append(x.given, id)
		if t == simt.Pred { // as a comparison has it
			id = define(simt.Pred, op.Must("setp.ne.u32"), id, x.f.Constant(simt.B32, 0))
		}
		x.args = append(x.args, id)
	}
	x.result = define(typesOf[o.Shape()[0]], o, x.args...)
	x.f.Blocks = []simt.Block{{Insts: insts, End: simt.End{Kind: simt.Return, Args: []simt.ID{x.result}, At: -1}, Loop: simt.NoBlock}}
	x.layOut(l)
	return x
}

// layOut makes the homes of the values, and fills in those of constants.
func (x *operation) layOut(l native.Level) {
	x.homes = native.Homes(x.f, l)
	memory := make([]byte, x.homes.Size+63)
	x.memory = memory[-uintptr(unsafe.Pointer(unsafe.SliceData(memory)))&63:]
	for id := range x.f.Values {
		if v := &x.f.Values[id]; id > 0 && v.Kind == simt.Const {
			for lane := range simt.WarpSize {
				x.set(simt.ID(id), lane, v.Bits)
			}
		}
	}
}

func (x *operation) get(id simt.ID, lane int) uint64 {
	home := x.memory[x.homes.Offset[id]:]
	switch x.f.Values[id].Type {
	case simt.B64:
		return binary.LittleEndian.Uint64(home[8*lane:])
	case simt.B32:
		return uint64(binary.LittleEndian.Uint32(home[4*lane:]))
	}
	return uint64(home[lane/8] >> (lane % 8) & 1)
}

func (x *operation) set(id simt.ID, lane int, v uint64) {
	home := x.memory[x.homes.Offset[id]:]
	switch x.f.Values[id].Type {
	case simt.B64:
		binary.LittleEndian.PutUint64(home[8*lane:], v)
	case simt.B32:
		binary.LittleEndian.PutUint32(home[4*lane:], uint32(v))
	default:
		home[lane/8] = home[lane/8]&^(1<<(lane%8)) | byte(v&1)<<(lane%8)
	}
}

// Step executes an operation, as package portable does, by means of its loop.
func (x *operation) Step(block simt.BlockID, inst int, lanes uint32) (failed uint32, ok bool) {
	x.steps++
	i := &x.f.Blocks[block].Insts[inst]
	for ; lanes != 0; lanes &= lanes - 1 {
		lane := bits.TrailingZeros32(lanes)
		var args []uint64
		for _, a := range i.Args {
			args = append(args, x.get(a, lane))
		}
		x.set(i.Defs[0], lane, op.Fold(i.Op, args...))
	}
	return 0, true
}

// Window, Parks and Stopped are never wanted.
func (*operation) Texels(*simt.TextureOp, uint64) (*simt.Texels, bool) { return nil, false }

func (x *operation) Window(*simt.Access, uint64) ([]byte, uint64, bool) { return nil, 0, false }
func (x *operation) Parks(uint32) bool                                  { return false }
func (x *operation) Live() uint32                                       { return 1<<32 - 1 }
func (x *operation) Stopped() bool                                      { return false }
func (x *operation) Onward(int)                                         {}

// significant returns the bits of an operation's result that matter.
func significant(o op.Op) uint64 {
	name := o.String()
	first, _, _ := strings.Cut(name, ".")
	ends := func(suffixes ...string) bool {
		return slices.ContainsFunc(suffixes, func(s string) bool { return strings.HasSuffix(name, s) })
	}
	switch {
	case name == "high.8":
		return 0xff
	case name == "pack.16", first == "cvt" && strings.Contains(name, ".f16."):
		return 0xffff
	case first == "cvt" || first == "setp" || strings.Contains(name, ".wide."):
	case ends(".u16", ".s16", ".b16", ".f16") && !strings.HasPrefix(name, "word."):
		return 0xffff
	}
	return 1<<64 - 1
}

// edgeWords are words at which something changes for some type.
var edgeWords = []uint32{
	0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x10000, 0x7fffffff, 0x80000000, 0xffffffff, 0x80808080, 0x7f800000, 0xff800000, 0x7f800001,
	0xffc00000, 0x00800000, 0x80800000, 0x007fffff, 0x3f800000, 0xbf800000, 0x4f000000, 0xcf000000, 0x4f800000, 0x7f7fffff, 0x4b000000,
	0x7ff00000, 0xfff00000, 0x000fffff, 0x00100000, 0x3ff00000, 0x41e00000, 0xc1e00000, 0x3e900000, 31, 32, 33, 63, 64, 65,
}

// edgeHalf draws an f16: one at which something changes, or near 1, so that sums and products are of a size.
func edgeHalf(rng *rand.Rand) uint32 {
	if rng.IntN(2) == 0 {
		return rng.Uint32()&0x83ff | uint32(8+rng.IntN(14))<<10
	}
	edges := [...]uint32{0, 1, 0x3ff, 0x400, 0x3c00, 0x7bff, 0x7c00, 0x7c01, 0x7e00, 0x7ff6, 0x7ff7, 0x7fff}
	return edges[rng.IntN(len(edges))] | uint32(rng.IntN(2))<<15
}

// edge draws a value at which something changes, or any.
func edge(rng *rand.Rand, letter byte) uint64 {
	word := func() uint32 {
		switch rng.IntN(6) {
		case 0:
			return rng.Uint32()
		case 5: // two halves
			return edgeHalf(rng) | edgeHalf(rng)<<16
		case 1: // a float near 1
			return rng.Uint32()&0x807fffff | uint32(100+rng.IntN(60))<<23
		case 2: // an integer as a float, and a half
			return math.Float32bits(float32(int32(rng.Uint32())>>rng.IntN(32)) / 2)
		}
		return edgeWords[rng.IntN(len(edgeWords))] + uint32(rng.IntN(3)) - 1
	}
	x := uint64(word())
	if letter == 'l' {
		x |= uint64(word()) << 32
		if rng.IntN(4) == 0 {
			x = uint64(int64(x) >> rng.IntN(64))
		}
	}
	if letter == 'p' {
		return x & 1
	}
	return x
}

// TestKernelOperations computes every operation in kernels of every level, in vectors and as scalars, with edge values and
// random ones, and compares with its loop. What there is no code for is executed by steps.
func TestKernelOperations(t *testing.T) {
	for _, l := range needCode(t) {
		t.Run(l.String(), func(t *testing.T) {
			native, all := 0, 0
			for o := op.Op(1); o < op.All(); o++ {
				if !strings.Contains(o.String(), *operationFlag) {
					continue
				}
				all++
				if testKernelOperation(t, l, o) {
					native++
				}
			}
			t.Logf("%d of %d operations have code", native, all)
			if *operationFlag == "" && native < all/5 {
				t.Errorf("%d of %d operations have code", native, all)
			}
		})
	}
}

// testKernelOperation reports whether an operation on varying values has code.
func testKernelOperation(t *testing.T, l native.Level, o op.Op) (coded bool) {
	rng := rand.New(rand.NewPCG(uint64(o), uint64(l)))
	shape, matters := o.Shape(), significant(o)
	for turn := range 5 {
		known, same := map[int]uint64{}, turn == 3
		base := turn == 4 // as turn 0, for processors that have no more than they must
		if base && l != native.NEON {
			continue
		}
		if turn > 0 && !base {
			for k := range shape[2:] {
				if rng.IntN(3) == 0 || k == len(shape[2:])-1 {
					known[k] = edge(rng, shape[2+k])
				}
			}
		}
		if name := o.String(); turn == 2 && (strings.HasPrefix(name, "div.") || strings.HasPrefix(name, "rem.")) && len(shape) == 4 {
			known[1] = 0 // which is no edge that is drawn often
		}
		x := newOperation(o, known, same, l)
		k, err := native.CompileKernel(x.f, native.Homes(x.f, l), native.Options{Level: l, Base: base})
		if err != nil {
			t.Fatalf("%v: %v", o, err)
		}
		for range *warpsFlag/4 + 1 {
			values := x.draw(rng, known, shape[2:], same)
			lanes := rng.Uint32() | 1<<rng.IntN(32)
			run := &native.Run{Machine: x, Homes: unsafe.Pointer(&x.memory[0]), Frame: k.NewFrame(), Windows: k.NewWindows(nil), Lanes: lanes}
			x.steps = 0
			if left := k.Run(run); left != native.AtEnd {
				t.Fatalf("%v: left for %d", o, left)
			}
			coded = coded || turn == 0 && x.steps == 0
			for lane, args := range values {
				if lanes>>lane&1 == 0 {
					continue
				}
				if got, want := x.get(x.result, lane), op.Fold(o, args...); (got^want)&matters != 0 {
					t.Errorf("%v of %x in lane %d, constants %v: %x, want %x", o, args, lane, known, got, want)
					return coded
				}
			}
		}
	}
	return coded
}

// draw gives the kernel operands.
func (x *operation) draw(rng *rand.Rand, known map[int]uint64, letters string, same bool) (values [simt.WarpSize][]uint64) {
	first := make([]uint64, len(letters))
	for lane := range values {
		for k := range letters {
			v, ok := known[k]
			switch {
			case ok:
			case same && lane > 0:
				v = first[k]
			default:
				v = edge(rng, letters[k])
			}
			first[k] = v
			if !ok {
				x.set(x.given[k], lane, v)
			}
			values[lane] = append(values[lane], v)
		}
	}
	return values
}
