package code

import "github.com/vop-ptx/vop/rewrite/lower"

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
var signatures = map[lower.Op]signature{
	lower.ShrS:   {[3]typ{i32, u32}, i32},
	lower.MinS:   {[3]typ{i32, i32}, i32},
	lower.MaxS:   {[3]typ{i32, i32}, i32},
	lower.CmpEq:  {[3]typ{u32, u32}, boolean},
	lower.CmpLtU: {[3]typ{u32, u32}, boolean},
	lower.CmpLtS: {[3]typ{i32, i32}, boolean},
	lower.Select: {[3]typ{boolean, u32, u32}, u32},
	lower.SadS:   {[3]typ{i32, i32, u32}, u32},

	lower.PackSatS8:  {[3]typ{i32, i32, u32}, u32},
	lower.PackSatU8:  {[3]typ{i32, i32, u32}, u32},
	lower.PackSatS16: {[3]typ{i32, i32}, u32},
	lower.PackSatU16: {[3]typ{i32, i32}, u32},

	lower.WideU:    {[3]typ{u32}, u64},
	lower.WideS:    {[3]typ{i32}, i64},
	lower.MulWideU: {[3]typ{u32, u32}, u64},
	lower.MulWideS: {[3]typ{i32, i32}, i64},
	lower.AddWide:  {[3]typ{u64, u64}, u64},
	lower.SubWide:  {[3]typ{u64, u64}, u64},
	lower.ShlWide:  {[3]typ{u64, u64}, u64},
	lower.ShrWideU: {[3]typ{u64}, u64},
	lower.ShrWideS: {[3]typ{i64}, i64},
	lower.MinWideU: {[3]typ{u64, u64}, u64},
	lower.MinWideS: {[3]typ{i64, i64}, i64},
	lower.MaxWideS: {[3]typ{i64, i64}, i64},
	lower.Lo:       {[3]typ{u64}, u32},
}

// nouns name the values that get a name, by what the operation makes.
var nouns = map[lower.Op]string{
	lower.And: "kept", lower.Or: "joined", lower.Xor: "differing", lower.Not: "inverse",
	lower.AndNot: "cleared", lower.Logic3: "mixed",
	lower.Add: "sum", lower.Sub: "difference", lower.Mul: "product",
	lower.Shl: "raised", lower.ShrU: "lowered", lower.ShrS: "lowered",
	lower.MinU: "lesser", lower.MinS: "lesser", lower.MaxU: "greater", lower.MaxS: "greater",
	lower.CmpEq: "equal", lower.CmpLtU: "less", lower.CmpLtS: "less", lower.Select: "chosen",
	lower.SadU: "apart", lower.SadS: "apart", lower.Perm: "bytes", lower.PermS: "bytes",
	lower.PackSatS8: "packed", lower.PackSatU8: "packed", lower.PackSatS16: "packed", lower.PackSatU16: "packed",
	lower.Add16: "sums", lower.MinU16: "lessers", lower.MinS16: "lessers", lower.MaxU16: "greaters", lower.MaxS16: "greaters",
	lower.AbsDiffU8: "apart", lower.AbsDiffS8: "apart", lower.SadU8: "apart", lower.SadS8: "apart",
	lower.DotU8: "total", lower.DotS8: "total", lower.DotU16: "total", lower.DotS16: "total",
	lower.WideU: "wide", lower.WideS: "wide", lower.MulWideU: "product", lower.MulWideS: "product",
	lower.AddWide: "sum", lower.SubWide: "difference", lower.ShlWide: "raised", lower.ShrWideU: "lowered", lower.ShrWideS: "lowered",
	lower.MinWideU: "lesser", lower.MinWideS: "lesser", lower.MaxWideS: "greater", lower.Lo: "low",
}
