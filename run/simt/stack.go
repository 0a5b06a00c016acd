package simt

import "strconv"

// StackOp is what a thread does with its stack of dynamic local memory (PTX ISA 9.7.17). A function that is left gives back what has been
// allocated in it.
type StackOp struct {
	Name  string // "alloca", "stacksave", "stackrestore"
	Align uint64 // of alloca: what the address is a multiple of
}

// MinStackAlign is the alignment that alloca gives if it is asked for none, or for less.
const MinStackAlign = 8

// String returns the operation as it is printed: "alloca.16".
func (s *StackOp) String() string {
	if s.Name == "alloca" {
		return s.Name + "." + strconv.FormatUint(s.Align, 10)
	}
	return s.Name
}

// UsesStack reports whether the function allocates dynamic local memory.
func (f *Function) UsesStack() bool {
	for b := range f.Blocks {
		for i := range f.Blocks[b].Insts {
			if f.Blocks[b].Insts[i].Kind == Stack {
				return true
			}
		}
	}
	return false
}
