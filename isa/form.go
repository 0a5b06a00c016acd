package isa

import "strings"

// Form is one video instruction with every choice made but its registers: it is
// what an instruction means, whatever the order and the defaults it was written
// with. Forms are comparable; equal forms compute the same.
//
// A field that the instruction does not have is zero. DType of vset, vset2 and
// vset4, which have no .dtype, is U32: "the intermediate result of the
// comparison is always unsigned" (9.7.18.1.4).
type Form struct {
	Op                  Op
	DType, AType, BType Type
	Sat                 bool
	Mode                Mode   // vshl, vshr
	Cmp                 Cmp    // vset, vset2, vset4
	PlusOne             bool   // vmad .po
	Scale               Scale  // vmad .shr7, .shr15
	Second              Second // scalar .op2, SIMD .add
	NegA, NegB, NegC    bool   // vmad

	DSel, ASel, BSel Part // scalar: d.dsel (merge into c), a.asel, b.bsel

	Mask         Mask  // SIMD: d.mask
	ALane, BLane Lanes // SIMD: a.asel, b.bsel
}

// Merges reports whether the form writes only part of d and takes the rest
// from c: a scalar form with .dsel, or a SIMD form whose mask leaves lanes out.
func (f Form) Merges() bool {
	if f.Op.SIMD() {
		return f.Second == NoSecond && f.Mask != FullMask(f.Op)
	}
	return f.DSel != Word
}

// ReadsC reports whether the value of the form depends on operand c.
func (f Form) ReadsC() bool {
	return f.Op == Vmad || f.Second != NoSecond || f.Merges()
}

// TakesC reports whether the form is written with a fourth operand. SIMD forms
// always are, even where c does not matter; scalar ones where they read it.
func (f Form) TakesC() bool { return f.Op.SIMD() || f.ReadsC() }

// Valid reports whether the form is one of the table's.
func (f Form) Valid() bool { return f.row() != nil }

// Mnemonic returns the form's mnemonic and modifiers in the order of the
// grammar: "vadd4.s32.s32.s32.sat". It is empty if f is not [Form.Valid].
func (f Form) Mnemonic() string {
	row := f.row()
	if row == nil {
		return ""
	}
	var s strings.Builder
	s.WriteString(f.Op.String())
	for _, slot := range row.Modifiers {
		s.WriteString(slot.of(&f))
	}
	return s.String()
}

// Spell returns the instruction in its canonical spelling with the given
// operands: modifiers in the order of the grammar, selectors and masks that are
// the default left out. It is empty if f is not [Form.Valid].
//
//	f.Spell("%r4", "%r1", "%r2", "%r3") == "vadd4.s32.s32.s32.sat %r4.b10, %r1, %r2, %r3;"
func (f Form) Spell(d, a, b, c string) string {
	row := f.row()
	if row == nil {
		return ""
	}
	var s strings.Builder
	s.WriteString(f.Mnemonic())
	for i, operand := range row.Operands {
		s.WriteString([...]string{" ", ", ", ", ", ", "}[i])
		if operand.Neg != nil {
			s.WriteString(operand.Neg.of(&f))
		}
		s.WriteString([...]string{d, a, b, c}[i])
		if sel := operand.Sel; sel != nil {
			if text := sel.of(&f); text != sel.Default {
				s.WriteString(text)
			}
		}
	}
	s.WriteByte(';')
	return s.String()
}

// String spells the form with the operands d, a, b and c.
func (f Form) String() string { return f.Spell("d", "a", "b", "c") }
