package check_test

import (
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// products are the intrinsics of LLVM 16 that multiply matrices, as definitions of functions in its language, each with as many
// elements of each matrix as LLVM says that a thread has.
func products() (definitions []string) {
	kinds := map[string]string{"f16": "<2 x half>", "f32": "float", "f64": "double"}
	kind := func(t string) string {
		if k := kinds[t]; k != "" {
			return k
		}
		return "i32"
	}
	add := func(name string, a string, na int, b string, nb int, c string, nc int, d string, nd int) {
		var types, arguments []string
		for _, part := range []struct {
			typ   string
			count int
		}{{a, na}, {b, nb}, {c, nc}} {
			for range part.count {
				types = append(types, kind(part.typ))
				arguments = append(arguments, fmt.Sprintf("%s %%a%d", kind(part.typ), len(arguments)))
			}
		}
		result := "{" + strings.Repeat(kind(d)+", ", nd-1) + kind(d) + "}"
		list := strings.Join(arguments, ", ")
		definitions = append(definitions, fmt.Sprintf("declare %[1]s @llvm.nvvm.mma%[2]s(%[3]s)\ndefine %[1]s @f%[4]d(%[5]s) {\n %%r = call %[1]s @llvm.nvvm.mma%[2]s(%[5]s)\n ret %[1]s %%r\n}\n",
			result, name, strings.Join(types, ", "), len(definitions), list))
	}
	halves := func(shape, layout string, na, nb, f16, f32 int, pairs ...string) {
		count := map[string]int{"f16": f16, "f32": f32}
		for _, pair := range pairs { // of the result and of what is added
			d, c := pair[:3], pair[4:]
			add("."+shape+layout+pair, "f16", na, "f16", nb, c, count[c], d, count[d])
		}
	}
	halves("m8n8k4", ".row.col.", 2, 2, 4, 8, "f16.f16", "f32.f16", "f32.f32")
	halves("m8n8k4", ".col.row.", 2, 2, 4, 8, "f32.f32")
	halves("m16n8k8", ".row.col.", 2, 1, 2, 4, "f16.f16", "f32.f32")
	halves("m16n8k16", ".row.col.", 4, 2, 2, 4, "f16.f16", "f16.f32", "f32.f16", "f32.f32")
	for _, s := range []struct {
		shape, typ string
		a, b       int
	}{{"m16n8k4", "tf32", 2, 1}, {"m16n8k8", "tf32", 4, 2}, {"m16n8k8", "bf16", 2, 1}, {"m16n8k16", "bf16", 4, 2}} {
		add("."+s.shape+".row.col."+s.typ, s.typ, s.a, s.typ, s.b, "f32", 4, "f32", 4)
	}
	add(".m8n8k4.row.col.f64", "f64", 1, "f64", 1, "f64", 2, "f64", 2)
	sizes := [][3]int{{1, 1, 2}, {2, 1, 4}, {4, 2, 4}} // of a, b and c, in the order of the shapes
	for bits, shapes := range map[string][]string{"8": {"m8n8k16", "m16n8k16", "m16n8k32"}, "4": {"m8n8k32", "m16n8k32", "m16n8k64"}} {
		for i, shape := range shapes {
			for _, types := range []string{"s.s", "s.u", "u.s", "u.u"} {
				for _, limit := range []string{"", ".satfinite"} {
					a, b := types[:1]+bits, types[2:]+bits
					name := a
					if a != b {
						name += "." + b
					}
					add("."+shape+".row.col"+limit+"."+name, a, sizes[i][0], b, sizes[i][1], "s32", sizes[i][2], "s32", sizes[i][2])
				}
			}
		}
	}
	for i, shape := range []string{"m8n8k128", "m16n8k128", "m16n8k256"} {
		for _, operation := range []string{".xor", ".and"} {
			add(operation+".popc."+shape+".row.col.b1", "b1", sizes[i][0], "b1", sizes[i][1], "s32", sizes[i][2], "s32", sizes[i][2])
		}
	}
	return definitions
}

// fragmentsOfLLVM are LLVM 16's intrinsics that load, multiply and store fragments, as definitions of functions in its language.
func fragmentsOfLLVM() (definitions []string) {
	element := func(t string) string {
		if kind := map[string]string{"f16": "<2 x half>", "f32": "float", "f64": "double"}[t]; kind != "" {
			return kind
		}
		return "i32"
	}
	define := func(name, result string, arguments ...string) {
		var named []string
		for i, a := range arguments {
			named = append(named, fmt.Sprintf("%s %%a%d", a, i))
		}
		call, end := "%r = call", "ret "+result+" %r"
		if result == "void" {
			call, end = "call", "ret void"
		}
		definitions = append(definitions, fmt.Sprintf("declare %[1]s @llvm.nvvm.wmma.%[2]s(%[3]s)\ndefine %[1]s @w%[4]d(%[5]s) {\n %[6]s %[1]s @llvm.nvvm.wmma.%[2]s(%[5]s)\n %[7]s\n}\n",
			result, name, strings.Join(arguments, ", "), len(definitions), strings.Join(named, ", "), call, end))
	}
	of := func(typ string, n int) string {
		if n == 1 {
			return element(typ)
		}
		return "{" + strings.Repeat(element(typ)+", ", n-1) + element(typ) + "}"
	}
	list := func(typ string, n int) (all []string) {
		for range n {
			all = append(all, element(typ))
		}
		return all
	}
	layouts := func(typ, part string) []string {
		switch {
		case part == "c" || part == "d" || !slices.Contains([]string{"u4", "s4", "b1"}, typ):
			return []string{"row", "col"}
		case part == "a":
			return []string{"row"}
		}
		return []string{"col"}
	}
	spaces := []struct{ name, pointer string }{{"p0i8", "i8*"}, {"p1i8", "i8 addrspace(1)*"}, {"p3i8", "i8 addrspace(3)*"}}
	for _, s := range []struct {
		shape, typ string
		a, b       int
		of         map[string]int // registers of an accumulator, by its type
	}{
		{"m16n16k16", "f16", 8, 8, map[string]int{"f16": 4, "f32": 8}}, {"m8n32k16", "f16", 8, 8, map[string]int{"f16": 4, "f32": 8}}, {"m32n8k16",
			"f16", 8, 8, map[string]int{"f16": 4, "f32": 8}},
		{"m16n16k16", "bf16", 4, 4, map[string]int{"f32": 8}}, {"m8n32k16", "bf16", 2, 8, map[string]int{"f32": 8}}, {"m32n8k16",
			"bf16", 8, 2, map[string]int{"f32": 8}},
		{"m16n16k16", "s8", 2, 2, map[string]int{"s32": 8}}, {"m8n32k16", "s8", 1, 4, map[string]int{"s32": 8}}, {"m32n8k16",
			"s8", 4, 1, map[string]int{"s32": 8}},
		{"m16n16k16", "u8", 2, 2, map[string]int{"s32": 8}}, {"m8n32k16", "u8", 1, 4, map[string]int{"s32": 8}}, {"m32n8k16",
			"u8", 4, 1, map[string]int{"s32": 8}},
		{"m16n16k8", "tf32", 4, 4, map[string]int{"f32": 8}}, {"m8n8k4", "f64", 1, 1, map[string]int{"f64": 2}},
		{"m8n8k32", "s4", 1, 1, map[string]int{"s32": 2}}, {"m8n8k32", "u4", 1, 1, map[string]int{"s32": 2}}, {"m8n8k128",
			"b1", 1, 1, map[string]int{"s32": 2}},
	} {
		for i, space := range spaces {
			for part, n := range map[string]int{"a": s.a, "b": s.b} {
				for _, layout := range layouts(s.typ, part) {
					define(s.shape+".load."+part+"."+layout+".stride."+s.typ+"."+space.name, of(s.typ, n), space.pointer, "i32")
					define(s.shape+".load."+part+"."+layout+"."+s.typ+"."+space.name, of(s.typ, n), space.pointer)
				}
			}
			for typ, n := range s.of {
				if s.typ == "bf16" || s.typ == "u8" || s.typ == "u4" {
					continue // the accumulators of another line
				}
				for _, layout := range layouts(s.typ, "c") {
					define(s.shape+".load.c."+layout+".stride."+typ+"."+space.name, of(typ, n), space.pointer, "i32")
					define(s.shape+".store.d."+layout+"."+typ+"."+space.name, "void", append([]string{space.pointer}, list(typ, n)...)...)
				}
			}
			if i > 0 {
				continue
			}
			for d, nd := range s.of {
				for c, nc := range s.of {
					for _, x := range layouts(s.typ, "a") {
						for _, y := range layouts(s.typ, "b") {
							arguments := append(append(list(s.typ, s.a), list(s.typ, s.b)...), list(c, nc)...)
							names := []string{s.shape + ".mma." + x + "." + y + "." + s.typ}
							switch s.typ {
							case "f16":
								names = []string{s.shape + ".mma." + x + "." + y + "." + d + "." + c}
							case "f64":
								names = append(names, s.shape+".mma."+x+"."+y+".rz.f64")
							case "b1":
								names = []string{s.shape + ".mma.xor.popc.row.col.b1", s.shape + ".mma.and.popc.row.col.b1"}
							case "s8", "u8", "s4", "u4":
								names = append(names, names[0]+".satfinite")
							}
							for _, name := range names {
								define(name, of(d, nd), arguments...)
							}
						}
					}
				}
			}
		}
	}
	return definitions
}

// TestFragmentsOfLLVM: what LLVM writes for its intrinsics of wmma is right.
func TestFragmentsOfLLVM(t *testing.T) {
	all := fragmentsOfLLVM()
	text := compileLLVM(t, all)
	if n := strings.Count(text, "\twmma."); n != len(all) {
		t.Errorf("%d instructions of %d", n, len(all))
	}
	if found := checkModule(text); found.HasErrors() {
		t.Error(messages(found))
	}
}

// TestMatrixProductsOfLLVM: what LLVM writes for each of its products of matrices is right, so that the table has the shapes, types and
// numbers of elements that LLVM has.
func TestMatrixProductsOfLLVM(t *testing.T) {
	all := products()
	text := compileLLVM(t, all)
	if n := strings.Count(text, "\tmma.sync"); n != len(all) {
		t.Errorf("%d products of %d", n, len(all))
	}
	if found := checkModule(text); found.HasErrors() {
		t.Error(messages(found))
	}
}

// compileLLVM returns the PTX that LLVM makes of definitions in its language.
func compileLLVM(t *testing.T, definitions []string) string {
	t.Helper()
	clang, err := exec.LookPath("clang-16")
	if err != nil {
		t.Skip("clang-16 is not installed")
	}
	cmd := exec.Command(clang, "-S", "-x", "ir", "--target=nvptx64-nvidia-cuda", "-Xclang", "-target-cpu", "-Xclang", "sm_80", "-Xclang", "-target-feature", "-Xclang", "+ptx71", "-o", "-", "-")
	cmd.Stdin = strings.NewReader("target triple = \"nvptx64-nvidia-cuda\"\n" + strings.Join(definitions, ""))
	var complaints strings.Builder
	cmd.Stderr = &complaints
	text, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, complaints.String())
	}
	return string(text)
}
