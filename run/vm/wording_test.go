package vm_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// What reports count is in the singular where it is one, and a place right at the end of a buffer is
// not 0 bytes beyond it.
func TestReportsCountWell(t *testing.T) {
	for _, c := range []struct{ code, want string }{
		{"st.global.u8 [%rd1+256], %r1;", "st.global.u8 of 1 byte out of bounds at 0x10000100, block (0, 0, 0) thread (0, 0, 0): right behind the end of out (256 bytes at 0x10000000)"},
		{"st.global.u8 [%rd1+257], %r1;", ": 1 byte beyond the end of out (256 bytes at"},
		{"st.global.u8 [%rd1+258], %r1;", ": 2 bytes beyond the end of out (256 bytes at"},
		{"st.global.u8 [%rd1+-1], %r1;", ": 1 byte before out (256 bytes at"},
		{"st.global.u16 [%rd1+255], %r1;", ": the last byte is beyond the end of out (256 bytes at"},
		{"st.global.u32 [%rd1+254], %r1;", ": the last 2 bytes are beyond the end of out (256 bytes at"},
		{"setp.eq.u32 %p0, %r1, 5; @%p0 bra B; bar.sync 0; bra E; B: bar.sync 1; E:", "thread (5, 0, 0) waits at barrier 1"},
	} {
		m := vmtest.Load(t, vmtest.PerThread(c.code))
		out, err := m.Memory().Alloc("out", 256)
		if err != nil {
			t.Fatal(err)
		}
		err = vmtest.Kernel(t, m, "test").Launch(context.Background(), vm.Grid{Block: vm.Dim{X: 32}}, out)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s:\ngot %v\nwant %s", c.code, err, c.want)
		}
	}
}

func TestLoopOfOneLine(t *testing.T) {
	for code, want := range map[string]string{
		"L: bra L;":                        "stopped in the loop of line 9, block",
		"L: add.u32 %r1, %r1, 1;\n bra L;": "stopped in the loop of lines 9 to 10, block",
	} {
		m := vmtest.Load(t, vmtest.PerThread(code))
		out, _ := m.Memory().Alloc("out", 256)
		var err error
		// A machine that has much to do may not have come to the loop by the first time.
		for limit := 20 * time.Millisecond; limit < time.Minute && (err == nil || !strings.Contains(err.Error(), want)); limit *= 10 {
			ctx, cancel := context.WithTimeout(t.Context(), limit)
			err = vmtest.Kernel(t, m, "test").Launch(ctx, vm.Grid{}, out)
			cancel()
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", code, err, want)
		}
	}
}
