package house

import (
	"os/exec"
	"path"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/vop-ptx/vop"

// mayImport is docs/architecture.md's table: for each package, the packages of ours
// it may import outside its tests. The floors stand in it from below: a line names only
// lines above it, which TestFloors holds. Folders below a package belong to it, unless they
// have a line of their own ("read/diag/sarif"). All of these are libraries: they need nothing
// but Go, golang.org/x/sys and what thirdParty lists.
var mayImport = []struct {
	folder  string
	imports []string
}{
	{"isa", nil},
	{"inst", []string{"isa"}},
	{"internal/slab", nil},
	{"internal/cputime", nil},
	{"internal/sorting", nil},
	{"internal/junit", nil},
	{"internal/gpu", nil},
	{"internal/race", nil},
	{"internal/long", nil},

	{"sem", []string{"isa"}},

	{"read/source", nil},
	{"read/diag", []string{"read/source", "internal/sorting"}},
	{"read/diag/sarif", []string{"read/source", "read/diag"}},
	{"read/syntax", []string{"isa", "read/source", "read/diag", "internal/slab"}},
	{"read/inline", []string{"read/source", "read/diag", "read/syntax", "internal/sorting"}},
	{"read/check/constant", []string{"read/syntax"}},
	{"read/check", []string{"isa", "inst", "read/source", "read/diag", "read/syntax", "read/inline", "read/check/constant", "internal/slab"}},
	{"read/link", []string{"read/diag", "read/syntax", "read/check"}},
	{"read/readings", []string{"isa", "sem", "read/source", "read/diag", "read/check"}},

	{"rewrite/word", nil},
	{"rewrite/lower/builder", []string{"rewrite/word"}},
	{"rewrite/lower/packed", []string{"rewrite/word", "rewrite/lower/builder"}},
	{"rewrite/lower/stage", []string{"isa", "rewrite/word", "rewrite/lower/builder", "rewrite/lower/packed"}},
	{"rewrite/lower/scalar", []string{"isa", "rewrite/word", "rewrite/lower/builder", "rewrite/lower/packed", "rewrite/lower/stage"}},
	{"rewrite/lower/found", []string{"isa", "rewrite/word"}},
	{"rewrite/lower/simd", []string{"isa", "rewrite/word", "rewrite/lower/builder", "rewrite/lower/packed", "rewrite/lower/stage", "rewrite/lower/found"}},
	{"rewrite/lower/substitute", []string{"rewrite/word", "rewrite/lower/builder"}},
	{"rewrite/lower", []string{"isa", "rewrite/word", "rewrite/lower/builder", "rewrite/lower/scalar", "rewrite/lower/simd", "rewrite/lower/substitute"}},
	{"rewrite/prove/drat", nil},
	{"rewrite/prove/term", nil},
	{"rewrite/prove/circuit", []string{"rewrite/prove/term"}},
	{"rewrite/prove/normal", []string{"rewrite/word"}},
	{"rewrite/prove", []string{"isa", "sem", "rewrite/word", "rewrite/lower", "rewrite/prove/term", "rewrite/prove/circuit", "rewrite/prove/normal", "rewrite/prove/drat"}},
	{"rewrite/search", []string{"isa", "sem", "rewrite/word"}},
	{"rewrite/translate/ptx", []string{"isa", "read/source", "read/syntax", "rewrite/word"}},
	{"rewrite/translate/code", []string{"rewrite/word", "rewrite/lower", "rewrite/translate/ptx"}},
	{"rewrite/translate/readback", []string{"rewrite/word", "rewrite/translate/ptx"}},
	{"rewrite/translate", []string{"isa", "read/source", "read/diag", "read/syntax", "read/inline", "read/check", "rewrite/word", "rewrite/lower", "internal/sorting"}},
	{"rewrite/translate/proof", []string{"rewrite/word", "rewrite/prove", "rewrite/translate/code", "rewrite/translate/readback"}},

	{"run/simt/op", []string{"rewrite/word"}},
	{"run/simt", []string{"read/check", "read/diag", "run/simt/op"}},
	{"run/simt/build/ssa", []string{"rewrite/word", "run/simt", "run/simt/op"}},
	{"run/simt/build/form", []string{"read/check", "run/simt"}},
	{"run/simt/build/builder", []string{"read/check", "read/diag", "read/syntax", "run/simt", "run/simt/op", "run/simt/build/ssa", "run/simt/build/form"}},
	{"run/simt/build/compute", []string{"read/check", "read/diag", "run/simt", "run/simt/build/form", "run/simt/build/builder"}},
	{"run/simt/build/memory", []string{"read/check", "read/diag", "run/simt", "run/simt/build/form", "run/simt/build/builder"}},
	{"run/simt/build/matrix", []string{"read/check", "read/diag", "run/simt", "run/simt/build/form", "run/simt/build/builder"}},
	{"run/simt/build", []string{
		"isa", "read/check", "read/diag", "read/syntax", "rewrite/word", "rewrite/lower", "run/simt",
		"run/simt/build/ssa", "run/simt/build/form", "run/simt/build/builder", "run/simt/build/compute", "run/simt/build/memory", "run/simt/build/matrix",
	}},
	{"run/simt/listing", []string{"isa", "read/check", "run/simt", "run/simt/op", "run/simt/build"}},
	{"run/simt/affine", []string{"run/simt", "run/simt/op"}},
	{"run/simt/address", []string{"read/check", "run/simt", "run/simt/affine"}},
	{"run/simt/row", []string{"run/simt"}},
	{"run/simt/superblock", []string{"run/simt", "run/simt/op"}},
	{"run/simt/simttest", []string{
		"isa", "read/source", "read/diag", "read/syntax", "read/check", "rewrite/word", "run/simt", "run/simt/build", "run/simt/listing",
	}},
	{"run/simt/logic", []string{"run/simt", "run/simt/op"}},
	{"run/native/listing", nil},
	{"run/native/frame", []string{"run/simt", "run/native/listing"}},
	{"run/native/amd64/encode", nil},
	{"run/native/amd64/encode/mnemonic", []string{"run/native/amd64/encode"}},
	{"run/native/amd64", []string{"run/native/listing", "run/native/amd64/encode"}},
	{"run/native/amd64/machine", []string{"run/native/listing", "run/native/amd64", "run/native/amd64/encode", "run/native/amd64/encode/mnemonic", "internal/sorting"}},
	{"run/native/amd64/vector/emit", []string{"run/simt/logic", "run/native/amd64", "run/native/amd64/encode", "run/native/amd64/machine"}},
	{"run/native/amd64/vector", []string{
		"run/simt", "run/simt/op", "run/simt/logic", "run/native/amd64", "run/native/amd64/encode", "run/native/amd64/machine", "run/native/amd64/vector/emit",
	}},
	{"run/native/amd64/array", []string{
		"run/simt", "run/native/amd64", "run/native/amd64/encode", "run/native/amd64/machine", "run/native/amd64/vector", "run/native/amd64/vector/emit",
	}},
	{"run/native/amd64/warp", []string{
		"run/simt", "run/native/listing", "run/native/frame", "run/native/amd64", "run/native/amd64/encode", "run/native/amd64/machine", "run/native/amd64/vector",
	}},
	{"run/native/amd64/scalar", []string{
		"run/simt", "run/simt/op", "run/simt/affine", "run/native/amd64", "run/native/amd64/encode", "run/native/amd64/machine", "run/native/amd64/warp",
	}},
	{"run/native/amd64/atomic", []string{"run/native/frame", "run/native/amd64/encode", "run/native/amd64/machine", "run/native/amd64/warp"}},
	{"run/native/amd64/kernel/definition", []string{"read/check", "run/simt", "run/simt/address"}},
	{"run/native/amd64/kernel", []string{
		"read/check", "run/simt", "run/simt/affine", "run/simt/address", "run/native/frame", "run/native/amd64", "run/native/amd64/encode", "run/native/amd64/machine",
		"run/native/amd64/vector", "run/native/amd64/vector/emit", "run/native/amd64/warp", "run/native/amd64/scalar", "run/native/amd64/atomic",
		"run/native/amd64/kernel/definition",
	}},
	{"run/native/arm64/encode", nil},
	{"run/native/arm64", []string{"run/native/listing"}},
	{"run/native/arm64/machine", []string{"run/native/listing", "run/native/arm64", "run/native/arm64/encode"}},
	{"run/native/arm64/vector", []string{"run/simt", "run/simt/op", "run/native/arm64", "run/native/arm64/encode", "run/native/arm64/machine"}},
	{"run/native/arm64/array", []string{"run/simt", "run/native/arm64", "run/native/arm64/encode", "run/native/arm64/machine", "run/native/arm64/vector"}},
	{"run/native/arm64/kernel", []string{
		"read/check", "run/simt", "run/simt/op", "run/simt/affine", "run/native/frame", "run/native/arm64", "run/native/arm64/encode", "run/native/arm64/machine",
		"run/native/arm64/vector",
	}},
	{"run/native", []string{
		"read/check", "rewrite/word", "internal/race", "run/simt", "run/simt/op", "run/native/amd64", "run/native/amd64/array", "run/native/amd64/kernel",
		"run/native/arm64", "run/native/arm64/array", "run/native/arm64/kernel", "run/native/frame",
	}},
	{"run/portable/atomics", []string{"run/simt", "run/simt/op"}},
	{"run/portable", []string{"read/check", "read/diag", "rewrite/word", "run/simt", "run/simt/op", "run/portable/atomics", "internal/sorting", "internal/race"}},
	{"run/level", []string{"rewrite/word", "run/simt/build", "run/portable", "run/native"}},
	{"run/vm/counters", []string{"read/check", "run/simt", "run/portable"}},
	{"run/vm/sanitize", []string{"read/check", "run/simt", "run/simt/op", "run/portable"}},
	{"run/vm/internal/override", []string{"run/native"}},
	{"run/vm", []string{
		"isa", "read/source", "read/diag", "read/syntax", "read/check", "rewrite/word",
		"run/simt", "run/simt/op", "run/simt/build", "run/simt/listing", "run/simt/row", "run/simt/superblock", "run/portable", "run/native", "run/level", "run/vm/counters", "run/vm/sanitize", "run/vm/internal/override", "internal/sorting",
	}},
	{"internal/model/matrix", nil},
	{"run/vm/vmtest", []string{"isa", "read/source", "read/diag", "read/syntax", "read/check", "run/native", "run/level", "run/vm", "run/vm/internal/override", "internal/long", "internal/gpu", "internal/model/matrix"}},

	{"show/explain", []string{"isa", "sem"}},
	{"show/lsp", []string{
		"isa", "inst", "sem", "read/source", "read/diag", "read/syntax", "read/inline", "read/check", "read/readings",
		"rewrite/lower", "rewrite/translate", "show/explain", "internal/sorting",
	}},
	{"show/play/service", []string{
		"isa", "sem", "read/source", "read/diag", "read/syntax", "read/inline", "read/check", "read/readings", "rewrite/translate", "show/explain",
	}},
	{"show/play/launch", []string{"read/source", "read/diag", "read/syntax", "read/check", "run/vm"}},
	{"show/play/wasm", []string{"show/explain", "show/play/service", "show/play/launch", "run/vm"}},
	{"show/play", nil},

	{"conform", []string{"isa", "sem", "internal/sorting", "internal/junit"}},
}

// thirdParty are the libraries that a package may need besides.
var thirdParty = map[string]string{
	"show/lsp/rpc": "github.com/sourcegraph/jsonrpc2",
}

// anyImport are the packages that stand above all others.
var anyImport = []string{"", "ptxtest", "cmd/vop", "internal", "editors", "examples", "kernels", "script"}

// TestFloors demands that the table names packages from below: no line imports one that
// stands after it.
func TestFloors(t *testing.T) {
	below := map[string]bool{}
	for _, line := range mayImport {
		for _, imported := range line.imports {
			if !below[imported] {
				t.Errorf("%s may import %s, which does not stand below it", line.folder, imported)
			}
		}
		below[line.folder] = true
	}
}

// TestImports holds the import rules over what the packages really import.
func TestImports(t *testing.T) {
	for folder, imports := range packages(t) {
		owner, allowed, bound := rulesOf(folder)
		if !bound && !slices.ContainsFunc(anyImport, func(above string) bool { return within(folder, above) }) {
			t.Errorf("package %s has no line in the table of imports: give it one, here and in docs/architecture.md", folder)
			continue
		}
		for _, imported := range imports {
			target, ours := strings.CutPrefix(imported, module)
			target = strings.TrimPrefix(target, "/")
			switch {
			case ours && bound && !within(target, owner) && !slices.Contains(allowed, target):
				t.Errorf("%s imports %s; it may import only %v", folder, target, allowed)
			case !ours && strings.Contains(imported, ".") && (bound || folder == "") && !strings.HasPrefix(imported, "golang.org/x/sys/") && imported != thirdParty[folder]:
				t.Errorf("%s imports %s; it may need nothing but the standard library and golang.org/x/sys", folder, imported)
			}
		}
	}
}

// rulesOf returns the line that a package belongs to: the one of its folder, or of
// the nearest folder above that has one.
func rulesOf(folder string) (owner string, allowed []string, ok bool) {
	for ; folder != "."; folder = path.Dir(folder) {
		for _, line := range mayImport {
			if line.folder == folder {
				return folder, line.imports, true
			}
		}
	}
	return "", nil, false
}

// within reports whether a package lies in a folder; "" is the root package alone.
func within(path, folder string) bool {
	return path == folder || folder != "" && strings.HasPrefix(path, folder+"/")
}

// packages returns the imports of every package of the module, by its path
// below the module's.
func packages(t *testing.T) map[string][]string {
	t.Helper()
	cmd := exec.Command("go", "list", "-f", `{{.ImportPath}}{{range .Imports}} {{.}}{{end}}`, "./...")
	cmd.Dir = "../.."
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	all := map[string][]string{}
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line)
		all[strings.TrimPrefix(strings.TrimPrefix(words[0], module), "/")] = words[1:]
	}
	return all
}
