package diag

// The codes of package check that are about the other instructions.
const (
	ImmediateRange         Code = "immediate-range"
	SpecialRegisterWritten Code = "special-register-written"
	BranchTarget           Code = "branch-target"
	ParameterWritten       Code = "parameter-written"
	ConstantWritten        Code = "constant-written"
	StateSpace             Code = "state-space"
	AddressMinus           Code = "address-minus"
	ImmediateKind          Code = "immediate-kind"
	ModifierOrder          Code = "modifier-order"
	TargetTooHigh          Code = "target-too-high"
	GuardDropped           Code = "guard-dropped"
)

var ordinaryDocs = []Doc{
	{
		Code:    ImmediateRange,
		Section: "9.7.8.6 and 9.7.13.1",
		Rule:    "Some constants have a range: the table of lop3 is a number from 0 to 255, a barrier one from 0 to 15, and the number of threads that meet at a barrier is a multiple of 32.",
		Wrong:   "\tlop3.b32 %r1, %r2, %r3, %r4, 256;\n\tbar.sync 16;",
		Right:   "\tlop3.b32 %r1, %r2, %r3, %r4, 0x96;\n\tbar.sync 15, 64;",
	}, {
		Code:    SpecialRegisterWritten,
		Section: "10",
		Rule:    "The special registers, such as %tid.x and %laneid, are read-only.",
		Wrong:   "\tmov.u32 %laneid, %r1;",
		Right:   "\tmov.u32 %r1, %laneid;",
	}, {
		Code:    BranchTarget,
		Section: "9.7.12.3",
		Rule:    "bra goes to a label of the same function. A function is called, by call, and one of several labels is chosen by brx.idx.",
		Scope:   Module,
		Wrong:   ".version 7.8\n.target sm_80\n.func f() { ret; }\n.visible .entry k() { bra f; }",
		Right:   ".version 7.8\n.target sm_80\n.func f() { ret; }\n.visible .entry k() { call f; ret; }",
	}, {
		Code:    ParameterWritten,
		Section: "5.1.6.1",
		Rule:    "The parameters of a kernel are shared by all threads of a launch and read-only. What st.param writes are the .param variables that pass arguments to a function, and the values that a function returns.",
		Wrong:   "\tst.param.u64 [in], %q1;",
		Right:   "\tld.param.u64 %q1, [in];",
	}, {
		Code:    ConstantWritten,
		Section: "5.1.3",
		Rule:    "The constant state space is read-only: st, red and atom have no .const. The host initialises .const variables; what a kernel writes is in .global memory.",
		Wrong:   "\tst.const.u32 [%q1], %r1;",
		Right:   "\tst.global.u32 [%q1], %r1;",
	}, {
		Code:    StateSpace,
		Section: "5.1",
		Rule:    "A variable in the brackets of an instruction that names a state space is in that space. Without one the address is generic.",
		Wrong:   "\tld.global.u64 %q1, [in];",
		Right:   "\tld.param.u64 %q1, [in];",
	}, {
		Code:    AddressMinus,
		Section: "6.4.1",
		Rule:    "An address is a register, a variable, or one of them and a constant that is added. A negative one is written with its sign behind the plus.",
		Wrong:   "\tld.global.u32 %r1, [%q1-16];",
		Right:   "\tld.global.u32 %r1, [%q1+-16];",
	}, {
		Code:    ImmediateKind,
		Section: "4.5",
		Rule:    "A constant is of the kind of the operand: an integer where the instruction computes with integers or bits, a floating-point number, such as 1.0 or 0f3f800000, where it computes with .f32 or .f64.",
		Wrong:   "\tadd.f32 %f1, %f2, 1;",
		Right:   "\tadd.f32 %f1, %f2, 1.0;",
	}, {
		Code:    ModifierOrder,
		Section: "9.7.1.3",
		Rule:    "Modifiers may come in any order, but some belong to the name of the instruction and stand right after it: .lo, .hi and .wide of mul and mad, .l and .r of shf, .pack of cvt, .to of cvta, .async of cp.",
		Wrong:   "\tmul.s32.lo %r1, %r2, %r3;",
		Right:   "\tmul.lo.s32 %r1, %r2, %r3;",
	}, {
		Code:    TargetTooHigh,
		Section: "9.7.9.5 and 9.7.13.8",
		Rule:    "shfl and vote without .sync are gone since PTX 6.4 for sm_70 and later, where the lanes of a warp need not go together.",
		Wrong:   "\tshfl.idx.b32 %r1, %r2, %r3, 31;",
		Right:   "\tshfl.sync.idx.b32 %r1, %r2, %r3, 31, -1;",
	}, {
		Code:     GuardDropped,
		Severity: Warning,
		Section:  "9.3",
		Rule:     "An instruction under a guard that does not hold leaves its destination as it was. ptxas 13.0 makes other code of two instructions: testp is executed always, and set to a floating-point type, or from a type of 16 bits to one of 32, converts what the destination holds. A GPU was seen to do so, and vop does what the manual says.",
		Wrong:    "\t@%p1 set.le.f32.s32 %f1, %r1, %r2;",
		Right:    "\tset.le.f32.s32 %f2, %r1, %r2;\n\t@%p1 mov.f32 %f1, %f2;",
	},
}
