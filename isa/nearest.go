package isa

import (
	"slices"
	"strings"
)

// Nearest returns the candidates that a misspelled word was probably meant to be:
// those that are the fewest letters away from it, added, dropped, changed or swapped
// with their neighbour. It returns none if more than a third of the word is wrong.
// Upper and lower case count as equal.
func Nearest(text string, candidates []string) (nearest []string) {
	lower := strings.ToLower(text)
	best := max(1, (len(text)-1)/3)
	for _, c := range candidates {
		if slices.Contains(nearest, c) {
			continue
		}
		switch d := distance(lower, strings.ToLower(c), best); {
		case d > best:
		case d == best:
			nearest = append(nearest, c)
		default:
			best = d
			nearest = append(nearest[:0], c)
		}
	}
	return nearest
}

// distance returns the optimal string alignment distance of a and b, or some
// number above limit if it is above limit.
func distance(a, b string, limit int) int {
	if d := len(a) - len(b); d > limit || -d > limit {
		return limit + 1
	}
	before, above, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range above {
		above[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			change := 1
			if a[i-1] == b[j-1] {
				change = 0
			}
			row[j] = min(above[j]+1, row[j-1]+1, above[j-1]+change)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, above, row = above, row, before
	}
	return above[len(b)]
}
