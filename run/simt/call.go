package simt

import "github.com/vop-ptx/vop/read/check"

// CallOp is a call of a function that has a body, or one of several. Args of the end are the arguments
// that are registers, then, of a call through a register, its value; Defs are the results that are
// registers.
type CallOp struct {
	Callees  []Callee
	Indirect bool // Addresses tells which of Callees it is
}

// Callee is a function that a call may enter.
type Callee struct {
	Function *check.Function
	Address  uint64 // of a call through a register
	In, Out  []Passage
}

// Passage is the way of an argument or a result between caller and callee, through .param variables,
// which are local memory of both (PTX ISA 7.1), or between a register and a variable of the callee.
type Passage struct {
	Inner    *check.Variable // of the callee
	Register int             // index in Args or Defs, of 128 bits that of the first of two; or -1
	Offset   int             // in the caller's local memory, if there is no register
}

// HostCall is a call of a function that the host has: vprintf, __assertfail, malloc, free. Args are the arguments that
// are registers, Defs the results.
type HostCall struct {
	Name    string
	In, Out []Passage
}

// hostParameters are the functions that the host has, and how many parameters they take.
var hostParameters = map[string]int{"vprintf": 2, "__assertfail": 5, "malloc": 1, "free": 1}

// HostParameters returns how many parameters a function of the host takes, if it has one of this name.
func HostParameters(name string) (n int, ok bool) {
	n, ok = hostParameters[name]
	return n, ok
}
