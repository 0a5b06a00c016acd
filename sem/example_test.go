package sem_test

import (
	"fmt"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/sem"
)

func ExampleEval() {
	f := isa.Form{Op: isa.Vadd4, DType: isa.S32, AType: isa.S32, BType: isa.S32, Sat: true, Mask: 0xf, ALane: 0x3210, BLane: 0x7654}
	fmt.Printf("%08x\n", sem.Eval(f, 0x7f017f01, 0x01010101, 0))
	// Output: 7f027f02
}

func ExampleTraceOf() {
	f := isa.Form{Op: isa.Vsub, DType: isa.U32, Sat: true, DSel: isa.H0}
	t := sem.TraceOf(sem.ISA, f, 3, 5, 0x12345678)
	lane := t.Lanes[0]
	fmt.Println(t.Form)
	fmt.Printf("%d - %d = %d, in [%d, %d]: %d\n", lane.A.Value, lane.B.Value, lane.Result, lane.Min, lane.Max, lane.Saturated)
	fmt.Printf("d = %08x\n", t.D)
	// Output:
	// vsub.u32.u32.u32.sat d.h0, a, b, c;
	// 3 - 5 = -2, in [0, 65535]: 0
	// d = 12340000
}

func ExampleDifferences() {
	f := isa.Form{Op: isa.Vsub, DType: isa.U32, Sat: true, DSel: isa.H0}
	for _, d := range sem.Differences(f) {
		fmt.Printf("%s: %s\n", d.Rule.Name, d.Rule.Title)
		fmt.Printf("a=%08x b=%08x c=%08x: %08x by the manual, %08x as compiled\n", d.A, d.B, d.C, d.ISA, d.SM86)
	}
	// Output:
	// Q3: .sat into a byte or half-word takes a negative result for a huge one
	// a=00000000 b=00000001 c=00000000: 00000000 by the manual, 0000ffff as compiled
}
