package vmtest

import (
	"encoding/binary"

	"github.com/vop-ptx/vop/run/vm"
)

// Words returns the buffer's contents as 32-bit words.
func Words(b *vm.Buffer) []uint32 {
	all := make([]uint32, len(b.Bytes())/4)
	for i := range all {
		all[i] = binary.LittleEndian.Uint32(b.Bytes()[4*i:])
	}
	return all
}

// Put writes the element of a number of an array whose elements have so many bits.
func Put(data []byte, i, bits int, v uint64) {
	var all [8]byte
	binary.LittleEndian.PutUint64(all[:], v)
	copy(data[i*bits/8:][:bits/8], all[:])
}

// Get reads what Put writes.
func Get(data []byte, i, bits int) uint64 {
	var all [8]byte
	copy(all[:], data[i*bits/8:][:bits/8])
	return binary.LittleEndian.Uint64(all[:])
}

// FirstDifference returns the first index at which a and b, of one length, differ, or -1.
func FirstDifference(a, b []byte) int {
	for i := range a {
		if a[i] != b[i] {
			return i
		}
	}
	return -1
}
