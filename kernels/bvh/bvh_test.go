package bvh

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/vop-ptx/vop"
	"github.com/vop-ptx/vop/kernels/internal/kerneltest"
)

// The types have the layout of those in bvh.cu.
type vector [3]float32

type ray struct {
	Origin    vector
	Begin     float32
	Direction vector
	End       float32
}

type box struct{ Low, High vector }

type node struct {
	Box    [2]box
	Child  [2]int32
	Unused [2]int32
}

type triangle struct{ Corner, Edge1, Edge2 vector }

type hit struct {
	Distance float32
	Triangle int32
}

func minus(a, b vector) vector { return vector{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }

// Products are converted so that no compiler fuses them with the additions, as the
// kernel is compiled without that, too.
func dot(a, b vector) float32 {
	return float32(a[0]*b[0]) + float32(a[1]*b[1]) + float32(a[2]*b[2])
}

func cross(a, b vector) vector {
	return vector{
		float32(a[1]*b[2]) - float32(a[2]*b[1]),
		float32(a[2]*b[0]) - float32(a[0]*b[2]),
		float32(a[0]*b[1]) - float32(a[1]*b[0]),
	}
}

// intersect returns the distance at which the ray meets the triangle, or -1.
func intersect(t triangle, r ray) float32 {
	p := cross(r.Direction, t.Edge2)
	determinant := dot(t.Edge1, p)
	if determinant == 0 {
		return -1
	}
	inverse := 1 / determinant
	s := minus(r.Origin, t.Corner)
	u := dot(s, p) * inverse
	q := cross(s, t.Edge1)
	v := dot(r.Direction, q) * inverse
	if u < 0 || v < 0 || u+v > 1 {
		return -1
	}
	return dot(t.Edge2, q) * inverse
}

// first is the dull model: it tries all triangles.
func first(r ray, triangles []triangle) hit {
	h := hit{r.End, -1}
	for i, t := range triangles {
		if d := intersect(t, r); d >= r.Begin && d < h.Distance {
			h = hit{d, int32(i)}
		}
	}
	return h
}

// bounds returns the box of some triangles, a little larger than they are, so that
// rounding in the kernel's box test loses nothing.
func bounds(triangles []triangle, numbers []int32) box {
	b := box{vector{math.MaxFloat32, math.MaxFloat32, math.MaxFloat32}, vector{-math.MaxFloat32, -math.MaxFloat32, -math.MaxFloat32}}
	for _, n := range numbers {
		t := triangles[n]
		for axis := range 3 {
			for _, edge := range []float32{0, t.Edge1[axis], t.Edge2[axis]} {
				b.Low[axis] = min(b.Low[axis], t.Corner[axis]+edge-1e-4)
				b.High[axis] = max(b.High[axis], t.Corner[axis]+edge+1e-4)
			}
		}
	}
	return b
}

// build appends the tree over some triangles, at least two, and returns its root.
func build(nodes []node, triangles []triangle, numbers []int32) []node {
	b := bounds(triangles, numbers)
	longest := 0
	for axis := range 3 {
		if b.High[axis]-b.Low[axis] > b.High[longest]-b.Low[longest] {
			longest = axis
		}
	}
	slices.SortFunc(numbers, func(i, j int32) int {
		return cmp.Compare(triangles[i].Corner[longest], triangles[j].Corner[longest])
	})
	self := len(nodes)
	nodes = append(nodes, node{})
	for c, half := range [][]int32{numbers[:len(numbers)/2], numbers[len(numbers)/2:]} {
		nodes[self].Box[c] = bounds(triangles, half)
		if len(half) == 1 {
			nodes[self].Child[c] = ^half[0]
			continue
		}
		nodes[self].Child[c] = int32(len(nodes))
		nodes = build(nodes, triangles, half)
	}
	return nodes
}

func TestBVH(t *testing.T) {
	const count, rays = 400, 500
	rng := rand.New(rand.NewPCG(13, 14))
	random := func(scale float32) vector {
		return vector{scale * (rng.Float32() - 0.5), scale * (rng.Float32() - 0.5), scale * (rng.Float32() - 0.5)}
	}
	triangles, numbers := make([]triangle, count), make([]int32, count)
	for i := range triangles {
		triangles[i] = triangle{random(10), random(2), random(2)}
		numbers[i] = int32(i)
	}
	triangles[count-1] = triangles[0] // two at the same distance
	nodes := build(nil, triangles, numbers)

	in, want := make([]ray, rays), make([]hit, rays)
	hits := 0
	for i := range in {
		origin := random(20)
		in[i] = ray{origin, 0, minus(random(8), origin), 100} // into the scene
		if i%5 == 0 {
			in[i].Begin, in[i].End = 0.5, 1
		}
		if i == 1 { // at the middle of the two
			middle := triangles[0]
			for axis := range 3 {
				in[i].Direction[axis] = middle.Corner[axis] + (middle.Edge1[axis]+middle.Edge2[axis])/3 - in[i].Origin[axis]
			}
		}
		want[i] = first(in[i], triangles)
		if want[i].Triangle >= 0 {
			hits++
		}
	}
	if hits < rays/5 || hits > rays*4/5 {
		t.Fatalf("%d of %d rays hit: the test should have both kinds", hits, rays)
	}
	kerneltest.Each(t, "bvh", func(t *testing.T, launch kerneltest.Launch) {
		got := make([]hit, rays)
		launch(vop.Grid{X: (rays + 63) / 64}, vop.Block{X: 64}, in, rays, nodes, triangles, got)
		if diff := gocmp.Diff(want, got); diff != "" {
			t.Errorf("%.1000s", diff)
		}
	})
}
