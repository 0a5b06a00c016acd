package diagnose

import (
	"slices"

	"github.com/vop-ptx/vop/conform/mistake"
	"github.com/vop-ptx/vop/internal/sorting"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/sem"
)

// finding is the search for the mistakes in one instruction.
type finding struct {
	op      isa.Op
	reading sem.Reading
	base    mistake.Set
	answers []Answer
	sample  []Answer // of answers, what the search looks at
	wrong   int

	steps   [][]mistake.Mistake // the mistakes chosen; of each step all that were as good, the chosen one first
	chosen  mistake.Set         // base and the steps
	against map[mistake.Mistake]int
}

// maxSample bounds the answers of an instruction that the search looks at: wrong and right ones.
const maxSample = 1200

func newFinding(op isa.Op, r sem.Reading, base mistake.Set, answers []Answer) *finding {
	f := &finding{op: op, reading: r, base: base, answers: answers}
	var wrong, right []Answer
	for _, a := range answers {
		if a.Got != a.Want[r] {
			wrong = append(wrong, a)
		} else {
			right = append(right, a)
		}
	}
	f.wrong = len(wrong)
	f.sample = append(thinned(wrong, maxSample*2/3), thinned(right, maxSample/3)...)
	return f
}

// thinned returns n of the answers, evenly spread.
func thinned(answers []Answer, n int) []Answer {
	if len(answers) <= n {
		return answers
	}
	thin := make([]Answer, n)
	for i := range thin {
		thin[i] = answers[i*len(answers)/n]
	}
	return thin
}

// disagreement counts the answers that an implementation with the given mistakes would not give, as far as limit.
func disagreement(set mistake.Set, answers []Answer, limit int) (n int) {
	for i := range answers {
		a := &answers[i]
		if mistake.Eval(&set, a.Form, a.A, a.B, a.C) != a.Got {
			if n++; n > limit {
				break
			}
		}
	}
	return n
}

// suspects returns the mistakes that concern a form with a wrong answer.
func suspects(r sem.Reading, answers []Answer) []mistake.Mistake {
	seen := map[isa.Form]bool{}
	var all []mistake.Mistake
	concerned := map[mistake.Mistake]bool{}
	for _, a := range answers {
		if a.Got == a.Want[r] || seen[a.Form] {
			continue
		}
		seen[a.Form] = true
		for _, m := range mistake.Concerning(a.Form) {
			concerned[m] = true
		}
	}
	for _, m := range mistake.All() {
		if concerned[m] {
			all = append(all, m)
		}
	}
	return all
}

// maxSteps bounds the mistakes looked for in one instruction.
const maxSteps = 8

// search chooses mistakes one after another, each time the one with which most answers agree. Of
// several that are equal it takes the one with most votes. Steps that an earlier search has taken, and that the votes
// would not change, are kept.
func (f *finding) search(votes map[mistake.Mistake]int) {
	kept := 0
	for ; kept < len(f.steps); kept++ {
		first := f.steps[kept][0]
		f.elect(f.steps[kept], votes)
		if f.steps[kept][0] != first {
			kept++
			break
		}
	}
	if kept > 0 && kept == len(f.steps) && !f.changed(kept) {
		return
	}
	left := f.climb(f.steps[:kept:kept], votes, true)
	if left == 0 && len(f.steps) < 2 {
		return
	}
	// One mistake at a time may lead astray where several only together are right, as the causes of the other reading
	// are: from those the search begins once more.
	var causes [][]mistake.Mistake
	for _, m := range suspects(f.reading, f.sample) {
		if compiled.Has(m) {
			causes = append(causes, []mistake.Mistake{m})
		}
	}
	// Which of them are needed may show only when the other mistakes are found: hence once with all of them kept until then.
	for _, sparing := range []bool{true, false} {
		steps, chosen := f.steps, f.chosen
		again := f.climb(slices.Clone(causes), votes, sparing)
		if again > left || again == left && len(f.steps) >= len(steps) {
			f.steps, f.chosen = steps, chosen
			continue
		}
		left = again
	}
}

// climb adds mistakes to steps that are given, and takes those out again without which no more answers
// disagree. It returns how many do. If it is sparing, it takes such mistakes out of the given ones, too, before it adds any.
func (f *finding) climb(steps [][]mistake.Mistake, votes map[mistake.Mistake]int, sparing bool) (left int) {
	f.steps, f.chosen = steps, f.base
	for _, step := range f.steps {
		f.chosen = f.chosen.Toggled(step[0])
	}
	left = disagreement(f.chosen, f.sample, len(f.sample))
	if sparing {
		left = f.prune(left)
	}
	open := suspects(f.reading, f.sample)
	for len(f.steps) < maxSteps && left > 0 {
		var step []mistake.Mistake
		before := left
		agreed := f.unconcerned()
		for _, m := range open {
			if slices.ContainsFunc(f.steps, func(s []mistake.Mistake) bool { return s[0] == m }) {
				continue
			}
			concerned, others := agreed(m)
			switch n := others + disagreement(f.chosen.Toggled(m), concerned, left-others); {
			case n < left:
				left, step = n, []mistake.Mistake{m}
			case n == left && n < before:
				step = append(step, m)
			}
		}
		if step == nil {
			break
		}
		f.elect(step, votes)
		f.steps = append(f.steps, step)
		f.chosen = f.chosen.Toggled(step[0])
	}
	return f.prune(left)
}

// prune takes out the steps without which no more answers disagree than now.
func (f *finding) prune(left int) int {
	for i := len(f.steps) - 1; i >= 0; i-- {
		without := f.chosen.Toggled(f.steps[i][0])
		if n := disagreement(without, f.sample, left); n <= left {
			left, f.chosen = n, without
			f.steps = slices.Delete(slices.Clone(f.steps), i, i+1)
		}
	}
	return left
}

// changed reports whether the steps are not those that chosen was made of.
func (f *finding) changed(steps int) bool {
	set := f.base
	for _, step := range f.steps[:steps] {
		set = set.Toggled(step[0])
	}
	return set != f.chosen
}

// elect puts the mistake with most votes first. Those that are a difference between the readings count more: who
// follows one where the other is meant makes just these.
func (f *finding) elect(step []mistake.Mistake, votes map[mistake.Mistake]int) {
	const causes = 3
	weight := func(m mistake.Mistake) int {
		n := votes[m]
		if compiled.Has(m) {
			n = causes*n + 1
		}
		return n
	}
	sorting.Stable(step, func(x, y mistake.Mistake) int { return weight(y) - weight(x) })
}

var compiled = mistake.Compiled()

// unconcerned returns a function that gives, for a mistake, the answers to forms that it concerns, and how
// many of the others are not what the chosen mistakes give.
func (f *finding) unconcerned() func(m mistake.Mistake) (concerned []Answer, others int) {
	wrong := make([]bool, len(f.sample))
	for i, a := range f.sample {
		wrong[i] = mistake.Eval(&f.chosen, a.Form, a.A, a.B, a.C) != a.Got
	}
	buffer := make([]Answer, 0, len(f.sample))
	return func(m mistake.Mistake) (concerned []Answer, others int) {
		concerned = buffer[:0]
		for i, a := range f.sample {
			if m.Concerns(a.Form) {
				concerned = append(concerned, a)
			} else if wrong[i] {
				others++
			}
		}
		return concerned, others
	}
}

// attribute calls explained for each wrong answer and each mistake without which it would not be what it
// is, and unexplained for those that the search has not explained, nor one mistake in their form alone.
func (f *finding) attribute(explained func(mistake.Mistake, Answer), unexplained func(Answer)) {
	f.against = map[mistake.Mistake]int{}
	left := map[isa.Form][]Answer{}
	var order []isa.Form
	for _, a := range f.answers {
		predicted := mistake.Eval(&f.chosen, a.Form, a.A, a.B, a.C)
		right := a.Got == a.Want[f.reading]
		switch {
		case predicted == a.Got && right:
		case predicted != a.Got && right:
			for _, step := range f.steps {
				without := f.chosen.Toggled(step[0])
				if mistake.Eval(&without, a.Form, a.A, a.B, a.C) == a.Got {
					f.against[step[0]]++
				}
			}
		case predicted == a.Got:
			f.credit(a, explained)
		default:
			if left[a.Form] == nil {
				order = append(order, a.Form)
			}
			left[a.Form] = append(left[a.Form], a)
		}
	}
	byForm := map[isa.Form][]Answer{}
	if len(order) > 0 {
		for _, a := range f.answers {
			if left[a.Form] != nil {
				byForm[a.Form] = append(byForm[a.Form], a)
			}
		}
	}
	for _, form := range order {
		f.inForm(byForm[form], left[form], explained, unexplained)
	}
}

// credit finds the mistakes that an explained answer needs: those without which it would be another. Where
// each of several is enough, all of them are.
func (f *finding) credit(a Answer, explained func(mistake.Mistake, Answer)) {
	credited := false
	for _, step := range f.steps {
		without := f.chosen.Toggled(step[0])
		if mistake.Eval(&without, a.Form, a.A, a.B, a.C) != a.Got {
			explained(step[0], a)
			credited = true
		}
	}
	if credited {
		return
	}
	for _, step := range f.steps {
		alone := f.base.Toggled(step[0])
		if mistake.Eval(&alone, a.Form, a.A, a.B, a.C) == a.Got {
			explained(step[0], a)
		}
	}
}

// inForm looks for one mistake that explains all answers to one form.
func (f *finding) inForm(all, wrong []Answer, explained func(mistake.Mistake, Answer), unexplained func(Answer)) {
	best, found := disagreement(f.base, all, len(all)), mistake.None
	for _, m := range mistake.Concerning(all[0].Form) {
		if n := disagreement(f.base.Toggled(m), all, best); n < best {
			best, found = n, m
		}
	}
	set := f.base.Toggled(found)
	for _, a := range wrong {
		if found != mistake.None && mistake.Eval(&set, a.Form, a.A, a.B, a.C) == a.Got {
			explained(found, a)
		} else {
			unexplained(a)
		}
	}
}
