package check_test

import (
	"slices"
	"strings"
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

// What a module declares behind its uses is told with the line of the declaration, at each use; no other name is suggested. gcc's compiler
// writes so, and its assembler puts declarations first: ptxas does not take them behind their uses.
func TestDeclaredTooLate(t *testing.T) {
	const module = `.version 7.8
.target sm_80
.address_size 64
.visible .func f() {
	.reg .b64 %q;
	cvta.global.u64 %q, later;
	ld.global.u64 %q, [later];
	call g, ();
	ret;
}
.visible .entry k() {
	.reg .b64 %q;
	mov.u64 %q, later;
	mov.u64 %q, latex;
	ret;
}
.extern .global .align 4 .u32 later[4];
.extern .func g;
.global .u32 latest;
`
	const note = "it is declared only on line 17; a name is declared before it is used"
	for text, want := range map[string][]string{
		module:                         {"later: " + note, "later: " + note, "g: it is declared only on line 18; a name is declared before it is used", "later: " + note, "latex: "},
		"// BEGIN PREAMBLE\n" + module: nil,
	} {
		found := checkModule(text)
		var got []string
		for _, d := range found {
			got = append(got, d.File.Text[d.Span.Start:d.Span.End]+": "+strings.Join(d.Notes, "; "))
			if d.Suggest != "" {
				t.Errorf("%s: %s is suggested", d.Message, d.Suggest)
			}
		}
		if want != nil && !slices.Equal(got, want) {
			t.Errorf("%q, want\n%q", got, want)
		}
		if want == nil && (len(got) != 5 || !strings.HasSuffix(got[0], "only on line 18; a name is declared before it is used: gcc's assembler, nvptx-none-as, puts declarations first")) {
			t.Errorf("of gcc: %q", got)
		}
	}
}

// TestVariablesByNumber: %P<2> declares %P0 and %P1 in any state space (PTX ISA 5.4.6), and no arrays.
func TestVariablesByNumber(t *testing.T) {
	for lines, want := range map[string]string{
		".local .align 8 .b64 l<2>; st.local.u64 [l0], %q; st.local.u64 [l1+0], %q;": "",
		".shared .u32 s<3>, one; st.shared.u32 [s2], %r; st.shared.u32 [one], %r;":   "",
		".local .b64 l<2>; st.local.u64 [l2], %q;":                                   "'l2' is not declared",
		".local .b64 l<0>; st.local.u64 [l], %q;":                                    "'l' is not declared",
		".local .b64 l<2>; st.local.u64 [l], %q;":                                    "'l' is not declared",
		".local .b64 l<2>, l1;":                                                      "'l1' is declared twice in this scope",
		".local .b64 l<2>[4];":                                                       "'l' is several variables",
		".shared .b8 s<65000>, t<536>, u<1>;":                                        "the number of variables is not a number from 0 to 0",
		".shared .b8 s<65537>;":                                                      "the number of variables is not a number from 0 to 65536",
	} {
		found := checkModule(".version 7.8\n.target sm_80\n.address_size 64\n.visible .entry k() { .reg .b64 %q; .reg .b32 %r;\n" + lines + "\nret; }")
		got := ""
		if len(found) > 0 {
			got = found[0].Message
		}
		if got != want || len(found) > 1 {
			t.Errorf("%s: %q, want %q", lines, messages(found), want)
		}
	}
	if found := checkModule(".version 7.8\n.target sm_80\n.address_size 64\n.global .u32 g<2>;\n.visible .func f(.param .b32 p<2>) { ret; }"); len(found) != 1 || found[0].Message != "the parameter 'p' is several variables" {
		t.Errorf("%q", messages(found))
	}
}
