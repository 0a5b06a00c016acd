package simt

import "fmt"

// Names returns what values are called where they are used, by ID: those that are defined by phis and
// instructions are numbered in the order of the code.
func (f *Function) Names() []string {
	names := make([]string, len(f.Values))
	n := 0
	number := func(ids ...ID) {
		for _, v := range ids {
			if 0 < v && int(v) < len(names) && names[v] == "" {
				n++
				names[v] = fmt.Sprintf("%%%d", n)
			}
		}
	}
	for b := range f.Blocks {
		block := &f.Blocks[b]
		for i := range block.Phis {
			number(block.Phis[i].Def)
		}
		for i := range block.Insts {
			number(block.Insts[i].Defs...)
		}
		number(block.End.Defs...)
	}
	for v := range f.Values {
		switch value := &f.Values[v]; {
		case v == 0:
			names[v] = "_"
		case names[v] != "": // defined
		case value.Kind == Const:
			names[v] = constantText(value.Type, value.Bits)
		case value.Kind == Special:
			names[v] = value.Name
		default:
			names[v] = fmt.Sprintf("%%?%d", v)
		}
	}
	return names
}

// constantText prints a constant: small numbers, and those just below 0, as such.
func constantText(t Type, bits uint64) string {
	negative := -bits
	if t == B32 {
		negative = uint64(uint32(negative))
	}
	switch {
	case t == Pred:
		return fmt.Sprint(bits != 0)
	case bits < 1<<16:
		return fmt.Sprint(bits)
	case negative < 256:
		return fmt.Sprintf("-%d", negative)
	}
	return fmt.Sprintf("%#x", bits)
}
