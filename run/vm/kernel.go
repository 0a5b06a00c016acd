package vm

import "github.com/vop-ptx/vop/read/check"

// Kernel is a kernel that can be launched, any number of times and at the same time.
type Kernel struct {
	module   *Module
	name     string
	decl     *check.Function
	code     *code
	heap     bool                      // it calls malloc or free
	observed map[[2]bool]*observedCode // for launches that are checked, counted or both; module.mutex guards them
	params   map[*check.Variable]int   // offsets of the parameters
	size     int                       // of all parameters

	shared       map[*check.Variable]int // offsets in the shared memory of a CTA
	staticShared int
}

// buildKernel builds a kernel with all it calls.
func buildKernel(m *Module, decl *check.Function) (*Kernel, error) {
	k := &Kernel{module: m, name: decl.Name, decl: decl, observed: map[[2]bool]*observedCode{}}
	if err := k.layOut(); err != nil {
		return nil, err
	}
	c, err := k.buildCode(nil)
	if err != nil {
		return nil, err
	}
	k.code = c
	return k, nil
}

// Name returns the kernel's name.
func (k *Kernel) Name() string { return k.name }

// sharedSize is the shared memory of a CTA, in bytes.
func (k *Kernel) sharedSize(g Grid) int {
	if g.Shared == 0 {
		return k.staticShared
	}
	return roundUp(k.staticShared, dynamicAlign) + g.Shared
}

// dynamicAlign is the alignment of dynamic shared memory.
const dynamicAlign = 16

// layOut gives the kernel's parameters and the shared variables their places.
func (k *Kernel) layOut() error {
	var params, shared layout
	k.params = map[*check.Variable]int{}
	for _, p := range k.decl.Params {
		k.params[p] = params.place(p)
	}
	k.shared = map[*check.Variable]int{}
	place := func(variables []*check.Variable) {
		for _, v := range variables {
			if v.Space == check.Shared && !(v.Extern || v.Size == 0) {
				k.shared[v] = shared.place(v)
			}
		}
	}
	place(k.module.decl.Variables)
	for _, f := range k.module.decl.Functions {
		if f == k.decl || !f.Entry {
			place(f.Variables)
		}
	}
	if err := limit(params.size, maxParams, "kernel "+k.name, "parameters"); err != nil {
		return err
	}
	if err := limit(shared.size, maxShared, "kernel "+k.name, "shared memory of a block"); err != nil {
		return err
	}
	k.size, k.staticShared = int(params.size), int(shared.size)
	return nil
}

// roundUp returns the next multiple of a power of two.
func roundUp(n, multiple int) int { return (n + multiple - 1) &^ (multiple - 1) }
