package main

import (
	"fmt"
	"strings"

	"github.com/vop-ptx/vop/isa"
)

// lanePart is what a SIMD instruction does in each lane.
type lanePart struct{ verb, sign, result string }

// laneParts are by the mnemonic without the number of lanes.
var laneParts = map[string]lanePart{
	"vadd":     {"adds %s of a and b", "+", "sum"},
	"vsub":     {"subtracts %s of b from those of a", "-", "diff"},
	"vavrg":    {"averages %s of a and b, a half rounded away from 0", "avg", "mean"},
	"vabsdiff": {"takes the absolute differences of %s of a and b", "|-|", "diff"},
	"vmin":     {"takes the lesser of %s of a and b", "min", "min"},
	"vmax":     {"takes the greater of %s of a and b", "max", "max"},
	"vset":     {"compares %s of a with those of b: 1 where the comparison holds, else 0", "?", "0/1"},
}

// scalarParts are what the scalar instructions compute of a and b.
var scalarParts = map[string][2]string{
	"vadd":     {"adds a and b", "a + b"},
	"vsub":     {"subtracts b from a", "a - b"},
	"vabsdiff": {"takes the absolute difference of a and b", "|a - b|"},
	"vmin":     {"takes the lesser of a and b", "min(a, b)"},
	"vmax":     {"takes the greater of a and b", "max(a, b)"},
	"vshl":     {"shifts a to the left by b; more than 31 places are 32 with .clamp, and b modulo 32 with .wrap", "a << b"},
	"vshr":     {"shifts a to the right by b; more than 31 places are 32 with .clamp, and b modulo 32 with .wrap", "a >> b"},
	"vmad":     {"multiplies a and b and adds c, each negated where it has a minus; .po adds 1 more, .shr7 and .shr15 shift the sum", "a * b + c"},
	"vset":     {"compares a with b: 1 if the comparison holds, else 0", "a ? b"},
}

// aboutOp says what an instruction computes, in a paragraph.
func aboutOp(op isa.Op) string {
	name := op.String()
	if lanes := lanesOf(op); lanes > 0 {
		p := laneParts[name[:len(name)-1]]
		return name + " " + fmt.Sprintf(p.verb, map[int]string{2: "the two halves", 4: "the four bytes"}[lanes]) +
			", each lane by itself. Selectors pick the lanes from a and b. " + satText(op, "what does not fit a lane becomes the nearest value that does. ") +
			"With .add the results of all lanes and c are added up instead. Lanes that are not in the mask come from c."
	}
	p := scalarParts[name]
	text := name + " " + p[0] + ". A selector takes a byte or a half of a or b instead of the word; the result is exact, with as many bits as it needs. "
	text += satText(op, "what does not fit 32 bits becomes the nearest value that does. ")
	if op == isa.Vmad {
		return strings.TrimSpace(text)
	}
	return text + "Then comes .add, .min or .max of the result and c, or the result goes into a byte or half of d, whose rest comes from c."
}

// satText says what .sat does where an instruction has it.
func satText(op isa.Op, text string) string {
	for _, row := range isa.RowsOf(op) {
		for _, slot := range row.Modifiers {
			if strings.Contains(slot.Name, "sat") {
				return "With .sat " + text
			}
		}
	}
	return ""
}

// lanesOf returns the number of lanes of a SIMD instruction, or 0.
func lanesOf(op isa.Op) int {
	if !op.SIMD() {
		return 0
	}
	name := op.String()
	return int(name[len(name)-1] - '0')
}

// drawOp draws what an instruction computes, in textWidth columns.
func drawOp(op isa.Op) string {
	if lanes := lanesOf(op); lanes > 0 {
		return drawLanes(op, lanes)
	}
	name := op.String()
	var s strings.Builder
	s.WriteString("  a{.asel}    b{.bsel}    one of the word, .b0 .b1 .b2 .b3, .h0 .h1, extended\n")
	s.WriteString("         \\    /\n")
	fmt.Fprintf(&s, "%s    exact%s\n", center(scalarParts[name][1], 24), map[bool]string{true: "", false: "; .sat clamps it"}[satText(op, "") == ""])
	s.WriteString(strings.TrimRight(center("|", 24), " ") + "\n")
	if op == isa.Vmad {
		s.WriteString(strings.TrimRight(center("d", 24), " ") + "\n")
	} else {
		fmt.Fprintf(&s, "%s    .op2(it, c), or d.dsel: a part of d, the rest of c\n", center("d", 24))
	}
	return s.String()
}

// drawLanes draws the lanes of a word, the highest on the left.
func drawLanes(op isa.Op, lanes int) string {
	p := laneParts[strings.TrimRight(op.String(), "24")]
	width := 60 / lanes
	part := map[int]string{2: "h", 4: "b"}[lanes]
	row := func(title string, cell func(i int) string, edge string) string {
		var s strings.Builder
		s.WriteString("  " + title + "  " + edge)
		for i := lanes - 1; i >= 0; i-- {
			s.WriteString(center(cell(i), width-1) + edge)
		}
		return strings.TrimRight(s.String(), " ") + "\n"
	}
	return row("a", func(i int) string { return fmt.Sprintf("a.%s%d", part, i) }, "|") +
		row(" ", func(int) string { return p.sign }, " ") +
		row("b", func(i int) string { return fmt.Sprintf("b.%s%d", part, i) }, "|") +
		row(" ", func(int) string { return "=" }, " ") +
		row("d", func(i int) string { return fmt.Sprintf("%s %d", p.result, i) }, "|")
}

// center puts a text in the middle of so many columns.
func center(text string, width int) string {
	left := max(0, (width-len(text))/2)
	return strings.Repeat(" ", left) + text + strings.Repeat(" ", max(0, width-left-len(text)))
}
