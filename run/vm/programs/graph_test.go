package programs

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/vop-ptx/vop/internal/long"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// graph is a directed graph: the neighbours of v are columns[rows[v]:rows[v+1]].
type graph struct{ rows, columns []uint32 }

// skewedGraph has few vertices with many thousands of neighbours, and many with one or none.
func skewedGraph(rng *rand.Rand, n, hubs, degree int) (g graph) {
	g.rows = []uint32{0}
	for v := range n {
		count := rng.IntN(3)
		if v < hubs*37 && v%37 == 0 {
			count = degree - rng.IntN(degree/4+1)
		}
		for range count {
			g.columns = append(g.columns, uint32(rng.IntN(n)))
		}
		g.rows = append(g.rows, uint32(len(g.columns)))
	}
	return g
}

// levels gives for each vertex how far it is from the first one.
func (g graph) levels() (level []uint32, frontiers [][]uint32) {
	level = slices.Repeat([]uint32{math.MaxUint32}, len(g.rows)-1)
	level[0] = 0
	for frontier := []uint32{0}; len(frontier) > 0; {
		frontiers = append(frontiers, frontier)
		var next []uint32
		for _, v := range frontier {
			for _, w := range g.columns[g.rows[v]:g.rows[v+1]] {
				if level[w] == math.MaxUint32 {
					level[w] = uint32(len(frontiers))
					next = append(next, w)
				}
			}
		}
		slices.Sort(next)
		frontier = next
	}
	return level, frontiers
}

// TestBreadthFirst searches graphs from their first vertex, level by level.
func TestBreadthFirst(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	graphs := []graph{
		{[]uint32{0, 0}, []uint32{0}}, // one vertex, no neighbour
		skewedGraph(rng, 33, 1, 40),
		skewedGraph(rng, 1000, 3, 6000),
	}
	if long.Tests() {
		graphs = append(graphs, skewedGraph(rng, 7001, 5, 9000))
	}
	eachProgram(t, "bfs", func(p *vmtest.Program) {
		for n, g := range graphs {
			level, frontiers := g.levels()
			rows, columns := p.Words("rows", g.rows...), p.Words("columns", g.columns...)
			for _, kernel := range []string{"expand", "expandTogether"} {
				got := p.Filled("level", len(level), math.MaxUint32)
				clear(got.Bytes()[:4])
				frontier := p.Words("frontier", 0)
				for depth, want := range frontiers {
					if depth > 0 {
						found := slices.Clone(vmtest.Words(frontier)[:len(want)])
						if slices.Sort(found); !slices.Equal(found, want) {
							p.Fatalf("%s, graph %d: frontier %d is not that of the model", kernel, n, depth)
						}
					}
					next, count := p.Filled("next", len(level), 77), p.Words("count", 0)
					p.Launch(kernel, blocksFor(len(want), 64), 64, rows, columns, got, frontier, uint32(len(want)), next, count, uint32(depth+1))
					wantCount := 0
					if depth+1 < len(frontiers) {
						wantCount = len(frontiers[depth+1])
					}
					p.Hold(fmt.Sprintf("%s, graph %d: count of frontier %d", kernel, n, depth+1), count, []uint32{uint32(wantCount)})
					frontier = next
				}
				p.Hold(fmt.Sprintf("%s, graph %d", kernel, n), got, level)
			}
			sumNeighbours(p, g, rows, columns)
		}
	})
}

// sumNeighbours adds up the numbers of neighbours, for each vertex and for each warp.
func sumNeighbours(p *vmtest.Program, g graph, args ...any) {
	p.Helper()
	n := len(g.rows) - 1
	blocks := blocksFor(n, 96)
	sums, warps := make([]uint32, n), make([]uint32, blocks*3)
	for v := range n {
		for _, w := range g.columns[g.rows[v]:g.rows[v+1]] {
			sums[v] += w
		}
		warps[v/32] += sums[v]
	}
	gotSums, gotWarps := p.Filled("sums", n, 77), p.Filled("warps", len(warps), 77)
	p.Launch("sums", blocks, 96, append(args, uint32(n), gotSums, gotWarps)...)
	p.Hold("sums", gotSums, sums)
	p.Hold("sums of warps", gotWarps, warps)
}
