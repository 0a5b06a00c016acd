package machine

import "math"

// VABSDIFF: certain, sad, with its addend. VABSDIFF4.U8: the absolute differences of four bytes, and with
// .ACC their sum added to c: certain, vabsdiff4 without and with .add. Without .ACC listings print a third
// source all the same, as PTX has one; with all lanes in the mask it has no effect there, and so it has none
// here: inferred. VABSDIFF4.S8, of signed bytes: inferred. ptxas 11.8 makes one instruction of
// vabsdiff4.u32.s32.s32 (docs/performance.md), but no listing that names it was found.
//
// I2IP: certain of U8 and S8, cvt.pack.sat; inferred of U16 and S16, whose third source is RZ. I2I with
// .SAT, which targets below sm_72 and old versions have: inferred, cvt.sat, the result extended by its type.
var bytewise = map[string]func(f *form) step{"VABSDIFF": vabsdiff, "VABSDIFF4": vabsdiff4, "I2IP": i2ip, "I2I": i2i}

func vabsdiff(f *form) step {
	unsigned := f.has("U32")
	set, a, b, c := f.result(), f.word(), f.word(), f.word()
	return func(t *thread) {
		x, y := a(t), b(t)
		below := int32(x) < int32(y)
		if unsigned {
			below = x < y
		}
		if below {
			x, y = y, x
		}
		set(t, x-y+c(t))
	}
}

func vabsdiff4(f *form) step {
	signed := f.must("U8", "S8") == "S8"
	sum := f.has("ACC")
	set, a, b, c := f.result(), f.word(), f.word(), f.word()
	return func(t *thread) {
		x, y := a(t), b(t)
		total, bytes := c(t), uint32(0)
		for i := range 4 {
			u, v := int32(part(x, i, 8, signed)), int32(part(y, i, 8, signed))
			d := uint32(max(u, v) - min(u, v))
			total += d
			bytes |= d << (8 * i)
		}
		if sum {
			set(t, total)
		} else {
			set(t, bytes)
		}
	}
}

// narrow is a type that integers are limited to.
type narrow struct {
	bits        int
	least, most int64
}

var narrows = map[string]narrow{
	"U8": {8, 0, math.MaxUint8}, "S8": {8, math.MinInt8, math.MaxInt8},
	"U16": {16, 0, math.MaxUint16}, "S16": {16, math.MinInt16, math.MaxInt16},
}

// limited returns an integer limited to the type, as 32 bits.
func (n narrow) limited(x int64) uint32 { return uint32(max(min(x, n.most), n.least)) }

// conversion takes the types of a saturating conversion.
func (f *form) conversion() (to narrow, signed bool) {
	to = narrows[f.must("U8", "S8", "U16", "S16")]
	signed = f.must("S32", "U32") == "S32"
	f.must("SAT")
	return to, signed
}

func i2i(f *form) step {
	to, signed := f.conversion()
	set, a := f.result(), f.word()
	return func(t *thread) {
		x := int64(a(t))
		if signed {
			x = int64(int32(x))
		}
		set(t, to.limited(x))
	}
}

func i2ip(f *form) step {
	to, signed := f.conversion()
	if !signed {
		f.fail("%s is not known", spelled(f.in))
	}
	set, a, b, c := f.result(), f.word(), f.word(), f.word()
	return func(t *thread) {
		mask := uint32(1)<<to.bits - 1
		x := to.limited(int64(int32(a(t))))&mask<<to.bits | to.limited(int64(int32(b(t))))&mask
		if to.bits == 8 {
			x |= c(t) << 16
		}
		set(t, x)
	}
}
