package check_test

import (
	"fmt"
	"os/exec"
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

// TestMatrixProductsOfLLVM: what LLVM writes for each of its products of matrices is right, so that the table has the shapes, types and
// numbers of elements that LLVM has.
func TestMatrixProductsOfLLVM(t *testing.T) {
	clang, err := exec.LookPath("clang-16")
	if err != nil {
		t.Skip("clang-16 is not installed")
	}
	all := products()
	cmd := exec.Command(clang, "-S", "-x", "ir", "--target=nvptx64-nvidia-cuda", "-Xclang", "-target-cpu", "-Xclang", "sm_80", "-Xclang", "-target-feature", "-Xclang", "+ptx71", "-o", "-", "-")
	cmd.Stdin = strings.NewReader("target triple = \"nvptx64-nvidia-cuda\"\n" + strings.Join(all, ""))
	var complaints strings.Builder
	cmd.Stderr = &complaints
	text, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, complaints.String())
	}
	if n := strings.Count(string(text), "\tmma.sync"); n != len(all) {
		t.Errorf("%d products of %d", n, len(all))
	}
	if found := checkModule(string(text)); found.HasErrors() {
		t.Error(messages(found))
	}
}
