package diag

// The codes of package check that are about modules, names and declarations.
const (
	MissingHeader      Code = "missing-header"
	BadDirective       Code = "bad-directive"
	MisplacedStatement Code = "misplaced-statement"
	UndeclaredName     Code = "undeclared-name"
	RedeclaredName     Code = "redeclared-name"
	ReservedName       Code = "reserved-name"
	TypeExpected       Code = "type-expected"
	VectorType         Code = "vector-type"
	BadAlignment       Code = "bad-alignment"
	BadSize            Code = "bad-size"
	SizeLimit          Code = "size-limit"
	BadInitialiser     Code = "bad-initialiser"
	GuardType          Code = "guard-type"
	GuardNotAllowed    Code = "guard-not-allowed"
)

var moduleDocs = []Doc{
	{
		Code:    MissingHeader,
		Section: "11.1",
		Rule:    "A module begins with .version, the version of the PTX language it is written in, and .target, the architecture it is written for. Without them nobody can say which instructions it may use.",
		Scope:   Module,
		Wrong:   ".visible .entry k() { ret; }",
		Right:   ".version 7.8\n.target sm_80\n.visible .entry k() { ret; }",
	}, {
		Code:    BadDirective,
		Section: "11.1",
		Rule:    "The arguments of the directive are not what it takes: .version takes a number with a dot, .target takes names, .address_size takes 32 or 64.",
		Scope:   Module,
		Wrong:   ".version 7.8\n.target sm_80\n.address_size 48",
		Right:   ".version 7.8\n.target sm_80\n.address_size 64",
	}, {
		Code:    MisplacedStatement,
		Section: "4.3",
		Rule:    "Instructions, scopes and registers belong inside functions, functions at module scope. ptxas takes registers at module scope only without the ABI, which it no longer supports.",
		Scope:   Module,
		Wrong:   ".version 7.8\n.target sm_80\n.reg .b32 %r1;\n.visible .entry k() { ret; }",
		Right:   ".version 7.8\n.target sm_80\n.visible .entry k() { .reg .b32 %r1; ret; }",
	}, {
		Code:    UndeclaredName,
		Section: "5.4",
		Rule:    "Every register, variable, parameter and function is declared before it is used, in this scope or one around it. %r<5> declares %r0 to %r4. Only labels may be used before they stand somewhere in the scope. A name is reported once in a function.",
		Wrong:   "\tvadd.s32.s32.s32 %r1, %r2, %r9;",
		Right:   "\tvadd.s32.s32.s32 %r1, %r2, %r7;",
	}, {
		Code:    RedeclaredName,
		Section: "5.4",
		Rule:    "A name is declared once in a scope; a scope inside may declare it anew and hides the one outside. A function may have any number of prototypes before its body.",
		Wrong:   "\t.reg .b32 %count;\n\t.reg .b32 %count;",
		Right:   "\t.reg .b32 %count;\n\t{\n\t\t.reg .b32 %count;\n\t}",
	}, {
		Code:    ReservedName,
		Section: "4.4",
		Rule:    "The names of the special registers, such as %tid and %laneid, are predefined: a declaration would hide the register, and nothing else in the text would show it.",
		Wrong:   "\t.reg .b32 %laneid;",
		Right:   "\t.reg .b32 %lane;",
	}, {
		Code:    TypeExpected,
		Section: "5.2.1",
		Rule:    "A declaration names one of PTX's types after the state space: .b8 to .b128, .u8 to .u64, .s8 to .s64, .f16 to .f64, .f16x2, .bf16, .bf16x2, .pred, .texref, .samplerref, .surfref.",
		Wrong:   "\t.reg .i32 %x;",
		Right:   "\t.reg .s32 %x;",
	}, {
		Code:    VectorType,
		Section: "5.4.2",
		Rule:    "Vectors have two or four elements, of any type but .pred, and at most 128 bits: .v2 of 64 bits, .v4 of 32. Three elements are put into a .v4.",
		Wrong:   "\t.reg .v4 .f64 %v;",
		Right:   "\t.reg .v2 .f64 %v, %w;",
	}, {
		Code:    BadAlignment,
		Section: "5.4.5",
		Rule:    "An alignment is a power of two, in bytes.",
		Wrong:   "\t.shared .align 3 .b8 buffer[64];",
		Right:   "\t.shared .align 4 .b8 buffer[64];",
	}, {
		Code:    BadSize,
		Section: "5.4.3",
		Rule:    "The size of an array is a positive number of reasonable size, and so is the number of registers in %r<n>. Only the first may be left out, where initial values give it, and of .extern variables.",
		Scope:   Module,
		Wrong:   ".version 7.8\n.target sm_80\n.global .u32 table[];",
		Right:   ".version 7.8\n.target sm_80\n.global .u32 table[] = {1, 2, 3};",
	}, {
		Code:    SizeLimit,
		Section: "5.1",
		Rule:    "A kernel has at most 49152 bytes (48 KiB) of .shared variables, 65536 bytes of .const ones, 524288 bytes (512 KiB) of .local ones for each thread, and 4352 bytes of parameters: 32764 from PTX 8.1 and sm_70 on. More shared memory is dynamic, an .extern array without a size; the launch says how much.",
		Wrong:   "\t.shared .align 16 .b8 buffer[50000];",
		Right:   "\t.shared .align 16 .b8 buffer[49152];",
	}, {
		Code:    BadInitialiser,
		Section: "5.4.4",
		Rule:    "Only .global and .const variables have initial values: constants of the variable's type, or addresses of variables and functions that are declared before. Braces follow the dimensions of the array, and there are not more values than elements.",
		Scope:   Module,
		Wrong:   ".version 7.8\n.target sm_80\n.global .u32 table[2] = {1, 2, 3};",
		Right:   ".version 7.8\n.target sm_80\n.global .u32 table[3] = {1, 2, 3};",
	}, {
		Code:    GuardType,
		Section: "9.3",
		Rule:    "What stands after the @ before an instruction is a .pred register.",
		Wrong:   "\t@%r1 vadd.s32.s32.s32 %r2, %r3, %r4;",
		Right:   "\tsetp.ne.s32 %p1, %r1, 0;\n\t@%p1 vadd.s32.s32.s32 %r2, %r3, %r4;",
	}, {
		Code:    GuardNotAllowed,
		Section: "9.3",
		Rule:    "An instruction that is evaluated by itself, as in vop eval, has no guard: there is no predicate that could have a value.",
		Scope:   OneInstruction,
		Wrong:   "@p vadd4.u32.u32.u32 d, a, b, c;",
		Right:   "vadd4.u32.u32.u32 d, a, b, c;",
	},
}
