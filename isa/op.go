package isa

// Op is one of the 23 video mnemonics. The zero Op is no instruction.
type Op uint8

// The mnemonics, in the manual's order.
const (
	NoOp Op = iota
	Vadd
	Vsub
	Vabsdiff
	Vmin
	Vmax
	Vshl
	Vshr
	Vmad
	Vset
	Vadd2
	Vsub2
	Vavrg2
	Vabsdiff2
	Vmin2
	Vmax2
	Vset2
	Vadd4
	Vsub4
	Vavrg4
	Vabsdiff4
	Vmin4
	Vmax4
	Vset4

	numOps = int(Vset4) + 1
)

// Kind is the operation an [Op] performs, whatever its number of lanes:
// vadd, vadd2 and vadd4 are all Add.
type Kind uint8

// The ten operations.
const (
	Add Kind = iota + 1
	Sub
	Absdiff
	Min
	Max
	Shl
	Shr
	Mad
	Set
	Avrg
)

var ops = [numOps]struct {
	name  string
	kind  Kind
	lanes int
}{
	Vadd:      {"vadd", Add, 1},
	Vsub:      {"vsub", Sub, 1},
	Vabsdiff:  {"vabsdiff", Absdiff, 1},
	Vmin:      {"vmin", Min, 1},
	Vmax:      {"vmax", Max, 1},
	Vshl:      {"vshl", Shl, 1},
	Vshr:      {"vshr", Shr, 1},
	Vmad:      {"vmad", Mad, 1},
	Vset:      {"vset", Set, 1},
	Vadd2:     {"vadd2", Add, 2},
	Vsub2:     {"vsub2", Sub, 2},
	Vavrg2:    {"vavrg2", Avrg, 2},
	Vabsdiff2: {"vabsdiff2", Absdiff, 2},
	Vmin2:     {"vmin2", Min, 2},
	Vmax2:     {"vmax2", Max, 2},
	Vset2:     {"vset2", Set, 2},
	Vadd4:     {"vadd4", Add, 4},
	Vsub4:     {"vsub4", Sub, 4},
	Vavrg4:    {"vavrg4", Avrg, 4},
	Vabsdiff4: {"vabsdiff4", Absdiff, 4},
	Vmin4:     {"vmin4", Min, 4},
	Vmax4:     {"vmax4", Max, 4},
	Vset4:     {"vset4", Set, 4},
}

var opByName = func() map[string]Op {
	m := make(map[string]Op, numOps)
	for op := Vadd; int(op) < numOps; op++ {
		m[ops[op].name] = op
	}
	return m
}()

// Ops returns the 23 mnemonics in the manual's order.
func Ops() []Op {
	all := make([]Op, 0, numOps-1)
	for op := Vadd; int(op) < numOps; op++ {
		all = append(all, op)
	}
	return all
}

// ParseOp returns the Op with the given mnemonic ("vadd4"), or NoOp.
func ParseOp(mnemonic string) Op {
	// Every other PTX instruction comes through here too: most leave at once.
	if len(mnemonic) < 4 || mnemonic[0] != 'v' {
		return NoOp
	}
	return opByName[mnemonic]
}

// known reports whether it is one of the 23.
func (op Op) known() bool { return op != NoOp && int(op) < numOps }

// String returns the mnemonic.
func (op Op) String() string { return ops[op].name }

// Kind returns the operation, without the number of lanes.
func (op Op) Kind() Kind { return ops[op].kind }

// Lanes returns 1 for scalar instructions, 2 and 4 for the SIMD ones.
func (op Op) Lanes() int { return ops[op].lanes }

// SIMD reports whether the instruction works on 2 or 4 lanes.
func (op Op) SIMD() bool { return ops[op].lanes > 1 }

// LaneBits returns the width of a SIMD lane: 16 or 8; 32 for scalar instructions.
func (op Op) LaneBits() int { return 32 / ops[op].lanes }
