package compute

import "github.com/vop-ptx/vop/run/simt/build/builder"

// Tables are the tables of the instructions that compute.
func Tables() []builder.Table {
	return []builder.Table{
		integerForms, carryForms, moveForms, convertForms, compareForms, floatForms, convertFloatForms, halfForms, brainForms, brainConvertForms,
	}
}
