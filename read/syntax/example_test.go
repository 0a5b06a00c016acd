package syntax_test

import (
	"fmt"

	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/read/syntax"
)

func ExampleFormat() {
	text, errs := syntax.Format(source.New("a.ptx", ".entry k(.param .u64 p){vadd4.sat.s32.s32.s32%r1,%r2,%r3,%r4;/* done */ret;}"))
	fmt.Print(text, errs)
	// Output:
	// .entry k(
	// 	.param .u64 p
	// )
	// {
	// 	vadd4.s32.s32.s32.sat   %r1, %r2, %r3, %r4; /* done */
	// 	ret;
	// }
	// []
}

func ExampleParser() {
	lines := source.New("forms.tsv", "vmin.s32.s32.s32.max d, a, b, c\t7\nvset4.u32.u32.lt d, a, b, c\t9\n")
	var p syntax.Parser
	for _, at := range []source.Span{{Start: 0, End: 31}, {Start: 34, End: 61}} {
		i, errs := p.Instruction(lines, at)
		fmt.Println(i.Name.Text, len(i.Modifiers), errs)
	}
	// Output:
	// vmin 4 []
	// vset4 3 []
}

func ExampleAll() {
	f, _ := syntax.Parse(source.New("a.ptx", ".entry k { { vadd4.u32.u32.u32 d, a, b, c; } ret; }"))
	for s := range syntax.All(f.Stmts) {
		if i, ok := s.(*syntax.Instruction); ok {
			fmt.Println(i.Name.Text, len(i.Operands))
		}
	}
	// Output:
	// vadd4 4
	// ret 0
}
