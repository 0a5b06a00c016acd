package accesses

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/run/level"
	"github.com/vop-ptx/vop/run/native"
	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// TestNothingIsStreamedBeforeFence: stores past the caches may be seen later than those behind a fence. So a kernel that
// has one, or a store that releases, makes none.
func TestNothingIsStreamedBeforeFence(t *testing.T) {
	defer vmtest.WithMachineCode(native.Options{Stream: 1})()
	for _, l := range vmtest.MachineLevels(t) {
		if l == level.NEON { // which has no such stores
			continue
		}
		for publish, streams := range map[string]bool{
			"":                                   true,
			"membar.gl;":                         false,
			"fence.acq_rel.gpu;":                 false,
			"st.release.gpu.global.u32 [%d], 1;": false,
			"st.global.u32 [%d], 1;":             true,
		} {
			text := vmtest.Header + fmt.Sprintf(`
.visible .entry k(.param .u64 out) {
	.reg .b32 %%t; .reg .b64 %%d, %%at;
	ld.param.u64 %%d, [out]; mov.u32 %%t, %%tid.x; mul.wide.u32 %%at, %%t, 4; add.u64 %%at, %%d, %%at;
	st.global.u32 [%%at+64], %%t; %s ret;
}`, publish)
			var b bytes.Buffer
			if err := vmtest.Kernel(t, vmtest.LoadOn(t, l, text), "k").Print(&b, "native", vm.Dim{X: 64}); err != nil {
				t.Fatal(err)
			}
			if got := strings.Contains(b.String(), "ntdq"); got != streams {
				t.Errorf("%v, %q: streams: %v", l, publish, got)
			}
		}
	}
}
