package superblock_test

import (
	"flag"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/vop-ptx/vop/run/simt/listing"
	"github.com/vop-ptx/vop/run/simt/simttest"
	"github.com/vop-ptx/vop/run/simt/superblock"
)

var update = flag.Bool("update", false, "write what kernels become to testdata")

// head begins kernels: where a thread is, in %x and %y, a parameter of it in %w, and a buffer in %in.
const head = `.version 7.8
.target sm_80
.address_size 64
.visible .entry k(.param .u64 in, .param .u64 w, .param .u64 out) {
.reg .pred %p, %q; .reg .b32 %x, %y, %c, %n, %w, %left, %i, %a, %b, %s; .reg .b64 %in, %out, %at, %by;
mov.u32 %c, %ctaid.x; mov.u32 %n, %ntid.x; mov.u32 %x, %tid.x; mad.lo.s32 %x, %c, %n, %x;
mov.u32 %c, %ctaid.y; mov.u32 %n, %ntid.y; mov.u32 %y, %tid.y; mad.lo.s32 %y, %c, %n, %y;
ld.param.u32 %w, [w];
`

// tail ends kernels: %s is stored for each thread.
const tail = `
ld.param.u64 %out, [out]; mul.wide.s32 %at, %x, 4; add.s64 %at, %out, %at; st.global.u32 [%at], %s;
END: ret; }
`

// neighbour loads the word before, or takes the word itself at the border.
const neighbour = `ld.param.u64 %in, [in]; mul.wide.s32 %by, %x, 4; add.s64 %at, %in, %by; ld.global.u32 %a, [%at];
add.s32 %left, %x, -1; setp.gt.s32 %p, %x, 0; @%p bra IN; mov.u32 %b, %a; bra.uni BOTH;
IN: cvt.u64.u32 %by, %left; shl.b64 %by, %by, 2; add.s64 %at, %in, %by; ld.global.u32 %b, [%at];
BOTH: add.u32 %s, %a, %b;
`

var formed = map[string]string{
	"neighbour": head + neighbour + tail,
	"guarded":   head + "setp.ge.s32 %p, %x, %w; @%p bra END;\n" + neighbour + tail,
	"twice": head + neighbour + `setp.lt.s32 %q, %x, 1; add.u32 %a, %x, 1; setp.lt.s32 %p, %a, %w;
@!%p bra LAST; add.u32 %s, %s, 7; @%q bra LAST; shl.b32 %s, %s, 1;
LAST:
` + tail,
	"both": head + `mov.u32 %s, 0; setp.lt.u32 %p, %x, %w; setp.lt.s32 %q, %y, 5; or.pred %q, %q, %p; and.pred %p, %p, %q; @%p bra IN; mov.u32 %s, 3;
IN: add.u32 %s, %s, %x;
` + tail,
	// What is extended by zeros may be below 0 where the answer holds: one less than what is asked for, or unsigned.
	"below":    head + strings.Replace(neighbour, "%x, -1", "%x, -2", 1) + tail,
	"unsigned": head + strings.Replace(neighbour, "gt.s32", "gt.u32", 1) + tail,
	"behind-a-loop": head + `mov.u32 %i, 0; mov.u32 %s, 0;
TURN: add.u32 %s, %s, %i; add.u32 %i, %i, 1; setp.lt.u32 %p, %i, 10; @%p bra TURN;
` + neighbour + tail,
}

// TestForm compares what kernels become with testdata. What they become is right, and can be printed and read again.
func TestForm(t *testing.T) {
	for name, text := range formed {
		t.Run(name, func(t *testing.T) {
			f := simttest.Build(t, text)
			if !superblock.Form(f) {
				t.Fatal("there is no superblock")
			}
			simttest.Golden(t, f, name, *update)
		})
	}
}

// TestFormNone has kernels whose questions have no usual answers, or for which a copy is worth nothing.
func TestFormNone(t *testing.T) {
	asked := func(question string) string {
		return head + "mov.u32 %s, 0; " + question + " @%p bra IN; mov.u32 %s, 3;\nIN: add.u32 %s, %s, %x;\n" + tail
	}
	for name, text := range map[string]string{
		"no question":           head + "mov.u32 %s, 0;" + tail,
		"none meet":             head + "setp.ge.s32 %p, %x, %w; @%p bra END; mov.u32 %s, 0;" + tail,
		"of a word":             asked("ld.param.u64 %in, [in]; ld.global.u32 %a, [%in]; setp.lt.s32 %p, %a, 1;"),
		"of a parameter":        asked("setp.lt.s32 %p, %w, 1;"),
		"in the block":          asked("mov.u32 %a, %tid.x; setp.lt.s32 %p, %a, 1;"),
		"equality":              asked("setp.eq.s32 %p, %x, 1;"),
		"of two places":         asked("setp.lt.s32 %p, %x, %y;"),
		"of 64 bits":            asked("cvt.s64.s32 %at, %x; setp.lt.s64 %p, %at, 1;"),
		"not linear":            asked("xor.b32 %a, %x, 5; setp.lt.s32 %p, %a, 1;"),
		"against a loaded word": asked("ld.param.u64 %in, [in]; ld.global.u32 %a, [%in]; setp.lt.s32 %p, %x, %a;"),
		"then a loop": head + "mov.u32 %s, 0; setp.lt.s32 %p, %x, 1; @%p bra IN; mov.u32 %s, 3;\nIN: mov.u32 %i, 0;\n" +
			"TURN: add.u32 %s, %s, %i; add.u32 %i, %i, 1; setp.lt.u32 %p, %i, 10; @%p bra TURN;" + tail,
		"then a barrier": head + "mov.u32 %s, 0; setp.lt.s32 %p, %x, 1; @%p bra IN; mov.u32 %s, 3;\nIN: bar.sync 0;" + tail,
	} {
		t.Run(name, func(t *testing.T) {
			f := simttest.Build(t, text)
			before := listing.String(f)
			if superblock.Form(f) {
				t.Errorf("there is a superblock:\n%v", listing.String(f))
			} else if listing.String(f) != before {
				t.Errorf("the function has changed:\n%v", cmp.Diff(before, listing.String(f)))
			}
		})
	}
}

// TestFormIsBounded has a kernel that is too long to be copied.
func TestFormIsBounded(t *testing.T) {
	if superblock.Form(simttest.Build(t, head+neighbour+strings.Repeat("add.u32 %s, %s, %x; xor.b32 %s, %s, %y;\n", 600)+tail)) {
		t.Error("there is a superblock")
	}
}
