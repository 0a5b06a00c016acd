package vector_test

import (
	"encoding/binary"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/vop-ptx/vop/run/native"
	"github.com/vop-ptx/vop/run/native/amd64"
	"github.com/vop-ptx/vop/run/native/amd64/vector"
	"github.com/vop-ptx/vop/run/native/internal/codepage"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/op"
)

var (
	warpsFlag = flag.Int("warps", 60, "number of warps that TestOperations computes each operation for")
	onlyFlag  = flag.String("op", "", "the only operations that TestOperations tests: a part of their names")
	update    = flag.Bool("update", false, "write testdata/missing_*.txt")
)

// oneOperation returns a function that computes an operation on special values, or on constants
// where known has one.
func oneOperation(o op.Op, known map[int]uint64) (f *simt.Function, args []simt.ID, result simt.ID) {
	f = simt.NewFunction(nil)
	shape := o.Shape()
	types := map[byte]simt.Type{'i': simt.B32, 'l': simt.B64, 'p': simt.Pred}
	for k, letter := range []byte(shape[2:]) {
		if bits, ok := known[k]; ok {
			args = append(args, f.Constant(types[letter], bits))
		} else {
			args = append(args, f.Special(types[letter], string(rune('a'+k))))
		}
	}
	f.Values = append(f.Values, simt.Value{Type: types[shape[0]], Kind: simt.InstDef})
	result = simt.ID(len(f.Values) - 1)
	f.Blocks = []simt.Block{{
		Insts: []simt.Inst{{Kind: simt.Compute, Op: o, Defs: []simt.ID{result}, Args: args, At: -1}},
		End:   simt.End{Kind: simt.Return, Args: []simt.ID{result}, At: -1},
		Loop:  simt.NoBlock,
	}}
	return f, args, result
}

// warp is code for a block with a frame to run it on.
type warp struct {
	enter  func(code, context uintptr) uint64
	code   *vector.BlockCode
	block  *codepage.Block
	memory []byte
	frame  []byte
	types  []simt.Value
}

func newWarp(t testing.TB, f *simt.Function, o amd64.Options) (*warp, error) {
	return newWarpFor(t, f, o, vector.Block, codepage.Enter)
}

// newFlushingWarp is a warp where the processor flushes subnormal floats.
func newFlushingWarp(t testing.TB, f *simt.Function, o amd64.Options) (*warp, error) {
	return newWarpFor(t, f, o, vector.FlushingBlock, codepage.EnterFlushing)
}

func newWarpFor(t testing.TB, f *simt.Function, o amd64.Options, compile func(*simt.Function, amd64.Options) (*vector.BlockCode, error),
	enter func(code, context uintptr) uint64) (*warp, error) {
	code, err := compile(f, o)
	if err != nil {
		return nil, err
	}
	b, err := codepage.Load(code.Bytes)
	if err != nil {
		t.Skipf("no executable memory here: %v", err)
	}
	t.Cleanup(func() { b.Free() })
	w := &warp{enter: enter, code: code, block: b, memory: make([]byte, code.FrameSize+64), types: f.Values}
	at := -uintptr(unsafe.Pointer(&w.memory[0])) & 63
	w.frame = w.memory[at:]
	return w, nil
}

func (w *warp) run() {
	w.enter(w.block.Address(0), uintptr(unsafe.Pointer(&w.frame[0])))
	runtime.KeepAlive(w)
}

// get and set are what a lane has of a value.
func (w *warp) get(id simt.ID, lane int) uint64 {
	place := w.frame[w.code.Places[id]:]
	switch w.types[id].Type {
	case simt.B64:
		return binary.LittleEndian.Uint64(place[8*lane:])
	case simt.B32:
		return uint64(binary.LittleEndian.Uint32(place[4*lane:]))
	}
	return uint64(place[lane/8] >> (lane % 8) & 1)
}

func (w *warp) set(id simt.ID, lane int, bits uint64) {
	place := w.frame[w.code.Places[id]:]
	switch w.types[id].Type {
	case simt.B64:
		binary.LittleEndian.PutUint64(place[8*lane:], bits)
	case simt.B32:
		binary.LittleEndian.PutUint32(place[4*lane:], uint32(bits))
	default:
		place[lane/8] = place[lane/8]&^(1<<(lane%8)) | byte(bits&1)<<(lane%8)
	}
}

// significant returns the bits of an operation's result that matter.
func significant(o op.Op) uint64 {
	name := o.String()
	first, _, _ := strings.Cut(name, ".")
	is := func(ends ...string) bool {
		return slices.ContainsFunc(ends, func(end string) bool { return strings.HasSuffix(name, end) })
	}
	switch {
	case name == "high.8":
		return 0xff
	case name == "pack.16", first == "cvt" && strings.Contains(name, ".f16."):
		return 0xffff
	case first == "cvt" || first == "setp" || strings.Contains(name, ".wide."):
	case is(".u16", ".s16", ".b16", ".f16") && !strings.HasPrefix(name, "word."):
		return 0xffff
	}
	return 1<<64 - 1
}

// levels returns the levels of amd64 that this machine has.
func levels() (all []amd64.Level) {
	for _, l := range native.Levels() {
		if l != native.NEON {
			all = append(all, amd64.Level(l))
		}
	}
	return all
}

// eachLevel runs a test on every level that there is machine code for.
func eachLevel(t *testing.T, test func(t *testing.T, l amd64.Level)) {
	levels := levels()
	if len(levels) == 0 {
		t.Skip("no machine code for this machine")
	}
	for _, l := range levels {
		t.Run(l.String(), func(t *testing.T) { test(t, l) })
	}
}

// TestOperations computes every operation for warps, with edge values and random ones, and compares
// with its loop.
func TestOperations(t *testing.T) {
	eachLevel(t, func(t *testing.T, l amd64.Level) {
		for o := op.Op(1); o < op.All(); o++ {
			if strings.Contains(o.String(), *onlyFlag) && vector.Selected(l, o) {
				testOperation(t, l, o, newWarp)
			}
		}
	})
}

// TestFlushingOperations does so where the processor flushes subnormal floats, with operations that allow it.
func TestFlushingOperations(t *testing.T) {
	eachLevel(t, func(t *testing.T, l amd64.Level) {
		for o := op.Op(1); o < op.All(); o++ {
			if strings.Contains(o.String(), *onlyFlag) && vector.Selected(l, o) && vector.AllowsFlushing(o) {
				testOperation(t, l, o, newFlushingWarp)
			}
		}
	})
}

// TestMissing holds the lists of operations without code. It needs no processor that has the levels, and neither does TestCode.
func TestMissing(t *testing.T) {
	for l := range amd64.NumLevels {
		var missing []string
		for o := op.Op(1); o < op.All(); o++ {
			if !vector.Selected(l, o) {
				missing = append(missing, o.String())
			}
		}
		checkMissing(t, l, missing)
	}
}

func checkMissing(t *testing.T, l amd64.Level, missing []string) {
	slices.Sort(missing)
	text := strings.Join(missing, "\n") + "\n"
	path := "testdata/missing_" + l.String() + ".txt"
	if *update {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if text != string(want) {
		t.Errorf("%s is not the list of the %d operations without code: run the test with -update", path, len(missing))
	}
}

// TestCode makes code of every operation for every level, with some operands constant, with few registers, and with constants that
// are loaded where they are read. Registers are checked.
func TestCode(t *testing.T) {
	for l := range amd64.NumLevels {
		for o := op.Op(1); o < op.All(); o++ {
			if !vector.Selected(l, o) {
				continue
			}
			rng := rand.New(rand.NewPCG(uint64(o), uint64(l)))
			shape := o.Shape()[2:]
			for constants := range 1 << len(shape) {
				known := map[int]uint64{}
				for k := range shape {
					if constants>>k&1 != 0 {
						known[k] = edge(rng, shape[k])
					}
				}
				f, _, _ := oneOperation(o, known)
				for _, options := range []amd64.Options{{}, {NoHoist: true}, {NoFold: true}, {Registers: 6, NoHoist: true}} {
					options.Level, options.CheckRegisters = l, true
					_, err := vector.Block(f, options)
					if err == nil && vector.AllowsFlushing(o) {
						_, err = vector.FlushingBlock(f, options)
					}
					if err != nil {
						t.Errorf("%v: %v with constants %v, %+v: %v", l, o, known, options, err)
					}
				}
			}
		}
	}
}

func testOperation(t *testing.T, l amd64.Level, o op.Op, newWarp func(t testing.TB, f *simt.Function, o amd64.Options) (*warp, error)) {
	rng := rand.New(rand.NewPCG(uint64(o), uint64(l)))
	shape := o.Shape()
	matters := significant(o)
	for turn := range 6 {
		known := map[int]uint64{}
		if turn > 0 {
			for k := range shape[2:] {
				if rng.IntN(3) == 0 || turn == 1 && k == len(shape[2:])-1 {
					known[k] = edge(rng, shape[2+k])
				}
			}
		}
		options := amd64.Options{Level: l}
		if turn == 3 {
			options.Registers, options.NoHoist = 6, true
		}
		f, args, result := oneOperation(o, known)
		w, err := newWarp(t, f, options)
		if err != nil {
			t.Errorf("%v with constants %v: %v", o, known, err)
			return
		}
		for range *warpsFlag/6 + 1 {
			var values [vector.WarpLanes][4]uint64
			for lane := range values {
				for k := range args {
					bits, ok := known[k]
					if !ok {
						bits = edge(rng, shape[2+k])
						w.set(args[k], lane, bits)
					}
					values[lane][k] = bits
				}
			}
			w.run()
			for lane := range values {
				got, want := w.get(result, lane), op.Fold(o, values[lane][:len(args)]...)
				if (got^want)&matters != 0 {
					options.Listing = true
					listed, _ := vector.Block(f, options)
					t.Errorf("%v of %x in lane %d, constants %v: %x, want %x\n%v", o, values[lane][:len(args)], lane, known, got, want, short(listed))
					return
				}
			}
		}
	}
}

func short(c *vector.BlockCode) string {
	s := fmt.Sprint(&c.Code)
	return s[:min(len(s), 1500)]
}

// edge draws a value at which something changes for one of the types, or any.
func edge(rng *rand.Rand, letter byte) uint64 {
	if letter == 'p' {
		return rng.Uint64() & 1
	}
	x := rng.Uint64()
	switch rng.IntN(12) {
	case 0:
		x = uint64(rng.IntN(70))
	case 1:
		x = -uint64(rng.IntN(70))
	case 2:
		x = edges64[rng.IntN(len(edges64))] + uint64(rng.IntN(3)) - 1
	case 3, 4:
		x = uint64(edges32[rng.IntN(len(edges32))])<<32 | uint64(edges32[rng.IntN(len(edges32))]+uint32(rng.IntN(3))-1)
	case 5:
		x = uint64(halfEdge(rng)) | uint64(halfEdge(rng))<<16 | uint64(halfEdge(rng))<<32 | uint64(halfEdge(rng))<<48
	case 6: // floats of some size
		x = uint64(rng.Uint32()&0x807fffff|uint32(100+rng.IntN(60))<<23) | x&^(1<<32-1)
		if letter == 'l' {
			x = rng.Uint64()&(1<<63|1<<52-1) | uint64(1023-70+rng.IntN(140))<<52
		}
	case 7: // integral floats and halves
		x = floatBits(rng, letter)
	case 8:
		x = uint64(rng.Uint32N(1 << 16))
	case 9:
		x >>= rng.IntN(64)
	case 10:
		x = uint64(int64(x) >> rng.IntN(64))
	}
	if letter == 'i' {
		return uint64(uint32(x))
	}
	return x
}

func floatBits(rng *rand.Rand, letter byte) uint64 {
	v := float64(int64(rng.Uint64())>>rng.IntN(64)) / float64(int(1)<<rng.IntN(3))
	if letter == 'l' {
		return float64bits(v)
	}
	return uint64(float32bits(float32(v)))
}

func halfEdge(rng *rand.Rand) uint16 {
	edges := []uint16{0, 0x8000, 1, 0x8001, 0x3ff, 0x400, 0x3c00, 0xbc00, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7c01, 0x7e00, 0x7fff, 0xffff, 0x3800, 0x3bff}
	if rng.IntN(2) == 0 {
		return uint16(rng.Uint32())
	}
	return edges[rng.IntN(len(edges))]
}

var (
	edges32 = []uint32{0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x10000, 0x7fffffff, 0x80000000, 0xffffffff, 0x80808080, 0x7f7f7f7f,
		0x7f800000, 0xff800000, 0x7f800001, 0xffc00000, 0x7fffffff, 0x00800000, 0x80800000, 0x007fffff, 0x3f800000, 0xbf800000, 0x3f000000,
		0x4f000000, 0xcf000000, 0x4f800000, 0x5f000000, 0x5f800000, 0xdf000000, 0x7f7fffff, 0xff7fffff, 0x00000001, 0x33000000, 0x4b000000, 0x4b800000}
	edges64 = []uint64{0, 1, 1 << 63, 1<<63 - 1, 1<<64 - 1, 1 << 31, 1 << 32, 1<<32 - 1, 1 << 53, 1<<53 + 1, 0x7ff0000000000000, 0xfff0000000000000,
		0x7ff0000000000001, 0xfff8000000000000, 0x0010000000000000, 0x000fffffffffffff, 0x3ff0000000000000, 0xbff0000000000000, 0x41e0000000000000,
		0xc1e0000000000000, 0x43e0000000000000, 0xc3e0000000000000, 0x43f0000000000000, 0x7fefffffffffffff, 0x3810000000000000, 0x380fffffe0000000, 0x36a0000000000000, 0x47efffffe0000000, 0x47efffffefffffff, 0x47f0000000000000}
)
