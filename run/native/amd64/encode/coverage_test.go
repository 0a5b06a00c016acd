package encode

import (
	"fmt"
	"testing"
)

// TestSamplesMeetEveryRegister holds the random instructions to what they are for: every
// register in every position of every row, every base, index, size and decoration.
func TestSamplesMeetEveryRegister(t *testing.T) {
	r := random(1)
	addresses := map[string]bool{}
	for _, row := range rows(t) {
		seen := map[string]bool{}
		for _, s := range samples(row, &r) {
			for i, o := range s.operands {
				switch o.kind() {
				case kindMem:
					note(addresses, o)
					seen[fmt.Sprintf("memory %d", i)] = true
				case kindImm:
				default:
					seen[fmt.Sprintf("%c%d %d", fieldOf(s.op, i, s.operands), o.kind(), o.number())] = true
				}
			}
			seen[fmt.Sprintf("size %d", s.op>>sizeShift&7)] = true
			seen[fmt.Sprintf("mask %d", s.op>>maskShift&7)] = true
			seen[fmt.Sprintf("zeroing %d", s.op>>58&1)] = true
			seen[fmt.Sprintf("rounding %d", s.op>>roundedShift&7)] = true
			seen[fmt.Sprintf("lock %d", s.op>>62&1)] = true
		}
		for _, want := range wanted(row) {
			if !seen[want] {
				t.Errorf("%s: no instruction with %s", row.name, want)
			}
		}
	}
	for base := range 16 {
		for _, want := range []string{"", " disp8", " disp32", " index", " index disp8", " index disp32"} {
			if want = R(base).String() + want; !addresses[want] {
				t.Errorf("no address %s", want)
			}
		}
	}
	for index := range 16 {
		if want := "index " + R(index).String(); !addresses[want] && R(index) != RSP {
			t.Errorf("no %s", want)
		}
	}
	for index := range 32 {
		if want := "index " + V(index).String(); !addresses[want] {
			t.Errorf("no %s", want)
		}
	}
}

// note records the shape of an address.
func note(seen map[string]bool, o Operand) {
	name := ""
	if o.index() != 0 {
		seen["index "+addressName(o.index())] = true
		name = " index"
	}
	if o.base() == 0 {
		return
	}
	switch disp := o.disp(); {
	case disp == 0:
	case disp == int32(int8(disp)):
		name += " disp8"
	default:
		name += " disp32"
	}
	seen[addressName(o.base())+name] = true
}

// wanted lists what the instructions of a row must meet, as the row says.
func wanted(row row) (all []string) {
	op := row.op
	if op.order() == oLabel || op.order() == oNone || op.order() == oNoneD {
		return nil
	}
	mode := op & (3 << modeShift)
	registers := func(field byte, class Op, limit int) {
		for i := range limit {
			all = append(all, fmt.Sprintf("%c%d %d", field, class, i))
		}
	}
	limit := func(class Op) int {
		switch {
		case class == classMask:
			return 8
		case class == classVector && op&evex != 0:
			return 32
		}
		return 16
	}
	if op&both == 0 {
		for s := range 4 {
			if op>>(tupleShift+s)&1 != 0 {
				all = append(all, fmt.Sprintf("size %d", s+1))
			}
		}
		if op&locks != 0 {
			all = append(all, "lock 1")
		}
		// What is named r here is the first operand, whatever its field.
		if mode != memOnly {
			registers('r', classGeneral, 16)
		}
		if order := op.order(); order != oO && order != oRM && order != oRMI {
			all = append(all, "memory 0")
		}
		return all
	}
	if class := op >> regShift & 3; class != 0 {
		registers('r', class, limit(class))
	}
	if class := op >> vvvvShift & 3; class != 0 {
		registers('v', class, limit(class))
	}
	if class := op >> rmShift & 3; mode == 0 || mode == regOnly {
		registers('m', class, limit(class))
	}
	for l := range 3 {
		if op>>(lengthShift+l)&1 != 0 {
			all = append(all, fmt.Sprintf("size %d", l+5))
		}
	}
	if op&(3<<maskingShift) != 0 {
		for k := range 7 {
			all = append(all, fmt.Sprintf("mask %d", k+1))
		}
	}
	if op&(3<<maskingShift) == kz && (op.order() != oMR || mode != memOnly) {
		all = append(all, "zeroing 1")
	}
	switch op & (3 << roundShift) {
	case er:
		all = append(all, "rounding 4", "rounding 5", "rounding 6", "rounding 7")
	case sae:
		all = append(all, "rounding 1")
	}
	return all
}
