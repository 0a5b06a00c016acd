package ptx

import (
	"github.com/vop-ptx/vop/rewrite/word"
)

// spelling says how PTX writes an operation.
//
// In text, $d is the register for the result, $x, $y and $z are the arguments, $p
// is the first argument as a predicate, $n the second one as a word, $i is the
// immediate, and $t and $w are one more register each, a word and a wide one; $c
// is the register of a carry.
// Statements are separated by "; "; only the last writes $d.
type spelling struct {
	text string
	// constants says how constants among the arguments are read best.
	constants notation
	// registers says that the arguments must be registers: no immediate is accepted.
	registers bool
}

// notation is how the constants of an operation are written.
type notation uint8

const (
	bitPattern notation = iota // 0x80808080
	unsigned                   // 255, or 0x80000000 if it is large
	signed                     // -128
)

// table gives the spelling of every operation that PTX has. Packed operations
// that are not in it are in no PTX target's capabilities.
var table = map[word.Op]spelling{
	word.And:    {text: "and.b32 $d, $x, $y"},
	word.Or:     {text: "or.b32 $d, $x, $y"},
	word.Xor:    {text: "xor.b32 $d, $x, $y"},
	word.Not:    {text: "not.b32 $d, $x"},
	word.AndNot: {text: "not.b32 $t, $y; and.b32 $d, $x, $t"},
	word.Logic3: {text: "lop3.b32 $d, $x, $y, $z, $i"},

	word.Add:  {text: "add.u32 $d, $x, $y", constants: signed},
	word.Sub:  {text: "sub.u32 $d, $x, $y", constants: signed},
	word.Mul:  {text: "mul.lo.u32 $d, $x, $y", constants: signed},
	word.Shl:  {text: "shl.b32 $d, $x, $y", constants: unsigned},
	word.ShrU: {text: "shr.u32 $d, $x, $y", constants: unsigned},
	word.ShrS: {text: "shr.s32 $d, $x, $y", constants: unsigned},
	word.MinU: {text: "min.u32 $d, $x, $y", constants: unsigned},
	word.MaxU: {text: "max.u32 $d, $x, $y", constants: unsigned},
	word.MinS: {text: "min.s32 $d, $x, $y", constants: signed},
	word.MaxS: {text: "max.s32 $d, $x, $y", constants: signed},

	// As masks. A comparison that is selected on is a predicate instead.
	word.CmpEq:  {text: "set.eq.u32.u32 $d, $x, $y", constants: unsigned},
	word.CmpLtU: {text: "set.lt.u32.u32 $d, $x, $y", constants: unsigned},
	word.CmpLtS: {text: "set.lt.u32.s32 $d, $x, $y", constants: signed},
	word.Select: {text: "selp.b32 $d, $y, $z, $p"},

	word.SadU:  {text: "sad.u32 $d, $x, $y, $z", constants: unsigned},
	word.SadS:  {text: "sad.s32 $d, $x, $y, $z", constants: signed},
	word.Perm:  {text: "prmt.b32 $d, $x, $y, $i"},
	word.PermS: {text: "prmt.b32 $d, $x, $y, $i"},

	word.PackSatS8:  {text: "cvt.pack.sat.s8.s32.b32 $d, $y, $x, $z", constants: signed},
	word.PackSatU8:  {text: "cvt.pack.sat.u8.s32.b32 $d, $y, $x, $z", constants: signed},
	word.PackSatS16: {text: "cvt.pack.sat.s16.s32 $d, $y, $x", constants: signed},
	word.PackSatU16: {text: "cvt.pack.sat.u16.s32 $d, $y, $x", constants: signed},

	word.Add16:  {text: "add.u16x2 $d, $x, $y", registers: true},
	word.MinU16: {text: "min.u16x2 $d, $x, $y", registers: true},
	word.MaxU16: {text: "max.u16x2 $d, $x, $y", registers: true},
	word.MinS16: {text: "min.s16x2 $d, $x, $y", registers: true},
	word.MaxS16: {text: "max.s16x2 $d, $x, $y", registers: true},

	word.Add8:      {text: "add.u8x4 $d, $x, $y", registers: true},
	word.Sub8:      {text: "sub.u8x4 $d, $x, $y", registers: true},
	word.MinU8:     {text: "min.u8x4 $d, $x, $y", registers: true},
	word.MaxU8:     {text: "max.u8x4 $d, $x, $y", registers: true},
	word.MinS8:     {text: "min.s8x4 $d, $x, $y", registers: true},
	word.MaxS8:     {text: "max.s8x4 $d, $x, $y", registers: true},
	word.AddSatU8:  {text: "add.sat.u8x4 $d, $x, $y", registers: true},
	word.AddSatS8:  {text: "add.sat.s8x4 $d, $x, $y", registers: true},
	word.SubSatU8:  {text: "sub.sat.u8x4 $d, $x, $y", registers: true},
	word.SubSatS8:  {text: "sub.sat.s8x4 $d, $x, $y", registers: true},
	word.AddSatU16: {text: "add.sat.u16x2 $d, $x, $y", registers: true},
	word.AddSatS16: {text: "add.sat.s16x2 $d, $x, $y", registers: true},

	// The third source of a SIMD video instruction without .add is merged where
	// the mask leaves lanes out: nowhere here.
	word.AbsDiffU8: {text: "vabsdiff4.u32.u32.u32 $d, $x, $y, $x", registers: true},
	word.AbsDiffS8: {text: "vabsdiff4.u32.s32.s32 $d, $x, $y, $x", registers: true},
	word.SadU8:     {text: "vabsdiff4.u32.u32.u32.add $d, $x, $y, $z", registers: true},
	word.SadS8:     {text: "vabsdiff4.u32.s32.s32.add $d, $x, $y, $z", registers: true},

	word.DotU8:  {text: "dp4a.u32.s32 $d, $x, $i, $y"},
	word.DotS8:  {text: "dp4a.s32.s32 $d, $x, $i, $y"},
	word.DotU16: {text: "dp2a.lo.u32.s32 $d, $x, $i, $y"},
	word.DotS16: {text: "dp2a.lo.s32.s32 $d, $x, $i, $y"},

	word.DotU8U8:  {text: "dp4a.u32.u32 $d, $x, $y, $z"},
	word.DotU8S8:  {text: "dp4a.u32.s32 $d, $x, $y, $z"},
	word.DotS8S8:  {text: "dp4a.s32.s32 $d, $x, $y, $z"},
	word.DotU16U8: {text: "dp2a.lo.u32.u32 $d, $x, $y, $z"},
	word.DotU16S8: {text: "dp2a.lo.u32.s32 $d, $x, $y, $z"},
	word.DotS16U8: {text: "dp2a.lo.s32.u32 $d, $x, $y, $z"},
	word.DotS16S8: {text: "dp2a.lo.s32.s32 $d, $x, $y, $z"},

	word.FunnelL: {text: "shf.l.clamp.b32 $d, $x, $y, $z", registers: true},
	word.FunnelR: {text: "shf.r.clamp.b32 $d, $x, $y, $z", registers: true},

	word.WideU:    {text: "cvt.u64.u32 $d, $x"},
	word.WideS:    {text: "cvt.s64.s32 $d, $x"},
	word.MulWideU: {text: "mul.wide.u32 $d, $x, $y"},
	word.MulWideS: {text: "mul.wide.s32 $d, $x, $y", constants: signed},
	word.AddWide:  {text: "add.s64 $d, $x, $y", constants: signed},
	word.SubWide:  {text: "sub.s64 $d, $x, $y", constants: signed},
	word.ShlWide:  {text: "min.u64 $w, $y, 64; cvt.u32.u64 $t, $w; shl.b64 $d, $x, $t"},
	word.ShrWideU: {text: "shr.u64 $d, $x, $i"},
	word.ShrWideS: {text: "shr.s64 $d, $x, $i"},
	word.MinWideU: {text: "min.u64 $d, $x, $y", constants: unsigned},
	word.MinWideS: {text: "min.s64 $d, $x, $y", constants: signed},
	word.MaxWideS: {text: "max.s64 $d, $x, $y", constants: signed},
	word.Lo:       {text: "cvt.u32.u64 $d, $x"},
}

// predicates gives the spelling of a comparison whose result is selected on.
var predicates = map[word.Op]spelling{
	word.CmpEq:  {text: "setp.eq.u32 $d, $x, $y", constants: unsigned},
	word.CmpLtU: {text: "setp.lt.u32 $d, $x, $y", constants: unsigned},
	word.CmpLtS: {text: "setp.lt.s32 $d, $x, $y", constants: signed},
}

// A sum whose carry is selected on leaves the carry in another register, which becomes the predicate.
var (
	carrySum       = spelling{text: "add.cc.u32 $d, $x, $y; addc.u32 $c, 0, 0", constants: signed}
	carryPredicate = spelling{text: "setp.ne.u32 $d, $c, 0"}
)

// shortShift is ShlWide by a constant or by an extended word.
var shortShift = spelling{text: "shl.b64 $d, $x, $n", constants: unsigned}

// move copies a word, and is how constants and operands become the result.
var move = spelling{text: "mov.b32 $d, $x"}

// Template returns how PTX writes an operation, without the semicolon: "prmt.b32 $d,
// $x, $y, $i", in which $d is the result, $x, $y and $z are the arguments and $i is
// the immediate. It is empty for operations that no PTX target has, inputs and
// constants.
func Template(op word.Op) string { return table[op].text }
