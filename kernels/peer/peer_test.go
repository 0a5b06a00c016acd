package peer

import (
	"fmt"
	"os/exec"
	"slices"
	"testing"
)

// TestSameResults holds the results of the kernels against those of their peers.
func TestSameResults(t *testing.T) {
	p := build(t)
	for i := range Cases {
		c := &Cases[i]
		t.Run(c.Name, func(t *testing.T) {
			_, want, err := p.Run(c, 1)
			if err != nil {
				t.Fatal(err)
			}
			l := prepare(t, c)
			if err := l.Run(0); err != nil {
				t.Fatal(err)
			}
			if got := l.Result(); !slices.Equal(got, want) {
				t.Errorf("the kernel's result is not that of its peer")
			}
		})
	}
}

func build(t testing.TB) *Peer {
	t.Helper()
	if _, err := exec.LookPath(Compiler); err != nil {
		t.Skipf("%s is not installed", Compiler)
	}
	p, err := Build(".", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
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

// BenchmarkKernels measures the launches, on one core and two.
func BenchmarkKernels(b *testing.B) {
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

// BenchmarkPeers measures the peers, on one core.
func BenchmarkPeers(b *testing.B) {
	p := build(b)
	for i := range Cases {
		b.Run(Cases[i].Name, func(b *testing.B) {
			seconds, _, err := p.Run(&Cases[i], 5)
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
			}
			b.ReportMetric(seconds*1e9, "ns/op")
		})
	}
}
