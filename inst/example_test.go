package inst_test

import (
	"fmt"

	"github.com/vop-ptx/vop/inst"
	"github.com/vop-ptx/vop/isa"
)

// An instruction is looked up by its name and its modifiers, then its operands are judged.
func ExampleFind() {
	opcode, _ := inst.Find("mul", []string{".wide", ".s16"})
	form, problem := opcode.Fit([]inst.Argument{
		{Kind: inst.Register, Type: inst.B64},
		{Kind: inst.Register, Type: inst.U16},
		{Kind: inst.Integer},
	}, inst.Gate{PTX: isa.Version{Major: 7, Minor: 8}, SM: 80})
	fmt.Println(form.Row.Line, form.Types, form.Row.Section.Meaning)
	fmt.Println(problem.Kind == inst.WrongRegister, problem.At, problem.Want.Describe())

	_, problems := inst.Find("mul", []string{".s16"})
	fmt.Println(problems[0].Kind == inst.MissingModifier, problems[0].Values)
	// Output:
	// mul.wide.wtype d, a, b; [.s32 .s16 .s16] multiplies two values: the low or high half of the product, or all of it
	// true 0 .b32, .u32 or .s32
	// true [.lo .hi .wide]
}

// An editor offers the modifiers that may follow.
func ExampleNext() {
	fmt.Println(inst.Next("shf", []string{".l"}))
	fmt.Println(inst.Next("div", []string{".rn"}))
	// Output:
	// [.clamp .wrap .b32]
	// [.ftz .f32 .f64]
}
