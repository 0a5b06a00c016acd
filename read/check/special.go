package check

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/vop-ptx/vop/inst"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/read/diag"
)

// specialRegisters are the predefined, read-only registers (PTX ISA 10), each with the
// version that has it first. Those that come in numbered rows have a count: %envreg0 to %envreg31.
var specialRegisters = func() map[string]isa.Version {
	m := make(map[string]isa.Version)
	for _, group := range []struct {
		version isa.Version
		names   []string
	}{
		{isa.Version{Major: 1}, []string{"%tid", "%ntid", "%laneid", "%warpid", "%nwarpid", "%ctaid", "%nctaid", "%smid", "%nsmid", "%gridid", "%clock"}},
		{isa.Version{Major: 2}, []string{"%lanemask_eq", "%lanemask_le", "%lanemask_lt", "%lanemask_ge", "%lanemask_gt", "%clock64"}},
		{isa.Version{Major: 3, Minor: 1}, []string{"%globaltimer", "%globaltimer_lo", "%globaltimer_hi"}},
		{isa.Version{Major: 4, Minor: 1}, []string{"%total_smem_size", "%dynamic_smem_size"}},
		{isa.Version{Major: 5}, []string{"%clock_hi"}},
		{isa.Version{Major: 7, Minor: 6}, []string{
			"%reserved_smem_offset_begin", "%reserved_smem_offset_end", "%reserved_smem_offset_cap",
			"%reserved_smem_offset_0", "%reserved_smem_offset_1",
		}},
		{isa.Version{Major: 7, Minor: 8}, []string{
			"%is_explicit_cluster", "%clusterid", "%nclusterid", "%cluster_ctaid", "%cluster_nctaid",
			"%cluster_ctarank", "%cluster_nctarank",
		}},
		{isa.Version{Major: 8}, []string{"%current_graph_exec"}},
		{isa.Version{Major: 8, Minor: 1}, []string{"%aggr_smem_size"}},
	} {
		for _, name := range group.names {
			m[name] = group.version
		}
	}
	for _, row := range []struct {
		version        isa.Version
		prefix, suffix string
		count          int
	}{
		{isa.Version{Major: 3}, "%pm", "", 8},
		{isa.Version{Major: 4}, "%pm", "_64", 8},
		{isa.Version{Major: 2, Minor: 1}, "%envreg", "", 32},
	} {
		for i := range row.count {
			m[row.prefix+strconv.Itoa(i)+row.suffix] = row.version
		}
	}
	return m
}()

// SpecialRegisters returns the names of the special registers, sorted.
func SpecialRegisters() []string { return slices.Sorted(maps.Keys(specialRegisters)) }

// SpecialSince returns the version that has a special register first; ok is false if there is none of
// that name.
func SpecialSince(name string) (since isa.Version, ok bool) {
	since, ok = specialRegisters[name]
	return since, ok
}

// isSpecial reports whether a name is that of a special register.
func isSpecial(name string) bool {
	_, ok := specialRegisters[name]
	return ok
}

// reserved reports whether a name stands for a special register in the module's version, and
// so cannot be declared.
func (c *checker) reserved(name string) bool {
	since, ok := specialRegisters[name]
	return ok && (c.module.Version == isa.Version{} || !c.module.Version.Less(since))
}

// vectorSpecials are the special registers that are vectors of four elements, of which the last is 0.
var vectorSpecials = []string{"%tid", "%ntid", "%ctaid", "%nctaid", "%clusterid", "%nclusterid", "%cluster_ctaid", "%cluster_nctaid"}

// specialElement reports an element that a special register has not.
func (c *checker) specialElement(o *Operand) {
	sel, name := o.Tree.Selector, o.Tree.Text
	switch {
	case !slices.Contains(vectorSpecials, name):
		c.report(diag.UnknownSelector, sel.Span(), quote(shorten(sel.Text))+" selects nothing of "+quote(name)+", which is no vector")
	case element(sel.Text) < 0:
		c.report(diag.UnknownSelector, sel.Span(), quote(shorten(sel.Text))+" is not an element of "+quote(name), "its elements are .x .y .z")
	}
}

// specialType returns the type of a special register, given with its element (PTX ISA 10).
func specialType(name string) inst.Type {
	switch name {
	case "%clock64", "%globaltimer", "%gridid", "%current_graph_exec":
		return inst.U64
	case "%is_explicit_cluster":
		return inst.Pred
	}
	if strings.HasPrefix(name, "%pm") && strings.HasSuffix(name, "_64") {
		return inst.U64
	}
	return inst.U32
}
