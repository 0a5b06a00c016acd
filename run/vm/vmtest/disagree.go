package vmtest

import (
	"errors"
	"slices"
	"strings"

	"github.com/vop-ptx/vop/run/vm"
)

// Lanes that execute a barrier of the CTA together and name different ones are allowed here, and not on a GPU. Check reports them.

// Disagrees reports whether an error is that of a check that has found such lanes, and nothing else.
func Disagrees(err error) bool {
	found, ok := errors.AsType[*vm.CheckError](err)
	return ok && !slices.ContainsFunc(found.Reports, func(r *vm.Report) bool {
		return r.Kind != vm.PartialBarrier || !strings.Contains(r.Detail, "those that execute this instruction together name one barrier")
	})
}

// LaunchDisagreeing is Launch for a kernel with such lanes, of which Check must report these.
func (p *Program) LaunchDisagreeing(name string, blocks, threads int, args ...any) {
	p.Helper()
	err := p.Try(name, vm.Dim{X: blocks}, vm.Dim{X: threads}, args...)
	if p.How.Check && !Disagrees(err) || !p.How.Check && err != nil {
		p.Fatalf("got %v, with checks: %v", err, p.How.Check)
	}
}
