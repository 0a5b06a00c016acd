// Package sorting sorts slices of any type with one copy of a sorting algorithm. Package slices compiles its own for every
// type of elements, of 20 KB with its tables, and the command has sorted 14 types so.
package sorting

import "slices"

// Stable sorts a slice. Elements that compare as equal keep their order.
func Stable[E any](list []E, compare func(a, b E) int) {
	places := sorted(len(list), func(i, j int32) int { return compare(list[i], list[j]) })
	if places == nil {
		return
	}
	before := slices.Clone(list)
	for to, from := range places {
		list[to] = before[from]
	}
}

// sorted returns in which order the elements 0 to n-1 stand, or nil if they stand in order.
func sorted(n int, compare func(i, j int32) int) []int32 {
	i := 1
	for i < n && compare(int32(i-1), int32(i)) <= 0 {
		i++
	}
	if i >= n {
		return nil
	}
	places := make([]int32, n)
	for i := range places {
		places[i] = int32(i)
	}
	slices.SortFunc(places, func(i, j int32) int {
		if c := compare(i, j); c != 0 {
			return c
		}
		return int(i - j)
	})
	return places
}
