package vm

import (
	"strings"

	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/run/engine"
)

// integerForms are integer arithmetic (PTX ISA 9.7.1), extended precision (9.7.2), and
// the logic and shift instructions (9.7.8).
var integerForms = []row{
	{"add.<int>", plain("w:ww")},
	{"add.sat.s32", plain("i:ii")},
	{"sub.<int>", plain("w:ww")},
	{"sub.sat.s32", plain("i:ii")},
	{"mul.(lo|hi).<int>", plain("w:ww")},
	{"mul.wide.(u16|s16)", plain("i:ii")},
	{"mul.wide.(u32|s32)", plain("l:ii")},
	{"mul24.(lo|hi).(u32|s32)", plain("i:ii")},
	{"mad.(lo|hi).<int>", plain("w:www")},
	{"mad.wide.(u16|s16)", plain("i:iii")},
	{"mad.wide.(u32|s32)", plain("l:iil")},
	{"mad24.(lo|hi).(u32|s32)", multiplyAdd24},
	{"sad.<int>", plain("w:www")},
	{"div.<int>", plain("w:ww")},
	{"rem.<int>", plain("w:ww")},
	{"abs.(s16|s32|s64)", plain("w:w")},
	{"neg.(s16|s32|s64)", plain("w:w")},
	{"min.<int>", plain("w:ww")},
	{"max.<int>", plain("w:ww")},
	{"add.(u16x2|s16x2)", plain("i:ii")},
	{"min.(u16x2|s16x2)", plain("i:ii")},
	{"max.(u16x2|s16x2)", plain("i:ii")},

	{"and.<bits>", plain("w:ww")},
	{"or.<bits>", plain("w:ww")},
	{"xor.<bits>", plain("w:ww")},
	{"not.<bits>", plain("w:w")},
	{"cnot.<bits>", plain("w:w")},
	{"and.pred", predicates},
	{"or.pred", predicates},
	{"xor.pred", predicates},
	{"not.pred", invertPredicate},
	{"shl.<bits>", plain("w:wi")},
	{"shr.<int>", plain("w:wi")},
	{"shr.<bits>", named("w:wi", unsignedName)},
	{"shf.(l|r).(clamp|wrap).b32", plain("i:iii")},
	{"lop3.b32", plain("i:iiii")},

	{"popc.(b32|b64)", plain("i:w")},
	{"clz.(b32|b64)", plain("i:w")},
	{"brev.(b32|b64)", plain("w:w")},
	{"bfind{.shiftamt}.(u32|s32|u64|s64)", plain("i:w")},
	{"bfe.(u32|s32|u64|s64)", plain("w:wii")},
	{"bfi.(b32|b64)", plain("w:wwii")},
	{"bmsk.(clamp|wrap).b32", plain("i:ii")},
	{"fns.b32", plain("i:iii")},
	{"prmt.b32{.(f4e|b4e|rc8|ecl|ecr|rc16)}", plain("i:iii")},
	{"dp4a.(u32|s32).(u32|s32)", plain("i:iii")},
	{"dp2a.(lo|hi).(u32|s32).(u32|s32)", plain("i:iii")},

	{"add.cc.(u32|s32|u64|s64)", carrying(2)},
	{"addc{.cc}.(u32|s32|u64|s64)", carrying(2)},
	{"sub.cc.(u32|s32|u64|s64)", carrying(2)},
	{"subc{.cc}.(u32|s32|u64|s64)", carrying(2)},
	{"mad.(lo|hi).cc.(u32|s32|u64|s64)", carrying(3)},
	{"madc.(lo|hi){.cc}.(u32|s32|u64|s64)", carrying(3)},
}

// unsignedName is the name of the operation on unsigned integers that does what the form
// says of untyped bits.
func unsignedName(f form) string {
	return f.name + ".u" + f.modifiers[len(f.modifiers)-1][1:]
}

// multiplyAdd24 builds mad24 as a product and a sum.
func multiplyAdd24(b *builder) {
	t := b.inst.lastType()
	d := b.destination(b.operand(0), narrow)
	s := b.sources(1, narrow, t)
	if len(s) != 3 {
		b.fail("it has %s", diag.Count(len(s)+1, "operand"))
		return
	}
	product := b.newRegister(narrow)
	b.unguarded(func() { b.emitPlain("mul24."+b.inst.modifiers[0]+"."+b.inst.modifiers[1], product, s[0], s[1]) })
	b.emitPlain("add.u32", d, product, s[2])
}

// predicates builds an operation on two predicates.
func predicates(b *builder) {
	d := b.destination(b.operand(0), flag)
	b.emitLogic2(b.inst.name, d, b.source(b.operand(1), flag, check.Pred), b.source(b.operand(2), flag, check.Pred))
}

func invertPredicate(b *builder) {
	d := b.destination(b.operand(0), flag)
	b.emitLogic1("not", d, b.source(b.operand(1), flag, check.Pred))
}

// carrying builds the instructions that write or read the condition code register, with
// the given number of sources.
func carrying(sources int) func(b *builder) {
	return func(b *builder) {
		t := b.inst.lastType()
		if t.Bits() == 64 {
			emitCarrying[uint64](b, wide, t, sources)
		} else {
			emitCarrying[uint32](b, narrow, t, sources)
		}
	}
}

func emitCarrying[W engine.Word](b *builder, c class, t check.Type, count int) {
	if b.carry == noRegister {
		b.carry = b.newRegister(flag)
	}
	d, s, cc := b.destination(b.operand(0), c), b.sources(1, c, t), b.carry
	if len(s) != count {
		b.fail("it has %s", diag.Count(len(s)+1, "operand"))
		return
	}
	name := b.inst.String()
	defs, uses := []register{d}, s
	if strings.HasSuffix(b.inst.name, "c") { // addc, subc, madc
		uses = append([]register{cc}, s...)
	}
	if b.inst.has("cc") {
		defs = append(defs, cc)
	}
	if count == 2 {
		f, ok := engine.Plain[engine.Carry2[W]](name)
		if !ok {
			b.fail("")
		}
		b.emit(defs, uses, func(fr *frame, private bool) step {
			return &carry2[W]{f, columnOf[W](fr, d), fr.predicate(cc), columnOf[W](fr, s[0]), columnOf[W](fr, s[1]), private}
		})
		return
	}
	f, ok := engine.Plain[engine.Carry3[W]](name)
	if !ok {
		b.fail("")
	}
	b.emit(defs, uses, func(fr *frame, private bool) step {
		return &carry3[W]{f, columnOf[W](fr, d), fr.predicate(cc), columnOf[W](fr, s[0]), columnOf[W](fr, s[1]), columnOf[W](fr, s[2]), private}
	})
}
