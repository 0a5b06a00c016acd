package inline

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/vop-ptx/vop/internal/long"
	"github.com/vop-ptx/vop/read/source"
)

// TestHostile: sources that ask for a lot of work end soon. Each was slow once, growing
// faster than its length.
func TestHostile(t *testing.T) {
	n := long.Of(20_000, 1500)
	many := func(form string, n int) string {
		var s strings.Builder
		for i := range n {
			s.WriteString(strings.NewReplacer("@+", fmt.Sprint(i+1), "@", fmt.Sprint(i)).Replace(form))
		}
		return s.String()
	}
	for name, text := range map[string]string{
		"asm that does not end":             strings.Repeat("asm(", n) + strings.Repeat("asm(\"a.x;\" x ", n),
		"arguments that do not end":         "#define F(x) asm(x)\n" + strings.Repeat("F((", n),
		"conditions in one another":         "#define F(x) asm(x)\n" + many("#if A@\n#define X@ \"a\"\n", n) + "F(X1 X99 \"ret;\")",
		"many branches":                     "#if A\n" + many("#elif A@\n#define X \"a@\"\n", n) + "#endif\nasm(X)",
		"many branches in a statement":      "asm(\"a\"\n#if A\n" + many("#elif A@\n \"a@\"\n", n) + "#endif\n)",
		"many definitions with many uses":   many("#ifdef A@\n#define X \"a@\"\n#endif\n", 40) + many("asm(X);", n),
		"a long chain with many uses":       "#define A0 asm(\"ret;\")\n" + many("#define A@+ A@\n", n) + strings.Repeat(fmt.Sprintf("A%d;", n), 1000),
		"calls in a long chain":             "#define F(x) x\n#define A0(x) asm(x)\n" + many("#define A@+(x) F(A@(x))\n", n) + fmt.Sprintf("A%d(\"ret;\")", n),
		"statements without an end":         strings.Repeat("#if A\nasm(\"ret;\"\n#else\n#endif\n", n) + "\n);",
		"options in one another":            "#define F(x, ...) asm(" + strings.Repeat("__VA_OPT__(", n/4) + strings.Repeat(")", n/4) + ")\n" + strings.Repeat("F(1,2);", 100),
		"a large argument":                  "#define F(x) asm(\"\" #x)\nF(" + strings.Repeat("a b", n) + ")",
		"many statements that are too much": "#define A0 \"x\"\n" + many("#define A@+ A@ A@\n", 24) + strings.Repeat("asm(A24 ::);\n", n),
		"too much in many branches":         "#define A0 \"x\"\n" + many("#define A@+ A@ A@\n", 24) + strings.Repeat("asm(\n"+many("#if C@\n\"a\"\n#endif\n", 10)+"A24 ::);\n", n/10),
		"too much that does not end":        "#define A0 \"x\"\n" + many("#define A@+ A@ A@\n", 24) + strings.Repeat("asm(A24 ::\n", n),
		"many notes":                        strings.Repeat("asm(X \"a\" : \"=r\"(x)); Y(\"a\" : \"=r\"(x));\n", n/4),
	} {
		start := time.Now()
		_, list := Find(source.New("x.cu", text))
		list.Sort()
		if d := time.Since(start); d > 30*time.Second {
			t.Errorf("%s: %d bytes took %v", name, len(text), d)
		} else {
			t.Logf("%s: %d bytes, %.2fs, %d messages", name, len(text), d.Seconds(), len(list))
		}
	}
}
