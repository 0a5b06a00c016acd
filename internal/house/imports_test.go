package house

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/vop-ptx/vop"

// mayImport is docs/architecture.md's table: for each room, the rooms of ours
// it may import outside its tests. A room in a folder of another ("diag/sarif")
// has its own line where its rules differ.
var mayImport = map[string][]string{
	"isa":           {},
	"source":        {},
	"diag":          {"source"},
	"diag/sarif":    {"source", "diag"},
	"syntax":        {"isa", "source", "diag"},
	"syntax/inline": {"source", "diag", "syntax"},
	"check":         {"isa", "source", "diag", "syntax", "syntax/inline", "sem"},
	"sem":           {"isa"},
	"explain":       {"isa", "sem"},
	"lower":         {"isa"},
	"engine":        {"lower"},
	"vm":            {"isa", "source", "diag", "syntax", "check", "lower", "engine"},
	"translate":     {"isa", "source", "diag", "syntax", "syntax/inline", "check", "lower"},
	"prove":         {"isa", "lower", "sem"},
	"conform":       {"isa", "sem"},
}

// anyImport are the rooms that stand above all others.
var anyImport = []string{"", "cmd/vop", "internal", "examples", "kernels", "script"}

// onlyStandard are the rooms whose packages need nothing but Go and, for engine
// and vm, golang.org/x/sys: libraries that others build on.
var onlyStandard = []string{"isa", "source", "diag", "syntax", "syntax/inline", "check", "sem", "explain", "lower", "engine", "vm", "translate", "prove", "conform", ""}

// TestImports holds the import rules over what the packages really import.
func TestImports(t *testing.T) {
	for room, imports := range packages(t) {
		allowed, bound := mayImport[room]
		if !bound && !slices.ContainsFunc(anyImport, func(above string) bool { return within(room, above) }) {
			t.Errorf("package %s has no line in the table of imports: give it one, here and in docs/architecture.md", room)
			continue
		}
		for _, path := range imports {
			target, ours := strings.CutPrefix(path, module)
			target = strings.TrimPrefix(target, "/")
			switch {
			case ours && bound && !slices.Contains(allowed, target):
				t.Errorf("%s imports %s; it may import only %v", room, target, allowed)
			case !ours && strings.Contains(path, ".") && slices.Contains(onlyStandard, room) && !strings.HasPrefix(path, "golang.org/x/sys/"):
				t.Errorf("%s imports %s; it may need nothing but the standard library and golang.org/x/sys", room, path)
			}
		}
	}
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
