package vmtest

import (
	"fmt"
	"regexp"
)

// What texts are written as for NVIDIA's compiler, so that they mean there what they mean to vop.
var spelledForGPU = []struct {
	from *regexp.Regexp
	to   string
}{
	// Arithmetic that says nothing of rounding may be fused.
	{regexp.MustCompile(`\b(add|sub|mul)((?:\.ftz|\.sat)*\.(?:f32|f64|f16|f16x2|bf16|bf16x2))\b`), "$1.rn$2"},
	// Of set and testp under a guard it guards a part of the code only (ptxas 13.0).
	{regexp.MustCompile(`(@!?%\w+) ((?:set|testp)\.[^;]*;)`), "{ $1 bra DO; bra OVER; DO: $2 OVER: }"},
	// Of NaNs it changes more than the sign, which the manual leaves open (ruling O5).
	{regexp.MustCompile(`\babs\.f32 (%\w+), (%\w+);`), "and.b32 $1, $2, 0x7fffffff;"},
	{regexp.MustCompile(`\babs\.b?f16x2 (%\w+), (%\w+);`), "and.b32 $1, $2, 0x7fff7fff;"},
	{regexp.MustCompile(`\babs\.b?f16 (%\w+), (%\w+);`), "and.b16 $1, $2, 0x7fff;"},
	{regexp.MustCompile(`\bneg\.f32 (%\w+), (%\w+);`), "xor.b32 $1, $2, 0x80000000;"},
	{regexp.MustCompile(`\bneg\.b?f16x2 (%\w+), (%\w+);`), "xor.b32 $1, $2, 0x80008000;"},
	{regexp.MustCompile(`\bneg\.b?f16 (%\w+), (%\w+);`), "xor.b16 $1, $2, 0x8000;"},
}

// Variables in .shared and .local memory are zero in vop at first.
var (
	declarations = regexp.MustCompile(`(?m)^\.visible \.entry [^{]*\{\n(?:\t\.(?:reg|shared|local)[^\n]*\n)*`)
	variable     = regexp.MustCompile(`\.(shared|local) \.align \d+ \.b8 (\w+)\[(\d+)\];`)
)

// ForGPU is a text that means to NVIDIA's compiler what it means to vop.
func ForGPU(text string) string {
	for _, s := range spelledForGPU {
		text = s.from.ReplaceAllString(text, s.to)
	}
	return declarations.ReplaceAllStringFunc(text, func(all string) string {
		for _, v := range variable.FindAllStringSubmatch(all, -1) {
			all += fmt.Sprintf("{ .reg .b32 %%at, %%end; .reg .pred %%more; mov.u32 %%at, %[2]s; add.u32 %%end, %%at, %[3]s;\nZERO_%[2]s: st.%[1]s.b32 [%%at], 0; "+
				"add.u32 %%at, %%at, 4; setp.lt.u32 %%more, %%at, %%end; @%%more bra ZERO_%[2]s; }\n", v[1], v[2], v[3])
		}
		return all + "bar.sync 0;\n"
	})
}
