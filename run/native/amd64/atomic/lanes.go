package atomic

import (
	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
	"github.com/vop-ptx/vop/run/native/amd64/warp"
	"github.com/vop-ptx/vop/run/native/frame"
)

// The machine registers of the loops. RBX is the homes otherwise.
var (
	rest = encode.RCX // the lanes that are left
	lane = encode.RDX // the lane at work
	at   = encode.RDX // the address of its element
	old  = encode.RAX // what the element was
	data = encode.RBX // b, and what the element becomes
)

func inFrame(offset int32) encode.Operand { return encode.At(warp.FrameReg, offset) }

// ofLane is the element of the lane at work, of those that are in the frame.
func (u *Update) ofLane(from int32) encode.Operand {
	return encode.AtIndex(warp.FrameReg, lane, u.bytes, from)
}

// Each executes the operation in the lanes that RCX has, on the elements at offsets from RAX.
func (u *Update) Each(wideOffsets bool) {
	u.Do(func() {
		u.loop(func() {
			if wideOffsets {
				u.Emit(encode.MOV|encode.S64, at, encode.AtIndex(warp.FrameReg, lane, 8, offsets))
			} else {
				u.Emit(encode.MOV|encode.S32, at, encode.AtIndex(warp.FrameReg, lane, 4, offsets))
			}
			u.Emit(encode.ADD|encode.S64, at, inFrame(host))
		})
	})
}

// EachAtOne executes the operation in the lanes that RCX has, on the element at RAX.
func (u *Update) EachAtOne() {
	u.Do(func() { u.loop(func() { u.Emit(encode.MOV|encode.S64, at, inFrame(host)) }) })
}

// Next leaves in RAX what it was when the operation was executed last, and so many bytes more: where the next element is.
func (u *Update) Next(bytes int) {
	u.Do(func() {
		u.Emit(encode.MOV|encode.S64, encode.RAX, inFrame(host))
		u.Emit(encode.ADD|encode.S64, encode.RAX, encode.Imm(int64(bytes)))
	})
}

// loop writes the loop over the lanes, of which there may be none. find leaves the address of the element of the lane at work.
func (u *Update) loop(find func()) {
	next, done := u.Asm.NewLabel(), u.Asm.NewLabel()
	u.Emit(encode.TEST|encode.S32, rest, rest)
	u.JumpIf(encode.CondE, done)
	u.Emit(encode.MOV|encode.S64, inFrame(host), encode.RAX)
	u.begin()
	u.Bind(next)
	u.Emit(encode.TZCNT|encode.S32, lane, rest)
	u.Emit(encode.MOV|u.inRegister(), data, u.ofLane(operands))
	if u.operation == "cas" {
		u.read(data)
		u.Emit(encode.MOV|u.inRegister(), data, u.ofLane(seconds))
	}
	find()
	u.change()
	if u.result {
		u.Emit(encode.TZCNT|encode.S32, lane, rest)
		u.Emit(encode.MOV|u.inRegister(), u.ofLane(operands), old)
	}
	u.Emit(encode.BLSR|encode.S32, rest, rest)
	u.JumpIf(encode.CondNE, next)
	u.end()
	u.Emit(encode.MOV|encode.S64, warp.HomesReg, inFrame(frame.Homes))
	u.Bind(done)
}

// CanJoin reports whether the operations of lanes at one address may be one, of what their operands come to. That lanes of
// others come in between cannot be told from it, as they may come before and behind as well.
func (u *Update) CanJoin() bool {
	switch u.operation {
	case "add":
		return u.isInteger()
	case "and", "or", "xor", "min", "max":
		return !u.result
	}
	return false
}

// Join executes the operation once for the lanes that RCX has, on the element at RAX. If all have the same b, it is in a
// general register, and else in the frame.
func (u *Update) Join(same machine.Operand) {
	if !same.None() {
		u.Fixedly(encode.MOV|encode.S64, machine.Fixed(data), same)
	}
	u.Do(func() {
		done := u.Asm.NewLabel()
		u.Emit(encode.MOV|encode.S64, inFrame(host), encode.RAX)
		if same.None() || u.result {
			u.Emit(encode.TEST|encode.S32, rest, rest)
			u.JumpIf(encode.CondE, done)
		}
		switch {
		case u.result:
			u.sumBefore()
		case same.None():
			u.joinEach()
		default:
			u.joinSame(done)
		}
		u.Emit(encode.MOV|encode.S64, at, inFrame(host))
		u.change()
		if u.result {
			u.Emit(encode.MOV|encode.S64, inFrame(host), old)
		}
		u.Bind(done)
		u.Emit(encode.MOV|encode.S64, warp.HomesReg, inFrame(frame.Homes))
	})
}

// joinSame leaves in data what the operations with one operand come to, or goes to none if there are no lanes.
func (u *Update) joinSame(none encode.Label) {
	switch u.operation {
	case "add", "xor":
		u.Emit(encode.POPCNT|encode.S32, old, rest)
		u.JumpIf(encode.CondE, none)
		if u.operation == "xor" {
			u.Emit(encode.AND|encode.S32, old, encode.Imm(1))
		}
		u.Emit(encode.IMUL2|u.size, data, old)
	default:
		u.Emit(encode.TEST|encode.S32, rest, rest)
		u.JumpIf(encode.CondE, none)
	}
}

// joinEach leaves in data what the operations with the lanes' operands come to.
func (u *Update) joinEach() {
	next, done := u.Asm.NewLabel(), u.Asm.NewLabel()
	u.Emit(encode.TZCNT|encode.S32, lane, rest)
	u.Emit(encode.MOV|u.size, data, u.ofLane(operands))
	u.Emit(encode.BLSR|encode.S32, rest, rest)
	u.JumpIf(encode.CondE, done)
	u.Bind(next)
	u.Emit(encode.TZCNT|encode.S32, lane, rest)
	if u.operation == "min" || u.operation == "max" {
		u.Emit(encode.MOV|u.size, old, u.ofLane(operands))
		u.Emit(encode.CMP|u.size, data, old)
		u.Emit(encode.CMOV.If(u.keeps().Not())|u.size, data, old)
	} else {
		u.Emit(u.arithmetic(), data, u.ofLane(operands))
	}
	u.Emit(encode.BLSR|encode.S32, rest, rest)
	u.JumpIf(encode.CondNE, next)
	u.Bind(done)
}

// sumBefore replaces the lanes' operands by the sum of those of the lanes before them, and leaves in data the sum of all.
func (u *Update) sumBefore() {
	next := u.Asm.NewLabel()
	u.Emit(encode.XOR|encode.S32, data, data)
	u.Bind(next)
	u.Emit(encode.TZCNT|encode.S32, lane, rest)
	u.Emit(encode.MOV|u.size, old, u.ofLane(operands))
	u.Emit(encode.MOV|u.size, u.ofLane(operands), data)
	u.Emit(encode.ADD|u.size, data, old)
	u.Emit(encode.BLSR|encode.S32, rest, rest)
	u.JumpIf(encode.CondNE, next)
}

// JoinedResults is Results behind Join.
func (u *Update) JoinedResults(s *warp.Group) [2]machine.Operand {
	x := u.Results(s)
	add, before := encode.Op(encode.VPADDD), machine.Operand{}
	if u.bytes == 8 {
		add, before = encode.VPADDQ, s.New(encode.VPBROADCASTQ, u.InFrame(host))
	} else {
		before = s.New(encode.VPBROADCASTD, u.InFrame(host))
	}
	for p := range u.bytes / 4 {
		x[p] = s.New(add, x[p], before)
	}
	return x
}
