package machine

import (
	"testing"

	"github.com/vop-ptx/vop/run/native/amd64"
	"github.com/vop-ptx/vop/run/native/amd64/encode"
)

// TestLastWriteKeepsRegister: a value whose last instruction writes it, and reads it, stays in its register there. It was
// given the lowest that is free, which it did not have before, when that was another's.
func TestLastWriteKeepsRegister(t *testing.T) {
	c := NewBuilder(amd64.Options{CheckRegisters: true})
	first, phi := c.NewRegister(Vector), c.NewRegister(Vector)
	for _, v := range []VReg{first, phi} {
		c.Code = append(c.Code, Instr{Op: c.Target.Move, Args: [4]Operand{Virtual(v), MemoryAt(Fixed(encode.RDI), 0)}, N: 2, Defines: true})
	}
	c.Code = append(c.Code,
		Instr{Effect: c.Effect(func() {}, []VReg{first})},
		Instr{Op: encode.VPADDD | encode.L256, Args: [4]Operand{Virtual(phi), Virtual(phi), Virtual(phi)}, N: 3, Defines: true})
	c.Intervals()
	if err := c.Allocate(); err != nil {
		t.Error(err)
	}
	if a, b := c.Registers[first].Machine, c.Registers[phi].Machine; a == b {
		t.Errorf("both are in register %d", a)
	}
}
