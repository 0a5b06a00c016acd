package diag

// The codes of packages check and readings that are about video instructions.
const (
	UnknownInstruction  Code = "unknown-instruction"
	UnknownModifier     Code = "unknown-modifier"
	ModifierNotAllowed  Code = "modifier-not-allowed"
	ModifierConflict    Code = "modifier-conflict"
	ModifierRepeated    Code = "modifier-repeated"
	ModifierMissing     Code = "modifier-missing"
	TypeNotAllowed      Code = "type-not-allowed"
	TypeMissing         Code = "type-missing"
	TypeExtra           Code = "type-extra"
	OperandMissing      Code = "operand-missing"
	OperandExtra        Code = "operand-extra"
	OperandKind         Code = "operand-kind"
	ImmediateNotAllowed Code = "immediate-not-allowed"
	RegisterType        Code = "register-type"
	SelectorNotAllowed  Code = "selector-not-allowed"
	SelectorConflict    Code = "selector-conflict"
	UnknownSelector     Code = "unknown-selector"
	NegationNotAllowed  Code = "negation-not-allowed"
	NegationConflict    Code = "negation-conflict"
	VersionTooLow       Code = "version-too-low"
	TargetTooLow        Code = "target-too-low"
	OperandIgnored      Code = "operand-ignored"
	SelectorIgnored     Code = "selector-ignored"
	ModifierIgnored     Code = "modifier-ignored"
	NegationIgnored     Code = "negation-ignored"
	ImmediateTruncated  Code = "immediate-truncated"
	ReadingsDiffer      Code = "readings-differ"
)

var videoDocs = []Doc{
	{
		Code:    UnknownInstruction,
		Section: "9.7.18",
		Rule:    "PTX has no instruction of that name; names are in small letters. There are 23 video instructions; of all other instructions only vote begins with v. varvg2 and varvg4, which the manual's target notes print, are misprints of vavrg2 and vavrg4 (ruling R14).",
		Wrong:   "\tvarvg4.u32.u32.u32 %r1, %r2, %r3, %r4;",
		Right:   "\tvavrg4.u32.u32.u32 %r1, %r2, %r3, %r4;",
	}, {
		Code:    UnknownModifier,
		Section: "9.7.18",
		Rule:    "No instruction has such a modifier. Modifiers are in small letters.",
		Wrong:   "\tvadd.s32.s32.s32.saturate %r1, %r2, %r3;",
		Right:   "\tvadd.s32.s32.s32.sat %r1, %r2, %r3;",
	}, {
		Code:    ModifierNotAllowed,
		Section: "9.7.18",
		Rule:    "Other instructions have this modifier, this one has not. Of the video instructions .clamp and .wrap belong to vshl and vshr, comparisons to vset, vset2 and vset4, .po, .shr7 and .shr15 to vmad, .min and .max as second operation to the scalar instructions but vmad. The manual's example vset4.u32.u32.ne.max is outside its own grammar (ruling R13).",
		Wrong:   "\tvset4.u32.u32.ne.max %r1, %r2, %r3, %r0;",
		Right:   "\tvset4.u32.u32.ne.add %r1, %r2, %r3, %r0;",
	}, {
		Code:    ModifierConflict,
		Section: "9.7.18.2.1",
		Rule:    "Each of the modifiers is allowed, but not both at once: the accumulating SIMD instructions (.add) do not saturate, vmad negates nothing where it adds one (.po), and .sat of sub goes with .s32 and .f32, not with .s64.",
		Wrong:   "\tvadd4.s32.s32.s32.sat.add %r1, %r2, %r3, %r4;",
		Right:   "\tvadd4.s32.s32.s32.add %r1, %r2, %r3, %r4;",
	}, {
		Code:    ModifierRepeated,
		Section: "9.7.18",
		Rule:    "One comparison, one rounding, one shift mode, one scale and one second operation can be written, and each modifier once.",
		Wrong:   "\tvmax.s32.s32.s32.min.max %r1, %r2, %r3, %r4;",
		Right:   "\tvmax.s32.s32.s32.min %r1, %r2, %r3, %r4;",
	}, {
		Code:    ModifierMissing,
		Section: "9.7.18",
		Rule:    "vset, vset2 and vset4 need a comparison, vshl and vshr need .clamp or .wrap. Of the other instructions fma, and div, rcp and sqrt of floating-point numbers need a rounding or .approx, cvt needs one where a value may not be exact, and set and setp need a comparison.",
		Wrong:   "\tvshl.u32.u32.u32 %r1, %r2, %r3;",
		Right:   "\tvshl.u32.u32.u32.clamp %r1, %r2, %r3;",
	}, {
		Code:    TypeNotAllowed,
		Section: "9.7.18",
		Rule:    "The types of video instructions are .u32 and .s32, also where a byte or a half-word is taken from a register: that is said by a selector. The type of the shift amount of vshl and vshr is .u32. Each of the other instructions has its own types: the message lists them.",
		Wrong:   "\tvadd.s32.u8.s32 %r1, %r2, %r3;",
		Right:   "\tvadd.s32.u32.s32 %r1, %r2.b0, %r3;",
	}, {
		Code:    TypeMissing,
		Section: "9.7.18",
		Rule:    "A video instruction says the types of d, a and b, in this order; vset, vset2 and vset4 those of a and b only. Of the other instructions most say one type, cvt, set, slct and dp4a two.",
		Wrong:   "\tvadd.s32 %r1, %r2, %r3;",
		Right:   "\tvadd.s32.s32.s32 %r1, %r2, %r3;",
	}, {
		Code:    TypeExtra,
		Section: "9.7.18",
		Rule:    "A video instruction says the types of d, a and b, in this order; vset, vset2 and vset4 those of a and b only, since their result is always unsigned. The type of c follows from them. Of the other instructions most say one type, cvt, set, slct and dp4a two.",
		Wrong:   "\tvset.u32.s32.s32.lt %r1, %r2, %r3;",
		Right:   "\tvset.s32.s32.lt %r1, %r2, %r3;",
	}, {
		Code:    OperandMissing,
		Section: "9.7.18",
		Rule:    "SIMD video instructions and vmad have four operands. The others have three, and a fourth, c, where a second operation or a destination selector needs it. Of all other instructions the note shows the operands.",
		Wrong:   "\tvadd4.u32.u32.u32 %r1, %r2, %r3;",
		Right:   "\tvadd4.u32.u32.u32 %r1, %r2, %r3, %r4;",
	}, {
		Code:    OperandExtra,
		Section: "9.7.18",
		Rule:    "No video instruction has more than four operands: d, a, b and c. Of all other instructions the note shows the operands.",
		Wrong:   "\tvadd4.u32.u32.u32 %r1, %r2, %r3, %r4, %r5;",
		Right:   "\tvadd4.u32.u32.u32 %r1, %r2, %r3, %r4;",
	}, {
		Code:    OperandKind,
		Section: "9.7.18",
		Rule:    "The operands of video instructions are 32-bit registers; a, b and c of the scalar ones may be integer constants, too. Special registers, addresses, vectors, floating-point numbers and _ are none of these. Of the other instructions few take special registers or names of variables as sources: mov does, and cvt between integers.",
		Wrong:   "\tvadd.u32.u32.u32 %r1, %tid.x, %r2;",
		Right:   "\tmov.u32 %r3, %tid.x;\n\tvadd.u32.u32.u32 %r1, %r3, %r2;",
	}, {
		Code:    ImmediateNotAllowed,
		Section: "R17",
		Rule:    "Scalar video instructions take integer constants as a, b and c; SIMD ones take registers only. No instruction takes a constant for a half-precision number.",
		Wrong:   "\tvmax4.s32.s32.s32 %r1, %r2, 0, %r3;",
		Right:   "\tmov.b32 %r4, 0;\n\tvmax4.s32.s32.s32 %r1, %r2, %r4, %r3;",
	}, {
		Code:    RegisterType,
		Section: "9.7.18",
		Rule:    "Video instructions work on registers of 32 bits that are declared .b32, .u32 or .s32, or .f16x2, as ptxas has it. The operands of all other instructions are in registers of the width of the type that the instruction says, declared with the same kind of type or an untyped one (9.4.1). cvt, ld and st also take wider registers.",
		Wrong:   "\tvadd.s32.s32.s32 %r1, %q1, %r2;",
		Right:   "\tvadd.s32.s32.s32 %r1, %r3, %r2;",
	}, {
		Code:    SelectorNotAllowed,
		Section: "9.7.18",
		Rule:    "Operand c has no selector, nor has the destination of vmad, nor an immediate, nor any operand of an instruction that is not a video instruction.",
		Wrong:   "\tvadd.s32.s32.s32.add %r1, %r2, %r3, %r4.h0;",
		Right:   "\tvadd.s32.s32.s32.add %r1, %r2, %r3.h0, %r4;",
	}, {
		Code:    SelectorConflict,
		Section: "9.7.18.1",
		Rule:    "A scalar video instruction either applies a second operation or merges its result into a part of c, which the selector of d says. It cannot do both (ruling R2).",
		Wrong:   "\tvadd.s32.s32.s32.add %r1.h0, %r2, %r3, %r4;",
		Right:   "\tvadd.s32.s32.s32 %r1.h0, %r2, %r3, %r4;",
	}, {
		Code:    UnknownSelector,
		Section: "9.7.18",
		Rule:    "Scalar instructions select a byte (.b0 to .b3) or a half-word (.h0, .h1). Sources of 2-way instructions have .h and two digits from 0 to 3, of 4-way ones .b and four digits from 0 to 7; numbers in the upper half are b's. Masks name the lanes that are written, highest first, each once: .h10, .b3210. The manual's example r1.b00 is outside its own grammar (ruling R13). In other instructions only vector registers have something after the name, their elements .x .y .z .w.",
		Wrong:   "\tvmin4.s32.u32.u32.add %r1.b00, %r2.b0000, %r3.b2222, %r1;",
		Right:   "\tvmin4.s32.u32.u32.add %r1.b0, %r2.b0000, %r3.b2222, %r1;",
	}, {
		Code:    NegationNotAllowed,
		Section: "9.7.18.1.3",
		Rule:    "Only the sources of vmad can be negated by a minus sign, and only predicates by an exclamation mark.",
		Wrong:   "\tvadd.s32.s32.s32 %r1, %r2, -%r3;",
		Right:   "\tvsub.s32.s32.s32 %r1, %r2, %r3;",
	}, {
		Code:    NegationConflict,
		Section: "9.7.18.1.3",
		Rule:    "vmad negates either the product, by a minus sign before one of a and b, or c. Two signs before a and b cancel each other; c may then be negated (ruling R7).",
		Wrong:   "\tvmad.s32.s32.s32 %r1, -%r2, %r3, -%r4;",
		Right:   "\tvmad.s32.s32.s32 %r1, %r2, %r3, -%r4;",
	}, {
		Code:    VersionTooLow,
		Section: "R18",
		Rule:    "The module's .version is older than the instruction. The scalar video instructions came with PTX 2.0, the SIMD ones with PTX 3.0; of these each mnemonic is reported once.",
		Scope:   Module,
		Wrong:   ".version 2.3\n.target sm_30\n.visible .entry k() { .reg .b32 %r<5>; vadd4.u32.u32.u32 %r1, %r2, %r3, %r4; ret; }",
		Right:   ".version 3.0\n.target sm_30\n.visible .entry k() { .reg .b32 %r<5>; vadd4.u32.u32.u32 %r1, %r2, %r3, %r4; ret; }",
	}, {
		Code:    TargetTooLow,
		Section: "R18",
		Rule:    "The module's .target does not have the instruction. The scalar video instructions need sm_20, the SIMD ones sm_30; of these each mnemonic is reported once.",
		Scope:   Module,
		Wrong:   ".version 3.0\n.target sm_20\n.visible .entry k() { .reg .b32 %r<5>; vadd4.u32.u32.u32 %r1, %r2, %r3, %r4; ret; }",
		Right:   ".version 3.0\n.target sm_30\n.visible .entry k() { .reg .b32 %r<5>; vadd4.u32.u32.u32 %r1, %r2, %r3, %r4; ret; }",
	}, {
		Code:     OperandIgnored,
		Severity: Warning,
		Section:  "R16",
		Rule:     "A scalar instruction with a fourth operand has a second operation or a destination selector in the manual's grammar. ptxas also accepts it with neither, and then c has no effect: probably .add, .min, .max or a selector on d was forgotten.",
		Wrong:    "\tvadd.s32.s32.s32 %r1, %r2, %r3, %r4;",
		Right:    "\tvadd.s32.s32.s32.add %r1, %r2, %r3, %r4;",
	}, {
		Code:     SelectorIgnored,
		Severity: Warning,
		Section:  "R19",
		Rule:     "The selectors .b01, .b12 and .b23 are in no grammar of the scalar instructions, yet ptxas accepts them on d and c and emits the code of the instruction without them: probably .h0, .h1 or a single byte was meant.",
		Wrong:    "\tvadd.u32.u32.u32.add %r1.b01, %r2, %r3, %r4;",
		Right:    "\tvadd.u32.u32.u32 %r1.h0, %r2, %r3, %r4;",
	}, {
		Code:     ModifierIgnored,
		Severity: Warning,
		Section:  "R15",
		Rule:     "The modifier has no effect, yet ptxas accepts it: .sat a second time, in instructions other than video instructions also .cc, .approx, .sync and other flags, and .pred beside the types of an instruction that has none.",
		Wrong:    "\tvadd.sat.s32.s32.s32.sat %r1, %r2, %r3;",
		Right:    "\tvadd.sat.s32.s32.s32 %r1, %r2, %r3;",
	}, {
		Code:     NegationIgnored,
		Severity: Warning,
		Section:  "R20",
		Rule:     "Only vmad can negate, and it negates the product of a and b: two minus signs, before a and b, cancel each other. ptxas accepts them so in every video instruction, and they have no effect at all: vadd with -a and -b computes a + b.",
		Wrong:    "\tvadd.s32.s32.s32 %r1, -%r2, -%r3;",
		Right:    "\tvadd.s32.s32.s32 %r1, %r2, %r3;",
	}, {
		Code:     ImmediateTruncated,
		Severity: Warning,
		Section:  "R17",
		Rule:     "The constant does not fit 32 bits. ptxas drops the upper ones without a word.",
		Wrong:    "\tvadd.u32.u32.u32 %r1, %r2, 0x100000001;",
		Right:    "\tvadd.u32.u32.u32 %r1, %r2, 1;",
	}, {
		Code:     ReadingsDiffer,
		Severity: Warning,
		Section:  "9.7.18.1",
		Rule:     "From sm_70 on ptxas emulates the scalar video instructions, and in corner cases its code does not compute what the manual says. The message names the cause, Q1 to Q11 of the [rulings](rulings.md#the-reading-sm_86), and gives operands with both values, which vop eval --explain draws stage by stage. It is given where some operands show a difference, of those that agree with the constants and the registers of the instruction; vop knows nothing more of their values. vop check --off readings-differ leaves it out.",
		Wrong:    "\tvadd.u32.u32.u32.sat %r1, %r2, %r3;",
		Right:    "\tcvt.u64.u32 %q1, %r2;\n\tcvt.u64.u32 %q2, %r3;\n\tadd.s64 %q1, %q1, %q2;\n\tcvt.sat.u32.s64 %r1, %q1;",
	},
}
