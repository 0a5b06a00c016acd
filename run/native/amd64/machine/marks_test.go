package machine

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/vop-ptx/vop/run/native/amd64"
	"github.com/vop-ptx/vop/run/native/amd64/encode"
)

// TestRewrite inserts instructions before and behind others, and holds that all stand in their order, the marks where they stood, and
// intervals as they are when they are found anew.
func TestRewrite(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 0))
	for range 200 {
		c := NewBuilder(amd64.Options{CheckRegisters: true})
		load := func(v VReg, from int32) Instr {
			return Instr{Op: c.Target.Move, Args: [4]Operand{Virtual(v), MemoryAt(Fixed(encode.RDI), from)}, N: 2, Defines: true}
		}
		fresh := func() VReg {
			v := c.NewRegister(Vector)
			c.Registers[v].fresh = true
			return v
		}
		// Each instruction is told by the number in its address.
		var values []VReg
		for n := range 1 + rng.IntN(12) {
			if rng.IntN(3) == 0 {
				c.Mark()
			}
			v := c.NewRegister(Vector)
			i := load(v, int32(100*n+100))
			if len(values) > 0 {
				i.Tie = values[rng.IntN(len(values))]
			}
			values = append(values, v)
			c.Code = append(c.Code, i)
		}
		c.Mark()
		c.Intervals()
		var marked, want []int32 // the number behind each mark, and all numbers
		for _, m := range c.Marks {
			if m.At < len(c.Code) {
				marked = append(marked, int32(100*m.At+100))
			}
		}
		c.rewrite(func(i *Instr) {
			at := i.Args[1].Disp()
			if rng.IntN(2) == 0 {
				v := fresh()
				c.before(load(v, at-10))
				i.Args[2], i.N = Virtual(v), 3
				want = append(want, at-10)
				if n := slices.Index(marked, at); n >= 0 { // marks stand before what is inserted
					for ; n < len(marked) && marked[n] == at; n++ {
						marked[n] = at - 10
					}
				}
			}
			want = append(want, at)
			if rng.IntN(2) == 0 {
				to := fresh()
				i.Args[0] = Virtual(to)
				c.behind(Instr{Op: c.Target.Move, Args: [4]Operand{MemoryAt(Fixed(encode.RDI), at+10), Virtual(to)}, N: 2})
				want = append(want, at+10)
			}
		})
		var got []int32
		for n := range c.Code {
			i := &c.Code[n]
			got = append(got, max(i.Args[0].Disp(), i.Args[1].Disp()))
		}
		if !slices.Equal(got, want) {
			t.Fatalf("the code is %v, want %v", got, want)
		}
		for n, at := range marked {
			if got[c.Marks[n].At] != at {
				t.Fatalf("mark %d is before %d, want %d", n, got[c.Marks[n].At], at)
			}
		}
		for _, v := range values { // of those that nothing defines any more
			if !slices.ContainsFunc(c.Code, func(i Instr) bool { return i.Defines && i.Args[0].Reg == v }) {
				c.Registers[v].Start = -1
			}
		}
		if err := c.checkIntervals(); err != nil {
			t.Fatal(err)
		}
	}
}
