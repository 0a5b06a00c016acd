package inst

// Fit judges the operands of an instruction. It returns the form that they and the gate choose,
// or what is wrong with the form that comes nearest. The zero gate means that nothing is known:
// nothing is said about versions then.
func (o *Opcode) Fit(arguments []Argument, at Gate) (*Form, Problem) {
	var tooOld *Form
	var late Problem
	for i := range o.Forms {
		f := &o.Forms[i]
		absent, ok := f.fits(arguments)
		if !ok {
			continue
		}
		if len(f.Row.parts) == 0 && f.Row.in(at) { // nearly always
			return f, Problem{}
		}
		p := f.late(at, arguments, absent)
		if p.Kind == NoProblem {
			return f, p
		}
		if tooOld == nil || p.Kind == TooOld && p.Needs.PTX.Less(late.Needs.PTX) {
			tooOld, late = f, p
		}
	}
	if tooOld != nil {
		return tooOld, late
	}
	var nearest Problem
	var best *Form
	least := -1
	for i := range o.Forms {
		f := &o.Forms[i]
		p, weight := f.judge(arguments)
		if !f.Row.in(at) {
			weight++
		}
		if least < 0 || weight < least {
			best, nearest, least = f, p, weight
		}
	}
	return best, nearest
}

// in reports whether a version and a target have the instruction.
func (r *Row) in(at Gate) bool { return r.Needs.in(at) && !r.ended(at) }

// late returns what a version or a target does not have of an instruction whose operands fit, but for those that are absent.
func (f *Form) late(at Gate, arguments []Argument, absent uint64) Problem {
	r := f.Row
	p := Problem{Row: r, Needs: &r.Needs}
	switch {
	case r.ended(at):
		p.Kind = TooNew
		return p
	case !r.Needs.in(at):
		p.Kind = TooOld
		return p
	}
	for i := range r.parts {
		part := &r.parts[i]
		if part.in(at) {
			continue
		}
		for _, word := range part.words {
			if k := f.written(word, arguments, absent); k >= 0 || f.Has(word) {
				return Problem{Kind: TooOld, Row: r, Needs: &part.Needs, At: k, Values: []string{word}}
			}
		}
	}
	return Problem{}
}

// written returns which argument is the operand of a name, or has what follows a | if the name is that; or -1.
func (f *Form) written(name string, arguments []Argument, absent uint64) int {
	k := 0
	for i := range f.Row.Operands {
		if absent>>i&1 != 0 {
			continue
		}
		if f.Row.Operands[i].Name == name || name == "|" && arguments[k].Kind == Pair {
			return k
		}
		k++
	}
	return -1
}

// ended reports whether a version and a target have the instruction no more.
func (r *Row) ended(at Gate) bool {
	return r.Until.SM != 0 && at.SM >= r.Until.SM && !at.PTX.Less(r.Until.PTX)
}

// fits reports whether the operands are as the row has them, and which of the row's are absent.
func (f *Form) fits(arguments []Argument) (absent uint64, ok bool) {
	r := f.Row
	if len(arguments) < r.Required || len(arguments) > len(r.Operands) && !r.More {
		return 0, false
	}
	switch missing := len(r.Operands) - len(arguments); {
	case missing <= 0:
		return 0, f.fitsWithout(arguments, 0)
	case missing == len(r.optional):
		for _, i := range r.optional {
			absent |= 1 << i
		}
		return absent, f.fitsWithout(arguments, absent)
	}
	return f.fitsSome(arguments)
}

// fitsSome is fits where some of the operands that may be absent are written: a function of its own, as what a
// range over a function assigns is allocated, and nearly every line ends before.
func (f *Form) fitsSome(arguments []Argument) (absent uint64, ok bool) {
	for absent := range f.Row.absences(len(arguments)) {
		if f.fitsWithout(arguments, absent) {
			return absent, true
		}
	}
	return 0, false
}

// absences goes through the sets of operands that may be absent if n are written; those behind are left out first.
func (r *Row) absences(n int) func(yield func(uint64) bool) {
	missing := min(max(len(r.Operands)-n, 0), len(r.optional))
	var more func(set uint64, missing, last int, yield func(uint64) bool) bool
	more = func(set uint64, missing, last int, yield func(uint64) bool) bool {
		if missing == 0 {
			return yield(set)
		}
		for i := last; i >= missing-1; i-- {
			if !more(set|1<<r.optional[i], missing-1, i-1, yield) {
				return false
			}
		}
		return true
	}
	return func(yield func(uint64) bool) { more(0, missing, len(r.optional)-1, yield) }
}

// fitsWithout reports whether the operands are those of the row that are not absent.
func (f *Form) fitsWithout(arguments []Argument, absent uint64) bool {
	k := 0
	for i := range f.Row.Operands {
		if absent>>i&1 != 0 {
			if f.needed(i) {
				return false
			}
			continue
		}
		if k >= len(arguments) {
			break
		}
		if f.problem(&arguments[k], i) != NoProblem || !f.with(i) {
			return false
		}
		k++
	}
	return true
}

// with reports whether the modifier is written without which operand i of the row is not.
func (f *Form) with(i int) bool {
	s := f.Row.Operands[i].With
	return s == nil || f.chosen[s.index] >= 0
}

// needed reports whether operand i of the row may be left out but for a modifier that is written.
func (f *Form) needed(i int) bool { return f.Row.Operands[i].With != nil && f.with(i) }
