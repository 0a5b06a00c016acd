package main

import (
	"fmt"
	"math"
	"strings"

	"github.com/vop-ptx/vop/internal/sass"
	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/rewrite/translate"
)

// targets are the machines that are counted for.
var targets = []string{"sm_80", "sm_90"}

// tables returns a table for each group of instructions in the text.
func tables(text string) (string, error) {
	var s strings.Builder
	for group := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
		if strings.HasPrefix(group, "#") {
			continue
		}
		if err := table(&s, strings.Split(group, "\n")); err != nil {
			return "", err
		}
	}
	return s.String(), nil
}

// measured is the number of machine instructions before and after, by target.
type measured struct{ before, after []int }

// table writes one table, and its mean.
func table(s *strings.Builder, instructions []string) error {
	counts := map[string]measured{}
	s.WriteString("| instruction |")
	for _, target := range targets {
		m, err := measure(target, instructions)
		if err != nil {
			return err
		}
		counts[target] = m
		fmt.Fprintf(s, " ptxas, %s | vop, %[1]s |", target)
	}
	s.WriteString("\n|---|" + strings.Repeat("---:|", 2*len(targets)) + "\n")
	for i, instruction := range instructions {
		fmt.Fprintf(s, "| `%s` |", instruction)
		for _, target := range targets {
			fmt.Fprintf(s, " %d | %d |", counts[target].before[i], counts[target].after[i])
		}
		s.WriteByte('\n')
	}
	s.WriteString("| geometric mean of the ratio |")
	for _, target := range targets {
		fmt.Fprintf(s, " | %.3f |", counts[target].mean())
	}
	s.WriteString("\n\n")
	return nil
}

// measure counts the machine instructions of each instruction, as it is and lowered.
func measure(target string, instructions []string) (m measured, err error) {
	module := sass.Module(target, instructions)
	if m.before, err = sass.Count(target, module); err != nil {
		return m, err
	}
	lowered, diagnostics, err := translate.Lower(source.New("k.ptx", module), translate.LowerOptions{})
	if err != nil {
		return m, err
	}
	if lowered == nil {
		return m, fmt.Errorf("%s", diagnostics[0].Message)
	}
	m.after, err = sass.Count(target, lowered.Text)
	return m, err
}

// mean returns the geometric mean of after / before.
func (m measured) mean() float64 {
	sum := 0.0
	for i := range m.before {
		// A form that computes nothing is none on both sides.
		sum += math.Log(float64(max(m.after[i], 1)) / float64(max(m.before[i], 1)))
	}
	return math.Exp(sum / float64(len(m.before)))
}
