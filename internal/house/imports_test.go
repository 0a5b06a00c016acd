package house

import (
	"os/exec"
	"path"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/vop-ptx/vop"

// mayImport is docs/architecture.md's table: for each room, the rooms of ours
// it may import outside its tests. Folders below a room belong to it, unless they have
// a line of their own ("syntax/inline"). Rooms are libraries: they need nothing but
// Go and golang.org/x/sys.
var mayImport = map[string][]string{
	"isa":           {},
	"source":        {},
	"diag":          {"source"},
	"diag/sarif":    {"source", "diag"},
	"internal/slab": {},
	"syntax":        {"isa", "source", "diag", "internal/slab"},
	"syntax/inline": {"source", "diag", "syntax"},
	"check":         {"isa", "source", "diag", "syntax", "syntax/inline", "internal/slab"},
	"sem":           {"isa"},
	"readings":      {"isa", "source", "diag", "check", "sem"},
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

// TestImports holds the import rules over what the packages really import.
func TestImports(t *testing.T) {
	for folder, imports := range packages(t) {
		room, bound := roomOf(folder)
		if !bound && !slices.ContainsFunc(anyImport, func(above string) bool { return within(folder, above) }) {
			t.Errorf("package %s has no line in the table of imports: give it one, here and in docs/architecture.md", folder)
			continue
		}
		for _, imported := range imports {
			target, ours := strings.CutPrefix(imported, module)
			target = strings.TrimPrefix(target, "/")
			switch {
			case ours && bound && !within(target, room) && !slices.Contains(mayImport[room], target):
				t.Errorf("%s imports %s; it may import only %v", folder, target, mayImport[room])
			case !ours && strings.Contains(imported, ".") && (bound || folder == "") && !strings.HasPrefix(imported, "golang.org/x/sys/"):
				t.Errorf("%s imports %s; it may need nothing but the standard library and golang.org/x/sys", folder, imported)
			}
		}
	}
}

// roomOf returns the room that a package belongs to: the one of its folder, or of
// the nearest folder above that has a line.
func roomOf(folder string) (room string, ok bool) {
	for ; folder != "."; folder = path.Dir(folder) {
		if _, ok := mayImport[folder]; ok {
			return folder, true
		}
	}
	return "", false
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
