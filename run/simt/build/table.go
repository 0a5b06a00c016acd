package build

import (
	"slices"
	"sync"

	"github.com/vop-ptx/vop/run/simt/build/builder"
	"github.com/vop-ptx/vop/run/simt/build/compute"
	"github.com/vop-ptx/vop/run/simt/build/form"
	"github.com/vop-ptx/vop/run/simt/build/matrix"
	"github.com/vop-ptx/vop/run/simt/build/memory"
)

// parsedRow is a row of a table whose syntax line has been taken apart.
type parsedRow struct {
	form.Line
	build func(b *builder.Builder)
}

// families returns the tables of all families.
func families() []builder.Table {
	return slices.Concat(compute.Tables(), memory.Tables(), matrix.Tables(), []builder.Table{warpForms, controlForms, callForms})
}

// rows are the rows of all families, by mnemonic.
var rows = sync.OnceValue(func() map[string][]parsedRow {
	all := map[string][]parsedRow{}
	for _, family := range families() {
		for _, r := range family {
			line := form.ParseLine(r.Syntax)
			all[line.Name] = append(all[line.Name], parsedRow{line, r.Build})
		}
	}
	return all
})

// lookUp returns what builds a form, and the form with its modifiers in the order of the
// table; build is nil if the table does not have it.
//
// As for NVIDIA's assembler, modifiers may stand in any order, but for types among themselves.
func lookUp(f form.Form) (build func(b *builder.Builder), canonical form.Form) {
	for _, r := range rows()[f.Name] {
		if modifiers, ok := r.Fill(f.Modifiers); ok {
			return r.build, form.Form{Name: f.Name, Modifiers: modifiers}
		}
	}
	if less := f.WithoutIdle(); len(less.Modifiers) < len(f.Modifiers) {
		return lookUp(less)
	}
	return nil, f
}
