package drat

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// four are all clauses of two variables: no assignment solves them.
var four = [][]int{{1, 2}, {1, -2}, {-1, 2}, {-1, -2}}

// pigeons is the formula that so many pigeons sit alone in one hole less.
func pigeons(n int) (formula [][]int) {
	in := func(pigeon, hole int) int { return pigeon*(n-1) + hole + 1 }
	for pigeon := range n {
		var clause []int
		for hole := range n - 1 {
			clause = append(clause, in(pigeon, hole))
			for other := range pigeon {
				formula = append(formula, []int{-in(pigeon, hole), -in(other, hole)})
			}
		}
		formula = append(formula, clause)
	}
	return formula
}

func TestRightProofs(t *testing.T) {
	for name, test := range map[string]struct {
		formula [][]int
		proof   string
	}{
		"resolution":               {four, "1 0\n0\n"},
		"what follows is enough":   {four, "1 0\n"},
		"comments and blank lines": {four, "c hello\n\n1 0\nd 1 2 0\n0\n"},
		"a deletion of nothing":    {four, "d 7 8 0\n1 0\n"},
		"a new variable":           {four, "3 1 0\n-3 1 0\n1 0\n"}, // 3 is free: -3 may be added with 1
		"units alone":              {[][]int{{1}, {-1}}, ""},
		"the empty clause":         {[][]int{{}}, ""},
		"twice the same literal":   {[][]int{{1, 1}, {-1, -1}}, ""},
		"three pigeons":            {pigeons(3), "-1 0\n1 0\n0\n"},
	} {
		if err := Check(test.formula, strings.NewReader(test.proof)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestWrongProofs(t *testing.T) {
	three := four[:3] // solved by 1 and 2
	for name, test := range map[string]struct {
		formula [][]int
		proof   string
		want    string
	}{
		"a formula with a solution":     {three, "1 0\n0\n", "line 2: the clause [] does not follow"},
		"a clause that does not follow": {three, "-1 0\n-2 0\n0\n", "line 1: the clause [-1] does not follow"},
		"no contradiction":              {three, "1 0\n2 0\n", "ends without a contradiction"},
		"no proof":                      {four, "", "ends without a contradiction"},
		"a clause needed was deleted":   {four, "d 1 2 0\nd 1 -2 0\n0\n", "line 3: the clause [] does not follow"},
		"no end of a line":              {four, "1\n0\n", `"1" is no clause`},
		"an end inside of a line":       {four, "1 0 2 0\n", "is no clause"},
		"something else":                {four, "hello 0\n", "is no clause"},
		"a deletion of no clause":       {four, "d\n", "is no clause"},
		"a variable beyond all":         {four, "99999999999 0\n", "is no literal"},
		"more than an int":              {four, "99999999999999999999999 0\n", "is no clause"},
		"a definition of what is used":  {[][]int{{1, 2}, {-1, 2}}, "-2 0\n0\n", "line 1: the clause [-2] does not follow"},
		"RAT in another than the first": {[][]int{{1, 2}, {-1, 3}}, "4 1 0\n-4 -2 0\n", "line 2: the clause [-4 -2] does not follow"},
		"zero in the formula":           {[][]int{{0}}, "0\n", "0 is no literal"},
	} {
		err := Check(test.formula, strings.NewReader(test.proof))
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", name, err, test.want)
		}
	}
}

// TestNothingIsProvenOfWhatHasSolutions gives random proofs of random formulas that have a solution: none may pass.
func TestNothingIsProvenOfWhatHasSolutions(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	unsolvable := 0
	for range 20_000 {
		const variables = 5
		formula := randomClauses(rng, 4+rng.IntN(26), variables)
		var proof strings.Builder
		for _, clause := range randomClauses(rng, 6, variables+1) {
			if rng.IntN(5) == 0 {
				proof.WriteString("d ")
				clause = formula[rng.IntN(len(formula))]
			}
			proof.WriteString(strings.Trim(fmt.Sprint(clause), "[]") + " 0\n")
		}
		proof.WriteString("0\n")
		err := Check(formula, strings.NewReader(proof.String()))
		if solvable(formula, variables) {
			if err == nil {
				t.Fatalf("%v has a solution, but is refuted by\n%s", formula, &proof)
			}
			continue
		}
		// What has none is refuted by all clauses of all variables, from the longest on.
		if unsolvable++; unsolvable < 300 {
			if err := Check(formula, strings.NewReader(allClauses(variables))); err != nil {
				t.Fatalf("%v: %v", formula, err)
			}
		}
	}
	if unsolvable < 300 {
		t.Errorf("%d formulas had no solution", unsolvable)
	}
}

func randomClauses(rng *rand.Rand, n, variables int) (clauses [][]int) {
	for range n {
		var clause []int
		for range 1 + rng.IntN(3) {
			clause = append(clause, (1+rng.IntN(variables))*(1-2*rng.IntN(2)))
		}
		clauses = append(clauses, clause)
	}
	return clauses
}

// solvable tries all assignments.
func solvable(formula [][]int, variables int) bool {
	for assignment := range 1 << variables {
		all := true
		for _, clause := range formula {
			all = all && slices.ContainsFunc(clause, func(literal int) bool {
				return (assignment>>(max(literal, -literal)-1)&1 == 1) == (literal > 0)
			})
		}
		if all {
			return true
		}
	}
	return false
}

// allClauses is the proof of what has no solution by clauses of all variables, then all but the last, and so on: each is
// implied by the two before it, or by the formula.
func allClauses(variables int) string {
	var s strings.Builder
	for length := variables; length >= 0; length-- {
		for signs := range 1 << length {
			for n := range length {
				fmt.Fprintf(&s, "%d ", (n+1)*(1-2*(signs>>n&1)))
			}
			s.WriteString("0\n")
		}
	}
	return s.String()
}
