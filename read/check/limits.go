package check

import (
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/read/diag"
)

// How much memory a kernel may declare (PTX ISA 5.1), in bytes. ptxas has the same limit of
// .shared memory for all targets since sm_20; more of it is dynamic.
const (
	maxShared = 48 << 10
	maxConst  = 64 << 10
	maxLocal  = 512 << 10 // of a thread
	// The parameters of a kernel, and since PTX 8.1 on sm_70 and later.
	maxParams, maxParamsNow = 4352, 32764
)

// limitOf returns how many bytes of a space a kernel may use; ok is false if PTX has no limit.
func limitOf(space Space) (limit uint64, ok bool) {
	switch space {
	case Shared:
		return maxShared, true
	case Const:
		return maxConst, true
	case Local:
		return maxLocal, true
	}
	return 0, false
}

// oversize reports a variable that is larger than all memory of its space.
func (c *checker) oversize(v *Variable, size uint64) bool {
	limit, ok := limitOf(v.Space)
	if !ok || size <= limit {
		return false
	}
	c.report(diag.SizeLimit, v.Decl.Span(), quote(v.Name)+" has "+diag.Count(size, "byte")+" of "+v.Space.String()+" memory, which has at most "+decimal(int(limit)),
		limitNote(v.Space)...)
	return true
}

// limitNote says what else can be done.
func limitNote(space Space) []string {
	switch space {
	case Shared:
		return []string{"more shared memory is dynamic: .extern .shared .b8 name[]; the launch says how much there is"}
	case Const, Local:
		return []string{"larger variables are .global"}
	}
	return nil
}

// parameterLimit holds the parameters of a kernel against their limit; at is the end of those
// before. It returns the end of this one.
func (c *checker) parameterLimit(v *Variable, at uint64) uint64 {
	limit := uint64(maxParams)
	if m := c.module; !m.Version.Less(isa.Version{Major: 8, Minor: 1}) && (m.SM == 0 || m.SM >= 70) {
		limit = maxParamsNow
	}
	align := uint64(max(v.Align, 1))
	end := (at+align-1)/align*align + uint64(v.Size)
	if end > limit && at <= limit {
		c.report(diag.SizeLimit, v.Decl.Span(), "with "+quote(v.Name)+" the parameters of the kernel have "+diag.Count(end, "byte")+", and at most "+decimal(int(limit))+" are allowed",
			"pass larger data by its address")
	}
	return end
}

// totals holds what the kernels use of the memory of each space against its limit. Only variables that
// are named somewhere count: ptxas leaves the others out.
func (c *checker) totals() {
	m := c.module
	total := map[Space]uint64{}
	for _, v := range m.Variables {
		total[v.Space] += uint64(v.Size)
	}
	if total[Const] > maxConst {
		c.constTotal()
	}
	for _, f := range m.Functions {
		if f.Tree.Body == nil {
			continue
		}
		own := map[Space]uint64{}
		for _, v := range f.Variables {
			own[v.Space] += uint64(v.Size)
		}
		if f.Entry && total[Shared]+own[Shared] > maxShared {
			c.functionTotal(f, Shared)
		}
		if own[Local] > maxLocal {
			c.functionTotal(f, Local)
		}
	}
}

// functionTotal holds what a function uses of a space against its limit.
func (c *checker) functionTotal(f *Function, space Space) {
	limit, _ := limitOf(space)
	var sum uint64
	for v := range usedBy(f) {
		if v.Space == space && !v.Extern && uint64(v.Size) <= limit { // larger ones have been reported
			sum += uint64(v.Size)
		}
	}
	if sum > limit {
		c.report(diag.SizeLimit, f.Tree.Name.Span(), quote(f.Name)+" uses "+diag.Count(sum, "byte")+" of "+space.String()+" memory, which has at most "+decimal(int(limit)),
			limitNote(space)...)
	}
}

// constTotal holds the .const variables against their limit.
func (c *checker) constTotal() {
	used := map[*Variable]bool{}
	for _, f := range c.module.Functions {
		for v := range usedBy(f) {
			used[v] = true
		}
	}
	for _, v := range c.module.Variables {
		for _, r := range v.Relocs {
			used[r.Var] = true
		}
	}
	var sum uint64
	for _, v := range c.module.Variables {
		if v.Space != Const || v.Extern || !used[v] || v.Size > maxConst {
			continue
		}
		if sum += uint64(v.Size); sum > maxConst {
			c.report(diag.SizeLimit, v.Decl.Span(), "with "+quote(v.Name)+" the module has "+diag.Count(sum, "byte")+" of .const memory, which has at most "+decimal(maxConst),
				limitNote(Const)...)
			return
		}
	}
}

// usedBy returns the variables that the instructions of a function name.
func usedBy(f *Function) map[*Variable]bool {
	used := map[*Variable]bool{}
	var walk func(operands []Operand)
	walk = func(operands []Operand) {
		for i := range operands {
			if v := operands[i].Var; v != nil {
				used[v] = true
			}
			walk(operands[i].Elems)
		}
	}
	for i := range f.Body {
		walk(f.Body[i].Operands)
	}
	return used
}
