package drat

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// Check decides whether a proof shows that the clauses of a formula have no common solution. Literals are
// numbers of variables from 1 on, negative where the variable is negated. It returns nil if the proof is right, else
// what is wrong with it.
func Check(formula [][]int, proof io.Reader) error {
	c := newChecker()
	for _, clause := range formula {
		if err := c.checkLiterals(clause); err != nil {
			return err
		}
		c.add(clause)
	}
	lines := bufio.NewReader(proof)
	for n := 1; !c.contradiction; n++ {
		line, err := lines.ReadString('\n')
		if err == io.EOF && line == "" {
			return errors.New("drat: the proof ends without a contradiction")
		}
		if err != nil && err != io.EOF {
			return fmt.Errorf("drat: %w", err)
		}
		if err := c.step(line); err != nil {
			return fmt.Errorf("drat: line %d: %w", n, err)
		}
	}
	return nil
}

// step takes one line of a proof.
func (c *checker) step(line string) error {
	fields := strings.Fields(line)
	if len(fields) == 0 || fields[0] == "c" {
		return nil
	}
	deletion := fields[0] == "d"
	if deletion {
		fields = fields[1:]
	}
	clause := make([]int, 0, len(fields))
	for n, field := range fields {
		literal, err := strconv.Atoi(field)
		if err != nil || (literal == 0) != (n == len(fields)-1) {
			return fmt.Errorf("%q is no clause", strings.TrimSpace(line))
		}
		clause = append(clause, literal)
	}
	if len(clause) == 0 {
		return fmt.Errorf("%q is no clause", strings.TrimSpace(line))
	}
	clause = clause[:len(clause)-1]
	if err := c.checkLiterals(clause); err != nil {
		return err
	}
	if deletion {
		c.delete(clause)
		return nil
	}
	if !c.implied(clause) && !c.redundant(clause) {
		return fmt.Errorf("the clause %v does not follow", clause)
	}
	c.add(clause)
	return nil
}

// limit is the largest number of a variable, so that no line makes the checker take all memory.
const limit = 1 << 26

func (c *checker) checkLiterals(clause []int) error {
	for _, literal := range clause {
		if literal == 0 || literal > limit || literal < -limit {
			return fmt.Errorf("%d is no literal", literal)
		}
		c.grow(max(literal, -literal))
	}
	return nil
}

// implied reports whether a clause is RUP.
func (c *checker) implied(clause []int) bool {
	trail := len(c.trail)
	defer c.undo(trail)
	for _, literal := range clause {
		switch c.value(literal) {
		case isTrue:
			return true
		case unset:
			c.assign(-literal)
		}
	}
	return c.propagate(trail)
}

// redundant reports whether a clause is RAT in its first literal.
func (c *checker) redundant(clause []int) bool {
	if len(clause) == 0 {
		return false
	}
	for _, other := range c.clauses {
		if other == nil || !slices.Contains(other, -clause[0]) {
			continue
		}
		resolvent := slices.Clone(clause)
		for _, literal := range other {
			if literal != -clause[0] {
				resolvent = append(resolvent, literal)
			}
		}
		if !c.implied(resolvent) {
			return false
		}
	}
	return true
}
