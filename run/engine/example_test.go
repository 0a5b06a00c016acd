package engine_test

import (
	"fmt"
	"log"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/lower"
	"github.com/vop-ptx/vop/run/engine"
)

// Saturating addition of bytes over arrays, on the fastest level of this machine.
func Example() {
	e, err := engine.Default()
	if err != nil {
		log.Fatal(err)
	}
	form := isa.Form{Op: isa.Vadd4, DType: isa.S32, AType: isa.S32, BType: isa.S32, Sat: true, Mask: 15, ALane: 0x3210, BLane: 0x7654}
	kernel := e.Compile(lower.Form(form, e.Caps()))

	a := []uint32{0x7f017f01, 0x80808080, 0x00000000}
	b := []uint32{0x01010101, 0xffffffff, 0x12345678}
	dst := make([]uint32, len(a))
	kernel.Run(dst, a, b, nil)
	fmt.Printf("%08x\n", dst)
	// Output: [7f027f02 80808080 12345678]
}
