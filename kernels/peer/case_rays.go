package peer

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/vop-ptx/vop"
)

const rayCount, triangleCount = 65536, 4096

type point [3]float32

func (a point) plus(b point) point  { return point{a[0] + b[0], a[1] + b[1], a[2] + b[2]} }
func (a point) minus(b point) point { return point{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }

// inCube returns a random point of a cube around the origin.
func inCube(rng *rand.Rand, side float32) point {
	return point{side * (rng.Float32() - 0.5), side * (rng.Float32() - 0.5), side * (rng.Float32() - 0.5)}
}

// triangle is a corner, and the edges from there.
type triangle [3]point

// node is a node of the hierarchy: the boxes of two children and what they are, the number of a node or ~ that of
// a triangle.
type node struct {
	low, high [2]point
	child     [2]int32
}

// bounds is the box of some triangles, a little larger than they are.
func bounds(triangles []triangle, numbers []int32) (low, high point) {
	for axis := range 3 {
		low[axis], high[axis] = math.MaxFloat32, -math.MaxFloat32
		for _, n := range numbers {
			t := &triangles[n]
			for _, corner := range []point{t[0], t[0].plus(t[1]), t[0].plus(t[2])} {
				low[axis], high[axis] = min(low[axis], corner[axis]-1e-4), max(high[axis], corner[axis]+1e-4)
			}
		}
	}
	return low, high
}

// hierarchy appends the tree over some triangles, at least two, halved along the longest side of their box.
func hierarchy(nodes []node, triangles []triangle, numbers []int32) []node {
	low, high := bounds(triangles, numbers)
	sides := high.minus(low)
	longest := slices.Index(sides[:], slices.Max(sides[:]))
	slices.SortFunc(numbers, func(i, j int32) int { return cmp.Compare(triangles[i][0][longest], triangles[j][0][longest]) })
	self := len(nodes)
	nodes = append(nodes, node{})
	for c, half := range [][]int32{numbers[:len(numbers)/2], numbers[len(numbers)/2:]} {
		nodes[self].low[c], nodes[self].high[c] = bounds(triangles, half)
		if len(half) == 1 {
			nodes[self].child[c] = ^half[0]
			continue
		}
		nodes[self].child[c] = int32(len(nodes))
		nodes = hierarchy(nodes, triangles, half)
	}
	return nodes
}

func appendPoint(words []uint32, p point) []uint32 {
	return append(words, math.Float32bits(p[0]), math.Float32bits(p[1]), math.Float32bits(p[2]))
}

// bvhInput makes a cloud of triangles, and rays into it from all sides. Those of a warp have nothing to do with each
// other: they part early.
func bvhInput() []uint32 {
	rng := random()
	triangles, numbers := make([]triangle, triangleCount), make([]int32, triangleCount)
	for i := range triangles {
		triangles[i] = triangle{inCube(rng, 10), inCube(rng, 1), inCube(rng, 1)}
		numbers[i] = int32(i)
	}
	nodes := hierarchy(nil, triangles, numbers)
	input := []uint32{rayCount, uint32(len(nodes)), triangleCount}
	for range rayCount {
		origin := inCube(rng, 20)
		input = append(appendPoint(input, origin), 0)
		input = append(appendPoint(input, inCube(rng, 8).minus(origin)), math.Float32bits(100))
	}
	for _, n := range nodes {
		for c := range 2 {
			input = appendPoint(appendPoint(input, n.low[c]), n.high[c])
		}
		input = append(input, uint32(n.child[0]), uint32(n.child[1]), 0, 0)
	}
	for _, t := range triangles {
		for _, p := range t {
			input = appendPoint(input, p)
		}
	}
	return input
}

// The sizes of what the kernel reads and writes, in words.
const rayWords, nodeWords, hitWords = 8, 16, 2

func prepareBVH(d *device, input []uint32) (l launch) {
	nodeCount, rest := int(input[1]), input[3:]
	rays := d.upload(rest[:rayCount*rayWords])
	nodes := d.upload(rest[rayCount*rayWords:][:nodeCount*nodeWords])
	triangles := d.upload(rest[rayCount*rayWords+nodeCount*nodeWords:])
	hits := d.upload(make([]uint32, rayCount*hitWords))
	l.grid, l.block = vop.Grid{X: rayCount / 128}, vop.Block{X: 128}
	l.args, l.results = []any{rays, rayCount, nodes, triangles, hits}, []*vop.Buffer{hits}
	return l
}
