package vm_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// TestCheckFences: what a thread writes before a fence and reads behind one is in order if the first one releases and the second one acquires. Fences
// between proxies that do neither order nothing between threads.
func TestCheckFences(t *testing.T) {
	header := strings.Replace(checkHeader, vmtest.Header, ".version 8.6\n.target sm_90\n.address_size 64\n", 1)
	const (
		releases = "fence.release.cta; fence.release.gpu; fence.release.sync_restrict::shared::cta.cluster; fence.mbarrier_init.release.cluster; " +
			"fence.proxy.tensormap::generic.release.gpu; fence.proxy.async::generic.release.sync_restrict::shared::cta.cluster"
		acquires = "fence.acquire.cta; fence.acquire.sys; fence.acquire.sync_restrict::shared::cluster.cluster; fence.proxy.tensormap::generic.acquire.cta [%d0], 128; " +
			"fence.proxy.async::generic.acquire.sync_restrict::shared::cluster.cluster"
		both    = "membar.cta; fence.cta; fence.sc.cluster; fence.acq_rel.gpu"
		neither = "fence.proxy.alias; fence.proxy.async; fence.proxy.async.shared::cta; membar.proxy.alias; membar.proxy.async.global"
	)
	all := strings.Split(strings.Join([]string{releases, acquires, both, neither}, "; "), "; ")
	for _, first := range all {
		for _, second := range all {
			text := header + fmt.Sprintf(`
	setp.ge.u32 %%p0, %%r0, 32;
	@%%p0 bra SECOND;
	st.shared.u32 [0], 5;
	%s;
	st.volatile.shared.u32 [4], 1;
	ret;
SECOND:
	ld.volatile.shared.u32 %%r2, [4];
	setp.ne.u32 %%p1, %%r2, 1;
	@%%p1 bra SECOND;
	%s;
	ld.shared.u32 %%r2, [0];
	ret;
}`, first, second)
			m := vmtest.Load(t, text)
			buffer, _ := m.Memory().Alloc("buffer", 256)
			err := vmtest.Kernel(t, m, "test").Launch(context.Background(), vm.Grid{Block: vm.Dim{X: 64}, Workers: 1, Check: true}, buffer)
			races := 0
			if found, ok := errors.AsType[*vm.CheckError](err); ok {
				for _, r := range found.Reports {
					if r.Kind == vm.Race {
						races++
					}
				}
			}
			if ordered := among(first, releases, both) && among(second, acquires, both); ordered != (races == 0) {
				t.Errorf("%s and %s: %d races", first, second, races)
			}
		}
	}
}

// among reports whether a fence is in one of some lists.
func among(fence string, lists ...string) bool {
	return slices.ContainsFunc(lists, func(list string) bool { return slices.Contains(strings.Split(list, "; "), fence) })
}
