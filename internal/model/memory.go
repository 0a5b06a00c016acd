package model

import (
	"encoding/binary"

	"github.com/vop-ptx/vop/internal/model/ops"
)

// The generic addresses of memory that is not global, as package vm has them.
const (
	sharedWindow = 0x0100_0000
	localWindow  = 0x0200_0000
	paramWindow  = 0x0300_0000
	windowSize   = 0x0100_0000
)

// FaultKind says what is wrong with an access.
type FaultKind string

// The kinds of faults, in the words of package vm.
const (
	OutOfBounds  FaultKind = "out of bounds"
	Misaligned   FaultKind = "misaligned"
	WriteToConst FaultKind = "write to constant memory"
	NoTexture    FaultKind = "without a texture"
)

// allocation is a buffer or a variable.
type allocation struct {
	address  uint64
	data     []byte
	readOnly bool
}

// memory is what the threads of a launch share, and what those of the present block do.
type memory struct {
	global []allocation // in the order of their addresses
	params []byte
	places map[string]uint64 // of names, as addresses in their spaces
	shared []byte
}

// find returns the bytes of an access, or what is wrong with it.
func (m *memory) find(t *thread, space Space, address uint64, span int, writes bool) ([]byte, FaultKind) {
	var in allocation
	switch {
	case space == Shared:
		in.data = m.shared
	case space == Local:
		in.data = t.local
	case space == Param:
		in.data = m.params
	case space == Generic && address-sharedWindow < windowSize:
		in = allocation{sharedWindow, m.shared, false}
	case space == Generic && address-localWindow < windowSize:
		in = allocation{localWindow, t.local, false}
	case space == Generic && address-paramWindow < windowSize:
		in = allocation{paramWindow, m.params, true}
	default:
		for _, a := range m.global {
			if a.address <= address {
				in = a
			}
		}
	}
	at := address - in.address
	size := uint64(len(in.data))
	switch {
	case at > size || size-at < uint64(span):
		return nil, OutOfBounds
	case in.readOnly && writes:
		return nil, WriteToConst
	case at%uint64(span) != 0:
		return nil, Misaligned
	}
	return in.data[at : at+uint64(span)], ""
}

// element reads a little-endian number.
func element(data []byte, signed bool) uint64 {
	var word [8]byte
	copy(word[:], data)
	v := binary.LittleEndian.Uint64(word[:])
	if signed {
		return ops.Integer{Bits: 8 * len(data), Signed: true}.Extend(v)
	}
	return v
}

func setElement(data []byte, v uint64) {
	for i := range data {
		data[i] = byte(v >> (8 * i))
	}
}
