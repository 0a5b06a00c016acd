package build_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/internal/cputime"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/listing"
	"github.com/vop-ptx/vop/run/simt/simttest"
)

// nestText is loops in each other, each with a counter that is alive through those inside.
func nestText(depth int) string {
	var s strings.Builder
	fmt.Fprintf(&s, "%s.visible .entry k(.param .u64 in)\n{\n.reg .b32 %%r<%d>;\n.reg .pred %%p;\n.reg .b64 %%d;\nld.param.u64 %%d, [in];\n", simttest.Header, depth)
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
	fmt.Fprintf(&s, "%s.visible .entry k(.param .u64 in)\n{\n.reg .b32 %%r<%d>;\n.reg .pred %%p;\n.reg .b64 %%d;\nld.param.u64 %%d, [in];\n", simttest.Header, registers)
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
		p := simttest.MustLoad(t, strings.TrimPrefix(test.text, simttest.Header))
		f := p.Functions[0]
		if insts := len(f.Decl.Body); len(f.Values) > 2*insts {
			t.Errorf("%s: %d instructions make %d values", test.name, insts, len(f.Values))
		}
		if _, err := checkAndPrint(p); err != nil {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}

// TestLargeSwitch finds the copies on the edges of a branch by an index that has 50,000 of them to one block.
// The time for all of them once grew with the square of their number.
func TestLargeSwitch(t *testing.T) {
	cputime.Linear(t, 50_000, func(edges int) { largeSwitch(t, edges) })
}

func largeSwitch(t *testing.T, edges int) {
	text := ".visible .entry k(.param .u64 in)\n{\n.reg .b32 %r<3>;\n.reg .pred %p;\n.reg .b64 %d;\nld.param.u64 %d, [in];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, 5;\nsetp.eq.u32 %p, %r1, 7;\n" +
		"@%p bra x;\nadd.u32 %r2, %r1, 9;\nt: .branchtargets x" + strings.Repeat(", x", edges-1) + ";\nbrx.idx %r1, t;\nx:\nst.global.u32 [%d], %r2;\nret;\n}\n"
	f := simttest.MustLoad(t, text).Functions[0]
	moves := 0
	for b := range f.Blocks {
		for n := range f.Blocks[b].End.To {
			moves += len(f.Moves(simt.BlockID(b), n))
		}
	}
	if moves != edges+1 {
		t.Errorf("%d copies, want %d", moves, edges+1)
	}
	if err := listing.Check(f); err != nil {
		t.Error(err)
	}
	if got := listing.String(f); !strings.Contains(got, "phi b0 5, b1 %") {
		t.Errorf("there is no phi:\n%.300s", got)
	}
}
