package compute

import (
	"github.com/vop-ptx/vop/run/simt/build/builder"
	"github.com/vop-ptx/vop/run/simt/build/form"
)

// halfForms are arithmetic and comparison of f16, and of two f16 in a word (PTX ISA 9.7.4).
var halfForms = builder.Table{
	{"add{.rn}{.ftz}{.sat}.(f16|f16x2)", named("i:ii", nearest)},
	{"sub{.rn}{.ftz}{.sat}.(f16|f16x2)", named("i:ii", nearest)},
	{"mul{.rn}{.ftz}{.sat}.(f16|f16x2)", named("i:ii", nearest)},
	{"fma.rn{.ftz}{.sat}{.relu}.(f16|f16x2)", fuseHalves},
	{"neg{.ftz}.(f16|f16x2)", plain("i:i")},
	{"abs{.ftz}.(f16|f16x2)", plain("i:i")},
	{"min{.ftz}{.NaN}.(f16|f16x2)", plain("i:ii")},
	{"max{.ftz}{.NaN}.(f16|f16x2)", plain("i:ii")},
	{"setp.<fcmp>{.(and|or|xor)}{.ftz}.f16", setPredicate},
	{"set.<fcmp>{.(and|or|xor)}{.ftz}.(u16|s16|u32|s32).f16", setWord},
	{"set.<fcmp>{.(and|or|xor)}.(u16|s16|u32|s32).bf16", setWord},
	{"set.<fcmp>{.(and|or|xor)}{.ftz}.f16.(f16|f32)", setWord},
	{"set.<fcmp>{.(and|or|xor)}.f16.f64", setWord},
	{"set.<fcmp>{.(and|or|xor)}.bf16.(f16|bf16|f32|f64)", setWord},
	{"set.(eq|ne|lt|le|gt|ge){.(and|or|xor)}.(f16|bf16).(u16|u32|u64|s16|s32|s64|b16|b32|b64)", setWord},
	{"set.(lo|ls|hi|hs){.(and|or|xor)}.(f16|bf16).(u16|u32|u64)", setWord},
	{"set.<fcmp>{.(and|or|xor)}{.ftz}.(f16x2|u32|s32).f16x2", setHalves},
	{"set.<fcmp>{.(and|or|xor)}.(bf16x2|u32|s32).bf16x2", setHalves},
}

// nearest is the name of an operation that rounds to the nearest, as all do on f16.
func nearest(f form.Form) string { return f.Without("rn") }

// fuseHalves builds fma. Of .sat and .relu only one may be written: what .sat clamps is not negative.
func fuseHalves(b *builder.Builder) {
	if b.Form.Has("sat") {
		named("i:iii", func(f form.Form) string { return f.Without("rn", "relu") })(b)
		return
	}
	named("i:iii", nearest)(b)
}
