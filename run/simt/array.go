package simt

import "fmt"

// CheckArray holds a function against what functions for arrays are, as package build makes them of word programs.
func (f *Function) CheckArray() error {
	switch {
	case len(f.Blocks) != 1 || len(f.Blocks[0].Phis) > 0 || f.Blocks[0].End.Kind != Return || len(f.Blocks[0].End.Args) != 1:
		return fmt.Errorf("native: a function for arrays is one block that returns one value; this one has %d blocks", len(f.Blocks))
	case f.Values[f.Blocks[0].End.Args[0]].Type != B32:
		return fmt.Errorf("native: a function for arrays returns words, not values of type %v", f.Values[f.Blocks[0].End.Args[0]].Type)
	}
	for _, v := range f.Values {
		if v.Kind == Special && (v.Type != B32 || ArrayOperand(v.Name) < 0) {
			return fmt.Errorf("native: a function for arrays has the operands a, b and c, all words, not %s of type %v", v.Name, v.Type)
		}
	}
	return nil
}

// ArrayOperand returns which operand of an array a special value is, 0 to 2 for a to c, or -1.
func ArrayOperand(name string) int {
	if len(name) == 1 && 'a' <= name[0] && name[0] <= 'c' {
		return int(name[0] - 'a')
	}
	return -1
}
