package slab

import (
	"slices"
	"testing"
)

// TestSlab: what is handed out is zero, apart from all else, and does not move.
func TestSlab(t *testing.T) {
	var s Slab[int]
	var all [][]int
	for n := range 300 {
		var list []int
		switch n % 4 {
		case 0:
			for i := range n {
				*s.At(i) = n
			}
			list = s.Take(n)
		case 1:
			for i := range n {
				*s.At(i) = -1
			}
			s.Undo(n)
			list = s.Make(n)
		case 2:
			list = s.CopyOf(slices.Repeat([]int{n}, n))
		case 3:
			list = []int{*s.One()}
		}
		for i, v := range list {
			if want := n * (1 - n%2); v != want {
				t.Fatalf("item %d of list %d is %d", i, n, v)
			}
			list[i] = n
		}
		all = append(all, list)
	}
	for n, list := range all {
		if len(list) != cap(list) && n%4 != 3 || slices.ContainsFunc(list, func(v int) bool { return v != n }) {
			t.Fatalf("list %d is %v", n, list)
		}
	}
}

// TestReuse: memory that is used again is zero.
func TestReuse(t *testing.T) {
	var s Slab[int]
	s.Begin(make([]int, 3))
	first := s.Make(3)
	first[1] = 7
	s.Reuse()
	again := s.Make(3)
	if &again[0] != &first[0] || again[1] != 0 {
		t.Errorf("got %v", again)
	}
}
