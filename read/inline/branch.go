package inline

// branch is an #if of the file: what is asked, and what of it has been false.
type branch struct {
	outer *context // what holds around the #if
	rest  *context // and in its further branches
	over  bool     // a branch is known to be live, so that no further one is
}

// directive reads a directive up to the end of its line.
func (f *finder) directive() {
	switch name := directiveName(f.token()); name {
	case "define":
		f.define(f.when)
	case "undef":
		if f.scanner.next(); f.kind == identifier && f.macros[f.token()] != nil {
			f.macros[f.token()] = append(f.macros[f.token()], event{when: f.when})
		}
	case "if", "ifdef", "ifndef":
		f.branches = append(f.branches, branch{outer: f.when, rest: f.when})
		f.branch(name)
	case "elif", "elifdef", "elifndef":
		if len(f.branches) > 0 {
			f.branch(name[2:])
		}
	case "else":
		if n := len(f.branches); n > 0 {
			b := &f.branches[n-1]
			f.when = b.rest
			if b.over {
				f.dead()
				return
			}
			b.over = true
		}
	case "endif":
		if n := len(f.branches); n > 0 {
			f.when = f.branches[n-1].outer
			f.branches = f.branches[:n-1]
		}
	}
	for f.kind != directiveEnd && f.kind != endOfFile {
		f.next()
	}
}

// branch reads the condition of a branch; one that is dead is passed over.
func (f *finder) branch(name string) {
	b := &f.branches[len(f.branches)-1]
	c := f.condition(&f.scanner, name, b.rest)
	switch {
	case b.over || c.truth == no:
		f.dead()
	case c.truth == yes:
		f.when = b.rest
		b.over = true
	default:
		f.when = b.rest.with(c.literal)
		b.rest = b.rest.with(literal{c.variable, !c.value})
	}
}

// dead passes over a branch that no compiler reads: what is in it does not matter.
func (f *finder) dead() {
	depth := 0
	for {
		for f.kind != directiveEnd && f.kind != endOfFile {
			f.next()
		}
		for f.kind != directive && f.kind != endOfFile {
			f.next()
		}
		if f.kind == endOfFile {
			return
		}
		switch directiveName(f.token()) {
		case "if", "ifdef", "ifndef":
			depth++
		case "endif":
			depth--
			if depth < 0 {
				f.directive()
				return
			}
		case "else", "elif", "elifdef", "elifndef":
			if depth == 0 {
				f.directive()
				return
			}
		}
	}
}
