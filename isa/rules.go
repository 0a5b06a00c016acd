package isa

// The restrictions that the manual states in prose beside its syntax lines.

// choicesUnder returns the choices of a row, those bound by a rule made one.
func choicesUnder(rules []string, row *Row) []choice {
	var choices []choice
	negated := false
	for _, slot := range row.Slots() {
		if slot.Name == "-" && len(rules) > 0 && rules[0] == "negation" {
			if !negated {
				choices = append(choices, negation)
			}
			negated = true
			continue
		}
		choices = append(choices, slot.choice())
	}
	return choices
}

// negation is vmad's rule: "PTX allows negation of either (a*b) or c", where
// (a*b) is negated "if and only if exactly one of a or b is negated"
// (9.7.18.1.3). -a with -b cancel, and -c is then allowed (ruling R7).
var negation = func() choice {
	var allowed [][3]bool
	for i := range 8 {
		a, b, c := i&4 != 0, i&2 != 0, i&1 != 0
		if negationAllowed(a, b, c) {
			allowed = append(allowed, [3]bool{a, b, c})
		}
	}
	return choice{
		n:   len(allowed),
		put: func(f *Form, i int) { f.NegA, f.NegB, f.NegC = allowed[i][0], allowed[i][1], allowed[i][2] },
		find: func(f *Form) (int, bool) {
			for i, neg := range allowed {
				if neg == [3]bool{f.NegA, f.NegB, f.NegC} {
					return i, true
				}
			}
			return 0, false
		},
	}
}()

// negationAllowed reports whether vmad may negate its operands so (9.7.18.1.3, ruling R7).
func negationAllowed(a, b, c bool) bool { return !(a != b && c) }
