package native_test

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/native"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/op"
)

// copying is a kernel that copies an element for each lane between two buffers, which are the memory that it may touch.
type copying struct {
	*operation
	index   simt.ID // the lanes' indexes, if they are no thread numbers
	bases   [2]simt.ID
	buffers [2][]byte
	size    int
	pad     int // words before and behind a buffer that vectors may read
	missed  int
}

// at is where the buffers are for the kernel.
func at(buffer int) uint64 { return uint64(1+buffer) << 33 }

// newCopying returns a kernel for elements of a size, at the lanes' thread numbers or at any indexes.
func newCopying(l native.Level, size int, regular bool) *copying {
	f := simt.NewFunction(nil)
	k := &copying{operation: &operation{f: f}, size: size}
	name := "a"
	if regular {
		name = "%tid.x"
	}
	k.index = f.Special(simt.B32, name)
	k.bases = [2]simt.ID{f.Special(simt.B64, "%ctaid.x"), f.Special(simt.B64, "%ctaid.y")}
	var insts []simt.Inst
	add := func(t simt.Type, i simt.Inst) simt.ID {
		f.Values = append(f.Values, simt.Value{Type: t, Kind: simt.InstDef})
		i.Defs, i.At = []simt.ID{simt.ID(len(f.Values) - 1)}, -1
		insts = append(insts, i)
		return i.Defs[0]
	}
	offset := add(simt.B64, simt.Inst{Op: op.Must("mul.wide.u32"), Args: []simt.ID{k.index, f.Constant(simt.B32, uint64(size))}})
	var address [2]simt.ID
	for n, base := range k.bases {
		address[n] = add(simt.B64, simt.Inst{Op: op.Must("add.u64"), Args: []simt.ID{base, offset}})
	}
	typ := simt.B32
	if size == 8 {
		typ = simt.B64
	}
	access := func(writes bool) *simt.Access {
		return &simt.Access{Space: check.Global, Size: size, Elements: 1, Writes: writes, Spelling: "access"}
	}
	value := add(typ, simt.Inst{Kind: simt.Load, Args: []simt.ID{address[0]}, Aux: access(false)})
	insts = append(insts, simt.Inst{Kind: simt.Store, Args: []simt.ID{address[1], value}, Aux: access(true), At: -1})
	f.Blocks = []simt.Block{{Insts: insts, End: simt.End{Kind: simt.Return, At: -1}, Loop: simt.NoBlock}}
	k.layOut(l)
	if l != native.NEON { // those of amd64 read what package vm has around allocations
		k.pad = 16
	}
	return k
}

// Step finds no memory for an access that is not inside; else it executes it.
func (k *copying) Step(block simt.BlockID, inst int, lanes uint32) (failed uint32, ok bool) {
	i := &k.f.Blocks[block].Insts[inst]
	if i.Kind == simt.Compute {
		return k.operation.Step(block, inst, lanes)
	}
	k.missed++
	for ; lanes != 0; lanes &= lanes - 1 {
		lane := bits.TrailingZeros32(lanes)
		buffer := 0
		if i.Kind == simt.Store {
			buffer = 1
		}
		offset := k.get(i.Args[0], lane) - at(buffer)
		if offset > uint64(len(k.buffers[buffer])-k.size) {
			failed |= 1 << lane
			continue
		}
		var word [8]byte
		if place := k.buffers[buffer][offset:][:k.size]; i.Kind == simt.Store {
			binary.LittleEndian.PutUint64(word[:], k.get(i.Args[1], lane))
			copy(place, word[:k.size])
		} else {
			copy(word[:], place)
			k.set(i.Defs[0], lane, binary.LittleEndian.Uint64(word[:]))
		}
	}
	return failed, true
}

// Window returns a buffer.
func (*copying) Texels(*simt.TextureOp, uint64) (*simt.Texels, bool) { return nil, false }
func (*copying) Onward(int)                                          {}

func (k *copying) Window(a *simt.Access, address uint64) (data []byte, base uint64, ok bool) {
	buffer := 0
	if a.Writes {
		buffer = 1
	}
	return k.buffers[buffer], at(buffer), true
}

// TestKernelGuardPages runs kernels on memory on either side of which nothing may be read or written: code that goes
// beyond it ends the test with a fault. Lanes that are not at work have addresses anywhere.
func TestKernelGuardPages(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 0))
	for _, l := range needCode(t) {
		for _, size := range []int{1, 2, 4, 8} {
			for _, regular := range []bool{true, false} {
				k := newCopying(l, size, regular)
				code, err := native.CompileKernel(k.f, native.Homes(k.f, l), native.Options{Level: l, Block: [3]int{32, 1, 1}})
				if err != nil {
					t.Fatal(err)
				}
				for turn := range 40 {
					if err := k.run(t, rng, code, turn); err != nil {
						t.Fatalf("%v, %d bytes, regular %v: %v", l, size, regular, err)
					}
				}
			}
		}
	}
}

// run copies once by steps, which find the memory, and once by code, on memory with guards.
func (k *copying) run(t *testing.T, rng *rand.Rand, code *native.Kernel, turn int) error {
	for n := range k.buffers {
		words := (32*k.size + 3) / 4
		atEnd, atStart := guarded(t, words+2*k.pad)
		all := atEnd
		if turn%2 == 0 {
			all = atStart
		}
		k.buffers[n] = unsafe.Slice((*byte)(unsafe.Pointer(&all[k.pad])), 32*k.size)
		for i := range k.buffers[n] {
			k.buffers[n][i] = byte(rng.Uint32())
		}
	}
	lanes := ^uint32(0)
	if turn%3 > 0 {
		lanes = rng.Uint32() | 1<<rng.IntN(32)
	}
	indexes := rng.Perm(32)
	for lane := range indexes {
		if k.f.Values[k.index].Name == "%tid.x" {
			indexes[lane] = lane
		} else if lanes>>lane&1 == 0 {
			indexes[lane] = int(rng.Uint32())
		}
		k.set(k.index, lane, uint64(indexes[lane]))
		for n, id := range k.bases {
			k.set(id, lane, at(n))
		}
	}
	windows, frame := code.NewWindows(nil), code.NewFrame()
	for again := range 2 {
		k.missed = 0
		run := &native.Run{Machine: k, Homes: unsafe.Pointer(&k.memory[0]), Frame: frame, Windows: windows, Lanes: lanes}
		want := append([]byte{}, k.buffers[1]...)
		for lane, i := range indexes {
			if lanes>>lane&1 != 0 {
				copy(want[i*k.size:][:k.size], k.buffers[0][i*k.size:])
			}
		}
		if left := code.Run(run); left != native.AtEnd {
			return fmt.Errorf("left for %d", left)
		}
		if string(want) != string(k.buffers[1]) {
			return fmt.Errorf("lanes %#x: wrong", lanes)
		}
		if misses := 2 * (1 - again); k.missed != misses {
			return fmt.Errorf("lanes %#x: %d steps, want %d", lanes, k.missed, misses)
		}
	}
	return nil
}
