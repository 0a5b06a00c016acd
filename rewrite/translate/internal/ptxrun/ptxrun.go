// Package ptxrun runs straight-line PTX of the kind that lowering emits on one
// thread: for tests. It shares nothing with the word programs.
package ptxrun

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/read/syntax"
)

// Registers holds the values of registers by name. Predicates are 0 or 1.
type Registers map[string]uint64

// carry is the name of the condition code.
const carry = "CC"

// Video computes a video instruction.
type Video = func(f isa.Form, a, b, c uint32) uint32

// Text runs the instructions of a text, such as those of a function's body.
// Declarations and scopes are passed over: names must be different. The video
// instructions among them are computed by video.
func Text(text string, r Registers, video Video) error {
	tree, list := syntax.ParseAsm(source.New("body", text))
	if len(list) > 0 {
		return fmt.Errorf("%s: %s", list[0].Message, text)
	}
	m := machine{tree.Source, r, video}
	return m.statements(tree.Stmts)
}

type machine struct {
	src *source.File
	Registers
	video Video
}

func (m *machine) statements(list []syntax.Stmt) error {
	for _, s := range list {
		switch s := s.(type) {
		case *syntax.Block:
			if err := m.statements(s.Stmts); err != nil {
				return err
			}
		case *syntax.Instruction:
			if err := m.step(s); err != nil {
				return fmt.Errorf("%s: %w", m.src.Text[s.Span().Start:s.Span().End], err)
			}
		}
	}
	return nil
}

// step runs one instruction, if its guard is true.
func (m *machine) step(in *syntax.Instruction) error {
	r := m.Registers
	if name := in.Guard.Name.Text; name != "" {
		if r[name] != 0 == in.Guard.Not {
			return nil
		}
		unguarded := *in
		unguarded.Guard = syntax.Guard{}
		in = &unguarded
	}
	var x [4]uint64
	for i := range in.Operands[1:] {
		value, err := r.value(&in.Operands[1+i])
		if err != nil {
			return err
		}
		x[i] = value
	}
	d := in.Operands[0].Text
	if in.Name.Text[0] == 'v' {
		form, list := check.Instruction(in, m.src)
		if list.HasErrors() {
			return fmt.Errorf("%s", list[0].Message)
		}
		r[d] = uint64(m.video(form, uint32(x[0]), uint32(x[1]), uint32(x[2])))
		return nil
	}
	name := in.Name.Text
	for _, m := range in.Modifiers {
		name += m.Text
	}
	switch name {
	case "add.cc.u32":
		r[d], r[carry] = uint64(uint32(x[0]+x[1])), (x[0]&0xffffffff+x[1]&0xffffffff)>>32
		return nil
	case "addc.u32":
		r[d] = uint64(uint32(x[0] + x[1] + r[carry]))
		return nil
	}
	f := instructions[name]
	if f == nil {
		return fmt.Errorf("the test interpreter has no %s", name)
	}
	r[d] = f(x[0], x[1], x[2], x[3])
	return nil
}

// value returns the value of a source operand.
func (r Registers) value(o *syntax.Operand) (uint64, error) {
	if o.Kind == syntax.Name && o.Text != "WARP_SZ" {
		value, ok := r[o.Text]
		if !ok {
			return 0, fmt.Errorf("%s is read before it is written", o.Text)
		}
		return value, nil
	}
	text := strings.TrimRight(o.Text, "U")
	if o.Neg != 0 {
		text = string(o.Neg) + text
	}
	if n, err := strconv.ParseInt(text, 0, 64); err == nil {
		return uint64(n), nil
	}
	return strconv.ParseUint(text, 0, 64)
}

// word makes an instruction on 32-bit registers of a function.
func word(f func(x, y, z uint32) uint32) func(x, y, z, w uint64) uint64 {
	return func(x, y, z, _ uint64) uint64 { return uint64(f(uint32(x), uint32(y), uint32(z))) }
}

// signed is word with signed sources.
func signed(f func(x, y int32) int32) func(x, y, z, w uint64) uint64 {
	return func(x, y, _, _ uint64) uint64 { return uint64(uint32(f(int32(x), int32(y)))) }
}

// truth returns all if a condition holds, else 0.
func truth(condition bool, all uint64) uint64 {
	if condition {
		return all
	}
	return 0
}

// instructions are those that lowering emits, by name and modifiers.
var instructions = map[string]func(x, y, z, w uint64) uint64{
	"mov.b32": word(func(x, _, _ uint32) uint32 { return x }),
	"and.b32": word(func(x, y, _ uint32) uint32 { return x & y }),
	"or.b32":  word(func(x, y, _ uint32) uint32 { return x | y }),
	"xor.b32": word(func(x, y, _ uint32) uint32 { return x ^ y }),
	"not.b32": word(func(x, _, _ uint32) uint32 { return ^x }),
	"lop3.b32": func(x, y, z, table uint64) (d uint64) {
		for i := range 32 {
			row := x>>i&1<<2 | y>>i&1<<1 | z>>i&1
			d |= table >> row & 1 << i
		}
		return d
	},
	"prmt.b32": func(x, y, selector, _ uint64) (d uint64) {
		for i := range 4 {
			number := selector >> (4 * i)
			b := (y<<32 | x&0xffffffff) >> (8 * (number & 7)) & 0xff
			if number&8 != 0 {
				b = truth(b > 127, 0xff)
			}
			d |= b << (8 * i)
		}
		return d
	},

	"add.u32":    word(func(x, y, _ uint32) uint32 { return x + y }),
	"sub.u32":    word(func(x, y, _ uint32) uint32 { return x - y }),
	"mul.lo.u32": word(func(x, y, _ uint32) uint32 { return x * y }),
	"shl.b32":    word(func(x, y, _ uint32) uint32 { return x << y }),
	"shr.u32":    word(func(x, y, _ uint32) uint32 { return x >> y }),
	"shr.s32":    word(func(x, y, _ uint32) uint32 { return uint32(int32(x) >> y) }),
	"min.u32":    word(func(x, y, _ uint32) uint32 { return min(x, y) }),
	"max.u32":    word(func(x, y, _ uint32) uint32 { return max(x, y) }),
	"min.s32":    signed(func(x, y int32) int32 { return min(x, y) }),
	"max.s32":    signed(func(x, y int32) int32 { return max(x, y) }),
	"shf.l.clamp.b32": word(func(x, y, z uint32) uint32 {
		n := min(z, 32)
		return y<<n | x>>(32-n)
	}),
	"shf.r.clamp.b32": word(func(x, y, z uint32) uint32 {
		n := min(z, 32)
		return y<<(32-n) | x>>n
	}),
	"sad.u32": word(func(x, y, z uint32) uint32 { return z + max(x, y) - min(x, y) }),
	"sad.s32": word(func(x, y, z uint32) uint32 {
		return z + uint32(max(int32(x), int32(y))) - uint32(min(int32(x), int32(y)))
	}),

	"set.eq.u32.u32": word(func(x, y, _ uint32) uint32 { return uint32(truth(x == y, 0xffffffff)) }),
	"set.lt.u32.u32": word(func(x, y, _ uint32) uint32 { return uint32(truth(x < y, 0xffffffff)) }),
	"set.lt.u32.s32": word(func(x, y, _ uint32) uint32 { return uint32(truth(int32(x) < int32(y), 0xffffffff)) }),
	"setp.eq.u32":    word(func(x, y, _ uint32) uint32 { return uint32(truth(x == y, 1)) }),
	"setp.lt.u32":    word(func(x, y, _ uint32) uint32 { return uint32(truth(x < y, 1)) }),
	"setp.ne.u32":    word(func(x, y, _ uint32) uint32 { return uint32(truth(x != y, 1)) }),
	"setp.lt.s32":    word(func(x, y, _ uint32) uint32 { return uint32(truth(int32(x) < int32(y), 1)) }),
	"selp.b32": word(func(x, y, p uint32) uint32 {
		if p != 0 {
			return x
		}
		return y
	}),

	"dp4a.u32.u32":    dot(8, false, false),
	"dp4a.u32.s32":    dot(8, false, true),
	"dp4a.s32.s32":    dot(8, true, true),
	"dp2a.lo.u32.u32": dot(16, false, false),
	"dp2a.lo.u32.s32": dot(16, false, true),
	"dp2a.lo.s32.u32": dot(16, true, false),
	"dp2a.lo.s32.s32": dot(16, true, true),

	"cvt.pack.sat.s8.s32.b32": pack(8, -128, 127),
	"cvt.pack.sat.u8.s32.b32": pack(8, 0, 255),
	"cvt.pack.sat.s16.s32":    pack(16, -32768, 32767),
	"cvt.pack.sat.u16.s32":    pack(16, 0, 65535),

	"add.u16x2": halves(func(x, y uint16) uint16 { return x + y }),
	"min.u16x2": halves(func(x, y uint16) uint16 { return min(x, y) }),
	"max.u16x2": halves(func(x, y uint16) uint16 { return max(x, y) }),
	"min.s16x2": halves(func(x, y uint16) uint16 { return uint16(min(int16(x), int16(y))) }),
	"max.s16x2": halves(func(x, y uint16) uint16 { return uint16(max(int16(x), int16(y))) }),

	"add.u8x4":      lanes[uint8](8, func(x, y int) int { return x + y }),
	"sub.u8x4":      lanes[uint8](8, func(x, y int) int { return x - y }),
	"min.u8x4":      lanes[uint8](8, func(x, y int) int { return min(x, y) }),
	"max.u8x4":      lanes[uint8](8, func(x, y int) int { return max(x, y) }),
	"min.s8x4":      lanes[int8](8, func(x, y int) int { return min(x, y) }),
	"max.s8x4":      lanes[int8](8, func(x, y int) int { return max(x, y) }),
	"add.sat.u8x4":  lanes[uint8](8, func(x, y int) int { return min(x+y, 255) }),
	"add.sat.s8x4":  lanes[int8](8, func(x, y int) int { return max(min(x+y, 127), -128) }),
	"sub.sat.u8x4":  lanes[uint8](8, func(x, y int) int { return max(x-y, 0) }),
	"sub.sat.s8x4":  lanes[int8](8, func(x, y int) int { return max(min(x-y, 127), -128) }),
	"add.sat.u16x2": lanes[uint16](16, func(x, y int) int { return min(x+y, 65535) }),
	"add.sat.s16x2": lanes[int16](16, func(x, y int) int { return max(min(x+y, 32767), -32768) }),

	"cvt.u64.u32": func(x, _, _, _ uint64) uint64 { return uint64(uint32(x)) },
	"cvt.s64.s32": func(x, _, _, _ uint64) uint64 { return uint64(int64(int32(x))) },
	"cvt.u32.u64": func(x, _, _, _ uint64) uint64 { return uint64(uint32(x)) },
	"mul.wide.u32": func(x, y, _, _ uint64) uint64 {
		high, low := bits.Mul32(uint32(x), uint32(y))
		return uint64(high)<<32 | uint64(low)
	},
	"mul.wide.s32": func(x, y, _, _ uint64) uint64 { return uint64(int64(int32(x)) * int64(int32(y))) },
	"add.s64":      func(x, y, _, _ uint64) uint64 { return x + y },
	"sub.s64":      func(x, y, _, _ uint64) uint64 { return x - y },
	"shl.b64":      func(x, y, _, _ uint64) uint64 { return x << uint32(y) },
	"shr.u64":      func(x, y, _, _ uint64) uint64 { return x >> uint32(y) },
	"shr.s64":      func(x, y, _, _ uint64) uint64 { return uint64(int64(x) >> uint32(y)) },
	"min.u64":      func(x, y, _, _ uint64) uint64 { return min(x, y) },
	"min.s64":      func(x, y, _, _ uint64) uint64 { return uint64(min(int64(x), int64(y))) },
	"max.s64":      func(x, y, _, _ uint64) uint64 { return uint64(max(int64(x), int64(y))) },
}

// clamp brings x between two limits.
func clamp(x, lowest, highest int64) int64 { return max(lowest, min(x, highest)) }

// dot is dp4a (bytes) or dp2a.lo (halves) of x by bytes of y, plus z.
func dot(width int, signed, signedY bool) func(x, y, z, w uint64) uint64 {
	return word(func(x, y, z uint32) uint32 {
		for i := range 32 / width {
			lane := int32(x << (32 - width*(i+1)))
			weight := int32(int8(y >> (8 * i)))
			if !signedY {
				weight &= 0xff
			}
			if signed {
				z += uint32(lane >> (32 - width) * weight)
			} else {
				z += uint32(lane) >> (32 - width) * uint32(weight)
			}
		}
		return z
	})
}

// pack is cvt.pack.sat: x and y clamped, x above y; the rest of d is the low part of z.
func pack(width int, lowest, highest int64) func(x, y, z, w uint64) uint64 {
	return word(func(x, y, z uint32) uint32 {
		mask := uint32(1)<<width - 1
		high := uint32(clamp(int64(int32(x)), lowest, highest)) & mask
		low := uint32(clamp(int64(int32(y)), lowest, highest)) & mask
		return uint32(uint64(z)<<(2*width)) | high<<width | low
	})
}

// halves makes a packed instruction of a function.
func halves(f func(x, y uint16) uint16) func(x, y, z, w uint64) uint64 {
	return word(func(x, y, _ uint32) uint32 {
		return uint32(f(uint16(x>>16), uint16(y>>16)))<<16 | uint32(f(uint16(x), uint16(y)))
	})
}

// lanes makes an instruction on the lanes of words, of the given width, of a function.
func lanes[T uint8 | int8 | uint16 | int16](width int, f func(x, y int) int) func(x, y, z, w uint64) uint64 {
	return func(x, y, _, _ uint64) (d uint64) {
		mask := uint64(1)<<width - 1
		for at := 0; at < 32; at += width {
			d |= uint64(f(int(T(x>>at)), int(T(y>>at)))) & mask << at
		}
		return d
	}
}
