package readback

import (
	"fmt"

	"github.com/vop-ptx/vop/rewrite/word"
)

// Type is the type of a value.
type Type uint8

// The types that are printed.
const (
	noType  Type = iota
	U32          // 32 bits, unsigned
	I32          // 32 bits, signed; comparisons are of this type in C
	U64          // 64 bits, unsigned
	I64          // 64 bits, signed
	Bool         // of Go and WGSL
	Pair         // vec2<u32> of WGSL: the low word first
	untyped      // a constant of Go or WGSL without a type yet
)

func (t Type) wide() bool   { return t == U64 || t == I64 }
func (t Type) signed() bool { return t == I32 || t == I64 }

// Value is a typed value of a function that is read.
type Value struct {
	typ    Type
	v      word.Value // word, wide, the mask of a Bool, or the low word of a Pair
	high   word.Value // of a Pair
	number int64      // of an untyped one
	big    bool       // it is a constant that only a uint64 holds

	mask     word.Value // of an I32 that is 1 or 0, as comparisons of C are
	compared bool       // it is
}

// dialect is how a language looks and what it means.
type dialect struct {
	types    map[string]Type // by name
	suffixes map[string]Type // of numbers
	literals map[string]Type // functions that give a number its type
	// precedences are those of the operators between two operands: higher ones bind more.
	precedences map[string]int
	unary       string
	marker      string // what begins a function
	mean        func(r *run) meaning
}

// meaning is what the expressions of a language mean.
type meaning interface {
	number(digits string) (Value, error) // without a suffix
	unary(op string, x Value) (Value, error)
	binary(op string, x, y Value) (Value, error)
	convert(x Value, to Type) (Value, error) // written as a conversion
	assign(x Value, to Type) (Value, error)  // not written
	condition(x Value) (word.Value, error)   // the mask
	call(name string, args []Value) (Value, bool, error)
	member(x Value, name string) (Value, error)
}

var cPrecedences = map[string]int{
	"||": 1, "&&": 2, "|": 3, "^": 4, "&": 5, "==": 6, "!=": 6, "<": 7, "<=": 7, ">": 7, ">=": 7, "<<": 8, ">>": 8, "+": 9, "-": 9, "*": 10,
}

var goPrecedences = map[string]int{
	"||": 1, "&&": 2, "==": 3, "!=": 3, "<": 3, "<=": 3, ">": 3, ">=": 3, "+": 4, "-": 4, "|": 4, "^": 4,
	"*": 5, "<<": 5, ">>": 5, "&": 5, "&^": 5,
}

func cDialect(u32, i32, u64, i64 string, suffixes map[string]Type) *dialect {
	types := map[string]Type{u32: U32, i32: I32, "int": I32, u64: U64, i64: I64}
	delete(types, "")
	return &dialect{
		types: types, suffixes: suffixes, precedences: cPrecedences, unary: "~!-", marker: "VOP_FUNCTION",
		literals: map[string]Type{}, mean: func(r *run) meaning { return cMeaning{r} },
	}
}

// dialects are those of package code, by name. The lengths of types are those that each language promises: of C's int, that it
// has 32 bits, of long long, that it has 64; OpenCL's and Metal's long has 64.
var dialects = func() map[string]*dialect {
	longLong := map[string]Type{"u": U32, "ull": U64, "ll": I64}
	long := map[string]Type{"u": U32, "ul": U64, "l": I64}
	plain := map[string]Type{"u": U32}
	c := cDialect("uint32_t", "int32_t", "uint64_t", "int64_t", plain)
	c.literals = map[string]Type{"UINT64_C": U64, "INT64_C": I64}
	return map[string]*dialect{
		"c":      c,
		"c89":    cDialect("unsigned int", "int", "", "", plain),
		"cuda":   cDialect("unsigned int", "int", "unsigned long long", "long long", longLong),
		"hip":    cDialect("unsigned int", "int", "unsigned long long", "long long", longLong),
		"opencl": cDialect("uint", "int", "ulong", "long", long),
		"sycl":   cDialect("std::uint32_t", "std::int32_t", "std::uint64_t", "std::int64_t", longLong),
		"metal":  cDialect("uint", "int", "ulong", "long", long),
		"go": {
			types:       map[string]Type{"uint32": U32, "int32": I32, "uint64": U64, "int64": I64, "bool": Bool},
			precedences: goPrecedences, unary: "^!-", marker: "func", mean: func(r *run) meaning { return goMeaning{r} },
		},
		"wgsl": {
			types:    map[string]Type{"u32": U32, "i32": I32, "bool": Bool, "vec2<u32>": Pair},
			suffixes: map[string]Type{"u": U32, "i": I32}, precedences: cPrecedences, unary: "~!-", marker: "fn",
			mean: func(r *run) meaning { return wgslMeaning{r} },
		},
	}
}()

// dialectOf finds a dialect by the name of the language.
func dialectOf(name string) (*dialect, error) {
	d, ok := dialects[name]
	if !ok {
		return nil, fmt.Errorf("readback: nothing is known of the language %q", name)
	}
	return d, nil
}
