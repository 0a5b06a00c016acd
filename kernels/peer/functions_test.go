package peer

import (
	"fmt"
	"strings"
	"testing"

	"github.com/vop-ptx/vop"
)

// functions are the instructions that pocl/functions.cl has functions for, in its order.
var functions = []string{
	"vadd4.s32.s32.s32.sat %r4, %r1, %r2, %r3", "vsub4.s32.s32.s32.sat %r4, %r1, %r2, %r3", "vmax4.s32.s32.s32 %r4, %r1, %r2, %r3",
	"vmin4.u32.u32.u32 %r4, %r1, %r2, %r3", "vmax4.u32.u32.u32 %r4, %r1, %r2, %r3", "vset4.u32.u32.eq %r4, %r1, %r2, %r3",
	"vabsdiff4.u32.u32.u32.add %r4, %r1, %r2, %r3", "vabsdiff.u32.u32.u32.add %r4, %r1, %r2, %r3",
	"min.s32 %r4, %r1, %r2", "max.s32 %r4, %r1, %r2", "and.b32 %r4, %r3, 0x7777; prmt.b32 %r4, %r1, %r2, %r4",
}

// functionsText is a kernel of these instructions that does what pocl/functions.cl does.
func functionsText() string {
	var t strings.Builder
	t.WriteString(`.version 7.0
.target sm_80
.address_size 64
.visible .entry functions(.param .u64 in, .param .u32 n, .param .u64 out)
{
	.reg .b32 %r<5>;
	.reg .b64 %rd<5>;
	ld.param.u64 %rd1, [in];
	ld.param.u64 %rd2, [out];
	ld.param.u32 %r1, [n];
	mul.wide.u32 %rd3, %r1, 4;
	mov.u32 %r1, %ctaid.x;
	mov.u32 %r2, %ntid.x;
	mov.u32 %r3, %tid.x;
	mad.lo.u32 %r1, %r1, %r2, %r3;
	mul.wide.u32 %rd4, %r1, 4;
	add.u64 %rd1, %rd1, %rd4;
	add.u64 %rd2, %rd2, %rd4;
	ld.global.u32 %r1, [%rd1];
	add.u64 %rd1, %rd1, %rd3;
	ld.global.u32 %r2, [%rd1];
	add.u64 %rd1, %rd1, %rd3;
	ld.global.u32 %r3, [%rd1];
`)
	for _, instruction := range functions {
		fmt.Fprintf(&t, "\t%s;\n\tst.global.u32 [%%rd2], %%r4;\n\tadd.u64 %%rd2, %%rd2, %%rd3;\n", instruction)
	}
	t.WriteString("\tret;\n}\n")
	return t.String()
}

// TestVideoFunctions holds the functions of pocl/video.h, in both ways, against the instructions that they stand for, on words at the ends of
// their ranges, which the cases do not have, and on random ones. OpenCL's own functions were written by others than vop's machine.
func TestVideoFunctions(t *testing.T) {
	const n = 1 << 16
	rng := random()
	in := make([]uint32, 0, 3*n)
	for range 3 * n {
		word := uint32(0)
		for range 4 {
			word = word<<8 | []uint32{0, 1, 0x7f, 0x80, 0x81, 0xff, rng.Uint32N(256), rng.Uint32N(256)}[rng.IntN(8)]
		}
		in = append(in, word)
	}
	module, err := vop.Load("functions.ptx", functionsText())
	if err != nil {
		t.Fatal(err)
	}
	kernel, err := module.Kernel("functions")
	if err != nil {
		t.Fatal(err)
	}
	d := &device{module: module}
	out := d.upload(make([]uint32, len(functions)*n))
	l := &Launch{kernel, launch{
		grid: vop.Grid{X: n / 64}, block: vop.Block{X: 64}, args: []any{d.upload(in), n, out}, results: []*vop.Buffer{out},
	}}
	if d.err != nil {
		t.Fatal(d.err)
	}
	if err := l.Run(0); err != nil {
		t.Fatal(err)
	}
	got := l.Result()
	for _, way := range []Way{Pocl, PoclBuiltIns} {
		t.Run(way.String(), func(t *testing.T) {
			p := start(t, &Case{Name: "functions", Kernel: "functions"}, l, way, 0)
			want, err := p.Result(way)
			if err != nil {
				t.Fatal(err)
			}
			for k, instruction := range functions {
				for i := range n {
					if g, w := got[k*n+i], want[k*n+i]; g != w {
						t.Errorf("%s of %#x, %#x, %#x is %#x, pocl's function gives %#x", instruction, in[i], in[n+i], in[2*n+i], g, w)
						break
					}
				}
			}
		})
	}
}
