package check_test

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

var fragmentWords = regexp.MustCompile(`<([FRD])(\d+)>`)

// fragments writes vectors for the words of a line that stand for them: <F8> is eight .f32 registers, <R4> four of .b32, <D2> two
// of .f64. Registers come again after the first nine.
func fragments(line string) string {
	return fragmentWords.ReplaceAllStringFunc(line, func(word string) string {
		n, _ := strconv.Atoi(word[2 : len(word)-1])
		var all []string
		for i := range n {
			all = append(all, fmt.Sprintf("%%%s%d", strings.ToLower(word[1:2]), i%9))
		}
		return "{" + strings.Join(all, ", ") + "}"
	})
}

// gatedLine is an instruction with the first version and the first target that have it.
type gatedLine struct{ version, target, line string }

// holdGates checks a line in its version on its target, and in the version and on the target before.
func holdGates(t *testing.T, g gatedLine, earlier map[string]string) {
	t.Helper()
	line := fragments(g.line)
	if found := checkModule(fmt.Sprintf(shapesContext, g.version, g.target, line)); found.HasErrors() {
		t.Errorf("%s, %s, %s:%s", g.version, g.target, line, messages(found))
	}
	if before := earlier[g.version]; before != "" {
		found := checkModule(fmt.Sprintf(shapesContext, before, g.target, line))
		if !strings.Contains(messages(found), "needs .version "+g.version) {
			t.Errorf("%s, %s, %s:%s", before, g.target, line, messages(found))
		}
	}
	if before := earlier[g.target]; before != "" {
		found := checkModule(fmt.Sprintf(shapesContext, g.version, before, line))
		if !strings.Contains(messages(found), "needs .target "+g.target) {
			t.Errorf("%s, %s, %s:%s", g.version, before, line, messages(found))
		}
	}
}

// before are the versions and targets before those that matrices came with.
var before = map[string]string{
	"6.1": "6.0", "6.3": "6.2", "7.0": "6.5", "7.1": "7.0", "8.4": "8.3", "8.5": "8.4", "8.7": "8.6", "9.1": "9.0",
	"sm_70": "sm_62", "sm_72": "sm_70", "sm_75": "sm_72", "sm_80": "sm_75", "sm_89": "sm_87", "sm_120": "sm_103", "sm_120f": "sm_120",
}

// TestWMMA: wmma of PTX ISA 9.7.14.4, in the first version and on the first target that have it: shapes with types, layouts, and
// the numbers of registers that the tables of 9.7.14.4.1 tell.
func TestWMMA(t *testing.T) {
	var all []gatedLine
	add := func(version, target, line string) { all = append(all, gatedLine{version, target, line}) }
	for shape, version := range map[string]string{"m16n16k16": "6.0", "m8n32k16": "6.1", "m32n8k16": "6.1"} {
		aligned := map[bool]string{true: "", false: ".aligned"}[version == "6.0"] // of which 6.3 is the first to need it
		for _, load := range []string{"a.sync.aligned.row.S.f16 <R8>", "b.sync.aligned.col.S.shared.f16 <R8>", "c.sync.aligned.S.row.f32 <F8>", "c.sync.aligned.col.S.global.f16 <R4>"} {
			load = strings.ReplaceAll(strings.ReplaceAll(load, "S", shape), ".aligned", aligned)
			add(version, "sm_70", "wmma.load."+load+", [%q0];")
			add(version, "sm_70", "wmma.load."+load+", [%q0+32], %r0;")
		}
		add(version, "sm_70", "wmma.store.d.sync"+aligned+".row."+shape+".shared.f32 [%r0], <F8>, 16;")
		add(version, "sm_70", "wmma.store.d.sync"+aligned+".col."+shape+".f16 [%q0], <R4>;")
		for _, types := range []string{"f16.f16 <R4>, <R8>, <R8>, <R4>", "f16.f32 <R4>, <R8>, <R8>, <F8>", "f32.f16 <F8>, <R8>, <R8>, <R4>", "f32.f32 <F8>, <R8>, <R8>, <F8>"} {
			add(version, "sm_70", "wmma.mma.sync"+aligned+".row.row."+shape+"."+types+";")
			add("6.0", "sm_70", "wmma.mma.sync.aligned.col.row."+shape+"."+strings.Replace(types, " ", ".satfinite ", 1)+";")
		}
		a, b := map[string]int{"m16n16k16": 2, "m8n32k16": 1, "m32n8k16": 4}[shape], map[string]int{"m16n16k16": 2, "m8n32k16": 4, "m32n8k16": 1}[shape]
		for _, typ := range []string{"u8", "s8"} {
			add("6.3", "sm_72", fmt.Sprintf("wmma.load.a.sync.aligned.row.%s.%s <R%d>, [%%q0], 64;", shape, typ, a))
			add("6.3", "sm_72", fmt.Sprintf("wmma.load.b.sync.aligned.row.%s.%s <R%d>, [%%q0];", shape, typ, b))
			add("6.3", "sm_72", fmt.Sprintf("wmma.mma.sync.aligned.col.col.%s.s32.%s.%[2]s.s32.satfinite <R8>, <R%d>, <R%d>, <R8>;", shape, typ, a, b))
		}
		add("7.0", "sm_80", fmt.Sprintf("wmma.load.a.sync.aligned.col.%s.bf16 <R%d>, [%%q0];", shape, 2*a))
		add("7.0", "sm_80", fmt.Sprintf("wmma.load.b.sync.aligned.col.%s.bf16 <R%d>, [%%q0];", shape, 2*b))
		add("7.0", "sm_80", fmt.Sprintf("wmma.mma.sync.aligned.row.col.%s.f32.bf16.bf16.f32 <F8>, <R%d>, <R%d>, <F8>;", shape, 2*a, 2*b))
		add("6.3", "sm_72", "wmma.load.c.sync.aligned.row."+shape+".s32 <R8>, [%q0];")
		add("6.3", "sm_72", "wmma.store.d.sync.aligned.row."+shape+".s32 [%q0], <R8>;")
	}
	for _, line := range []string{
		"wmma.load.a.sync.aligned.row.m8n8k32.s4 <R1>, [%q0];", "wmma.load.b.sync.aligned.col.m8n8k128.b1 <R1>, [%q0];",
		"wmma.load.c.sync.aligned.col.m8n8k32.s32 <R2>, [%q0];",
		"wmma.store.d.sync.aligned.col.m8n8k128.s32 [%q0], <R2>;", "wmma.mma.sync.aligned.row.col.m8n8k32.s32.u4.u4.s32 <R2>, <R1>, <R1>, <R2>;",
		"wmma.mma.xor.popc.sync.aligned.row.col.m8n8k128.s32.b1.b1.s32 <R2>, <R1>, <R1>, <R2>;",
	} {
		add("6.3", "sm_75", line)
	}
	for _, line := range []string{
		"wmma.load.a.sync.aligned.row.m16n16k8.tf32 <R4>, [%q0];", "wmma.load.b.sync.aligned.row.m16n16k8.tf32 <R4>, [%q0], %r0;",
		"wmma.load.c.sync.aligned.row.m16n16k8.f32 <F8>, [%q0];",
		"wmma.store.d.sync.aligned.row.m16n16k8.f32 [%q0], <F8>;", "wmma.mma.sync.aligned.row.col.m16n16k8.f32.tf32.tf32.f32 <F8>, <R4>, <R4>, <F8>;",
		"wmma.load.a.sync.aligned.row.m8n8k4.f64 <D1>, [%q0];", "wmma.load.c.sync.aligned.row.m8n8k4.f64 <D2>, [%q0];",
		"wmma.store.d.sync.aligned.row.m8n8k4.f64 [%q0], <D2>;",
		"wmma.mma.sync.aligned.row.col.m8n8k4.f64.f64.f64.f64 <D2>, <D1>, <D1>, <D2>;",
		"wmma.mma.sync.aligned.row.col.m8n8k4.rz.f64.f64.f64.f64 <D2>, <D1>, <D1>, <D2>;",
	} {
		add("7.0", "sm_80", line)
	}
	add("7.1", "sm_80", "wmma.mma.and.popc.sync.aligned.row.col.m8n8k128.s32.b1.b1.s32 <R2>, <R1>, <R1>, <R2>;")
	for _, g := range all {
		holdGates(t, g, before)
	}
}

// TestSparseMatrices: mma.sp and mma.sp::ordered_metadata of PTX ISA 9.7.14.6.3.
func TestSparseMatrices(t *testing.T) {
	for _, g := range []gatedLine{
		{"7.1", "sm_80", "m16n8k16.row.col.f16.f16.f16.f16 <R2>, <R2>, <R2>, <R2>"}, {"7.1", "sm_80",
			"m16n8k32.row.col.f16.f16.f16.f16 <R2>, <R4>, <R4>, <R2>"},
		{"7.1", "sm_80", "m16n8k16.row.col.f32.f16.f16.f32 <F4>, <R2>, <R2>, <F4>"}, {"7.1", "sm_80",
			"m16n8k32.row.col.f32.f16.f16.f32 <F4>, <R4>, <R4>, <F4>"},
		{"7.1", "sm_80", "m16n8k16.row.col.f32.bf16.bf16.f32 <F4>, <R2>, <R2>, <F4>"}, {"7.1", "sm_80",
			"m16n8k32.row.col.f32.bf16.bf16.f32 <F4>, <R4>, <R4>, <F4>"},
		{"7.1", "sm_80", "m16n8k8.row.col.f32.tf32.tf32.f32 <F4>, <R2>, <R2>, <F4>"}, {"7.1", "sm_80",
			"m16n8k16.row.col.f32.tf32.tf32.f32 <F4>, <R4>, <R4>, <F4>"},
		{"7.1", "sm_80", "m16n8k32.row.col.satfinite.s32.u8.s8.s32 <R4>, <R2>, <R2>, <R4>"}, {"7.1", "sm_80",
			"m16n8k64.row.col.s32.s8.s8.s32 <R4>, <R4>, <R4>, <R4>"},
		{"7.1", "sm_80", "m16n8k64.row.col.s32.s4.u4.s32 <R4>, <R2>, <R2>, <R4>"}, {"7.1", "sm_80",
			"m16n8k128.row.col.satfinite.s32.u4.u4.s32 <R4>, <R4>, <R4>, <R4>"},
		{"8.4", "sm_89", "m16n8k64.row.col.f32.e5m2.e4m3.f32 <F4>, <R4>, <R4>, <F4>"}, {"8.7", "sm_120",
			"m16n8k64.row.col.f16.e5m2.e4m3.f16 <R2>, <R4>, <R4>, <R2>"},
		{"8.7", "sm_120", "m16n8k32.row.col.f32.e5m2.e4m3.f32 <F4>, <R2>, <R2>, <F4>"},
	} {
		plain, ordered := g, g
		plain.line = "mma.sp.sync.aligned." + g.line + ", %r0, 0;"
		holdGates(t, plain, before)
		ordered.line = "mma.sp::ordered_metadata.sync.aligned." + g.line + ", %r0, 0x0;"
		ordered.version = max("8.5", g.version)
		holdGates(t, ordered, before)
	}
	for _, g := range []gatedLine{
		{"8.7", "sm_120f", "m16n8k64.row.col.kind::f8f6f4.f32.e3m2.e2m3.f32 <F4>, <R4>, <R4>, <F4>, %r0, 0;"},
		{"8.7", "sm_120f", "m16n8k64.row.col.kind::f8f6f4.f16.e2m1.e2m3.f16 <R2>, <R4>, <R4>, <R2>, %r0, 0;"},
		{"8.7", "sm_120f", "m16n8k64.row.col.kind::f8f6f4.f16.e2m1.e2m3.f32 <R2>, <R4>, <R4>, <F4>, %r0, 0;"}, // as LLVM has it
		{"8.7", "sm_120f", "m16n8k64.row.col.kind::f8f6f4.f32.e2m1.e2m3.f16 <F4>, <R4>, <R4>, <R2>, %r0, 0;"},
		{"8.7", "sm_120f", "m16n8k128.row.col.kind::mxf4.block_scale.f32.e2m1.e2m1.f32.ue8m0 <F4>, <R4>, <R4>, <F4>, %r0, 0, %r1, {2, 1}, %r2, {2, 3};"},
		{"8.7", "sm_120f",
			"m16n8k128.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3 <F4>, <R4>, <R4>, <F4>, %r0, 0, %r1, {%h0, %h1}, %r2, {%h2, %h3};"},
		{"9.1", "sm_120f",
			"m16n8k128.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue8m0 <F4>, <R4>, <R4>, <F4>, %r0, 0, %r1, {%h0, %h1}, %r2, {%h2, %h3};"},
		{"8.7", "sm_120f",
			"m16n8k64.row.col.kind::mxf8f6f4.block_scale.scale_vec::1X.f32.e3m2.e5m2.f32.ue8m0 <F4>, <R4>, <R4>, <F4>, %r0, 0, %r1, {0, %h1}, %r2, {0, 1};"},
	} {
		g.line = "mma.sp::ordered_metadata.sync.aligned." + g.line
		holdGates(t, g, before)
	}
}

// TestWrongMatrices: what wmma and mma.sp do not take, and what is said would be right.
func TestWrongMatrices(t *testing.T) {
	for _, test := range []struct{ line, want string }{
		{"wmma.load.a.sync.row.m16n16k16.f16 <R8>, [%q0];", "'wmma' without '.aligned' is gone since PTX 6.3 for sm_70 and later / write wmma.load.sync.aligned"},
		{"wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32.satfinite <F8>, <R8>, <R8>, <F8>;", "'wmma' of floating-point numbers with '.satfinite' is gone since PTX 6.5 for sm_70 and later / write it without .satfinite"},
		{"wmma.load.a.sync.aligned.row.m16n16k16.f16 <R4>, [%q0];", "has 4 elements, and wmma takes 8 here"},
		{"wmma.load.a.sync.aligned.row.m8n32k16.s8 <R4>, [%q0];", "has 4 elements, and wmma takes 1 here"},
		{"wmma.load.a.sync.aligned.row.m16n16k16.f16 <F8>, [%q0], %q1;", "'%q1' is a .b64 register; wmma.load.a.sync.aligned.row.m16n16k16.f16 takes a register for .u32 here"},
		{"wmma.load.a.sync.aligned.col.m8n8k32.s4 <R1>, [%q0];", "'.col' cannot stand together with '.m8n8k32'"},
		{"wmma.load.a.sync.aligned.row.m16n8k16.f16 <R8>, [%q0];", "wmma takes no '.m16n8k16' here / it takes one of .m16n16k16 .m8n32k16 .m32n8k16"},
		{"wmma.load.c.sync.aligned.row.m16n16k16.bf16 <R8>, [%q0];", "wmma takes no '.bf16' here / it takes one of .f16 .f32 .s32"},
		{"wmma.load.a.sync.aligned.row.m16n16k16.param.f16 <R8>, [%q0];", "wmma takes no modifier '.param'"},
		{"wmma.load.a.sync.aligned.m16n16k16.f16 <R8>, [%q0];", "wmma needs one of .row .col"},
		{"wmma.store.d.sync.aligned.row.m16n16k16.f32 <F8>, [%q0];", "wmma.store.d.sync.aligned.row.m16n16k16.f32 takes an address here, in brackets"},
		{"wmma.mma.sync.aligned.row.col.m16n16k16.s32.s8.u8.s32 <R8>, <R2>, <R2>, <R8>;", "wmma takes no '.u8' here / it takes .s8"},
		{"wmma.mma.sync.aligned.row.col.m16n16k8.f32.f32 <F8>, <R8>, <R8>, <F8>;", "wmma takes no '.m16n16k8' here"},
		{"wmma.mma.sync.aligned.row.col.m8n8k128.s32.b1.b1.s32 <R2>, <R1>, <R1>, <R2>;", "wmma needs .xor"},
		{"wmma.mma.sync.aligned.row.col.m16n16k16.rn.f32.f32 <F8>, <R8>, <R8>, <F8>;", "wmma takes no modifier '.rn'"},
		{"wmma.fma.sync.aligned.row.col.m16n16k16.f32.f32 <F8>, <R8>, <R8>, <F8>;", "there is no modifier '.fma'"},
		{"mma.sp.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 <R2>, <R2>, <R2>, <R2>, %r0, %r1;",
			"'%r1' is a register; mma.sp.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 takes a constant here"},
		{"mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f16 <F4>, <R2>, <R2>, <R2>, %r0, 1;", "mma takes no '.f16' here / it takes .f32"},
		{"mma.sp.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 <R2>, <R2>, <R2>, <R2>;", "mma takes 6 operands, but 4 are given"},
		{"mma.sp.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 <R4>, <R4>, <R2>, <R4>, %r0, 0;", "has 4 elements, and mma takes 2 here"},
		{"mma.sp.sync.aligned.m16n8k32.col.row.s32.s8.s8.s32 <R4>, <R2>, <R2>, <R4>, %r0, 0;", "mma takes no '.col' here / it takes .row"},
	} {
		holdMessage(t, "sm_100a", fragments(test.line), test.want)
	}
}

// TestProductsWithRoundingModes: the manual's examples of mma of f64 have a rounding mode behind the types, which its syntax lines lack.
func TestProductsWithRoundingModes(t *testing.T) {
	for _, g := range []gatedLine{
		{"7.0", "sm_80", "m8n8k4.row.col.f64.f64.f64.f64.rz <D2>, <D1>, <D1>, <D2>;"}, {"7.0", "sm_80",
			"m8n8k4.row.col.rp.f64.f64.f64.f64 <D2>, <D1>, <D1>, <D2>;"},
		{"7.8", "sm_90", "m16n8k4.row.col.f64.f64.f64.f64.rn <D4>, <D2>, <D1>, <D4>;"}, {"7.8", "sm_90",
			"m16n8k8.row.col.f64.f64.f64.f64.rm <D4>, <D4>, <D2>, <D4>;"},
		{"7.8", "sm_90", "m16n8k16.row.col.f64.f64.f64.f64 <D4>, <D8>, <D4>, <D4>;"},
		{"9.1", "sm_120f",
			"m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue8m0 <F4>, <R4>, <R2>, <F4>, %r0, {%h0, 1}, %r1, {0, %h1};"},
	} {
		g.line = "mma.sync.aligned." + g.line
		holdGates(t, g, map[string]string{"7.0": "6.5", "7.8": "7.7", "9.1": "9.0", "sm_80": "sm_75", "sm_90": "sm_89", "sm_120f": "sm_120"})
	}
}
