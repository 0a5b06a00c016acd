package kernel

import (
	"encoding/binary"
	"math/bits"

	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
	"github.com/vop-ptx/vop/run/native/amd64/warp"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/affine"
)

// Accesses at affine addresses, of which not all are in the window: at the border of a picture, lanes that are not at work stand
// outside. The lanes at work are in the window if the first and the last of them are. The others may be read with them, as
// allocations have padding on both sides, and nothing is written for them.

// maxNear is how many bytes the lanes' addresses may be apart. With what vectors read behind the last one that is less
// than the padding of allocations.
const maxNear = 320

// Where the frame has, for such an access, the lanes at work and the distances of the first and the last of them from where
// the lowest would be.
const (
	frameSome    = warp.FrameOffsets
	frameLowest  = warp.FrameOffsets + 4
	frameHighest = warp.FrameOffsets + 8
)

// monotone reports whether numbers do not fall, or do not rise.
func monotone(c []int64) bool {
	rises, falls := false, false
	for n := 1; n < len(c); n++ {
		rises, falls = rises || c[n] > c[n-1], falls || c[n] < c[n-1]
	}
	return !rises || !falls
}

// checkAtWork leaves in bases what checkBases would, for the lanes at work. It goes to none if there are none.
func (m *memoryAccess) checkAtWork(a affine.Value, low int64, bases [2]machine.Operand, none encode.Label) {
	k := m.compiler
	if m.inst.Guard != 0 {
		k.WordOf(encode.RAX, m.guarded)
	} else {
		k.Do(func() { k.WriteWordAtWork(encode.RAX) })
	}
	k.Fixedly(encode.TEST|encode.S32, rax, rax)
	k.Do(func() {
		k.JumpIf(encode.CondE, none)
		k.Emit(encode.MOV|encode.S32, encode.At(frameReg, frameSome), encode.RAX)
	})
	if !a.Split {
		m.checkFirstAndLast(a, low, 0, 0xffff_ffff)
		m.redefine(bases[0], rax)
		return
	}
	for half, base := range bases {
		skip, done := k.Asm.NewLabel(), k.Asm.NewLabel()
		lanes := uint32(0xffff) << (16 * half)
		k.Do(func() {
			k.Emit(encode.TEST|encode.S32, encode.At(frameReg, frameSome), encode.Imm(int64(int32(lanes))))
			k.JumpIf(encode.CondE, skip)
		})
		m.checkFirstAndLast(a, low, half, lanes)
		k.Do(func() {
			k.Jump(done)
			k.Bind(skip)
			k.Emit(encode.XOR|encode.S32, encode.RAX, encode.RAX)
			k.Bind(done)
		})
		m.redefine(base, rax)
	}
	// A half without lanes at work reads where the other one does.
	for half, base := range bases {
		m.Fixedly(encode.MOV|encode.S64, rax, base)
		m.Fixedly(encode.TEST|encode.S64, rax, rax)
		m.Fixedly(encode.CMOV.If(encode.CondE)|encode.S64, rax, bases[1-half])
		m.redefine(base, rax)
	}
}

// redefine writes a register that has been defined on another way.
func (m *memoryAccess) redefine(to, from machine.Operand) {
	m.Code = append(m.Code, machine.Instr{Op: encode.MOV | encode.S64, Args: [4]machine.Operand{to, from}, N: 2, Defines: true})
}

// checkFirstAndLast leaves in RAX where the lowest address of a half of the warp is in memory, or misses if the first or
// the last of its lanes at work is not in the window.
func (m *memoryAccess) checkFirstAndLast(a affine.Value, low int64, half int, lanes uint32) {
	k := m.compiler
	table := m.distances(a, low)
	falls := a.C[simt.WarpSize-1] < a.C[0]
	k.Do(func() {
		k.Emit(encode.MOV|encode.S32, encode.RCX, encode.At(frameReg, frameSome))
		if lanes != 0xffff_ffff {
			k.Emit(encode.AND|encode.S32, encode.RCX, encode.Imm(int64(int32(lanes))))
		}
		k.Emit(encode.LEA|encode.S64, encode.RDX, table)
		first, last := int32(frameLowest), int32(frameHighest)
		if falls {
			first, last = last, first
		}
		for _, end := range []struct {
			op encode.Op
			at int32
		}{{encode.BSF, first}, {encode.BSR, last}} {
			k.Emit(end.op|encode.S32, encode.RAX, encode.RCX)
			k.Emit(encode.MOVZX16|encode.S32, encode.RAX, encode.AtIndex(encode.RDX, encode.RAX, 2, 0))
			k.Emit(encode.MOV|encode.S32, encode.At(frameReg, end.at), encode.RAX)
		}
	})
	if m.Affine != 0 {
		m.lowest(a, half, low)
	} else {
		m.lowestAtWork(half)
	}
	if !m.alwaysAligned(a, low) {
		m.checkAligned()
	}
	for _, at := range []int32{frameLowest, frameHighest} {
		m.Fixedly(encode.MOV|encode.S32, rcx, m.InFrame(at))
		m.Fixedly(encode.ADD|encode.S64, rcx, rax)
		m.Fixedly(encode.SUB|encode.S64, rcx, m.inWindow(WindowBase))
		m.Fixedly(encode.CMP|encode.S64, rcx, m.inWindow(WindowLimit))
		m.miss(encode.CondAE)
	}
	m.Fixedly(encode.ADD|encode.S64, rax, m.inWindow(WindowDelta))
}

// distances returns a table of how far the lanes' addresses are from the lowest, each in 16 bits.
func (m *memoryAccess) distances(a affine.Value, low int64) encode.Operand {
	var table [2 * simt.WarpSize]byte
	for l, c := range a.C {
		binary.LittleEndian.PutUint16(table[2*l:], uint16(c-low))
	}
	return m.Asm.Const(table[:])
}

// lowestAtWork leaves in RAX what lowestIndexed would, where the indexes of the first and the last lane at work are as far apart as
// the words that they are extended from.
func (m *memoryAccess) lowestAtWork(half int) {
	k := m.compiler
	least, _ := m.Affines[m.Index].Bounds()
	x := m.ScalarParts(m.Index)[half]
	log := bits.TrailingZeros(uint(m.Scale))
	// The index of a lane, in RCX or RDX.
	index := func(to encode.Operand, at int32) {
		k.Emit(encode.MOV|encode.S32, to, encode.At(frameReg, at))
		if log > 0 {
			k.Emit(encode.SHR|encode.S32, to, encode.Imm(int64(log)))
		}
		k.Emit(encode.ADD|encode.S32, to, encode.RAX)
		if m.BySign {
			k.Emit(encode.MOVSXD|encode.S64, to, to)
		}
	}
	m.Fixedly(encode.MOV|encode.S32, rax, x)
	k.Do(func() {
		k.Emit(encode.ADD|encode.S32, encode.RAX, encode.Imm(int64(int32(least))))
		index(encode.RDX, frameLowest)
		index(encode.RCX, frameHighest)
		k.Emit(encode.SUB|encode.S64, encode.RCX, encode.RDX)
		if log > 0 {
			k.Emit(encode.SHL|encode.S64, encode.RCX, encode.Imm(int64(log)))
		}
		k.Emit(encode.MOV|encode.S32, encode.RAX, encode.At(frameReg, frameLowest))
		k.Emit(encode.ADD|encode.S64, encode.RCX, encode.RAX)
		k.Emit(encode.MOV|encode.S32, encode.RAX, encode.At(frameReg, frameHighest))
		k.Emit(encode.CMP|encode.S64, encode.RCX, encode.RAX)
	})
	m.miss(encode.CondNE)
	m.sum()
	m.Fixedly(encode.LEA|encode.S64, rax, machine.Fixed(encode.AtIndex(encode.RAX, encode.RDX, m.Scale, 0)))
	m.Fixedly(encode.MOV|encode.S32, rcx, m.InFrame(frameLowest))
	m.Fixedly(encode.SUB|encode.S64, rax, rcx)
}
