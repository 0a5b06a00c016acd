package code

import (
	"github.com/vop-ptx/vop/rewrite/word"
)

// OpenCL is OpenCL C 1.2.
var OpenCL = cFamily(Language{
	Name:     "opencl",
	Caps:     word.C,
	literals: [types]string{u32: "$xu", u64: "$xul", i64: "$xl"},
	file: `$head
#ifndef $guard
#define $guard

#ifndef VOP_FUNCTION
#define VOP_FUNCTION static inline
#endif

$helpers$functions$aliases
#endif
`,
}, "uint", "int", "ulong", "long")
