package vm

import "github.com/vop-ptx/vop/read/check"

// steppedAt are the instructions of functions that have no machine code, by their index in the function's body.
type steppedAt map[*check.Function]map[int32]bool

func (s steppedAt) has(f *check.Function, at int32) bool { return s[f][at] || s[f][everywhere] }

// everywhere stands for all instructions of a function.
const everywhere = -2
