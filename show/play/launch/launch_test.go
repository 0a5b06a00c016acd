package launch

import (
	"testing"

	"github.com/vop-ptx/vop/run/vm"
)

// spinning is a kernel that takes a while: each block counts to a number.
const spinning = `.version 7.8
.target sm_80
.address_size 64
.visible .entry spin(.param .u64 p, .param .u32 n)
{
	.reg .pred %p<2>;
	.reg .b32 %r<4>;
	.reg .b64 %rd<2>;
	ld.param.u64 %rd1, [p];
	ld.param.u32 %r1, [n];
	mov.u32 %r2, 0;
again:
	add.u32 %r2, %r2, 1;
	st.global.u32 [%rd1], %r2;
	setp.lt.u32 %p1, %r2, %r1;
	@%p1 bra again;
	ret;
}
`

// A long launch tells now and then how far it is: never back, never beyond the end.
func TestEnded(t *testing.T) {
	const blocks = 400
	told, last := 0, int64(0)
	job := &Job{
		Text: spinning, Kernel: "spin", Grid: vm.Dim{X: blocks / 2, Y: 2}, Args: []Arg{{Buffer: make([]byte, 4)}, {Number: 100_000}},
		Ended: func(ended, of int64) {
			if of != blocks || ended < last || ended > of {
				t.Errorf("%d of %d after %d", ended, of, last)
			}
			told, last = told+1, ended
		},
	}
	for range 5 { // with more to do, where the machine is fast
		told, last = 0, 0
		if _, _, err := Run(t.Context(), job); err != nil {
			t.Fatal(err)
		}
		if told > 1 && last > 0 {
			return
		}
		job.Args[1].Number *= 4
	}
	t.Errorf("told %d times, at last %d of %d", told, last, blocks)
}

// Errors in the text, and in the arguments, are told.
func TestErrors(t *testing.T) {
	for name, job := range map[string]*Job{
		"no text":   {},
		"no PTX":    {Text: "int main() {}", Kernel: "k"},
		"no kernel": {Text: spinning, Kernel: "k"},
		"arguments": {Text: spinning, Kernel: "spin"},
		"grid":      {Text: spinning, Kernel: "spin", Grid: vm.Dim{X: -1}, Args: []Arg{{Buffer: make([]byte, 4)}, {Number: 1}}, Ended: func(int64, int64) {}},
	} {
		if _, _, err := Run(t.Context(), job); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
