package drat

import (
	"fmt"
	"slices"
)

// value is what a literal is under the assignment.
type value int8

const (
	unset value = iota
	isTrue
	isFalse
)

// checker holds the clauses of a formula, and what follows from them by unit propagation alone.
type checker struct {
	clauses  [][]int          // nil where one was deleted
	watchers [][]int          // by literal: the clauses of which it is one of the first two
	values   []value          // by literal
	trail    []int            // the literals that are true, in the order in which they became so
	numbers  map[string][]int // of the clauses, by their sorted literals
	// contradiction says that unit propagation alone ends in a conflict.
	contradiction bool
}

func newChecker() *checker { return &checker{numbers: map[string][]int{}} }

// index numbers the literals 1, -1, 2, -2 ... from 0 on.
func index(literal int) int {
	if literal < 0 {
		return -2*literal - 1
	}
	return 2*literal - 2
}

// grow makes room for a variable.
func (c *checker) grow(variable int) {
	for len(c.values) < 2*variable {
		c.values = append(c.values, unset)
		c.watchers = append(c.watchers, nil)
	}
}

func (c *checker) value(literal int) value { return c.values[index(literal)] }

// assign makes a literal true.
func (c *checker) assign(literal int) {
	c.values[index(literal)] = isTrue
	c.values[index(-literal)] = isFalse
	c.trail = append(c.trail, literal)
}

// undo takes back all assignments but the first so many.
func (c *checker) undo(trail int) {
	for _, literal := range c.trail[trail:] {
		c.values[index(literal)] = unset
		c.values[index(-literal)] = unset
	}
	c.trail = c.trail[:trail]
}

// propagate makes literals true that are the last of their clause, beginning with what follows from the trail from a
// place on. It reports whether a clause has become false.
func (c *checker) propagate(from int) bool {
	for ; from < len(c.trail); from++ {
		literal := -c.trail[from] // false now
		watching := c.watchers[index(literal)]
		kept := watching[:0]
		for n, number := range watching {
			clause := c.clauses[number]
			if clause == nil {
				continue // deleted
			}
			if clause[0] == literal {
				clause[0], clause[1] = clause[1], literal
			}
			if c.value(clause[0]) == isTrue || c.rewatch(number) {
				if clause[1] == literal {
					kept = append(kept, number)
				}
				continue
			}
			kept = append(kept, number)
			if c.value(clause[0]) == isFalse {
				kept = append(kept, watching[n+1:]...)
				c.watchers[index(literal)] = kept
				return true
			}
			c.assign(clause[0])
		}
		c.watchers[index(literal)] = kept
	}
	return false
}

// rewatch looks for another literal than the second, which is false, to watch a clause by.
func (c *checker) rewatch(number int) bool {
	clause := c.clauses[number]
	for k := 2; k < len(clause); k++ {
		if c.value(clause[k]) != isFalse {
			clause[1], clause[k] = clause[k], clause[1]
			c.watchers[index(clause[1])] = append(c.watchers[index(clause[1])], number)
			return true
		}
	}
	return false
}

// add adds a clause, and what follows from it.
func (c *checker) add(literals []int) {
	clause := slices.Clone(literals)
	slices.Sort(clause)
	clause = slices.Compact(clause)
	key := fmt.Sprint(clause)
	for n, literal := range clause { // what is not false is watched
		if c.value(literal) != isFalse {
			for k := range 2 {
				if k < n && c.value(clause[k]) == isFalse {
					clause[k], clause[n] = clause[n], clause[k]
					break
				}
			}
		}
	}
	number := len(c.clauses)
	c.clauses = append(c.clauses, clause)
	c.numbers[key] = append(c.numbers[key], number)
	if len(clause) > 1 {
		for _, literal := range clause[:2] {
			c.watchers[index(literal)] = append(c.watchers[index(literal)], number)
		}
	}
	switch {
	case len(clause) == 0 || c.value(clause[0]) == isFalse:
		c.contradiction = true
	case c.value(clause[0]) == unset && (len(clause) == 1 || c.value(clause[1]) == isFalse):
		trail := len(c.trail)
		c.assign(clause[0])
		c.contradiction = c.propagate(trail) || c.contradiction
	}
}

// delete deletes a clause, unless all its literals but one are false: what followed from it is kept. A clause that
// is not there need not be deleted.
func (c *checker) delete(literals []int) {
	clause := slices.Clone(literals)
	slices.Sort(clause)
	clause = slices.Compact(clause)
	key := fmt.Sprint(clause)
	numbers := c.numbers[key]
	if len(numbers) == 0 {
		return
	}
	open := 0
	for _, literal := range clause {
		if c.value(literal) != isFalse {
			open++
		}
	}
	if open <= 1 {
		return
	}
	c.clauses[numbers[0]] = nil
	c.numbers[key] = numbers[1:]
}
