package code

import (
	"github.com/vop-ptx/vop/rewrite/word"
)

// WGSL is the shading language of WebGPU. It has no 64-bit integers: wide values are
// pairs of words, the low one first.
var WGSL = &Language{
	Name: "wgsl",
	Caps: word.C,
	operations: map[word.Op]string{
		word.And: "$x & $y", word.Or: "$x | $y", word.Xor: "$x ^ $y", word.Not: "~$x", word.AndNot: "$x & ~$y",
		word.Add: "$x + $y", word.Sub: "$x - $y", word.Mul: "$x * $y",
		word.Shl: "vop_shl($x, $y)", word.ShrU: "vop_shr_u32($x, $y)", word.ShrS: "vop_shr_s32($x, $y)",
		word.MinU: "min($x, $y)", word.MaxU: "max($x, $y)", word.MinS: "min($x, $y)", word.MaxS: "max($x, $y)",
		word.CmpEq: "$x == $y", word.CmpLtU: "$x < $y", word.CmpLtS: "$x < $y",
		word.Select: "select($z, $y, $x)",

		word.WideU: "vec2<u32>($x, 0u)", word.WideS: "vop_wide_s32($x)",
		word.MulWideU: "vop_mul_wide_u32($x, $y)", word.MulWideS: "vop_mul_wide_s32($x, $y)",
		word.AddWide: "vop_add_u64($x, $y)", word.SubWide: "vop_sub_u64($x, $y)",
		word.ShlWide: "vop_shl_u64($x, $y)", word.ShrWideU: "vop_shr_u64($x, $i)", word.ShrWideS: "vop_shr_s64($x, $i)",
		word.MinWideU: "vop_min_u64($x, $y)", word.MinWideS: "vop_min_s64($x, $y)", word.MaxWideS: "vop_max_s64($x, $y)",
		word.Lo: "$x.x",
	},
	constantShifts: map[word.Op]string{word.Shl: "$x << $y", word.ShrU: "$x >> $y", word.ShrS: "$x >> $y"},
	conversions:    [types]string{u32: "bitcast<u32>($x)", i32: "bitcast<i32>($x)", u64: "$x", i64: "$x"},
	mask:           "select(0u, 0xffffffffu, $x)",
	bit:            "select(0u, 1u, $x)",
	literals:       [types]string{u32: "$xu", i32: "$xi", count: "$xu"},
	lowestInt:      "i32(-2147483648)",
	wideLiteral:    "vec2<u32>($low, $high)",
	declarations: [types]string{
		u32: "let $name = $x;", i32: "let $name = $x;", u64: "let $name = $x;", i64: "let $name = $x;", boolean: "let $name = $x;",
	},
	file: `$head
$helpers$functions`,
	function:  "$commentfn $name($parameters) -> $word {\n$body}\n",
	comment:   "// ",
	parameter: "$x: $word",
	words:     [2]string{"u32", "i32"},
	intrinsic: prefixed,
	predicate: "$x: ptr<function, bool>", predicateSet: "*$x = $y != 0;",
	indent: "    ",
	result: "return $x;",
	helpers: []helper{
		{"vop_shl", `fn vop_shl(x: u32, n: u32) -> u32 {
    return select(0u, x << (n & 31u), n < 32u);
}
`},
		{"vop_shr_u32", `fn vop_shr_u32(x: u32, n: u32) -> u32 {
    return select(0u, x >> (n & 31u), n < 32u);
}
`},
		{"vop_shr_s32", `fn vop_shr_s32(x: i32, n: u32) -> i32 {
    return x >> min(n, 31u);
}
`},
		{"vop_wide_s32", `fn vop_wide_s32(x: i32) -> vec2<u32> {
    return vec2<u32>(bitcast<u32>(x), bitcast<u32>(x >> 31u));
}
`},
		{"vop_add_u64", `fn vop_add_u64(x: vec2<u32>, y: vec2<u32>) -> vec2<u32> {
    let low = x.x + y.x;
    return vec2<u32>(low, x.y + y.y + select(0u, 1u, low < x.x));
}
`},
		{"vop_sub_u64", `fn vop_sub_u64(x: vec2<u32>, y: vec2<u32>) -> vec2<u32> {
    return vec2<u32>(x.x - y.x, x.y - y.y - select(0u, 1u, x.x < y.x));
}
`},
		{"vop_mul_wide_u32", `fn vop_mul_wide_u32(x: u32, y: u32) -> vec2<u32> {
    let low = (x & 0xffffu) * (y & 0xffffu);
    let cross = (x >> 16u) * (y & 0xffffu) + (low >> 16u);
    let other = (x & 0xffffu) * (y >> 16u) + (cross & 0xffffu);
    return vec2<u32>(x * y, (x >> 16u) * (y >> 16u) + (cross >> 16u) + (other >> 16u));
}
`},
		{"vop_mul_wide_s32", `fn vop_mul_wide_s32(x: i32, y: i32) -> vec2<u32> {
    let unsigned_x = bitcast<u32>(x);
    let unsigned_y = bitcast<u32>(y);
    let product = vop_mul_wide_u32(unsigned_x, unsigned_y);
    let excess = select(0u, unsigned_y, x < 0i) + select(0u, unsigned_x, y < 0i);
    return vec2<u32>(product.x, product.y - excess);
}
`},
		{"vop_shl_u64", `fn vop_shl_u64(x: vec2<u32>, places: vec2<u32>) -> vec2<u32> {
    let n = select(places.x, 64u, places.y != 0u);
    let joined = vop_shl(x.y, n) | vop_shr_u32(x.x, 32u - n);
    return select(vec2<u32>(0u, vop_shl(x.x, n - 32u)), vec2<u32>(vop_shl(x.x, n), joined), n < 32u);
}
`},
		{"vop_shr_u64", `fn vop_shr_u64(x: vec2<u32>, n: u32) -> vec2<u32> {
    let joined = vop_shr_u32(x.x, n) | vop_shl(x.y, 32u - n);
    return select(vec2<u32>(vop_shr_u32(x.y, n - 32u), 0u), vec2<u32>(joined, vop_shr_u32(x.y, n)), n < 32u);
}
`},
		{"vop_shr_s64", `fn vop_shr_s64(x: vec2<u32>, n: u32) -> vec2<u32> {
    let high = bitcast<i32>(x.y);
    let joined = vop_shr_u32(x.x, n) | vop_shl(x.y, 32u - n);
    let below = vec2<u32>(joined, bitcast<u32>(vop_shr_s32(high, n)));
    let above = vec2<u32>(bitcast<u32>(vop_shr_s32(high, n - 32u)), bitcast<u32>(high >> 31u));
    return select(above, below, n < 32u);
}
`},
		{"vop_less_u64", `fn vop_less_u64(x: vec2<u32>, y: vec2<u32>) -> bool {
    return x.y < y.y || (x.y == y.y && x.x < y.x);
}
`},
		{"vop_less_s64", `fn vop_less_s64(x: vec2<u32>, y: vec2<u32>) -> bool {
    return bitcast<i32>(x.y) < bitcast<i32>(y.y) || (x.y == y.y && x.x < y.x);
}
`},
		{"vop_min_u64", `fn vop_min_u64(x: vec2<u32>, y: vec2<u32>) -> vec2<u32> {
    return select(x, y, vop_less_u64(y, x));
}
`},
		{"vop_min_s64", `fn vop_min_s64(x: vec2<u32>, y: vec2<u32>) -> vec2<u32> {
    return select(x, y, vop_less_s64(y, x));
}
`},
		{"vop_max_s64", `fn vop_max_s64(x: vec2<u32>, y: vec2<u32>) -> vec2<u32> {
    return select(x, y, vop_less_s64(x, y));
}
`},
	},
}
