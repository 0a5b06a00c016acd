package code

import (
	"strconv"
	"strings"

	"github.com/vop-ptx/vop/rewrite/word"

	"github.com/vop-ptx/vop/rewrite/lower"
	"github.com/vop-ptx/vop/rewrite/translate/ptx"
)

// CUDA is CUDA C++ for devices. What the machine has beyond plain operations is
// written as one PTX instruction.
var CUDA = cFamily(Language{
	Name:       "cuda",
	Caps:       lower.SM70,
	literals:   [types]string{u32: "$xu", u64: "$xull", i64: "$xll"},
	file:       cudaFile,
	intrinsic:  prefixed,
	operations: machineOperations(),
	helpers:    machineHelpers(),
}, "unsigned int", "int", "unsigned long long", "long long")

const cudaFile = `$head
#ifndef $guard
#define $guard

#ifndef VOP_FUNCTION
#define VOP_FUNCTION static __device__ __forceinline__
#endif

$helpers$functions$aliases
#endif
`

// hipAliases stands before the macros: HIP's own header may have functions of these names.
const hipAliases = `
#if defined(__HIPCC__) && defined(__has_include)
#if __has_include(<hip/hip_runtime.h>)
#include <hip/hip_runtime.h>
#endif
#endif
`

// HIP is HIP C++ for devices of any make.
var HIP = cFamily(Language{
	Name:      "hip",
	Caps:      word.C,
	literals:  [types]string{u32: "$xu", u64: "$xull", i64: "$xll"},
	file:      cudaFile,
	intrinsic: aliased,
	aliasHead: hipAliases,
}, "unsigned int", "int", "unsigned long long", "long long")

// machineOps are the operations for which CUDA has a PTX instruction and C nothing
// as short. Three-input logic is not among them: compilers find it by themselves.
var machineOps = []word.Op{
	word.SadU, word.SadS, word.Perm, word.PermS,
	word.PackSatS8, word.PackSatU8, word.PackSatS16, word.PackSatU16,
	word.Add16, word.MinU16, word.MaxU16, word.MinS16, word.MaxS16,
	word.AbsDiffU8, word.AbsDiffS8, word.SadU8, word.SadS8, word.DotU8, word.DotS8, word.DotU16, word.DotS16,
	word.DotU8U8, word.DotU8S8, word.DotS8S8, word.DotU16U8, word.DotU16S8, word.DotS16U8, word.DotS16S8,
	word.FunnelL, word.FunnelR,
	word.Add8, word.Sub8, word.MinU8, word.MaxU8, word.MinS8, word.MaxS8, // from sm_120f on
	word.AddSatU8, word.AddSatS8, word.SubSatU8, word.SubSatS8, word.AddSatU16, word.AddSatS16,
}

// machineName returns the name of the function for one of machineOps.
func machineName(op word.Op) string {
	return "vop_" + strings.ReplaceAll(op.String(), ".", "_")
}

// machineOperations are the calls of those functions, machineHelpers the functions.
// An immediate is their last argument.
func machineOperations() map[word.Op]string {
	all := map[word.Op]string{}
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
