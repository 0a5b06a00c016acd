package machine

import (
	"encoding/binary"
	"fmt"

	"github.com/vop-ptx/vop/internal/sass/listing"
)

// LDG, STG, LDC, and LDL, STL for what ptxas keeps in local memory: certain. Modifiers that concern caches, scopes
// and order mean nothing to a thread alone.
var accesses = map[string]func(f *form) step{"LDG": ldg, "STG": stg, "LDC": ldc, "LDL": ldl, "STL": stl}

// access is what a load or store moves.
type access struct {
	bytes  int  // of each word: 1, 2 or 4
	words  int  // 1, 2 or 4
	signed bool // a narrow word is extended by its sign
}

// access takes the type of a load or store.
func (f *form) access() access {
	f.ignore("E", "SYS", "CONSTANT", "STRONG", "WEAK", "GPU", "SM", "CTA", "EF", "EL", "LU", "NA")
	switch f.one("U8", "S8", "U16", "S16", "64", "128") {
	case "U8":
		return access{1, 1, false}
	case "S8":
		return access{1, 1, true}
	case "U16":
		return access{2, 1, false}
	case "S16":
		return access{2, 1, true}
	case "64":
		return access{4, 2, false}
	case "128":
		return access{4, 4, false}
	}
	return access{4, 1, false}
}

// words returns the words that bytes of memory are in registers.
func (a access) loaded(bytes []byte) []uint32 {
	out := make([]uint32, a.words)
	for i := range out {
		var word [4]byte
		copy(word[:], bytes[a.bytes*i:][:a.bytes])
		out[i] = binary.LittleEndian.Uint32(word[:])
		if a.signed && word[a.bytes-1] >= 0x80 {
			out[i] |= ^uint32(0) << (8 * a.bytes)
		}
	}
	return out
}

// address takes the address of global memory: two registers ([R2.64], or [R2] where no target has another
// form), one without a sign and two uniform ones ([R2.U32+UR4]), two uniform ones, and an offset.
func (f *form) address() wide {
	o := f.take()
	if f.err == nil && o.Kind != listing.Memory {
		f.unknown(o)
	}
	if f.err != nil {
		return func(*thread) uint64 { return 0 }
	}
	var parts []wide
	if b := o.Base; b != nil {
		switch {
		case b.Suffix == "64" || b.Suffix == "" && o.Index == nil:
			pair := *b
			pair.Suffix = ""
			parts = append(parts, f.pairOf(pair))
		case b.Suffix == "U32" && o.Index != nil:
			single := *b
			single.Suffix = ""
			low := f.wordOf(single)
			parts = append(parts, func(t *thread) uint64 { return uint64(low(t)) })
		default:
			f.unknown(o)
		}
	}
	if o.Index != nil {
		parts = append(parts, f.pairOf(*o.Index))
	}
	return func(t *thread) uint64 {
		sum := uint64(o.Value)
		for _, part := range parts {
			sum += part(t)
		}
		return sum
	}
}

func ldg(f *form) step {
	a := f.access()
	set, address := f.results(a.words), f.address()
	return func(t *thread) {
		at := address(t)
		bytes, err := t.launch.Memory.at(at, a.bytes*a.words)
		if err != nil || at%uint64(a.bytes*a.words) != 0 {
			t.fail(fmt.Errorf("a load of %d bytes from %#x, which is in no buffer or not aligned", a.bytes*a.words, at))
			return
		}
		set(t, a.loaded(bytes))
	}
}

// sources takes n registers that are stored.
func (f *form) sources(n int) (all []word) {
	o := f.take()
	if f.err == nil && (o.Kind != listing.Register || !plain(o) || o.Number != listing.Zero && (o.Number%n != 0 || o.Number+n > 255)) {
		f.unknown(o)
	}
	for i := range n {
		r := o
		if r.Number != listing.Zero {
			r.Number += i
		}
		all = append(all, f.wordOf(r))
	}
	return all
}

// store writes words to bytes of memory.
func (a access) store(t *thread, bytes []byte, words []word) {
	for i, w := range words {
		var word [4]byte
		binary.LittleEndian.PutUint32(word[:], w(t))
		copy(bytes[a.bytes*i:][:a.bytes], word[:])
	}
}

func stg(f *form) step {
	a := f.access()
	address, words := f.address(), f.sources(a.words)
	return func(t *thread) {
		at := address(t)
		bytes, err := t.launch.Memory.at(at, a.bytes*a.words)
		if err != nil || at%uint64(a.bytes*a.words) != 0 {
			t.fail(fmt.Errorf("a store of %d bytes to %#x, which is in no buffer or not aligned", a.bytes*a.words, at))
			return
		}
		a.store(t, bytes, words)
	}
}

// ldc loads from a constant bank: LDC R5, c[0x0][R3+0x160], ULDC.64 UR4, c[0x0][0x118].
func ldc(f *form) step {
	a := f.access()
	set, o := f.results(a.words), f.take()
	if f.err == nil && (o.Kind != listing.Constant || o.Index != nil || o.Suffix != "" || o.Negated || o.Inverted || o.Absolute || a.words > 2) {
		f.unknown(o)
	}
	index := func(*thread) uint32 { return 0 }
	if o.Base != nil {
		index = f.wordOf(*o.Base)
	}
	return func(t *thread) {
		x, err := t.constant(o.Bank, o.Value+int64(int32(index(t))), a.bytes*a.words)
		t.fail(err)
		set(t, a.loaded(binary.LittleEndian.AppendUint64(nil, x)))
	}
}

// localAddress takes the address of local memory: [R1+0x8], [R1].
func (f *form) localAddress() word {
	o := f.take()
	if f.err == nil && (o.Kind != listing.Memory || o.Index != nil) {
		f.unknown(o)
	}
	base := func(*thread) uint32 { return 0 }
	if f.err == nil && o.Base != nil {
		base = f.wordOf(*o.Base)
	}
	return func(t *thread) uint32 { return base(t) + uint32(o.Value) }
}

func ldl(f *form) step {
	a := f.access()
	set, address := f.results(a.words), f.localAddress()
	return func(t *thread) {
		bytes := make([]byte, a.bytes*a.words)
		at := address(t)
		for i := range bytes {
			x, there := t.local[at+uint32(i)]
			if !there {
				t.fail(fmt.Errorf("a load of local memory at %#x, where nothing has been stored", at))
			}
			bytes[i] = x
		}
		set(t, a.loaded(bytes))
	}
}

func stl(f *form) step {
	a := f.access()
	address, words := f.localAddress(), f.sources(a.words)
	return func(t *thread) {
		bytes := make([]byte, a.bytes*a.words)
		a.store(t, bytes, words)
		at := address(t)
		if at%uint32(len(bytes)) != 0 || at > localSize-uint32(len(bytes)) {
			t.fail(fmt.Errorf("a store of %d bytes to local memory at %#x", len(bytes), at))
			return
		}
		for i, x := range bytes {
			t.local[at+uint32(i)] = x
		}
	}
}
