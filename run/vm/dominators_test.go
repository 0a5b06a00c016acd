package vm

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// graphOf returns the edges of a graph by their begin and by their end.
func graphOf(nodes int, edges [][2]int) (after, before [][]int) {
	after, before = make([][]int, nodes), make([][]int, nodes)
	for _, e := range edges {
		after[e[0]] = append(after[e[0]], e[1])
		before[e[1]] = append(before[e[1]], e[0])
	}
	return after, before
}

// reachable returns the nodes that are reached from node 0 without passing a node.
func reachable(after [][]int, without int) []bool {
	seen := make([]bool, len(after))
	var visit func(node int)
	visit = func(node int) {
		if node == without || seen[node] {
			return
		}
		seen[node] = true
		for _, to := range after[node] {
			visit(to)
		}
	}
	visit(0)
	return seen
}

// A node dominates those that are not reached any more without it; the immediate dominator is the one of them that all
// others dominate.
func TestDominatorsOfRandomGraphs(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		n := 1 + random.IntN(12)
		var edges [][2]int
		for range random.IntN(3 * n) {
			edges = append(edges, [2]int{random.IntN(n), random.IntN(n)})
		}
		after, before := graphOf(n, edges)
		all := reachable(after, -1)
		want := filled(n, -1)
		want[0] = 0
		most := make([]int, n) // how many nodes dominate the dominator: the immediate one is the deepest
		depth := make([]int, n)
		for d := range n {
			for v, seen := range reachable(after, d) {
				if all[v] && !seen && v != d {
					depth[v]++
				}
			}
		}
		for d := range n {
			for v, seen := range reachable(after, d) {
				if all[v] && !seen && v != d && depth[d]+1 > most[v] {
					most[v], want[v] = depth[d]+1, d
				}
			}
		}
		if got := dominators(0, after, before); !slices.Equal(got, want) {
			t.Fatalf("edges %v: got %v, want %v", edges, got, want)
		}
	}
}

// Where many nodes lead both to the begin and to the end of a long chain, a search for what they have in common that
// climbs the chain each time takes the square of the time.
func TestDominatorsOfLongChains(t *testing.T) {
	const n = 200_000
	var edges [][2]int
	for i := 1; i < n; i++ {
		edges = append(edges, [2]int{i - 1, i}) // the chain
	}
	for i := range n {
		edges = append(edges, [2]int{n - 1, n + i}, [2]int{0, n + i})
	}
	after, before := graphOf(2*n, edges)
	begin := time.Now()
	got := dominators(0, after, before)
	if took := time.Since(begin); took > 10*time.Second {
		t.Errorf("took %v", took)
	}
	for i := range n {
		if got[n+i] != 0 {
			t.Fatalf("node %d: got %d", n+i, got[n+i])
		}
	}
}
