package row_test

import (
	"flag"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/vop-ptx/vop/run/simt/listing"
	"github.com/vop-ptx/vop/run/simt/row"
	"github.com/vop-ptx/vop/run/simt/simttest"
	"github.com/vop-ptx/vop/run/simt/superblock"
)

var update = flag.Bool("update", false, "write what kernels become to testdata")

// head begins kernels: where a thread is, in %x and %y, and a buffer in %in.
const head = `.version 7.8
.target sm_80
.address_size 64
.visible .entry k(.param .u64 in, .param .u32 pitch, .param .u64 out) {
.reg .pred %p; .reg .b32 %x, %y, %c, %n, %a, %b, %s, %pitch, %left; .reg .b64 %in, %out, %at, %line;
mov.u32 %c, %ctaid.x; mov.u32 %n, %ntid.x; mov.u32 %x, %tid.x; mad.lo.s32 %x, %c, %n, %x;
mov.u32 %c, %ctaid.y; mov.u32 %n, %ntid.y; mov.u32 %y, %tid.y; mad.lo.s32 %y, %c, %n, %y;
ld.param.u64 %in, [in]; ld.param.u32 %pitch, [pitch]; ld.param.u64 %out, [out]; mov.u32 %s, 0;
`

// line computes where the line of a picture is that a thread reads.
const line = "mul.lo.u32 %a, %y, %pitch; mul.wide.u32 %line, %a, 4; add.s64 %line, %in, %line;\n"

const tail = "mul.wide.s32 %at, %x, 4; add.s64 %at, %line, %at; ld.global.u32 %a, [%at]; add.u32 %s, %s, %a; st.global.u32 [%out], %s;\nret; }\n"

// neighbour loads the word before, or takes the word itself at the border.
const neighbour = `mul.wide.s32 %at, %x, 4; add.s64 %at, %in, %at; ld.global.u32 %a, [%at];
add.s32 %left, %x, -1; setp.gt.s32 %p, %x, 0; @%p bra IN; mov.u32 %b, %a; bra.uni BOTH;
IN: ld.global.u32 %b, [%at+-4];
BOTH: add.u32 %s, %a, %b; add.u32 %c, %y, 1; mul.lo.u32 %s, %s, %c;
`

// TestForm compares what kernels become with testdata. What they become is right, and can be printed and read again.
func TestForm(t *testing.T) {
	for name, text := range map[string]string{
		"line":       head + line + tail,
		"superblock": head + neighbour + line + tail,
	} {
		t.Run(name, func(t *testing.T) {
			f := simttest.Build(t, text)
			superblock.Form(f)
			if !row.Form(f) {
				t.Fatal("nothing is the same in a row")
			}
			simttest.Golden(t, f, name, *update)
		})
	}
}

// TestFormNone has kernels in which nothing is the same for a row, or whose warps do not go through rows: they stay as they are.
func TestFormNone(t *testing.T) {
	for name, text := range map[string]string{
		"of x":             head + "mul.wide.u32 %line, %x, 8; add.s64 %line, %in, %line;\n" + tail,
		"only parameters":  head + "mov.u64 %line, %in;\n" + tail,
		"of a loaded word": head + "ld.global.u32 %a, [%in]; mul.wide.u32 %line, %a, 4; add.s64 %line, %in, %line;\n" + tail,
		"of the lane":      head + "mov.u32 %a, %laneid; mul.wide.u32 %line, %a, 4; add.s64 %line, %in, %line;\n" + tail,
		"with a barrier":   head + line + "bar.sync 0;\n" + tail,
		"with an order":    head + line + "atom.global.add.u32 %a, [%in], 1;\n" + tail,
		"a loop from the beginning on": `.version 7.8
.target sm_80
.address_size 64
.visible .entry k(.param .u64 out) {
.reg .pred %p; .reg .b32 %a; .reg .b64 %out;
AGAIN: mov.u32 %a, %ctaid.y; add.u32 %a, %a, 1; ld.param.u64 %out, [out]; ld.global.u32 %a, [%out]; setp.eq.u32 %p, %a, 1; @%p bra AGAIN;
ret; }
`,
	} {
		t.Run(name, func(t *testing.T) {
			f := simttest.Build(t, text)
			before := listing.String(f)
			if row.Form(f) || listing.String(f) != before {
				t.Errorf("the function has changed:\n%v", cmp.Diff(before, listing.String(f)))
			}
		})
	}
}
