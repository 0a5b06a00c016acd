package check_test

import (
	"testing"

	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/read/syntax"
)

// TestUndeclaredInEachInstruction checks that every instruction with an undeclared register is
// reported, not only the first: each of them is rejected by ptxas.
func TestUndeclaredInEachInstruction(t *testing.T) {
	src := source.New("k.ptx", `.version 7.8
.target sm_80
.address_size 64
.entry k() {
	.reg .b32 %r<5>;
	vadd.u32.u32.u32 %r4, %nope, %nope;
	vadd.u32.u32.u32 %r4, %r1, %nope;
	add.u32 %nope, %r1, %r2;
	ret;
}
`)
	tree, findings := syntax.Parse(src)
	_, more := check.Check(tree)
	var lines []int
	for _, d := range append(findings, more...) {
		lines = append(lines, src.Position(d.Span.Start).Line)
	}
	if want := []int{6, 7, 8}; len(lines) != 3 || lines[0] != want[0] || lines[1] != want[1] || lines[2] != want[2] {
		t.Errorf("findings on lines %v, want %v", lines, want)
	}
}
