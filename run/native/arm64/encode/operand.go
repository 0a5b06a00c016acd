package encode

import "fmt"

// Operand is a register, a number or a place in the code.
type Operand struct {
	kind  kind
	value int64
}

type kind uint8

const (
	noOperand kind = iota
	vector
	general
	number
	place
)

// V returns vector register n, 0 to 31.
func V(n int) Operand { return Operand{vector, int64(n)} }

// X returns general register n, 0 to 30. X18 belongs to the system on some, X28 is the Go runtime's, X29 and X30 are
// the frame and the return address.
func X(n int) Operand { return Operand{general, int64(n)} }

// Imm returns a number.
func Imm(n int64) Operand { return Operand{number, n} }

// At returns a place in the code.
func At(l Label) Operand { return Operand{place, int64(l)} }

func (o Operand) String() string {
	switch o.kind {
	case vector:
		return fmt.Sprintf("v%d", o.value)
	case general:
		return fmt.Sprintf("x%d", o.value)
	case number:
		return fmt.Sprintf("#%d", o.value)
	case place:
		return fmt.Sprintf(".%d", o.value)
	}
	return "(none)"
}

// kinds are the operands of each form.
var kinds = [...][]kind{
	formNone: nil, formThree: {vector, vector, vector}, formLogic: {vector, vector, vector}, formTwo: {vector, vector}, formTwoZero: {vector, vector},
	formPairs: {vector, vector}, formLong: {vector, vector, vector}, formWide: {vector, vector, vector}, formNarrow: {vector, vector},
	formDot: {vector, vector, vector}, formLeft: {vector, vector, number}, formRight: {vector, vector, number}, formLongLeft: {vector, vector, number},
	formExtract: {vector, vector, vector, number}, formTable: {vector, vector, vector}, formByte: {vector, number}, formBroadcast: {vector, general},
	formMemory: {vector, general, number}, formPost: {vector, general, number}, formUnscaled: {vector, general, number},
	formPair: {vector, vector, general, number}, formPairPost: {vector, vector, general, number}, formLiteral: {vector, place},
	formImmediate: {general, general, number}, formRegisters: {general, general, general}, formMove: {general, general},
	formMoveWide: {general, number, number}, formBranch: {place}, formCondition: {place}, formCompare: {general, place},
	formTestBit: {general, number, place}, formAddress: {general, place},
	formIndexed: {vector, general, general}, formBitfield: {general, general, number, number}, formBoth: {general, general},
	formAccumulate: {general, general, general, general}, formSelect: {general, general, general, number}, formSet: {general, number},
	formJump: {general}, formToVector: {vector, general}, formLane: {vector, vector}, formFromVector: {general, vector},
	formWiden: {vector, vector}, formTake: {general, vector, number}, formPut: {vector, general, number}, formSystem: {general},
	formLoadExclusive: {general, general}, formExclusive: {general, general, general}, formCount: {general, general},
}

// wanted returns the kind of operand k.
func (r *row) wanted(k int) kind {
	if k == 0 && r.general() && r.form != formPut || k == 1 && r.form == formPair && r.general() {
		return general
	}
	return kinds[r.form][k]
}

// general reports whether a load or store is of general registers.
func (r *row) general() bool { return r.letter == 'x' || r.letter == 'w' }

// check holds operands against what an instruction has.
func (o Op) check(args []Operand) error {
	r := o.row()
	if r.name == "" {
		return fmt.Errorf("there is no instruction number %d", o&opMask)
	}
	switch size := o.size(); {
	case r.sizes == 0 && size >= 0:
		return fmt.Errorf("%s has no arrangements to choose from", r.name)
	case r.sizes != 0 && (size < 0 || r.sizes>>size&1 == 0):
		return fmt.Errorf("%s has no such arrangement", r.name)
	case len(args) != len(kinds[r.form]):
		return fmt.Errorf("%s has %d operands, not %d", r.name, len(kinds[r.form]), len(args))
	}
	for k, a := range args {
		if a.kind != r.wanted(k) {
			return fmt.Errorf("%s: operand %d is %v", r.name, k+1, a)
		}
		if most := int64(31); a.kind == vector && (a.value < 0 || a.value > most) || a.kind == general && (a.value < 0 || a.value >= most) {
			return fmt.Errorf("%s: there is no register %v", r.name, a)
		}
	}
	return nil
}
