package translate

import (
	"strings"
	"testing"

	"github.com/vop-ptx/vop/read/source"
)

const portedC = "unsigned f(unsigned a)\n{\n    asm(\"vadd4.u32.u32.u32 %0, %0, %0, %0;\" : \"+r\"(a));\n    return a;\n}\n"

func ported(t *testing.T, text string) string {
	t.Helper()
	p, findings, err := Port(source.New("a.c", text), "video.h")
	if err != nil || findings.HasErrors() || p.Calls() != 1 {
		t.Fatal(err, findings, p)
	}
	return p.Text
}

// The header is included behind a byte order mark, which is none elsewhere than at the start, with the file's line ends.
func TestPortKeepsMarkAndLineEnds(t *testing.T) {
	want := "#include \"video.h\"\n" + strings.Replace(portedC, `asm("vadd4.u32.u32.u32 %0, %0, %0, %0;" : "+r"(a))`, "a = vadd4_u32_u32_u32(a, a, a)", 1)
	crlf := func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }
	const mark = "\ufeff"
	for name, test := range map[string][2]string{
		"plain": {portedC, want}, "CRLF": {crlf(portedC), crlf(want)}, "BOM": {mark + portedC, mark + want}, "both": {mark + crlf(portedC), mark + crlf(want)},
		"ported before": {"#include \"video.h\"\n" + portedC, want},
	} {
		if got := ported(t, test[0]); got != test[1] {
			t.Errorf("%s: %q, want %q", name, got, test[1])
		}
	}
}
