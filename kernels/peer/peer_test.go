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
	all := build(t)
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
			got, p := l.Result(), start(t, all, c)
			for _, way := range c.Ways {
				t.Run(way.String(), func(t *testing.T) { same(t, p, way, got) })
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

var built = sync.OnceValues(func() (*Peers, error) { return Build(".", folder) })

var folder string // that the tests build into

func build(t testing.TB) *Peers {
	t.Helper()
	p, err := built()
	if errors.Is(err, exec.ErrNotFound) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func start(t testing.TB, all *Peers, c *Case) *Peer {
	t.Helper()
	p, err := all.Start(c)
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
	all := build(b)
	for i := range Cases {
		c := &Cases[i]
		for _, way := range c.Ways {
			b.Run(fmt.Sprintf("%s/%v", c.Name, way), func(b *testing.B) {
				l, p := prepare(b, c), start(b, all, c)
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
