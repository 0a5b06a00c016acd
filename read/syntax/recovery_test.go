package syntax

import (
	"slices"
	"testing"

	"github.com/vop-ptx/vop/read/source"
)

func isBad(s Stmt) bool {
	_, bad := s.(*Bad)
	return bad
}

// TestMistakesLeaveNothing: a statement behind one that is cut off anywhere is read as if it stood
// alone. Once a declaration without a name behind its comma left the size of its first name to the next.
func TestMistakesLeaveNothing(t *testing.T) {
	statements := []string{
		".reg .b32 %r<9>, a, %f<3>;", ".global .align 8 .u32 x[2][3] = {{1, 2, x+4}, {3}}, y = 1;", ".const .attribute(.unified(19, 95)) .b64 c;",
		"@!p vset2.u32.s32.eq.add a.h10, -b.h32, c.h11, d;", "ld.global.v4.u32 {a, b, _, d}, [x+4*2];", "setp.lt.and.f32 p|q, a, 0f3F800000, !r;",
		"call (a, b), f, (c, {d, e}), proto;", "tex.2d.v4.f32.f32 {a, b, c, d}, [t, {e, f}];", "mov.b64 {a, b}, c;", "L:",
		".loc 1 2 3, function_name n, inlined_at 1 2 3", ".branchtargets L, M<5>;", ".pragma \"x\", \"y\";", ".version 7.8", ".target sm_80, debug",
		".file 1 \"a.cu\", 2, 3", ".section .debug { .b8 1, 2 }", ".func (.reg .u32 a) f (.param .b32 b[3]);", ".entry k (.param .u64 p) .maxntid 1, 2, 3 { ret; }",
	}
	read := 0
	for _, cut := range statements {
		for at := 1; at <= len(cut); at++ {
			mistake := cut[:at] + ";\n"
			for _, next := range statements {
				alone, _ := Parse(source.New("", next))
				both, _ := Parse(source.New("", mistake+next))
				i := 0
				for i < len(both.Stmts) && int(both.Stmts[i].Span().Start) < len(mistake) {
					i++
				}
				both.Stmts = both.Stmts[i:]
				if len(both.Stmts) != len(alone.Stmts) || slices.ContainsFunc(both.Stmts, isBad) {
					continue // what is not closed takes more with it
				}
				read++
				if diff := treeDiff(alone, both); diff != "" {
					t.Fatalf("%q behind %q is read otherwise:\n%s", next, mistake, diff)
				}
			}
		}
	}
	if t.Logf("%d statements", read); read < 8000 {
		t.Error("few statements are read behind mistakes")
	}
}
