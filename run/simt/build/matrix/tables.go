package matrix

import "github.com/vop-ptx/vop/run/simt/build/builder"

// Tables are the tables of the instructions on matrices.
func Tables() []builder.Table {
	return []builder.Table{
		matrixForms, productForms, quadForms, fragmentForms,
	}
}
