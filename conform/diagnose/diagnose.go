package diagnose

import (
	"cmp"
	"slices"

	"github.com/vop-ptx/vop/conform"
	"github.com/vop-ptx/vop/conform/mistake"
	"github.com/vop-ptx/vop/internal/sorting"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/sem"
)

// Answer is a vector and the word that an implementation gave.
type Answer struct {
	conform.Vector
	Got uint32
}

// Diagnosis is what explains the wrong answers.
type Diagnosis struct {
	Reading     sem.Reading
	Wrong       int
	Causes      []Cause  // those that explain most first
	Unexplained []Answer // the wrong answers that no cause explains
}

// Cause is a mistake and the answers that it explains.
type Cause struct {
	Mistake mistake.Mistake
	// Undone is set where the mistake is one of the reading's own causes (Q1 ...) and the
	// implementation does not have it: it does there as the manual says.
	Undone   bool
	Ops      []isa.Op // the instructions it was found in
	Forms    int      // in how many of their forms
	Explains []Answer // wrong answers that would not be given without it, the smallest first
	// Against counts the answers that are right though the mistake would make them wrong.
	Against int
}

// Name returns the mistake's name, "not-" before it if it is undone.
func (c Cause) Name() string {
	if c.Undone {
		return "not-" + c.Mistake.String()
	}
	return c.Mistake.String()
}

// Title says what the implementation does.
func (c Cause) Title() string {
	title := c.Mistake.Info().Title
	if c.Undone {
		return "does as the manual says, and not as compiled: " + title
	}
	return title
}

// Ruling returns the ruling or cause of docs/rulings.md that the implementation decides otherwise; it may be empty.
func (c Cause) Ruling() string { return c.Mistake.Ruling(c.Explains[0].Form) }

// Of diagnoses the answers of an implementation that is to follow a reading.
func Of(r sem.Reading, answers []Answer) Diagnosis {
	base := mistake.Set{}
	if r == sem.SM86 {
		base = mistake.Compiled()
	}
	byOp := map[isa.Op][]Answer{}
	d := Diagnosis{Reading: r}
	wrongOf := map[isa.Op]bool{}
	for _, a := range answers {
		byOp[a.Form.Op] = append(byOp[a.Form.Op], a)
		if a.Got != a.Want[r] {
			d.Wrong++
			wrongOf[a.Form.Op] = true
		}
	}

	// What each instruction's answers say alone, with all mistakes that say the same.
	var findings []*finding
	votes := map[mistake.Mistake]int{}
	for _, op := range isa.Ops() {
		if !wrongOf[op] {
			continue
		}
		f := newFinding(op, r, base, byOp[op])
		f.search(nil)
		for _, step := range f.steps {
			for _, m := range step {
				votes[m] += f.wrong
			}
		}
		findings = append(findings, f)
	}

	found := map[mistake.Mistake]*Cause{}
	forms := map[mistake.Mistake]map[isa.Form]bool{}
	for _, f := range findings {
		f.search(votes)
		f.attribute(func(m mistake.Mistake, a Answer) {
			if found[m] == nil {
				found[m] = &Cause{Mistake: m, Undone: base.Has(m)}
				forms[m] = map[isa.Form]bool{}
			}
			c := found[m]
			c.Explains = append(c.Explains, a)
			forms[m][a.Form] = true
			if !slices.Contains(c.Ops, f.op) {
				c.Ops = append(c.Ops, f.op)
			}
		}, func(a Answer) { d.Unexplained = append(d.Unexplained, a) })
		for m, n := range f.against {
			if found[m] != nil {
				found[m].Against += n
			}
		}
	}
	for m, c := range found {
		c.Forms = len(forms[m])
		sortBySize(c.Explains)
		d.Causes = append(d.Causes, *c)
	}
	sorting.Stable(d.Causes, func(x, y Cause) int {
		return cmp.Or(cmp.Compare(len(y.Explains), len(x.Explains)), cmp.Compare(x.Mistake, y.Mistake))
	})
	sortBySize(d.Unexplained)
	return d
}

// sortBySize orders counterexamples: those on which the readings agree first, then simple operands, then short
// instructions.
func sortBySize(answers []Answer) {
	text := map[isa.Form]string{}
	for _, a := range answers {
		if _, known := text[a.Form]; !known {
			text[a.Form] = a.Form.String()
		}
	}
	sorting.Stable(answers, func(x, y Answer) int {
		if c := cmp.Or(cmp.Compare(doubt(x.Vector), doubt(y.Vector)), cmp.Compare(size(x.Vector), size(y.Vector))); c != 0 {
			return c
		}
		s, t := text[x.Form], text[y.Form]
		return cmp.Or(cmp.Compare(len(s), len(t)), cmp.Compare(s, t), cmp.Compare(x.A, y.A), cmp.Compare(x.B, y.B), cmp.Compare(x.C, y.C))
	})
}

// doubt is 1 where the readings give different values.
func doubt(v conform.Vector) int {
	if v.Want[sem.ISA] != v.Want[sem.SM86] {
		return 1
	}
	return 0
}

// size tells how much there is to look at in the operands: their hexadecimal digits that are not 0,
// where fff8 is as short as 8.
func size(v conform.Vector) (n int) {
	for _, x := range []uint32{v.A, v.B, v.C} {
		n += min(digits(x), digits(^x)+1)
	}
	return n
}

func digits(x uint32) (n int) {
	for ; x != 0; x >>= 4 {
		if x&15 != 0 {
			n += 2
		}
	}
	return n
}
