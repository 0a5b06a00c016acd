package peer

import (
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/vop-ptx/vop/internal/cputime"
	"github.com/vop-ptx/vop/internal/long"
)

// TestSameResults holds the results of the kernels against those of their peers.
func TestSameResults(t *testing.T) {
	for i := range Cases {
		c := &Cases[i]
		t.Run(c.Name, func(t *testing.T) {
			if c.Name == "stereo" {
				long.Only(t) // seconds; kernels/stereo has a smaller one
			}
			l := prepare(t, c)
			if err := l.Run(0); err != nil {
				t.Fatal(err)
			}
			got := l.Result()
			for _, way := range c.Ways {
				t.Run(way.String(), func(t *testing.T) {
					if way == Pocl && slices.Contains(c.Ways, PoclBuiltIns) {
						long.Only(t) // a second each; the built-in functions are the better oracle, since others wrote them
					}
					same(t, start(t, c, l, way, 0), way, got)
				})
			}
		})
	}
}

func same(t testing.TB, p *Peer, way Way, got []uint32) {
	t.Helper()
	want, err := p.Result(way)
	if errors.Is(err, errors.ErrUnsupported) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != len(want) {
		t.Fatalf("the kernel writes %d words, its peer %d", len(got), len(want))
	}
	for n := range got {
		if got[n] != want[n] {
			t.Fatalf("word %d of the kernel's result is %#x, its peer's %#x", n, got[n], want[n])
		}
	}
}

var folder string // that the tests build into

var built = sync.OnceValues(func() (*Peers, error) { return Build(".", folder) })

var builtPocl = sync.OnceValues(func() (*Peers, error) { return BuildPocl(".", folder) })

var told sync.Once // what pocl this is

// program returns the program with the peers in a way.
func program(t testing.TB, way Way) *Peers {
	t.Helper()
	build := built
	if way.InPocl() {
		build = builtPocl
	}
	p, err := build()
	if errors.Is(err, exec.ErrNotFound) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	if p.What != "" {
		told.Do(func() { t.Log(p.What) })
	}
	return p
}

// start starts the peer of a case in a way.
func start(t testing.TB, c *Case, l *Launch, way Way, cores int) *Peer {
	t.Helper()
	p, err := program(t, way).Start(c, l, cores)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

func prepare(t testing.TB, c *Case) *Launch {
	t.Helper()
	l, err := c.Prepare("..")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// BenchmarkPeers measures each kernel and a peer of it in turns, on one core, in processor time: medians, and how
// many times as fast as the peer the kernel is. Their results are held against each other before.
func BenchmarkPeers(b *testing.B) {
	for i := range Cases {
		c := &Cases[i]
		for _, way := range c.Ways {
			b.Run(fmt.Sprintf("%s/%v", c.Name, way), func(b *testing.B) {
				l := prepare(b, c)
				p := start(b, c, l, way, 1)
				if err := l.Run(1); err != nil {
					b.Fatal(err)
				}
				same(b, p, way, l.Result())
				inTurns(b, l, p, way)
			})
		}
	}
}

func inTurns(b *testing.B, l *Launch, p *Peer, way Way) {
	var kernel, peer, ratio []float64
	for b.Loop() {
		before := cputime.Now()
		if err := l.Run(1); err != nil {
			b.Fatal(err)
		}
		k := cputime.Now() - before
		other, err := p.Run(way)
		if err != nil {
			b.Fatal(err)
		}
		kernel, peer = append(kernel, float64(k)), append(peer, float64(other))
		ratio = append(ratio, float64(other)/float64(max(k, time.Microsecond)))
	}
	b.ReportMetric(0, "ns/op") // means nothing: both are in it
	b.ReportMetric(middle(kernel), "vop-ns")
	b.ReportMetric(middle(peer), "peer-ns")
	b.ReportMetric(middle(ratio), "peer/vop")
}

// middle returns the median.
func middle(x []float64) float64 { return slices.Sorted(slices.Values(x))[len(x)/2] }

// BenchmarkCores measures the launches by the clock, on one core and two.
func BenchmarkCores(b *testing.B) {
	for i := range Cases {
		for _, cores := range []int{1, 2} {
			b.Run(fmt.Sprintf("%s/%d", Cases[i].Name, cores), func(b *testing.B) {
				l := prepare(b, &Cases[i])
				for b.Loop() {
					if err := l.Run(cores); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
