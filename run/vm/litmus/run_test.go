// Package litmus_test runs litmus tests of PTX's memory consistency model on all levels, and holds
// what is seen of them against what package internal/litmus says of them.
package litmus_test

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"time"

	"github.com/vop-ptx/vop/internal/litmus"
	"github.com/vop-ptx/vop/run/level"
	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// seen are the outcomes of a program on a level, and how many instances have had each.
type seen map[string]*count

type count struct {
	litmus.Outcome
	n int
}

// effort says how long programs are run: how often, as the first launch of machine code has to make
// it, their rounds, the turns that a CTA waits for others in all of them, and those of a pause. In
// a CTA a pause must be so long that a turn is lost, of which machine code has longer ones.
type effort struct{ launches, rounds, patience, pause int }

// effortOf is what shows most in little time.
func effortOf(programs []*litmus.Program, l level.Level) effort {
	e := effort{launches: 2, rounds: 400 * *timesFlag, patience: len(programs) << 19 * *timesFlag, pause: 100}
	if programs[0].CTAs() == 1 {
		e.launches, e.rounds, e.pause = 1, 12**timesFlag, 18_000
	}
	if l == level.Portable {
		e.patience /= 128
		e.launches, e.rounds, e.pause = 1, e.rounds/2, min(e.pause, 1100)
	}
	return e
}

// run executes programs on a level, and returns what is seen of each.
func run(programs []*litmus.Program, l level.Level, e effort) ([]seen, error) {
	launch := &litmus.Launch{Programs: programs, Rounds: e.rounds}
	text := launch.Kernel()
	m, err := vmtest.Trial{Text: text}.Checked()
	if err != nil {
		return nil, fmt.Errorf("%w\n%s", err, text)
	}
	mod, err := vm.NewMemory().Load(m, l)
	if err != nil {
		return nil, err
	}
	cells, results, meet := launch.Size()
	var buffers []*vm.Buffer
	for _, bytes := range []int{cells, results, meet} {
		b, err := mod.Memory().Alloc("buffer", bytes)
		if err != nil {
			return nil, err
		}
		buffers = append(buffers, b)
	}
	k, err := mod.Kernel("k")
	if err != nil {
		return nil, err
	}
	ctas := launch.CTAs()
	grid := vm.Grid{Grid: vm.Dim{X: ctas}, Block: vm.Dim{X: launch.Block()}, Workers: ctas}
	if programs[0].Shared {
		grid.Shared = cells
	}
	ctx, stop := context.WithTimeout(context.Background(), 2*time.Minute) // a machine may have more to do
	defer stop()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(max(ctas, runtime.GOMAXPROCS(0)))) // so that all CTAs can run
	all := make([]seen, len(programs))
	for range e.launches {
		for _, b := range buffers {
			clear(b.Bytes())
		}
		if ctas > 1 {
			onTwoCores()
		}
		if err := k.Launch(ctx, grid, buffers[0], buffers[1], buffers[2], uint32(e.patience), uint32(e.pause)); err != nil {
			return nil, err
		}
		for n, p := range programs {
			if all[n] == nil {
				all[n] = seen{}
			}
			for i := range e.rounds * p.Width {
				all[n].add(launch.Outcome(n, i, buffers[1].Bytes(), buffers[0].Bytes()))
			}
		}
	}
	return all, nil
}

// add counts an outcome.
func (s seen) add(o litmus.Outcome) {
	name := o.String()
	if s[name] == nil {
		s[name] = &count{Outcome: o}
	}
	s[name].n++
}

// names are the outcomes in an order that does not change.
func (s seen) names() (names []string) {
	for name := range s {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// sum is how many instances there were.
func (s seen) sum() (n int) {
	for _, c := range s {
		n += c.n
	}
	return n
}
