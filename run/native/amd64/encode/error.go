package encode

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
)

// Reasons why an instruction is rejected.
const (
	_ = iota
	badRegister
	badImmediate
	badBase
	badIndex
	badScale
	badBroadcast
	wrongCount
	wrongOperands
	wrongSize
	wrongLength
	misusedOp
	noMasking
	noZeroing
	zeroingAlone
	zeroingStore
	maskNeeded
	noBroadcast
	noRounding
	roundingMemory
	roundingLength
	roundingInt32
	highRegister
	vexDecorated
	memoryNeeded
	registerNeeded
	vectorIndex
	noVectorIndex
	gatherSame
	noLock
	lockRegister
	shiftCount
	missingFeature
)

var reasons = [...]string{
	badRegister:    "there is no register of this number",
	badImmediate:   "the immediate does not fit",
	badBase:        "the base of an address must be a general register",
	badIndex:       "the index of an address must be a general register other than rsp, or a vector",
	badScale:       "the scale of an index must be 1, 2, 4 or 8",
	badBroadcast:   "only a memory operand can be broadcast",
	wrongCount:     "wrong number of operands",
	wrongOperands:  "an operand is of the wrong kind",
	wrongSize:      "the instruction needs one of the sizes that it has, S8 to S64, or none if it has none",
	wrongLength:    "the instruction needs one of the lengths that it has, L128 to L512, or none if it has none",
	misusedOp:      "a write mask must be one of k1 to k7, and an instruction has one mask and one rounding",
	noMasking:      "the instruction takes no write mask",
	noZeroing:      "the instruction merges under its mask and cannot zero",
	zeroingAlone:   "zeroing needs a write mask",
	zeroingStore:   "a store cannot zero what is masked off",
	maskNeeded:     "a gather or scatter needs a write mask",
	noBroadcast:    "the instruction cannot broadcast its memory operand",
	noRounding:     "the instruction does not take this rounding",
	roundingMemory: "rounding and suppressed exceptions need a register as the last operand",
	roundingLength: "rounding and suppressed exceptions of packed floats need the length L512",
	roundingInt32:  "the conversion of 32 bits to a double is exact and takes no rounding",
	highRegister:   "the instruction has no EVEX encoding, so registers above 15 cannot be used",
	vexDecorated:   "the instruction has no EVEX encoding, so it takes no mask, broadcast or rounding",
	memoryNeeded:   "the operand must be memory",
	registerNeeded: "the operand must be a register",
	vectorIndex:    "the index must be a vector",
	noVectorIndex:  "only gathers and scatters have a vector as index",
	gatherSame:     "the registers of a gather must differ",
	noLock:         "the instruction cannot be locked",
	lockRegister:   "a locked instruction needs memory as its destination",
	shiftCount:     "a shift count must be less than 32, or 64 for S64",
	missingFeature: "the instruction needs CPU features that are not allowed here",
}

// Error is an instruction that cannot be encoded.
type Error struct {
	Op       Op
	Operands []Operand
	Reason   string
	Caller   string // file and line of the call that emitted it
}

// Error says what was rejected, why, and which call wrote it.
func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "encode %v", e.Op)
	for i, o := range e.Operands {
		fmt.Fprintf(&b, "%s%v", []string{" ", ", "}[min(i, 1)], o)
	}
	fmt.Fprintf(&b, ": %s", e.Reason)
	if e.Caller != "" {
		fmt.Fprintf(&b, " (%s)", e.Caller)
	}
	return b.String()
}

// reject notes the first error. Callers pass copies, so operands stay on their stack.
func (a *Assembler) reject(why int, op Op, operands []Operand) {
	e := &Error{Op: op, Operands: append([]Operand(nil), operands...), Reason: reasons[why]}
	for _, o := range operands {
		if o.kind() == kindBad && o&255 < Operand(len(reasons)) {
			e.Reason = reasons[o&255]
		}
	}
	if why == missingFeature {
		e.Reason += ": " + (a.used &^ a.allow).String()
	}
	// The first caller outside this package's own files.
	for skip := 1; ; skip++ {
		pc, file, line, ok := runtime.Caller(skip)
		if !ok {
			break
		}
		if name := runtime.FuncForPC(pc).Name(); !strings.Contains(name, "encode.(*Assembler)") {
			e.Caller = fmt.Sprintf("%s:%d", filepath.Base(file), line)
			break
		}
	}
	a.err = e
}

// String returns the encoding of an instruction in the notation of Intel's manual, with
// its decorations.
func (op Op) String() string {
	var b strings.Builder
	switch {
	case op&both == both:
		b.WriteString("VEX/EVEX.")
	case op&evex != 0:
		b.WriteString("EVEX.")
	case op&vex != 0:
		b.WriteString("VEX.")
	}
	b.WriteString([]string{"", "66.", "F3.", "F2."}[op>>prefixShift&3])
	b.WriteString([]string{"", "0F.", "0F38.", "0F3A."}[op>>mapShift&3])
	fmt.Fprintf(&b, "%02X", op.opcode())
	switch op.order() {
	case oVM, oM, oNoneD, oALU, oShift, oBit:
		fmt.Fprintf(&b, " /%d", op.digit())
	}
	if size := op >> sizeShift & 7; size != 0 {
		b.WriteString([]string{"", " 8", " 16", " 32", " 64", " 128", " 256", " 512"}[size])
	}
	b.WriteString(op.Decorations())
	return b.String()
}

// Decorations returns mask, zeroing, rounding and lock in the notation of Intel's manual.
func (op Op) Decorations() string {
	var b strings.Builder
	if k := op >> maskShift & 7; k != 0 {
		fmt.Fprintf(&b, " {k%d}", k)
	}
	if op&zeroing != 0 {
		b.WriteString(" {z}")
	}
	b.WriteString([]string{"", " {sae}", "", "", " {rn}", " {rd}", " {ru}", " {rz}"}[op>>roundedShift&7])
	if op&lock != 0 {
		b.WriteString(" lock")
	}
	return b.String()
}

var generalNames = [...]string{"rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15"}

// String returns an operand as Intel's manual writes it. A general register has its name
// of 64 bits, a vector is v with its number.
func (o Operand) String() string {
	switch o.kind() {
	case kindNone:
		return "none"
	case kindGeneral:
		return generalNames[o&15]
	case kindVector:
		return fmt.Sprintf("v%d", o.number())
	case kindMask:
		return fmt.Sprintf("k%d", o&7)
	case kindImm:
		return fmt.Sprint(o.imm())
	case kindLabel:
		return o.broadcastString(fmt.Sprintf("[label%d%+d]", o.label(), o.addend()))
	case kindMem:
		var parts []string
		if o.base() != 0 {
			parts = append(parts, addressName(o.base()))
		}
		if o.index() != 0 {
			parts = append(parts, fmt.Sprintf("%s*%d", addressName(o.index()), 1<<o.scale()))
		}
		return o.broadcastString(fmt.Sprintf("[%s%+d]", strings.Join(parts, "+"), o.disp()))
	}
	return "invalid"
}

func (o Operand) broadcastString(s string) string {
	if o.isBroadcast() {
		return s + "{1toN}"
	}
	return s
}

// addressName returns the name of a base or an index.
func addressName(r uint8) string {
	return (Operand(r>>classInAddress)<<kindShift | Operand(r&31)).String()
}
