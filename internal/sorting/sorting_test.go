package sorting

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
)

type element struct{ key, was int }

// Stable gives what the stable sort of package slices gives, for every length and for few and many keys.
func TestStableIsStable(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	byKey := func(a, b element) int { return cmp.Compare(a.key, b.key) }
	for n := range 300 {
		for _, keys := range []int{1, 3, 1000} {
			list := make([]element, n)
			for i := range list {
				list[i] = element{rng.IntN(keys), i}
			}
			want := slices.Clone(list)
			slices.SortStableFunc(want, byKey)
			Stable(list, byKey)
			if !slices.Equal(list, want) {
				t.Fatalf("%d elements of %d keys: %v, want %v", n, keys, list, want)
			}
		}
	}
}

// What stands in order is looked at once, and nothing is allocated for it.
func TestStableOfSorted(t *testing.T) {
	list := make([]element, 1000)
	for i := range list {
		list[i].key = i / 2
	}
	compared := 0
	allocations := testing.AllocsPerRun(1, func() {
		compared = 0
		Stable(list, func(a, b element) int { compared++; return cmp.Compare(a.key, b.key) })
	})
	if compared != len(list)-1 || allocations > 1 {
		t.Errorf("%d comparisons, %v allocations", compared, allocations)
	}
}
