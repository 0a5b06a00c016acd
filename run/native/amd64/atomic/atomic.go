package atomic

import (
	"strings"

	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
	"github.com/vop-ptx/vop/run/native/amd64/warp"
)

// Update is an atomic operation of which code is made.
type Update struct {
	*warp.Compiler
	operation string // "add", "cas"
	typ       string // "u32", "ftz.f32"
	size      encode.Op
	bytes     int  // of an element in the frame: of 16 bits it has 32
	shared    bool // no other worker has the memory
	result    bool // somebody reads what the memory had before
}

// New returns an operation by its name, as in [simt.Access]. ok is false if there is no code for it.
func New(k *warp.Compiler, name string, shared, result bool) (u *Update, ok bool) {
	u = &Update{Compiler: k, shared: shared, result: result, size: encode.S32, bytes: 4}
	u.operation, u.typ, _ = strings.Cut(name, ".")
	switch {
	case strings.HasSuffix(u.typ, "64"):
		u.size, u.bytes = encode.S64, 8
	case strings.HasSuffix(u.typ, "16"):
		u.size = encode.S16
	}
	switch u.operation {
	case "add":
		ok = u.inVector() || u.isInteger()
	case "cas":
		ok = u.isInteger() || u.typ == "u16"
	case "and", "or", "xor", "exch", "min", "max":
		ok = u.isInteger()
	case "inc", "dec":
		ok = u.typ == "u32"
	}
	return u, ok
}

func (u *Update) isInteger() bool {
	return u.typ == "u32" || u.typ == "s32" || u.typ == "u64" || u.typ == "s64"
}

func (u *Update) isFloat() bool { return u.typ == "f32" || u.typ == "ftz.f32" || u.typ == "f64" }

// isHalf reports whether an element is a number of 16 bits, or two.
func (u *Update) isHalf() bool { return strings.HasPrefix(strings.TrimPrefix(u.typ, "b"), "f16") }

// inVector reports whether elements are added in a vector register.
func (u *Update) inVector() bool { return u.isFloat() || u.isHalf() }

// Where the frame has what the lanes need: 32 elements of 32 or 64 bits of each. There is nothing else there while code
// is executed.
const (
	offsets  = warp.FrameScratch // of the lanes' elements from host
	operands = offsets + 32*8    // b; afterwards, in the lanes that have executed the operation, its result
	seconds  = operands + 32*8   // c of cas
	host     = seconds + 32*8    // the address that offsets are from
	operand  = host + 8          // of the lane at work
	halves   = host + 16         // its two halves as f32, in 16 bytes
	sums     = halves + 16       // and what the two new ones come to
	saved    = host + 64         // a vector register
)

// PutOffsets writes where the elements of a group of lanes are: a vector of 32 bits, or two of 64.
func (u *Update) PutOffsets(g int, x [2]machine.Operand) { u.put(offsets, g, x) }

// PutOperands writes b, and c of cas, of a group of lanes.
func (u *Update) PutOperands(g int, b, c [2]machine.Operand) {
	u.put(operands, g, b)
	if u.operation == "cas" {
		u.put(seconds, g, c)
	}
}

// put writes a value of a group.
func (u *Update) put(to int32, g int, x [2]machine.Operand) {
	for p, part := range x {
		if !part.None() {
			u.Fixedly(u.Target.Move, u.partAt(to, g, p, !x[1].None()), part)
		}
	}
}

// Results reads what a group of lanes has got.
func (u *Update) Results(s *warp.Group) (x [2]machine.Operand) {
	for p := range u.bytes / 4 {
		x[p] = s.New(u.Target.Move, u.partAt(operands, s.Number, p, u.bytes == 8))
	}
	return x
}

// partAt is where a part of a value is that has one vector for each group, or two.
func (u *Update) partAt(at int32, g, p int, wide bool) machine.Operand {
	if wide {
		g *= 2
	}
	return u.InFrame(at + int32((g+p)*u.Target.Bytes))
}
