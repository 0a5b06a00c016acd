package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/vop-ptx/vop/isa"
)

// sample measures n random forms for each target, returns the mean of the ratios,
// and lists the forms of which ptxas makes fewer machine instructions by itself.
func sample(n int, seed uint64) (string, error) {
	var instructions []string
	for f := range isa.Sample(rand.New(rand.NewPCG(seed, seed))) {
		if len(instructions) == n {
			break
		}
		instructions = append(instructions, f.Spell("%r4", "%r1", "%r2", "%r3"))
	}
	var s strings.Builder
	for _, target := range targets {
		var all measured
		for some := range slices.Chunk(instructions, atOnce) {
			m, err := measure(target, some)
			if err != nil {
				return "", err
			}
			all.before = append(all.before, m.before...)
			all.after = append(all.after, m.after...)
		}
		for i, instruction := range instructions {
			if all.after[i] > all.before[i] {
				fmt.Fprintf(&s, "%s: worse: %d machine instructions, ptxas makes %d: %s\n", target, all.after[i], all.before[i], instruction)
			}
		}
		fmt.Fprintf(&s, "%s: geometric mean of the ratio over %d random forms: %.3f\n", target, n, all.mean())
	}
	return s.String(), nil
}
