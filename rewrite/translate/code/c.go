package code

import (
	"maps"
	"strings"

	"github.com/vop-ptx/vop/rewrite/word"
)

// C is C99, and C++ as well.
var C = cFamily(Language{
	Name:          "c",
	Caps:          word.C,
	literals:      [types]string{u32: "$xu", u64: "UINT64_C($x)", i64: "INT64_C($x)"},
	predicateHead: [2]string{"#include <stdint.h>\n", "#include <stdbool.h>\n#include <stdint.h>\n"},
	file: `$head
#ifndef $guard
#define $guard

#include <stdint.h>

#ifndef VOP_FUNCTION
#define VOP_FUNCTION static inline
#endif

$helpers$functions$aliases
#endif
`,
}, "uint32_t", "int32_t", "uint64_t", "int64_t")

// cFamily completes a dialect of C: its own tables go before the common ones, in
// which the four integer types get the dialect's names.
func cFamily(l Language, uint32Name, int32Name, uint64Name, int64Name string) *Language {
	rename := strings.NewReplacer("uint32_t", uint32Name, "int32_t", int32Name, "uint64_t", uint64Name, "int64_t", int64Name)
	texts := map[word.Op]string{}
	for op, text := range cOperations {
		texts[op] = rename.Replace(text)
	}
	maps.Copy(texts, l.operations)
	l.operations = texts
	l.constantShifts = map[word.Op]string{word.Shl: "$x << $y", word.ShrU: "$x >> $y", word.ShrS: "$x >> $y", word.ShlWide: "$x << $y"}
	for t, name := range cTypes {
		l.conversions[t] = rename.Replace("(" + name + ")$x")
		l.declarations[t] = rename.Replace("const " + name + " $name = $x;")
	}
	l.mask, l.bit = "$x ? 0xffffffffu : 0u", "$x ? 1u : 0u"
	l.lowestInt = rename.Replace("(int32_t)0x80000000u")
	l.function = "$commentVOP_FUNCTION $word $name($parameters)\n{\n$body}\n"
	if l.comment == "" {
		l.comment = "// "
	}
	l.parameter = "$word $x"
	l.words = [2]string{u32: rename.Replace("uint32_t"), i32: rename.Replace("int32_t")}
	l.indent = "    "
	if l.predicate == "" {
		l.predicate = "bool *$x"
	}
	l.predicateSet = "*$x = $y != 0;"
	l.unused = "(void)$x;"
	l.result = "return $x;"
	l.helpers = append(l.helpers, cHelpers...)
	for i, h := range l.helpers {
		l.helpers[i].text = rename.Replace(h.text)
	}
	return &l
}

// cTypes are the names of the types in the tables below.
var cTypes = [types]string{u32: "uint32_t", i32: "int32_t", u64: "uint64_t", i64: "int64_t", boolean: "int"}

var cOperations = map[word.Op]string{
	word.And: "$x & $y", word.Or: "$x | $y", word.Xor: "$x ^ $y", word.Not: "~$x", word.AndNot: "$x & ~$y",
	word.Add: "$x + $y", word.Sub: "$x - $y", word.Mul: "$x * $y",
	word.Shl: "vop_shl($x, $y)", word.ShrU: "vop_shr_u32($x, $y)", word.ShrS: "vop_shr_s32($x, $y)",
	word.MinU: "vop_min_u32($x, $y)", word.MaxU: "vop_max_u32($x, $y)",
	word.MinS: "vop_min_s32($x, $y)", word.MaxS: "vop_max_s32($x, $y)",
	word.CmpEq: "$x == $y", word.CmpLtU: "$x < $y", word.CmpLtS: "$x < $y",
	word.Select: "$x ? $y : $z",

	word.WideU: "(uint64_t)$x", word.WideS: "(int64_t)$x",
	word.MulWideU: "(uint64_t)$x * $y", word.MulWideS: "(int64_t)$x * $y",
	word.AddWide: "$x + $y", word.SubWide: "$x - $y",
	word.ShlWide: "vop_shl_u64($x, $y)", word.ShrWideU: "$x >> $i", word.ShrWideS: "$x >> $i",
	word.MinWideU: "vop_min_u64($x, $y)", word.MinWideS: "vop_min_s64($x, $y)", word.MaxWideS: "vop_max_s64($x, $y)",
	word.Lo: "(uint32_t)$x",
}

var cHelpers = append([]helper{
	{"vop_shl", cHelper("uint32_t vop_shl(uint32_t x, uint32_t n)", "n < 32 ? x << n : 0u")},
	{"vop_shl_u64", cHelper("uint64_t vop_shl_u64(uint64_t x, uint64_t n)", "n < 64 ? x << n : 0u")},
	{"vop_shr_u32", cHelper("uint32_t vop_shr_u32(uint32_t x, uint32_t n)", "n < 32 ? x >> n : 0u")},
	{"vop_shr_s32", cHelper("int32_t vop_shr_s32(int32_t x, uint32_t n)", "x >> (n < 32 ? n : 31)")},
}, cExtremes("32", "64")...)

// cHelper is the text of a function that returns an expression.
func cHelper(signature, result string) string {
	return "VOP_FUNCTION " + signature + "\n{\n    return " + result + ";\n}\n"
}

// cExtremes are the helpers for minima and maxima.
func cExtremes(widths ...string) (all []helper) {
	for _, width := range widths {
		for _, sign := range [][2]string{{"u", "uint"}, {"s", "int"}} {
			for _, of := range [][2]string{{"min", "<"}, {"max", ">"}} {
				name := "vop_" + of[0] + "_" + sign[0] + width
				typ := sign[1] + width + "_t"
				all = append(all, helper{name, cHelper(typ+" "+name+"("+typ+" x, "+typ+" y)", "x "+of[1]+" y ? x : y")})
			}
		}
	}
	return all
}
