package machine

import (
	"fmt"
	"math"

	"github.com/vop-ptx/vop/internal/sass/listing"
)

// MOV, SEL, PRMT: certain, mov, selp and prmt with its modes. S2R, CS2R of SRZ, R2UR: certain for a thread
// alone. FSEL without modifiers, which ptxas also takes for words, and constants moved by HFMA2 (-0*0 + two
// halves): inferred from listings. P2R, R2P: inferred; bits of a mask say which predicates take part, .B1 and so
// on which byte of the word they are.
var moves = map[string]func(f *form) step{
	"MOV": mov, "R2UR": mov, "SEL": sel, "FSEL": fsel, "PRMT": prmt, "HFMA2": hfma2,
	"P2R": p2r, "R2P": r2p, "S2R": s2r, "S2UR": s2r, "CS2R": cs2r,
}

func mov(f *form) step {
	set, a := f.result(), f.word()
	return func(t *thread) { set(t, a(t)) }
}

func sel(f *form) step {
	set, a, b, p := f.result(), f.word(), f.word(), f.truth()
	return choose(set, a, b, p)
}

func choose(set func(*thread, uint32), a, b word, p truth) step {
	return func(t *thread) {
		if p(t) {
			set(t, a(t))
		} else {
			set(t, b(t))
		}
	}
}

func fsel(f *form) step {
	set, a, b, p := f.result(), f.floatWord(), f.floatWord(), f.truth()
	return choose(set, a, b, p)
}

// floatWord takes a source that may be a constant written as a floating-point number.
func (f *form) floatWord() word {
	if !f.more(listing.Float, listing.Immediate) {
		return f.word()
	}
	o := f.take()
	v := o.Float
	if o.Kind == listing.Immediate {
		v = float64(o.Value) // "1" is the number 1, too
	}
	x := math.Float32bits(float32(v))
	if f.in.Code != nil {
		x = f.immediate()
	} else if o.Unknown || float64(float32(v)) != v {
		f.fail("the bits of %s are not told: print the code as well (nvdisasm -hex)", o.Text)
	}
	return func(*thread) uint32 { return x }
}

// immediate returns the constant that is in the code of an instruction: the upper half of its first half.
func (f *form) immediate() uint32 { return uint32(f.in.Code[0] >> 32) }

// hfma2 is known as a move of a constant only: HFMA2.MMA R5, -RZ, RZ, 0, 5.9604644775390625e-08.
func hfma2(f *form) step {
	f.ignore("MMA")
	set := f.result()
	a, b, high, low := f.take(), f.take(), f.take(), f.take()
	zero := func(o listing.Operand) bool {
		return o.Kind == listing.Register && o.Number == listing.Zero && o.Suffix == ""
	}
	constant := func(o listing.Operand) bool { return o.Kind == listing.Float || o.Kind == listing.Immediate }
	if f.err != nil || !zero(a) || !a.Negated || !zero(b) || !constant(high) || !constant(low) {
		f.fail("%s is known only with -RZ, RZ and two constants", spelled(f.in))
		return nil
	}
	x, known := uint32(0), true
	for _, o := range []listing.Operand{high, low} {
		v := o.Float
		if o.Kind == listing.Immediate {
			v = float64(o.Value)
		}
		x, known = x<<16|uint32(half(v)), known && !o.Unknown
	}
	if f.in.Code != nil {
		if code := f.immediate(); known && code != x {
			f.fail("the code has the constant %#x, the text %#x", code, x)
		} else {
			x = code
		}
	} else if !known {
		f.fail("the bits of a NaN are not told: print the code as well (nvdisasm -hex)")
	}
	return func(t *thread) { set(t, x) }
}

// half returns the f16 that is nearest to a number, which is printed with more digits than it needs.
func half(v float64) uint16 {
	sign := uint16(0)
	if math.Signbit(v) {
		sign, v = 0x8000, -v
	}
	switch {
	case v == 0:
		return sign
	case v >= 65520: // infinity, too
		return sign | 0x7c00
	}
	_, e := math.Frexp(v)
	e = max(e, -13) // of subnormal numbers
	// Eleven digits, of which the first adds 1 to the exponent, and so does a carry out of them.
	return sign | uint16(int(math.RoundToEven(math.Ldexp(v, 11-e)))+(e+13)<<10)
}

func prmt(f *form) step {
	mode := f.one("F4E", "B4E", "RC8", "ECL", "ECR", "RC16")
	set, a, selector, b := f.result(), f.word(), f.word(), f.word()
	return func(t *thread) {
		set(t, permuted(mode, uint64(b(t))<<32|uint64(a(t)), selector(t)))
	}
}

// permuted takes four of eight bytes.
func permuted(mode string, bytes uint64, selector uint32) uint32 {
	d := uint32(0)
	for i := range 4 {
		n := int(selector & 3)
		var k int // the byte that goes to place i
		switch mode {
		case "F4E":
			k = n + i
		case "B4E":
			k = (n - i + 8) % 8
		case "RC8":
			k = n
		case "ECL":
			k = max(i, n)
		case "ECR":
			k = min(i, n)
		case "RC16":
			k = n&1*2 + i&1
		default:
			k = int(selector >> (4 * i) & 7)
		}
		x := uint32(bytes >> (8 * k) & 0xff)
		if mode == "" && selector>>(4*i)&8 != 0 {
			x = x >> 7 * 0xff
		}
		d |= x << (8 * i)
	}
	return d
}

// byteOf takes the name of a byte.
func byteOf(name string) int {
	return map[string]int{"": 0, "B0": 0, "B1": 8, "B2": 16, "B3": 24}[name]
}

func p2r(f *form) step {
	shift := byteOf(f.one("B0", "B1", "B2", "B3"))
	set := f.result()
	f.all()
	a, mask := f.word(), f.word()
	return func(t *thread) {
		m := predicateMask(t, mask)
		x := uint32(0)
		for i, p := range t.predicates[:7] {
			if p {
				x |= 1 << i
			}
		}
		set(t, a(t)&^(m<<shift)|x&m<<shift)
	}
}

// predicateMask reads which predicates take part. There are seven; of an eighth bit nothing is known.
func predicateMask(t *thread, mask word) uint32 {
	m := mask(t)
	if m > 0x7f {
		t.fail(fmt.Errorf("the mask %#x of predicates is not known", m))
	}
	return m
}

func r2p(f *form) step {
	f.all()
	o := f.take()
	shift := byteOf(o.Suffix)
	if o.Suffix != "" && shift == 0 && o.Suffix != "B0" {
		f.unknown(o)
	}
	o.Suffix = ""
	a, mask := f.wordOf(o), f.word()
	return func(t *thread) {
		x, m := a(t)>>shift, predicateMask(t, mask)
		for i := range 7 {
			if m>>i&1 != 0 {
				t.predicates[i] = x>>i&1 != 0
			}
		}
	}
}

// all takes PR, all predicates.
func (f *form) all() {
	if o := f.take(); f.err == nil && o.Name != "PR" {
		f.unknown(o)
	}
}

func s2r(f *form) step {
	set, o := f.result(), f.take()
	read := specials[o.Name]
	if f.err == nil && (o.Kind != listing.Special || read == nil) {
		f.unknown(o)
	}
	return func(t *thread) { set(t, read(t)) }
}

// specials are the special registers that are known. A thread that is alone in its warp is lane 0.
var specials = map[string]func(t *thread) uint32{
	"SR_TID.X": func(t *thread) uint32 { return t.tid[0] }, "SR_TID.Y": func(t *thread) uint32 { return t.tid[1] },
	"SR_TID.Z": func(t *thread) uint32 { return t.tid[2] }, "SR_CTAID.X": func(t *thread) uint32 { return t.cta[0] },
	"SR_CTAID.Y": func(t *thread) uint32 { return t.cta[1] }, "SR_CTAID.Z": func(t *thread) uint32 { return t.cta[2] },
	"SRZ": func(*thread) uint32 { return 0 },
}

func cs2r(f *form) step {
	n := 2
	if f.has("32") {
		n = 1
	}
	set := f.results(n)
	if o := f.take(); f.err == nil && o.Name != "SRZ" {
		f.unknown(o)
	}
	return func(t *thread) { set(t, make([]uint32, n)) }
}
