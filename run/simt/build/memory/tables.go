package memory

import "github.com/vop-ptx/vop/run/simt/build/builder"

// Tables are the tables of the instructions that access memory.
func Tables() []builder.Table {
	return []builder.Table{
		memoryForms, copyForms, bulkForms, asyncForms, mbarrierForms, atomicForms, spaceForms, clusterForms, stackForms, textureForms,
	}
}
