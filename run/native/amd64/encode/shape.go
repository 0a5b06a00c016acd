package encode

// The functions of this file tell a compiler where an instruction can have memory, so that it
// keeps no list of its own.

// RM returns which operand may be memory: its index among the operands of Emit. It is -1 of
// an instruction that has none, or whose memory is written.
func (op Op) RM() int {
	if op&both == 0 || op&modeMask == regOnly || op&modeMask == vsib {
		return -1
	}
	switch op.order() {
	case oRM, oVM, oRMV:
		return 1
	case oRVM, oRVMS:
		return 2
	}
	return -1
}

// FullMemory reports whether the memory operand has the length of the vectors: whether a
// register can be replaced by the place where it is kept. Some instructions have memory only
// in their EVEX encoding; anyEVEX says that there is one.
func (op Op) FullMemory(anyEVEX bool) bool {
	if op.RM() < 0 || op&(3<<rmShift) != mV || op>>roundedShift&7 != roundNone || !anyEVEX && (op&vex == 0 || op.order() == oVM) {
		return false
	}
	switch tuple := op & tMask; {
	case op&evex == 0:
		// Rows of VEX alone have a tuple only where the memory is smaller.
		return tuple == 0 && op&lxy != 0
	default:
		return tuple == tFull || tuple == tBcast
	}
}

// BroadcastBytes returns the bytes of the element that a memory operand of the instruction can
// be broadcast from, 0 if it cannot.
func (op Op) BroadcastBytes() int {
	if op&evex == 0 || op&tMask != tBcast && op&tMask != tBcastHalf || op>>roundedShift&7 != roundNone || op.RM() < 0 {
		return 0
	}
	return 4 << op.w(ew1)
}

// HasLength reports whether a length was chosen.
func (op Op) HasLength() bool { return op&sizeMask >= L128 }

// NeedsLength reports whether a length must be chosen.
func (op Op) NeedsLength() bool {
	lengths := op & lxyz
	return op&both != 0 && lengths&(lengths-1) != 0
}
