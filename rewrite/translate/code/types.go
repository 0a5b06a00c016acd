package code

import (
	"github.com/vop-ptx/vop/rewrite/word"
)

// typ is the type of an expression. Words and wide values are unsigned in word
// programs; expressions are of the type that makes the operation plain, and are
// converted where another is needed.
type typ uint8

const (
	u32 typ = iota
	i32
	u64
	i64
	boolean // a comparison; as a word it is all ones or 0
	count   // the constant number of places of a shift; only literals are of this type
	types
)

// signature gives the types of an operation's arguments and of its expression.
type signature struct {
	args   [3]typ
	result typ
}

// signatures are those of the operations that are not on u32 alone.
var signatures = map[word.Op]signature{
	word.ShrS:   {[3]typ{i32, u32}, i32},
	word.MinS:   {[3]typ{i32, i32}, i32},
	word.MaxS:   {[3]typ{i32, i32}, i32},
	word.CmpEq:  {[3]typ{u32, u32}, boolean},
	word.CmpLtU: {[3]typ{u32, u32}, boolean},
	word.CmpLtS: {[3]typ{i32, i32}, boolean},
	word.Select: {[3]typ{boolean, u32, u32}, u32},
	word.SadS:   {[3]typ{i32, i32, u32}, u32},

	word.PackSatS8:  {[3]typ{i32, i32, u32}, u32},
	word.PackSatU8:  {[3]typ{i32, i32, u32}, u32},
	word.PackSatS16: {[3]typ{i32, i32}, u32},
	word.PackSatU16: {[3]typ{i32, i32}, u32},

	word.WideU:    {[3]typ{u32}, u64},
	word.WideS:    {[3]typ{i32}, i64},
	word.MulWideU: {[3]typ{u32, u32}, u64},
	word.MulWideS: {[3]typ{i32, i32}, i64},
	word.AddWide:  {[3]typ{u64, u64}, u64},
	word.SubWide:  {[3]typ{u64, u64}, u64},
	word.ShlWide:  {[3]typ{u64, u64}, u64},
	word.ShrWideU: {[3]typ{u64}, u64},
	word.ShrWideS: {[3]typ{i64}, i64},
	word.MinWideU: {[3]typ{u64, u64}, u64},
	word.MinWideS: {[3]typ{i64, i64}, i64},
	word.MaxWideS: {[3]typ{i64, i64}, i64},
	word.Lo:       {[3]typ{u64}, u32},
}

// nouns name the values that get a name, by what the operation makes.
var nouns = map[word.Op]string{
	word.And: "kept", word.Or: "joined", word.Xor: "differing", word.Not: "inverse",
	word.AndNot: "cleared", word.Logic3: "mixed",
	word.Add: "sum", word.Sub: "difference", word.Mul: "product",
	word.Shl: "raised", word.ShrU: "lowered", word.ShrS: "lowered",
	word.MinU: "lesser", word.MinS: "lesser", word.MaxU: "greater", word.MaxS: "greater",
	word.CmpEq: "equal", word.CmpLtU: "less", word.CmpLtS: "less", word.Select: "chosen",
	word.SadU: "apart", word.SadS: "apart", word.Perm: "bytes", word.PermS: "bytes",
	word.PackSatS8: "packed", word.PackSatU8: "packed", word.PackSatS16: "packed", word.PackSatU16: "packed",
	word.Add16: "sums", word.MinU16: "lessers", word.MinS16: "lessers", word.MaxU16: "greaters", word.MaxS16: "greaters",
	word.Add8: "sums", word.Sub8: "differences", word.MinU8: "lessers", word.MinS8: "lessers", word.MaxU8: "greaters", word.MaxS8: "greaters",
	word.AddSatU8: "sums", word.AddSatS8: "sums", word.AddSatU16: "sums", word.AddSatS16: "sums", word.SubSatU8: "differences", word.SubSatS8: "differences",
	word.AbsDiffU8: "apart", word.AbsDiffS8: "apart", word.SadU8: "apart", word.SadS8: "apart",
	word.DotU8: "total", word.DotS8: "total", word.DotU16: "total", word.DotS16: "total",
	word.DotU8U8: "total", word.DotU8S8: "total", word.DotS8S8: "total",
	word.DotU16U8: "total", word.DotU16S8: "total", word.DotS16U8: "total", word.DotS16S8: "total",
	word.FunnelL: "raised", word.FunnelR: "lowered",
	word.WideU: "wide", word.WideS: "wide", word.MulWideU: "product", word.MulWideS: "product",
	word.AddWide: "sum", word.SubWide: "difference", word.ShlWide: "raised", word.ShrWideU: "lowered", word.ShrWideS: "lowered",
	word.MinWideU: "lesser", word.MinWideS: "lesser", word.MaxWideS: "greater", word.Lo: "low",
}
