package explain

import (
	"fmt"
	"strconv"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/sem"
)

// number is the cell of a number.
func number(x int64, hue Hue) Cell { return Cell{strconv.FormatInt(x, 10), hue, Source{}} }

// clamped is the cell of a value that saturation has changed. The mark is for whoever sees no colours.
func clamped(text string) Cell { return Cell{"! " + text, Clamped, Source{}} }

// hueOf is the colour of a lane; a single lane needs none.
func (d *Drawing) hueOf(lane int) Hue {
	if d.Lanes == 1 {
		return Strong
	}
	return Lane0 + Hue(lane)
}

// lane begins a sentence about a lane; a single one is not named.
func (d *Drawing) lane(i int) string {
	if d.Lanes == 1 {
		return ""
	}
	return fmt.Sprintf("lane %d: ", i)
}

// maskText spells the mask, the default too.
func maskText(f isa.Form) string {
	text := laneLetter(f.Op)
	for i := f.Op.Lanes() - 1; i >= 0; i-- {
		if f.Mask.Has(i) {
			text += strconv.Itoa(i)
		}
	}
	return text
}

// part names what was extracted: "a.b3", "b.h0", "a".
func part(e sem.Extract) string { return partName(string(e.Operand), e.Low, e.Bits) }

func partName(operand string, low, bits int) string { return operand + partSuffix(low, bits) }

func partSuffix(low, bits int) string {
	switch bits {
	case 8:
		return fmt.Sprintf(".b%d", low/8)
	case 16:
		return fmt.Sprintf(".h%d", low/16)
	}
	return ""
}

// partWords says in words what was extracted.
func partWords(e sem.Extract) string {
	switch e.Bits {
	case 8:
		return fmt.Sprintf("byte %d of %c", e.Low/8, e.Operand)
	case 16:
		return fmt.Sprintf("half-word %d of %c", e.Low/16, e.Operand)
	}
	return fmt.Sprintf("all of %c", e.Operand)
}

// hex prints the lowest bits of x with leading zeros.
func hex(x uint32, bits int) string { return fmt.Sprintf("%0*x", bits/4, x) }
