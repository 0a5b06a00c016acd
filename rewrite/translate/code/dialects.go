package code

import (
	"strings"

	"github.com/vop-ptx/vop/rewrite/word"
)

// C89 is the C of 1989, which C++ is as well. It has no 64-bit integers.
var C89 = cFamily(Language{
	Name:       "c89",
	Caps:       word.C,
	literals:   [types]string{u32: "$xu"},
	comment:    "/* ",
	commentEnd: " */",
	unusedLast: true,
	predicate:  "unsigned char *$x",
	noWide:     true,
	file: `$head
#ifndef $guard
#define $guard

#include <limits.h>

#if UINT_MAX != 0xffffffffu
#error "unsigned int must have 32 bits"
#endif

#ifndef VOP_FUNCTION
#if defined(__GNUC__)
#define VOP_FUNCTION static __inline__
#elif defined(_MSC_VER)
#define VOP_FUNCTION static __inline
#else
#define VOP_FUNCTION static
#endif
#endif

$helpers$functions$aliases
#endif
`,
}, "unsigned int", "int", "unsigned long", "long")

// SYCL is C++ that device code of SYCL may call: plain functions in a header.
var SYCL = cFamily(Language{
	Name:     "sycl",
	Caps:     word.C,
	literals: [types]string{u32: "$xu", u64: "$xull", i64: "$xll"},
	file: `$head
#ifndef $guard
#define $guard

#include <cstdint>

#ifndef VOP_FUNCTION
#define VOP_FUNCTION static inline
#endif

$helpers$functions$aliases
#endif
`,
}, "std::uint32_t", "std::int32_t", "std::uint64_t", "std::int64_t")

// Metal is the Metal Shading Language, from 2.2 on, which has integers of 64 bits.
var Metal = cFamily(Language{
	Name:      "metal",
	predicate: "thread bool *$x",
	Caps:      word.C,
	literals:  [types]string{u32: "$xu", u64: "$xul", i64: "$xl"},
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

// intrinsicNames says how a language names CUDA's intrinsics.
type intrinsicNames uint8

const (
	asCUDA   intrinsicNames = iota // __vadd4
	prefixed                       // vop_vadd4, as __vadd4 is none of the language's names, or is CUDA's own
	aliased                        // vop_vadd4, with a macro __vadd4, as the language may get its own
	exported                       // Vadd4
)

// IntrinsicName returns the name of the function for one of CUDA's intrinsics, such as "__vadd4", and the alias that
// it gets besides, or "".
func (l *Language) IntrinsicName(cuda string) (name, alias string) {
	bare := strings.TrimPrefix(cuda, "__")
	switch l.intrinsic {
	case prefixed:
		return "vop_" + bare, ""
	case aliased:
		return "vop_" + bare, cuda
	case exported:
		var camel strings.Builder
		for part := range strings.SplitSeq(bare, "_") {
			camel.WriteString(strings.ToUpper(part[:1]) + part[1:])
		}
		return camel.String(), ""
	}
	return cuda, ""
}
