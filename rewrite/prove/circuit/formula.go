package circuit

import (
	"fmt"
	"io"
)

// Formula is a formula in conjunctive normal form that grows with a circuit: each gate is a variable, and clauses that say what it
// is (Tseitin). Literals are numbers of variables from 1 on, negative where negated.
type Formula struct {
	Variables int
	Clauses   [][]int

	gates map[gate]int
	order []gate // of the variables, zero for inputs: Simulate computes them
}

// gate is what a variable is defined as.
type gate struct {
	kind    gateKind
	x, y, z int
}

type gateKind uint8

const (
	freeBit gateKind = iota
	andOf            // x and y
	xorOf            // x xor y
	chosen           // y if x, else z
)

// yes is the literal that is true; -yes is false.
const yes = 1

func newFormula() *Formula {
	c := &Formula{gates: map[gate]int{}}
	c.variable(gate{})
	c.clause(yes)
	return c
}

// variable returns a new variable.
func (c *Formula) variable(g gate) int {
	c.Variables++
	c.order = append(c.order, g)
	return c.Variables
}

func (c *Formula) clause(literals ...int) { c.Clauses = append(c.Clauses, literals) }

// defined returns the variable of a gate; clauses are added for a new one.
func (c *Formula) defined(g gate, clauses func(v int)) int {
	if v, ok := c.gates[g]; ok {
		return v
	}
	v := c.variable(g)
	c.gates[g] = v
	clauses(v)
	return v
}

func (c *Formula) and(x, y int) int {
	if x > y {
		x, y = y, x
	}
	switch {
	case x == -yes || y == -yes || x == -y:
		return -yes
	case x == yes || x == y:
		return y
	case y == yes:
		return x
	}
	return c.defined(gate{kind: andOf, x: x, y: y}, func(v int) {
		c.clause(-v, x)
		c.clause(-v, y)
		c.clause(v, -x, -y)
	})
}

func (c *Formula) or(x, y int) int { return -c.and(-x, -y) }

func (c *Formula) xor(x, y int) int {
	sign := 1
	for _, l := range []*int{&x, &y} {
		if *l < 0 {
			*l, sign = -*l, -sign
		}
	}
	if x > y {
		x, y = y, x
	}
	switch {
	case x == y:
		return -sign * yes
	case x == yes:
		return -sign * y
	}
	return sign * c.defined(gate{kind: xorOf, x: x, y: y}, func(v int) {
		c.clause(-v, x, y)
		c.clause(-v, -x, -y)
		c.clause(v, -x, y)
		c.clause(v, x, -y)
	})
}

// choose returns y where x is true, else z.
func (c *Formula) choose(x, y, z int) int {
	switch {
	case x == yes || y == z:
		return y
	case x == -yes:
		return z
	case x < 0:
		return c.choose(-x, z, y)
	case y == -z:
		return c.xor(x, z)
	case y == yes || y == x:
		return c.or(x, z)
	case z == -yes || z == x:
		return c.and(x, y)
	case y == -yes || y == -x:
		return c.and(-x, z)
	case z == yes || z == -x:
		return c.or(-x, y)
	}
	return c.defined(gate{kind: chosen, x: x, y: y, z: z}, func(v int) {
		c.clause(-v, -x, y)
		c.clause(-v, x, z)
		c.clause(v, -x, -y)
		c.clause(v, x, -z)
	})
}

// adder returns the sum of three bits and its carry.
func (c *Formula) adder(x, y, z int) (sum, carry int) {
	differ := c.xor(x, y)
	return c.xor(differ, z), c.or(c.and(x, y), c.and(differ, z))
}

// Write writes the formula as SAT solvers read it.
func (c *Formula) Write(w io.Writer) error {
	if _, err := fmt.Fprintf(w, "p cnf %d %d\n", c.Variables, len(c.Clauses)); err != nil {
		return err
	}
	var line []byte
	for _, clause := range c.Clauses {
		line = line[:0]
		for _, literal := range clause {
			line = fmt.Appendf(line, "%d ", literal)
		}
		if _, err := w.Write(append(line, "0\n"...)); err != nil {
			return err
		}
	}
	return nil
}

// Simulate computes all variables from those of the inputs.
func (c *Formula) Simulate(inputs map[int]bool) []bool {
	values := make([]bool, c.Variables+1)
	is := func(literal int) bool {
		if literal < 0 {
			return !values[-literal]
		}
		return values[literal]
	}
	for n, g := range c.order {
		v := n + 1
		switch g.kind {
		case freeBit:
			values[v] = v == yes || inputs[v]
		case andOf:
			values[v] = is(g.x) && is(g.y)
		case xorOf:
			values[v] = is(g.x) != is(g.y)
		case chosen:
			values[v] = is(g.z)
			if is(g.x) {
				values[v] = is(g.y)
			}
		}
	}
	return values
}
