package builder

import (
	"slices"
	"strings"

	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/simt"
)

// SpecialRegister returns the value of a special register.
func (b *Builder) SpecialRegister(name string) simt.ID {
	if t, ok := simt.ClockType(name); ok {
		d := b.Result(t)
		b.Add(simt.Inst{Kind: simt.Clock, Defs: b.List(d), Aux: name})
		return d
	}
	if t, ok := simt.SpecialType(name); ok {
		return b.Special(t, name)
	}
	if v, ok := b.clusterRegister(name); ok {
		return v
	}
	if !strings.HasPrefix(name, "%envreg") {
		b.Lack("the special register %s", name)
	}
	return b.Constant(simt.B32, 0)
}

// clusterRegister returns the value of a special register that tells of clusters: each CTA is one by itself.
func (b *Builder) clusterRegister(name string) (v simt.ID, ok bool) {
	switch name {
	case "%clusterid.x", "%clusterid.y", "%clusterid.z", "%nclusterid.x", "%nclusterid.y", "%nclusterid.z":
		return b.Special(simt.B32, strings.Replace(name, "cluster", "cta", 1)), true
	case "%cluster_ctaid.x", "%cluster_ctaid.y", "%cluster_ctaid.z", "%cluster_ctarank":
		return b.Constant(simt.B32, 0), true
	case "%cluster_nctaid.x", "%cluster_nctaid.y", "%cluster_nctaid.z", "%cluster_nctarank":
		return b.Constant(simt.B32, 1), true
	case "%is_explicit_cluster":
		return b.explicitCluster(), true
	}
	return 0, false
}

// explicitCluster returns whether the kernel is launched with clusters, which only what it says of itself decides here. Functions may be
// called by several kernels.
func (b *Builder) explicitCluster() simt.ID {
	if !b.Decl.Entry && slices.ContainsFunc(b.Outside.Module.Functions, asksForClusters) {
		b.Lack("the special register %%is_explicit_cluster in a function that is no kernel, of a module with kernels of clusters")
	}
	if asksForClusters(b.Decl) {
		return b.Constant(simt.Pred, 1)
	}
	return b.Constant(simt.Pred, 0)
}

// asksForClusters reports whether a kernel says that it is launched with clusters (PTX ISA 11.8).
func asksForClusters(f *check.Function) bool {
	if f.Tree == nil {
		return false
	}
	for _, d := range f.Tree.Directives {
		if d.Name.Text == ".reqnctapercluster" || d.Name.Text == ".explicitcluster" {
			return true
		}
	}
	return false
}
