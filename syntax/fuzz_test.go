package syntax

import (
	"testing"

	"github.com/vop-ptx/vop/source"
)

func FuzzParse(f *testing.F) {
	f.Add(".version 7.8\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p)\n.maxntid 256, 1, 1\n{\n.reg .b32 %r<5>;\nL: @!%p1 bra L;\n@ ! %r160 bra $L393;\n{ // x\n call (r), f, (a, b), proto; }\n}")
	f.Add(".global .align 4 .u32 t[2][2] = {{1, -2}, {generic(a)+4, 0xff(b)}};\n.section .debug_info { .b8 0 }\n.loc 1 2 3, function_name $x, inlined_at 1 2 3")
	f.Add("vset4.s32.s32.ne%r9, %r8.b0000, -%r1, (1+2)*3, 1?2:3, p|q, a[3], [tex, {x, y}], _, 0f3f800000, 1.5e3;")
	f.Fuzz(func(t *testing.T, text string) {
		Parse(source.New("f.ptx", text))
		ParseAsm(source.New("f.ptx", text))
		ParseInstruction(source.New("f.ptx", text))
	})
}
