package build

import (
	"strings"

	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/build/builder"
)

// warpForms are the instructions by which the lanes of a warp exchange values (PTX ISA 9.7.9.5,
// 9.7.13). The lanes that take part are those that are active and, where there is one, in the member
// mask. What a lane that does not take part would have contributed is read as 0.
var warpForms = builder.Table{
	{"shfl{.sync}.(up|down|bfly|idx).(b32|u32|s32|f32)", shuffle},
	{"vote{.sync}.(all|any|uni).pred", vote},
	{"vote{.sync}.ballot.b32", vote},
	{"match.any.sync.(b32|b64|u32|u64)", match},
	{"match.all.sync.(b32|b64|u32|u64)", match},
	{"redux.sync.(add|min|max).(u32|s32)", reduceWarp},
	{"redux.sync.(and|or|xor).b32", reduceWarp},
	{"redux.sync.(min|max){.abs}{.NaN}.f32", reduceFloats},
	{"activemask.b32", func(b *builder.Builder) { exchange(b, "activemask", nil, -1) }},
	{"elect.sync", func(b *builder.Builder) { exchange(b, "elect", nil, 1) }},
}

// exchange builds an exchange: of d, of a predicate, or of d|p. members is the operand that is the
// mask of members, or -1.
func exchange(b *builder.Builder, name string, args []simt.ID, members int) {
	x := &simt.ExchangeOp{Name: name}
	if members > 0 {
		x.Members = true
		args = append(args, b.Source(b.Operand(members), simt.B32, check.B32))
	}
	var outputs []*check.Operand
	switch o := b.Operand(0); {
	case o.Kind == check.OpPair:
		x.D, x.P = true, true
		outputs = []*check.Operand{&o.Elems[0], &o.Elems[1]}
	default:
		x.P = strings.HasPrefix(name, "vote.") && name != "vote.ballot"
		x.D = !x.P
		outputs = []*check.Operand{o}
	}
	var defs []simt.ID
	if x.D {
		defs = append(defs, b.Result(simt.B32))
	}
	if x.P {
		defs = append(defs, b.Result(simt.Pred))
	}
	b.Effect(simt.Inst{Kind: simt.Exchange, Defs: defs, Args: b.List(args...), Aux: x})
	for i, o := range outputs {
		b.Set(o, defs[i])
	}
}

// membersAt is the operand of the member mask, which the .sync forms have.
func membersAt(b *builder.Builder, i int) int {
	if !b.Form.Has("sync") {
		return -1
	}
	return i
}

// shuffle builds shfl (9.7.9.6).
func shuffle(b *builder.Builder) {
	mode := b.Form.Modifiers[0]
	if mode == "sync" {
		mode = b.Form.Modifiers[1]
	}
	var args []simt.ID
	for i := 1; i <= 3; i++ {
		args = append(args, b.Source(b.Operand(i), simt.B32, check.B32))
	}
	exchange(b, "shfl."+mode, args, membersAt(b, 4))
}

// vote builds vote.
func vote(b *builder.Builder) {
	mode := b.Form.Modifiers[0]
	if mode == "sync" {
		mode = b.Form.Modifiers[1]
	}
	exchange(b, "vote."+mode, []simt.ID{b.Predicate(1)}, membersAt(b, 2))
}

// match builds match.
func match(b *builder.Builder) {
	t := b.Form.LastType()
	exchange(b, "match."+b.Form.Modifiers[0], []simt.ID{b.Source(b.Operand(1), simt.TypeOf(t), t)}, 2)
}

// reduceWarp builds redux.
func reduceWarp(b *builder.Builder) {
	exchange(b, "redux."+b.Form.Modifiers[1]+"."+b.Form.Modifiers[2], []simt.ID{b.Source(b.Operand(1), simt.B32, check.B32)}, 2)
}

// reduceFloats builds redux of f32: the numbers as integers that are in the same order, -0 before +0, and the number that the least or greatest of
// these stands for. A NaN is the last of them to be taken, or with .NaN the first.
func reduceFloats(b *builder.Builder) {
	sign, magnitude := b.Constant(simt.B32, 31), b.Constant(simt.B32, 1<<31-1)
	inOrder := func(x simt.ID) simt.ID { // which is its own inverse
		return b.Named("xor.b32", x, b.Named("and.b32", b.Named("shr.s32", x, sign), magnitude))
	}
	orNaN := func(x, nan simt.ID) simt.ID { return b.Named("selp.32", x, nan, b.Named("setp.num.f32", x, x)) }
	x := b.Source(b.Operand(1), simt.B32, check.F32)
	if b.Form.Has("abs") {
		x = b.Named("and.b32", x, magnitude)
	}
	nan := magnitude // the greatest of all
	if b.Form.Has("min") == b.Form.Has("NaN") {
		nan = b.Constant(simt.B32, 1<<32-1) // the least
	}
	d := b.Result(simt.B32)
	args := b.List(inOrder(orNaN(x, nan)), b.Source(b.Operand(2), simt.B32, check.B32))
	b.Effect(simt.Inst{Kind: simt.Exchange, Defs: b.List(d), Args: args, Aux: &simt.ExchangeOp{Name: "redux." + b.Form.Modifiers[1] + ".s32", Members: true, D: true}})
	b.Set(b.Operand(0), orNaN(inOrder(d), magnitude))
}
