package forms

import (
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/vop-ptx/vop/run/level"
	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// A threadCase is code that each thread executes on eight words of its own, at %in, and that leaves eight
// at %out; want is a dull function that says which.
type threadCase struct {
	name   string
	module string // before the kernel
	code   string
	want   func(tid uint32, in [8]uint32) [8]uint32
}

// threadKernel is the text of a case.
func (c threadCase) text(header string) string {
	return header + c.module + `
.visible .entry test(.param .u64 inputs, .param .u64 outputs) {
	.reg .pred %p<5>; .reg .b16 %h<9>; .reg .b32 %r<9>; .reg .b64 %q<9>; .reg .f32 %f<9>; .reg .b32 %id; .reg .b64 %in, %out;
	mov.u32 %id, %tid.x; ld.param.u64 %in, [inputs]; ld.param.u64 %out, [outputs];
	mad.wide.u32 %in, %id, 32, %in; mad.wide.u32 %out, %id, 32, %out;
` + c.code + `
	ret;
}
`
}

// holdThreads runs cases on every level, plain and watched, with a block whose last warp is not full.
func holdThreads(t *testing.T, header string, cases []threadCase) {
	t.Helper()
	const threads = 77
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			in := make([]byte, 32*threads)
			for i := range threads * 8 {
				binary.LittleEndian.PutUint32(in[4*i:], uint32(i)*0x9e3779b9+0x1234567)
			}
			k := vmtest.Trial{Text: c.text(header), Kernel: "test", Grid: vm.Grid{Block: vm.Dim{X: threads}}, Args: []any{in, make([]byte, 32*threads)}}
			m, err := k.Checked()
			if err != nil {
				t.Fatal(err)
			}
			var all []vmtest.Way
			for _, l := range level.Levels() {
				all = append(all, vmtest.Way{Level: l, Workers: 1})
			}
			for _, w := range append(all, vmtest.Way{Level: level.Best(), Workers: 1, Check: true}) {
				e, err := k.Run(m, w)
				if err == nil {
					err = c.differs(threads, in, e.Buffers[1])
				}
				if err != nil {
					t.Errorf("%v: %v", w, err)
				}
			}
		})
	}
}

// differs returns an error if a thread's words are not what they must be.
func (c threadCase) differs(threads int, in, out []byte) error {
	for tid := range threads {
		var from [8]uint32
		for i := range from {
			from[i] = binary.LittleEndian.Uint32(in[32*tid+4*i:])
		}
		want := c.want(uint32(tid), from)
		for i := range want {
			if got := binary.LittleEndian.Uint32(out[32*tid+4*i:]); got != want[i] {
				return fmt.Errorf("thread %d, word %d: %#x, want %#x (of %#x)", tid, i, got, want[i], from)
			}
		}
	}
	return nil
}
