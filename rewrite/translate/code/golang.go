package code

import (
	"go/token"

	"github.com/vop-ptx/vop/rewrite/word"
)

// Go is Go 1.21 or later. Shifts by 32 and more mean what they mean in word
// programs.
var Go = &Language{
	Name: "go",
	Caps: word.C,
	operations: map[word.Op]string{
		word.And: "$x & $y", word.Or: "$x | $y", word.Xor: "$x ^ $y", word.Not: "^$x", word.AndNot: "$x &^ $y",
		word.Add: "$x + $y", word.Sub: "$x - $y", word.Mul: "$x * $y",
		word.Shl: "$x << $y", word.ShrU: "$x >> $y", word.ShrS: "$x >> $y",
		word.MinU: "min($x, $y)", word.MaxU: "max($x, $y)", word.MinS: "min($x, $y)", word.MaxS: "max($x, $y)",
		word.CmpEq: "$x == $y", word.CmpLtU: "$x < $y", word.CmpLtS: "$x < $y",

		word.WideU: "uint64($x)", word.WideS: "int64($x)",
		word.MulWideU: "uint64($x) * uint64($y)", word.MulWideS: "int64($x) * int64($y)",
		word.AddWide: "$x + $y", word.SubWide: "$x - $y",
		word.ShlWide: "$x << $y", word.ShrWideU: "$x >> $i", word.ShrWideS: "$x >> $i",
		word.MinWideU: "min($x, $y)", word.MinWideS: "min($x, $y)", word.MaxWideS: "max($x, $y)",
		word.Lo: "uint32($x)",
	},
	constantShifts: map[word.Op]string{word.Shl: "$x << $y", word.ShrU: "$x >> $y", word.ShrS: "$x >> $y", word.ShlWide: "$x << $y"},
	typesShifted:   true,
	conversions:    [types]string{u32: "uint32($x)", i32: "int32($x)", u64: "uint64($x)", i64: "int64($x)"},
	mask:           "vop_mask($x)",
	bit:            "vop_bit($x)",
	declarations: [types]string{
		u32: "$name := $x", i32: "$name := $x", u64: "$name := $x", i64: "$name := $x", boolean: "$name := $x",
	},
	conditional: "$name := $z\nif $x {\n\t$name = $y\n}",
	lowestInt:   "-0x80000000",
	file: `$headpackage $package

$helpers$functions`,
	function:  "$commentfunc $name($parameters) $word {\n$body}\n",
	comment:   "// ",
	parameter: "$x $word",
	words:     [2]string{"uint32", "int32"},
	intrinsic: exported,
	predicate: "$x *bool", predicateSet: "*$x = $y != 0",
	indent: "\t",
	result: "return $x",
	helpers: []helper{
		{"vop_mask", "// vop_mask returns all ones if x, else 0.\n" + goHelper("vop_mask", "0xffffffff")},
		{"vop_bit", "// vop_bit returns 1 if x, else 0.\n" + goHelper("vop_bit", "1")},
	},
	isKeyword: token.IsKeyword,
	finish:    gofmt,
}

// goHelper is the text of a function that returns a constant if its argument is true.
func goHelper(name, constant string) string {
	return "func " + name + "(x bool) uint32 {\n\tif x {\n\t\treturn " + constant + "\n\t}\n\treturn 0\n}\n"
}
