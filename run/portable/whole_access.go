package portable

import (
	"math/bits"
	"strings"
	"sync"
	"unsafe"

	"github.com/vop-ptx/vop/run/simt"
)

// Go has no atomic operations on 128 bits. So atomic operations and strong accesses of that size to memory that other workers have, too, hold a lock
// meanwhile. Each half is accessed by atomic operations on 64 bits all the same: whoever accesses but a half takes no lock.

// locks are the locks, by where in memory the bytes are.
var locks [64]struct {
	held
	_ [64 - unsafe.Sizeof(held{})]byte // of the cache line
}

// held is a lock that an access holds.
type held struct{ sync.Mutex }

// hold takes the lock of the bytes of an access that is made at once. It is nil for others.
func hold(a *simt.Access, data []byte) *held {
	if !a.AtOnce() {
		return nil
	}
	l := &locks[uintptr(unsafe.Pointer(unsafe.SliceData(data)))/16%uintptr(len(locks))].held
	l.Lock()
	return l
}

// release gives the lock back, if there is one.
func (l *held) release() {
	if l != nil {
		l.Unlock()
	}
}

// atomicWhole makes the step of an atomic operation on 128 bits: they are exchanged, by cas only if they are what the first operand is.
func (c *Code) atomicWhole(i *simt.Inst, a *simt.Access) step {
	at := c.addressesOf(i, a)
	compares := strings.HasPrefix(a.Update, "cas.")
	operands, defs := c.homesOf(i.Args[1:]), c.homesOf(i.Defs)
	with := operands[len(operands)-2:]
	return func(w *Warp) bool {
		var recent window
		for rest := w.mask; rest != 0; rest &= rest - 1 {
			lane := bits.TrailingZeros32(rest)
			address := at.of(w, lane)
			var data []byte
			if !isLocal(a, address) {
				data = w.find(a, address, &recent)
			}
			if data == nil {
				return w.badAccess(a, lane, address, rest)
			}
			read, write := value, put
			if !inShared(a, address) {
				read, write = strongValue, strongPut
			}
			wide := func(home int32) uint64 { return w.lane(home, simt.B64, lane) }
			held := hold(a, data)
			low, high := read(data, a), read(data[8:], a)
			if !compares || low == wide(operands[0]) && high == wide(operands[1]) {
				write(data, a, wide(with[0]))
				write(data[8:], a, wide(with[1]))
			}
			held.release()
			if len(defs) > 0 {
				w.setLane(defs[0], simt.B64, lane, low)
				w.setLane(defs[1], simt.B64, lane, high)
			}
		}
		return true
	}
}
