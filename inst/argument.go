package inst

// ArgumentKind tells what is written as an operand.
type ArgumentKind uint8

// The kinds of written operands.
const (
	Anything ArgumentKind = iota // not known: it is not judged
	Register                     // of Type; NoType if that is not known
	Special                      // a special register, of Type
	Integer                      // an integer constant
	Float                        // a floating-point constant, of Type: .f32 as in 0f3f800000, .f64 as in 1.5
	Name                         // the name of a variable, of Type if that is .texref or its like, or of a function or a label
	Address                      // [a]; Elements has the register in it, if it is one
	Vector                       // {a, b}
	Pair                         // p|q
	Sum                          // a register with a constant added
	Sink                         // _
	Other                        // what no instruction takes there
	Indexed                      // [a, {x, y}] or [a, b, {x, y}]; Elements has what the brackets have
)

// Argument is a written operand.
type Argument struct {
	Kind     ArgumentKind
	Type     Type
	Sign     byte  // '-' or '!' before a register
	Value    int64 // of an integer constant
	Elements []Argument
}
