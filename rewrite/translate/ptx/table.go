package ptx

import "github.com/vop-ptx/vop/rewrite/lower"

// spelling says how PTX writes an operation.
//
// In text, $d is the register for the result, $x, $y and $z are the arguments, $p
// is the first argument as a predicate, $n the second one as a word, $i is the
// immediate, and $t and $w are one more register each, a word and a wide one.
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
var table = map[lower.Op]spelling{
	lower.And:    {text: "and.b32 $d, $x, $y"},
	lower.Or:     {text: "or.b32 $d, $x, $y"},
	lower.Xor:    {text: "xor.b32 $d, $x, $y"},
	lower.Not:    {text: "not.b32 $d, $x"},
	lower.AndNot: {text: "not.b32 $t, $y; and.b32 $d, $x, $t"},
	lower.Logic3: {text: "lop3.b32 $d, $x, $y, $z, $i"},

	lower.Add:  {text: "add.u32 $d, $x, $y", constants: signed},
	lower.Sub:  {text: "sub.u32 $d, $x, $y", constants: signed},
	lower.Mul:  {text: "mul.lo.u32 $d, $x, $y", constants: signed},
	lower.Shl:  {text: "shl.b32 $d, $x, $y", constants: unsigned},
	lower.ShrU: {text: "shr.u32 $d, $x, $y", constants: unsigned},
	lower.ShrS: {text: "shr.s32 $d, $x, $y", constants: unsigned},
	lower.MinU: {text: "min.u32 $d, $x, $y", constants: unsigned},
	lower.MaxU: {text: "max.u32 $d, $x, $y", constants: unsigned},
	lower.MinS: {text: "min.s32 $d, $x, $y", constants: signed},
	lower.MaxS: {text: "max.s32 $d, $x, $y", constants: signed},

	// As masks. A comparison that is selected on is a predicate instead.
	lower.CmpEq:  {text: "set.eq.u32.u32 $d, $x, $y", constants: unsigned},
	lower.CmpLtU: {text: "set.lt.u32.u32 $d, $x, $y", constants: unsigned},
	lower.CmpLtS: {text: "set.lt.u32.s32 $d, $x, $y", constants: signed},
	lower.Select: {text: "selp.b32 $d, $y, $z, $p"},

	lower.SadU:  {text: "sad.u32 $d, $x, $y, $z", constants: unsigned},
	lower.SadS:  {text: "sad.s32 $d, $x, $y, $z", constants: signed},
	lower.Perm:  {text: "prmt.b32 $d, $x, $y, $i"},
	lower.PermS: {text: "prmt.b32 $d, $x, $y, $i"},

	lower.PackSatS8:  {text: "cvt.pack.sat.s8.s32.b32 $d, $y, $x, $z", constants: signed},
	lower.PackSatU8:  {text: "cvt.pack.sat.u8.s32.b32 $d, $y, $x, $z", constants: signed},
	lower.PackSatS16: {text: "cvt.pack.sat.s16.s32 $d, $y, $x", constants: signed},
	lower.PackSatU16: {text: "cvt.pack.sat.u16.s32 $d, $y, $x", constants: signed},

	lower.Add16:  {text: "add.u16x2 $d, $x, $y", registers: true},
	lower.MinU16: {text: "min.u16x2 $d, $x, $y", registers: true},
	lower.MaxU16: {text: "max.u16x2 $d, $x, $y", registers: true},
	lower.MinS16: {text: "min.s16x2 $d, $x, $y", registers: true},
	lower.MaxS16: {text: "max.s16x2 $d, $x, $y", registers: true},

	// The third source of a SIMD video instruction without .add is merged where
	// the mask leaves lanes out: nowhere here.
	lower.AbsDiffU8: {text: "vabsdiff4.u32.u32.u32 $d, $x, $y, $x", registers: true},
	lower.AbsDiffS8: {text: "vabsdiff4.u32.s32.s32 $d, $x, $y, $x", registers: true},
	lower.SadU8:     {text: "vabsdiff4.u32.u32.u32.add $d, $x, $y, $z", registers: true},
	lower.SadS8:     {text: "vabsdiff4.u32.s32.s32.add $d, $x, $y, $z", registers: true},

	lower.DotU8:  {text: "dp4a.u32.s32 $d, $x, $i, $y"},
	lower.DotS8:  {text: "dp4a.s32.s32 $d, $x, $i, $y"},
	lower.DotU16: {text: "dp2a.lo.u32.s32 $d, $x, $i, $y"},
	lower.DotS16: {text: "dp2a.lo.s32.s32 $d, $x, $i, $y"},

	lower.WideU:    {text: "cvt.u64.u32 $d, $x"},
	lower.WideS:    {text: "cvt.s64.s32 $d, $x"},
	lower.MulWideU: {text: "mul.wide.u32 $d, $x, $y"},
	lower.MulWideS: {text: "mul.wide.s32 $d, $x, $y", constants: signed},
	lower.AddWide:  {text: "add.s64 $d, $x, $y", constants: signed},
	lower.SubWide:  {text: "sub.s64 $d, $x, $y", constants: signed},
	lower.ShlWide:  {text: "min.u64 $w, $y, 64; cvt.u32.u64 $t, $w; shl.b64 $d, $x, $t"},
	lower.ShrWideU: {text: "shr.u64 $d, $x, $i"},
	lower.ShrWideS: {text: "shr.s64 $d, $x, $i"},
	lower.MinWideU: {text: "min.u64 $d, $x, $y", constants: unsigned},
	lower.MinWideS: {text: "min.s64 $d, $x, $y", constants: signed},
	lower.MaxWideS: {text: "max.s64 $d, $x, $y", constants: signed},
	lower.Lo:       {text: "cvt.u32.u64 $d, $x"},
}

// predicates gives the spelling of a comparison whose result is selected on.
var predicates = map[lower.Op]spelling{
	lower.CmpEq:  {text: "setp.eq.u32 $d, $x, $y", constants: unsigned},
	lower.CmpLtU: {text: "setp.lt.u32 $d, $x, $y", constants: unsigned},
	lower.CmpLtS: {text: "setp.lt.s32 $d, $x, $y", constants: signed},
}

// shortShift is ShlWide by a constant or by an extended word.
var shortShift = spelling{text: "shl.b64 $d, $x, $n", constants: unsigned}

// move copies a word, and is how constants and operands become the result.
var move = spelling{text: "mov.b32 $d, $x"}

// Template returns how PTX writes an operation, without the semicolon: "prmt.b32 $d,
// $x, $y, $i", in which $d is the result, $x, $y and $z are the arguments and $i is
// the immediate. It is empty for operations that no PTX target has, inputs and
// constants.
func Template(op lower.Op) string { return table[op].text }
