package inst

// ProblemKind tells what is wrong with an instruction.
type ProblemKind uint8

// The kinds of problems.
const (
	NoProblem        ProblemKind = iota
	UnknownName                  // there is no such instruction; see Nearest
	UnknownModifier              // no instruction has modifier At; Near says which may be meant
	ForeignModifier              // other instructions have modifier At, this one not
	ModifierConflict             // modifier At excludes modifier Other
	RepeatedModifier             // modifier At comes after modifier Other, and only one of Values can be written
	MisplacedName                // modifier At belongs to the mnemonic and stands right after it: Want
	MissingModifier              // one of Values must be written
	WrongType                    // modifier At is a type, and one of Values must be
	TooManyTypes                 // modifier At is one type too many: Count are taken
	MissingTypes                 // Have types are written, Count are needed; Values are those of the next one

	MissingOperand  // Have operands are written, at least Count are needed
	ExtraOperand    // operand At is one too many: at most Count are taken
	WrongOperand    // operand At is of another kind than Operand
	WrongRegister   // operand At is a register of another type than Want
	NotWritable     // operand At is written, and a constant
	SpecialRegister // operand At is a special register, which the instruction does not take
	FloatConstant   // operand At is a floating-point constant, and an integer is needed
	WholeConstant   // operand At is an integer constant, and a floating-point one is needed
	NoConstant      // operand At is a constant, and half-precision numbers have none, or Operand is Bare
	Negated         // operand At has a sign that the instruction does not take
	WrongElements   // operand At is a vector of Have elements, and one of Counts is needed
	OutOfRange      // operand At is a constant that may not stand there: Operand.Allowed
	NeedsModifier   // operand At is allowed only with one of Values
	TooOld          // the instruction, or argument At, or modifier Values, needs a later version or target: Needs
	TooNew          // versions and targets from Row.Until on have the instruction no more
)

// weights say for each kind how far it takes an instruction from a syntax line. Something that
// is missing weighs less than something that must go: people rather forget than invent.
var weights = [...]int{
	UnknownModifier: 6, ForeignModifier: 6, RepeatedModifier: 6, MisplacedName: 5, MissingModifier: 4,
	WrongType: 7, TooManyTypes: 6, MissingTypes: 5,
	MissingOperand: 14, ExtraOperand: 16, WrongOperand: 7, WrongRegister: 5, NotWritable: 6, SpecialRegister: 5,
	FloatConstant: 5, WholeConstant: 5, NoConstant: 5, Negated: 5, WrongElements: 6, NeedsModifier: 5, OutOfRange: 4,
	TooNew: 0,
}

// Problem is one thing that is wrong with an instruction, as data: the words for it are the
// caller's.
type Problem struct {
	Kind  ProblemKind
	Row   *Row // the syntax line that comes nearest to what is written
	Needs *Needs
	At    int // the number of the modifier or operand; see the kinds
	Other int
	Have  int
	Count int
	// Counts are the numbers of elements that a vector may have there; nil if there is none.
	Counts []int
	// Values are the modifiers or types that are right, Near those that were probably meant.
	Values []string
	Near   []string
	// Of operands: what the line has there, and its type. Element is the number of the element
	// of a vector, or of the half of a pair, that is wrong, or -1.
	Operand *Operand
	Want    Type
	Element int
	Index   bool // it is about the coordinates in an address

	weight int // more than that of its kind
}
