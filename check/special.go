package check

import "strconv"

// specialRegisters are the predefined, read-only registers (PTX ISA 10). Those
// that come in numbered rows have a count: %envreg0 to %envreg31.
var specialRegisters = func() map[string]bool {
	m := make(map[string]bool)
	for _, name := range []string{
		"%tid", "%ntid", "%laneid", "%warpid", "%nwarpid", "%ctaid", "%nctaid", "%smid", "%nsmid", "%gridid",
		"%is_explicit_cluster", "%clusterid", "%nclusterid", "%cluster_ctaid", "%cluster_nctaid",
		"%cluster_ctarank", "%cluster_nctarank",
		"%lanemask_eq", "%lanemask_le", "%lanemask_lt", "%lanemask_ge", "%lanemask_gt",
		"%clock", "%clock_hi", "%clock64",
		"%globaltimer", "%globaltimer_lo", "%globaltimer_hi",
		"%reserved_smem_offset_begin", "%reserved_smem_offset_end", "%reserved_smem_offset_cap",
		"%reserved_smem_offset_0", "%reserved_smem_offset_1",
		"%total_smem_size", "%aggr_smem_size", "%dynamic_smem_size", "%current_graph_exec",
	} {
		m[name] = true
	}
	for _, row := range []struct {
		prefix, suffix string
		count          int
	}{{"%pm", "", 8}, {"%pm", "_64", 8}, {"%envreg", "", 32}} {
		for i := range row.count {
			m[row.prefix+strconv.Itoa(i)+row.suffix] = true
		}
	}
	return m
}()

// warpSize is the value of the predefined constant WARP_SZ (PTX ISA 4.4).
const warpSize = 32
