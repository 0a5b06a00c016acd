package kernel

import (
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
	"github.com/vop-ptx/vop/run/native/amd64/warp"
	"github.com/vop-ptx/vop/run/simt/affine"
)

// Stores past the caches. A kernel that writes more than the caches hold, and does not read it, need not load what it
// overwrites. Such stores are seen late by other threads: the code waits for them before it is left.

// canStream reports whether an access may go past the caches: all lanes store words side by side, and nothing in the function
// tells other threads that they are stored.
func (m *memoryAccess) canStream(a affine.Value) bool {
	if m.Publishes || m.inst.Guard != 0 || m.Size != 4 || len(m.inst.Args) != 2 || m.Space == check.Shared {
		return false
	}
	by, same := step(a.C[:])
	return same && by == 4
}

// streamOrNot emits a store in two ways, of which the first goes past the caches: if the window says so, all lanes are at
// work and the address is a multiple of 64.
func (m *memoryAccess) streamOrNot(a affine.Value, bases [2]machine.Operand, stream, store func()) {
	if !m.canStream(a) {
		store()
		return
	}
	k := m.compiler
	normal, done := k.Asm.NewLabel(), k.Asm.NewLabel()
	unless := func(c encode.Cond) { k.Do(func() { k.JumpIf(c, normal) }) }
	k.Fixedly(encode.CMP|encode.S32, m.inWindow(WindowStreams), machine.Immediate(0))
	unless(encode.CondE)
	for half, base := range bases {
		if half == 1 && !a.Split {
			break
		}
		k.Fixedly(encode.TEST|encode.S32, base, machine.Immediate(63))
		unless(encode.CondNE)
	}
	k.Do(func() { k.WriteWordAtWork(encode.RAX) })
	k.Fixedly(encode.CMP|encode.S32, rax, machine.Fixed(encode.Imm(-1)))
	unless(encode.CondNE)
	stream()
	k.Do(func() {
		k.Emit(encode.MOV|encode.S64, encode.RAX, encode.At(frameReg, FrameFirst))
		k.Emit(encode.MOV|encode.S32, encode.At(encode.RAX, warp.FrameStreamed), encode.Imm(1))
		k.Jump(done)
		k.Bind(normal)
	})
	store()
	k.Do(func() { k.Bind(done) })
	k.streams = true
}

// streamRegular stores the elements of a group past the caches.
func (m *memoryAccess) streamRegular(s *warp.Group, base machine.Operand, at []int64) {
	x := m.element(s, m.inst.Args[1])[0]
	to := machine.MemoryAt(base, int32(at[0]))
	m.Code = append(m.Code, machine.Instr{Op: encode.VMOVNTDQ | s.Target.Length, Args: [4]machine.Operand{to, x}, N: 2})
}

// writeFence waits for the stores that have gone past the caches, if there are any.
func (k *compiler) writeFence() {
	if !k.streams {
		return
	}
	none := k.Asm.NewLabel()
	k.Emit(encode.MOV|encode.S64, encode.RAX, encode.At(frameReg, FrameFirst))
	k.Emit(encode.CMP|encode.S32, encode.At(encode.RAX, warp.FrameStreamed), encode.Imm(0))
	k.JumpIf(encode.CondE, none)
	k.Emit(encode.SFENCE)
	k.Emit(encode.MOV|encode.S32, encode.At(encode.RAX, warp.FrameStreamed), encode.Imm(0))
	k.Bind(none)
}
