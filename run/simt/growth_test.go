package simt_test

import (
	"fmt"
	"strings"
	"testing"
)

// nestText is loops in each other, each with a counter that is alive through those inside.
func nestText(depth int) string {
	var s strings.Builder
	fmt.Fprintf(&s, "%s.visible .entry k(.param .u64 in)\n{\n.reg .b32 %%r<%d>;\n.reg .pred %%p;\n.reg .b64 %%d;\nld.param.u64 %%d, [in];\n", header, depth)
	for i := range depth {
		fmt.Fprintf(&s, "mov.u32 %%r%d, 0;\nl%d:\n", i, i)
	}
	for i := depth - 1; i >= 0; i-- {
		fmt.Fprintf(&s, "add.u32 %%r%d, %%r%d, 1;\nst.global.u32 [%%d], %%r%d;\nsetp.lt.u32 %%p, %%r%d, 9;\n@%%p bra l%d;\n", i, i, i, i, i)
	}
	s.WriteString("ret;\n}\n")
	return s.String()
}

// diamondText is branches one after the other, through which registers are alive that none writes.
func diamondText(branches, registers int) string {
	var s strings.Builder
	fmt.Fprintf(&s, "%s.visible .entry k(.param .u64 in)\n{\n.reg .b32 %%r<%d>;\n.reg .pred %%p;\n.reg .b64 %%d;\nld.param.u64 %%d, [in];\n", header, registers)
	for i := range registers {
		fmt.Fprintf(&s, "ld.global.u32 %%r%d, [%%d+%d];\n", i, 4*i)
	}
	for i := range branches {
		fmt.Fprintf(&s, "setp.lt.u32 %%p, %%r%d, 3;\n@%%p bra a%d;\nst.global.u32 [%%d], 5;\na%d:\n", i%registers, i, i)
	}
	for i := range registers {
		fmt.Fprintf(&s, "st.global.u32 [%%d+%d], %%r%d;\n", 4*i, i)
	}
	s.WriteString("ret;\n}\n")
	return s.String()
}

// TestFewPhisAreMade counts all values that building has made, those included that are gone again: as many as
// instructions, not as many as registers times blocks. 200 loops in each other once took minutes.
func TestFewPhisAreMade(t *testing.T) {
	for _, test := range []struct {
		name, text string
	}{
		{"loops", nestText(200)},
		{"branches", diamondText(200, 200)},
	} {
		p := mustLoad(t, strings.TrimPrefix(test.text, header))
		f := p.functions[0]
		if insts := len(f.Decl.Body); len(f.Values) > 2*insts {
			t.Errorf("%s: %d instructions make %d values", test.name, insts, len(f.Values))
		}
		if _, err := p.checkAndPrint(); err != nil {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}
