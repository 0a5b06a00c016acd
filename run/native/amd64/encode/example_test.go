package encode_test

import (
	"fmt"

	"github.com/vop-ptx/vop/run/native/amd64/encode"
)

// A loop that adds a constant to 16 numbers at a time.
func Example() {
	a := encode.New(encode.LevelAVX512)
	loop := a.NewLabel()
	a.Emit(encode.VPBROADCASTD|encode.L512, encode.V(16), a.Const32(7))
	a.Bind(loop)
	a.Emit(encode.VPADDD|encode.L512, encode.V(17), encode.V(16), encode.At(encode.RDI, 0))
	a.Emit(encode.VMOVDQU32|encode.L512, encode.At(encode.RDI, 0), encode.V(17))
	a.Emit(encode.ADD|encode.S64, encode.RDI, encode.Imm(64))
	a.Emit(encode.SUB|encode.S64, encode.RSI, encode.Imm(16))
	a.JumpIf(encode.CondA, loop)
	a.Emit(encode.VZEROUPPER)
	a.Emit(encode.RET)
	code, err := a.Finish()
	fmt.Printf("%x %v\nneeds %v\n", code, err, a.Used())
	// Output:
	// 62e27d4858051a00000062e17d40fe0f62e17e487f0f4883c7404883ee1077eac5f877c307000000 <nil>
	// needs AVX,AVX512F
}

// What cannot be encoded is never written; the message names the call.
func ExampleAssembler_Emit_error() {
	a := encode.New(encode.LevelV3)
	a.Emit(encode.VPADDD|encode.L256, encode.V(16), encode.V(1), encode.V(2))
	_, err := a.Finish()
	fmt.Println(err.(*encode.Error).Reason)
	// Output:
	// the instruction needs CPU features that are not allowed here: AVX512F,AVX512VL
}
