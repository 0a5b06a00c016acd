package code

import (
	"strconv"
	"strings"

	"github.com/vop-ptx/vop/rewrite/lower"
	"github.com/vop-ptx/vop/rewrite/translate/ptx"
)

// CUDA is CUDA C++ for devices. What the machine has beyond plain operations is
// written as one PTX instruction.
var CUDA = cFamily(Language{
	Name:       "cuda",
	Caps:       lower.SM70,
	literals:   [types]string{u32: "$xu", u64: "$xull", i64: "$xll"},
	file:       cHead + cudaHead,
	operations: machineOperations(),
	helpers:    machineHelpers(),
}, "unsigned int", "int", "unsigned long long", "long long")

const cudaHead = `
#ifndef $guard
#define $guard

#ifndef VOP_FUNCTION
#define VOP_FUNCTION static __device__ __forceinline__
#endif

$helpers$functions
#endif
`

// HIP is HIP C++ for devices of any make.
var HIP = cFamily(Language{
	Name:     "hip",
	Caps:     lower.C,
	literals: [types]string{u32: "$xu", u64: "$xull", i64: "$xll"},
	file:     cHead + cudaHead,
}, "unsigned int", "int", "unsigned long long", "long long")

// machineOps are the operations for which CUDA has a PTX instruction and C nothing
// as short. Three-input logic is not among them: compilers find it by themselves.
var machineOps = []lower.Op{
	lower.SadU, lower.SadS, lower.Perm, lower.PermS,
	lower.PackSatS8, lower.PackSatU8, lower.PackSatS16, lower.PackSatU16,
	lower.Add16, lower.MinU16, lower.MaxU16, lower.MinS16, lower.MaxS16,
	lower.AbsDiffU8, lower.AbsDiffS8, lower.SadU8, lower.SadS8, lower.DotU8, lower.DotS8, lower.DotU16, lower.DotS16,
}

// machineName returns the name of the function for one of machineOps.
func machineName(op lower.Op) string {
	return "vop_" + strings.ReplaceAll(op.String(), ".", "_")
}

// machineOperations are the calls of those functions, machineHelpers the functions.
// An immediate is their last argument.
func machineOperations() map[lower.Op]string {
	all := map[lower.Op]string{}
	for _, op := range machineOps {
		args := []string{"$x", "$y", "$z"}[:op.Args()]
		if op.HasImm() {
			args = append(args, "$i")
		}
		all[op] = machineName(op) + "(" + strings.Join(args, ", ") + ")"
	}
	return all
}

func machineHelpers() (all []helper) {
	for _, op := range machineOps {
		var parameters, inputs []string
		for k, name := range []string{"x", "y", "z"}[:op.Args()] {
			parameters = append(parameters, cTypes[signatures[op].args[k]]+" "+name)
			inputs = append(inputs, `"r"(`+name+`)`)
		}
		if op.HasImm() {
			parameters, inputs = append(parameters, "uint32_t i"), append(inputs, `"r"(i)`)
		}
		statement := fill(ptx.Template(op), "$d", "%0", "$x", "%1", "$y", "%2", "$z", "%3", "$i", "%"+strconv.Itoa(len(inputs)))
		all = append(all, helper{machineName(op), fill(`VOP_FUNCTION $type $name($parameters)
{
    $type d;
    asm("$statement;" : "=r"(d) : $inputs);
    return d;
}
`, "$type", cTypes[signatures[op].result], "$name", machineName(op), "$parameters", strings.Join(parameters, ", "), "$statement", statement, "$inputs", strings.Join(inputs, ", "))})
	}
	return all
}
