package check

import "github.com/vop-ptx/vop/read/syntax"

// Sources is what the sources a, b and c of a video instruction show of their values.
type Sources struct {
	Constants [3]Constant
	// The sources that are the same register, whatever it holds.
	SameAB, SameAC, SameBC bool
}

// Constant is the value of a source that is a constant, if Is.
type Constant struct {
	Is   bool
	Word uint32
}

// SourcesOf returns what the operands d, a, b and, where there is one, c of a video
// instruction show.
func SourcesOf(operands []syntax.Operand) (s Sources) {
	var names [len(s.Constants)]string
	for i := range operands[1:min(len(operands), 1+len(names))] {
		o := &operands[1+i]
		if word, ok := Immediate(o); ok {
			s.Constants[i] = Constant{true, word}
		} else {
			names[i] = o.Text
		}
	}
	same := func(i, k int) bool { return names[i] != "" && names[i] == names[k] }
	s.SameAB, s.SameAC, s.SameBC = same(0, 1), same(0, 2), same(1, 2)
	return s
}
